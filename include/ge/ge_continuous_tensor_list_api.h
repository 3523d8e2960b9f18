// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of known shapes that lie one behind the other in one block of host memory. Copies share the block.
#ifndef FOOTHOLD_GE_GE_CONTINUOUS_TENSOR_LIST_API_H_
#define FOOTHOLD_GE_GE_CONTINUOUS_TENSOR_LIST_API_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include "ge/ge_api_types.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"

namespace ge {

class GE_FUNC_HOST_VISIBILITY ContinuousTensorList {
 public:
  ContinuousTensorList() = default;
  explicit ContinuousTensorList(const std::vector<TensorDesc>& tensor_desc_list);
  ~ContinuousTensorList();

  // Takes the block, filled with zeros. Fails if a shape is not known, and if the block is there already.
  graphStatus Initialize();
  // Lets go of the block; the tensors of the list are gone.
  graphStatus Finalize();

  const std::vector<TensorDesc>& GetTensorDescList() const;
  const std::vector<Tensor>& GetTensorList() const;
  std::vector<uint8_t*> GetDataList() const;
  std::vector<size_t> GetSizeList() const;
  size_t GetBufferSize() const;
  const void* GetBuffer() const;

 private:
  struct Impl;
  Impl& Ensure();
  std::shared_ptr<Impl> impl_;
};

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_CONTINUOUS_TENSOR_LIST_API_H_
