// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr int kLastType = 42;

template <typename Fits>
std::vector<DataType> TypesWhere(Fits&& fits) {
  std::vector<DataType> types;
  for (int number = 0; number <= kLastType; ++number)
    if (fits(BitsPerElement(static_cast<DataType>(number)).value_or(0)))
      types.push_back(static_cast<DataType>(number));
  return types;
}

}  // namespace

std::vector<DataType> FloatTypes() {
  return {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};
}

std::vector<DataType> NumberTypes() {
  std::vector<DataType> types = FloatTypes();
  types.insert(types.end(),
               {DataType::kDouble, DataType::kInt8, DataType::kInt16, DataType::kInt32, DataType::kInt64,
                DataType::kUint8, DataType::kUint16, DataType::kUint32, DataType::kUint64});
  return types;
}

std::vector<DataType> NumberAndBoolTypes() {
  std::vector<DataType> types = NumberTypes();
  types.push_back(DataType::kBool);
  return types;
}

std::vector<DataType> WholeByteTypes() {
  return TypesWhere([](int bits) { return bits > 0 && bits % 8 == 0; });
}

std::vector<DataType> FixedSizeTypes() {
  return TypesWhere([](int bits) { return bits > 0; });
}

}  // namespace foothold
