// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"

namespace ge {
namespace {

template <typename Public>
graphStatus Set(const std::shared_ptr<AttrValueImpl>& impl, const Public& value) {
  return foothold::GuardGraph("AttrValue::SetAttrValue", [&] {
    if (impl == nullptr) foothold::Fail(foothold::kBadAlloc, "the attribute value was made without memory");
    impl->value = foothold::ToAttribute(value);
  });
}

template <typename Public>
graphStatus Get(const std::shared_ptr<AttrValueImpl>& impl, Public& value) {
  return foothold::GuardGraph("AttrValue::GetAttrValue", [&] {
    foothold::FromAttribute(impl == nullptr ? foothold::Attribute() : impl->value, value, "value");
  });
}

}  // namespace

AttrValue::AttrValue()
    : impl(foothold::GuardGraphValue("AttrValue", [] { return std::make_shared<AttrValueImpl>(); })) {}

graphStatus AttrValue::GetValue(AscendString& val) {
  return Get(impl, val);
}

#define FOOTHOLD_ATTR_VALUE(...)                                        \
  graphStatus AttrValue::SetAttrValue(const __VA_ARGS__& value) const { \
    return Set(impl, value);                                            \
  }                                                                     \
  graphStatus AttrValue::GetAttrValue(__VA_ARGS__& value) const {       \
    return Get(impl, value);                                            \
  }

FOOTHOLD_ATTR_VALUE(int64_t)
FOOTHOLD_ATTR_VALUE(float32_t)
FOOTHOLD_ATTR_VALUE(AscendString)
FOOTHOLD_ATTR_VALUE(bool)
FOOTHOLD_ATTR_VALUE(Tensor)
FOOTHOLD_ATTR_VALUE(ge::DataType)
FOOTHOLD_ATTR_VALUE(std::vector<int64_t>)
FOOTHOLD_ATTR_VALUE(std::vector<float32_t>)
FOOTHOLD_ATTR_VALUE(std::vector<AscendString>)
FOOTHOLD_ATTR_VALUE(std::vector<bool>)
FOOTHOLD_ATTR_VALUE(std::vector<Tensor>)
FOOTHOLD_ATTR_VALUE(std::vector<ge::DataType>)
FOOTHOLD_ATTR_VALUE(std::vector<std::vector<int64_t>>)

}  // namespace ge
