// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is behind ge::AttrValue, and how the types that programs give and take as attributes become the values
// of src/ir and back: FromPublic makes an Attribute, TakePublic fills the program's variable. Same threads as
// the public objects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/ge/tensor_impl.h"
#include "base/error.h"
#include "graph/attr_value.h"
#include "ir/attribute.h"

namespace ge {

struct AttrValueImpl {
  foothold::Attribute value;
};

// Programs have no way to make one; it is what an attribute of that kind is read into and written from.
class NamedAttrs {
 public:
  std::shared_ptr<const foothold::NamedAttributes> value;
};

}  // namespace ge

namespace foothold {

inline std::string FromPublic(const ge::AscendString& text) {
  return {text.GetString(), text.GetLength()};
}
inline ge::AscendString ToPublic(const std::string& text) {
  return {text.data(), text.size()};
}

// One public type and the alternative of Attribute that holds it.
template <typename Public>
struct AttributeTraits {
  using Held = Public;  // the same type on both sides
  static const Held& In(const Public& value) { return value; }
  static const Public& Out(const Held& value) { return value; }
};

template <typename Integer>
struct NarrowIntegerType {
  using Held = std::int64_t;
  static Held In(Integer value) { return value; }
  static Integer Out(Held value) {
    if (static_cast<Integer>(value) != value) Fail(kInvalidParam, "the value {} does not fit", value);
    return static_cast<Integer>(value);
  }
};
template <>
struct AttributeTraits<std::int32_t> : NarrowIntegerType<std::int32_t> {};
template <>
struct AttributeTraits<std::uint32_t> : NarrowIntegerType<std::uint32_t> {};

template <typename Public, typename Internal>
struct ConvertedType {
  using Held = Internal;
  static Held In(const Public& value) { return FromPublic(value); }
  static Public Out(const Held& value) { return ToPublic(value); }
};
template <>
struct AttributeTraits<ge::AscendString> : ConvertedType<ge::AscendString, std::string> {};
template <>
struct AttributeTraits<ge::Tensor> : ConvertedType<ge::Tensor, TensorValue> {};
template <>
struct AttributeTraits<ge::DataType> : ConvertedType<ge::DataType, DataType> {};

template <>
struct AttributeTraits<ge::NamedAttrs> {
  using Held = std::shared_ptr<const NamedAttributes>;
  static Held In(const ge::NamedAttrs& value) { return value.value; }
  static ge::NamedAttrs Out(const Held& value) { return {value}; }
};

template <typename Element>
struct ListType {
  using Held = std::vector<typename AttributeTraits<Element>::Held>;
  static Held In(const std::vector<Element>& values) {
    Held held;
    held.reserve(values.size());
    for (const Element& value : values)
      held.push_back(AttributeTraits<Element>::In(value));
    return held;
  }
  static std::vector<Element> Out(const Held& held) {
    std::vector<Element> values;
    values.reserve(held.size());
    for (const auto& value : held)
      values.push_back(AttributeTraits<Element>::Out(value));
    return values;
  }
};
template <typename Element>
requires(!std::is_same_v<typename AttributeTraits<Element>::Held,
                         Element>) struct AttributeTraits<std::vector<Element>> : ListType<Element> {
};

template <typename Public>
Attribute ToAttribute(const Public& value) {
  return typename AttributeTraits<Public>::Held(AttributeTraits<Public>::In(value));
}
inline Attribute ToAttribute(const char* text) {
  return std::string(text == nullptr ? "" : text);
}
inline Attribute ToAttribute(const ge::AttrValue& value) {
  return value.impl == nullptr ? Attribute() : value.impl->value;
}

// Throws kInvalidParam if `from` is of another kind; `to` is then as before. `name` is for the message.
template <typename Public>
void FromAttribute(const Attribute& from, Public& to, std::string_view name) {
  using Held = typename AttributeTraits<Public>::Held;
  const Held* held = std::get_if<Held>(&from);
  if (held == nullptr)
    Fail(kInvalidParam, "attribute '{}' is of kind {}, not {}", name, AttributeKind(from),
         AttributeKind(Attribute(Held())));
  to = AttributeTraits<Public>::Out(*held);
}
inline void FromAttribute(const Attribute& from, ge::AttrValue& to, std::string_view) {
  to.impl = std::make_shared<ge::AttrValueImpl>(ge::AttrValueImpl{from});
}

}  // namespace foothold
