// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/objects.h"

namespace foothold::aclnn {

Tensor CurrentView(const Tensor& tensor) {
  if (!tensor.told) return tensor;
  const auto told = tensor.told->dims();
  if (!told) return tensor;
  Tensor view = tensor;
  view.dims = view.strides = Extents(*told);
  std::int64_t stride = 1;
  for (std::size_t i = told->size(); i-- > 0; stride *= (*told)[i])
    view.strides[i] = stride;
  return view;
}

}  // namespace foothold::aclnn
