// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/fractals.h"

#include "aclnnop/aclnn_npu_format_cast.h"

namespace nn {

Tensor Folded(const Tensor& plain, const Dims& storage) {
  const Tensor memory = Out(plain.type(), storage);
  Tensor folded = memory.View(Role::kOut, plain.dims(), ContiguousStrides(plain.dims()), 0);
  folded.format = ACL_FORMAT_FRACTAL_NZ;
  folded.storage = storage;
  memory.Open();  // the view does not reach the filling
  Run(NN(NpuFormatCast), plain, folded);
  return folded.As(Role::kIn);
}

}  // namespace nn
