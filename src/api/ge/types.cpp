// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/types.h"

#include "api/ge/graph_guard.h"
#include "api/ge/types_impl.h"
#include "base/format_names.h"

namespace ge {

int64_t GetSizeInBytes(int64_t element_count, DataType data_type) {
  const int size = GetSizeByDataType(data_type);
  if (element_count < 0 || size < 0) return -1;
  const bool sub_byte = size > kDataTypeSizeBitOffset;
  int64_t total = 0;
  if (__builtin_mul_overflow(element_count, sub_byte ? size - kDataTypeSizeBitOffset : size, &total))
    return -1;
  return sub_byte ? total / kBitNumOfOneByte + (total % kBitNumOfOneByte != 0) : total;
}

const char_t* GetFormatName(Format format) {
  const auto names = foothold::FormatNames();
  const auto primary = static_cast<size_t>(GetPrimaryFormat(format));
  return names[primary < names.size() ? primary : static_cast<size_t>(FORMAT_RESERVED)];
}

TensorType::TensorType(DataType dt) : TensorType({dt}) {}

TensorType::TensorType(const std::initializer_list<DataType>& initial_types)
    : tensor_type_impl_(foothold::GuardGraphValue(
          "TensorType", [&] { return std::shared_ptr<TensorTypeImpl>(new TensorTypeImpl{initial_types}); })) {
}

Promote::Promote(const std::initializer_list<const char*>& syms)
    : impl_(foothold::GuardGraphValue("Promote",
                                      [&] { return std::shared_ptr<PromoteImpl>(new PromoteImpl{syms}); })) {}

Promote::Promote(Promote&& other) noexcept = default;
Promote& Promote::operator=(Promote&& other) noexcept = default;

std::vector<const char*> Promote::Syms() const {
  if (impl_ == nullptr) return {};
  return foothold::GuardGraphValue("Promote::Syms", [&] { return impl_->symbols; });
}

}  // namespace ge
