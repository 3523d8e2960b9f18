// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The element types of convolutions: 16-bit floats and float through packed kernels, double and integers by
// the definition, int8 summed in int32. Used by rules; any thread.
#pragma once

#include <memory>
#include <vector>

#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {

// Refuses operands of different types.
inline void CheckSameType(const OpContext& context, const char* first, const char* second) {
  const DataType a = context.In(first).type, b = context.In(second).type;
  if (a != b)
    context.Refuse("{} is {} and {} is {}; they must have the same type", first, DataTypeName(a), second,
                   DataTypeName(b));
}

// Calls make(ElementTag<In>, ElementTag<Out>) for the types without packed kernels.
template <typename Make>
std::unique_ptr<Kernel> VisitPlainTypes(const OpContext& context, DataType type, Make&& make) {
  switch (type) {
    case DataType::kDouble:
      return make(ElementTag<double>(), ElementTag<double>());
    case DataType::kInt8:
      return make(ElementTag<std::int8_t>(), ElementTag<std::int32_t>());
    case DataType::kUint8:
      return make(ElementTag<std::uint8_t>(), ElementTag<std::uint8_t>());
    case DataType::kInt16:
      return make(ElementTag<std::int16_t>(), ElementTag<std::int16_t>());
    case DataType::kInt32:
      return make(ElementTag<std::int32_t>(), ElementTag<std::int32_t>());
    case DataType::kInt64:
      return make(ElementTag<std::int64_t>(), ElementTag<std::int64_t>());
    default:
      context.Unsupported(
          "no kernel for {}; float, float16, bfloat16, double, int8, uint8, int16, int32 and "
          "int64 have one",
          DataTypeName(type));
  }
}

// For OpDef::Types.
inline std::vector<DataType> ConvolutionTypes() {
  return {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble, DataType::kInt8,
          DataType::kUint8, DataType::kInt16,   DataType::kInt32,    DataType::kInt64};
}

// A bias is added in the type of the output; floats of any width go together.
inline void CheckBiasType(const OpContext& context, int bias, DataType out) {
  if (bias < 0) return;
  const DataType type = context.In(bias).type;
  const auto is_float = [](DataType t) {
    return t == DataType::kFloat || t == DataType::kFloat16 || t == DataType::kBfloat16;
  };
  if (type != out && !(is_float(type) && is_float(out)))
    context.Unsupported("no kernel adds a bias of {} to {}", DataTypeName(type), DataTypeName(out));
}

}  // namespace foothold
