// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is behind ge::Shape, ge::TensorDesc and ge::Tensor, and how the rest of the API turns them into the
// values of src/ir and back. A handle may be empty (moved from, or made when memory was short); reading it
// gives the defaults. Same threads as the public objects.
#pragma once

#include <memory>
#include <vector>

#include "graph/tensor.h"
#include "ir/node.h"
#include "ir/tensor_value.h"

namespace ge {

struct ShapeImpl {
  std::vector<int64_t> dims;
};

struct TensorDescImpl {
  foothold::PortDesc desc;

  [[gnu::visibility("hidden")]] static const foothold::PortDesc& Read(const TensorDesc& desc);
  [[gnu::visibility("hidden")]] static foothold::PortDesc& Edit(TensorDesc& desc);
};

struct TensorImpl {
  foothold::PortDesc desc;
  foothold::SharedBytes data;
  size_t size = 0;

  [[gnu::visibility("hidden")]] static const TensorImpl& Read(const Tensor& tensor);
  [[gnu::visibility("hidden")]] static TensorImpl& Edit(Tensor& tensor);
  [[gnu::visibility("hidden")]] static Tensor Make(const foothold::TensorValue& value);
  // With fresh memory.
  [[gnu::visibility("hidden")]] static Tensor Make(const foothold::TensorType& type);
};

}  // namespace ge

namespace foothold {

// ge::DataType and ge::Format have the numbers of DataType and Format, but for the undefined type.
DataType FromPublic(ge::DataType type) noexcept;
ge::DataType ToPublic(DataType type) noexcept;
inline Format FromPublic(ge::Format format) noexcept {
  return static_cast<Format>(format);
}
inline ge::Format ToPublic(Format format) noexcept {
  return static_cast<ge::Format>(format);
}

inline const PortDesc& FromPublic(const ge::TensorDesc& desc) {
  return ge::TensorDescImpl::Read(desc);
}
ge::TensorDesc ToPublic(const PortDesc& desc);

// The bytes are shared in both directions.
TensorValue FromPublic(const ge::Tensor& tensor);
ge::Tensor ToPublic(const TensorValue& value);

}  // namespace foothold
