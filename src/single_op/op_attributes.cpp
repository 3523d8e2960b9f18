// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/op_attributes.h"

#include <type_traits>

#include "base/error.h"
#include "base/key_bytes.h"
#include "prototypes/prototype.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const OpAttributeSets& made_at_load = OpAttributeSets::Get();

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
void AppendValue(std::string& key, const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    AppendPlain(key, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    AppendText(key, value);
  } else if constexpr (std::is_same_v<T, TensorType>) {
    AppendText(key, ToString(value));
  } else if constexpr (std::is_same_v<T, TensorValue>) {
    AppendText(key, ToString(value.type()));
    AppendText(key, {reinterpret_cast<const char*>(value.data()), value.size()});
  } else if constexpr (IsVector<T>::value) {
    AppendPlain(key, value.size());
    for (const auto& element : value)
      AppendValue<typename T::value_type>(key, element);
  }  // graphs and named attributes have no place in operators that run on their own
}

// The numbers of types are often passed as plain integers.
Attribute AsKind(PrototypeAttributeType kind, const Attribute& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value);
      number != nullptr && kind == PrototypeAttributeType::kType)
    return static_cast<DataType>(*number);
  if (const auto* type = std::get_if<DataType>(&value);
      type != nullptr && kind == PrototypeAttributeType::kInt)
    return static_cast<std::int64_t>(*type);
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
      numbers != nullptr && kind == PrototypeAttributeType::kListType) {
    std::vector<DataType> types;
    for (const std::int64_t number : *numbers)
      types.push_back(static_cast<DataType>(number));
    return types;
  }
  return value;
}

// A literal of C++ becomes a truth where a caller's function has no overload for it: it is not what the
// program says.
bool MeantAsText(const PrototypeAttribute& declared, const Attribute& given) {
  return declared.type == PrototypeAttributeType::kString && !declared.required &&
         std::holds_alternative<bool>(given);
}

Attribute Checked(const Prototype& prototype, const PrototypeAttribute& declared, const Attribute& given) {
  if (MeantAsText(declared, given)) return declared.default_value;
  Attribute value = AsKind(declared.type, given);
  if (AttributeKind(value) != AttributeTypeName(declared.type))
    Fail(kOpAttrNotMatch, "attribute '{}' of {} is of kind {}, and was set to a {}", declared.name,
         prototype.type, AttributeTypeName(declared.type), AttributeKind(given));
  return value;
}

}  // namespace

std::string KeyOf(const Attributes& attributes) {
  std::string key;
  for (const auto& [name, value] : attributes) {
    AppendText(key, name);
    AppendPlain(key, value.index());
    std::visit([&](const auto& held) { AppendValue<std::decay_t<decltype(held)>>(key, held); }, value);
  }
  return key;
}

void OpAttributes::Set(std::string_view name, Attribute value) {
  values_.insert_or_assign(std::string(name), std::move(value));
  key_ = KeyOf(values_);
}

Attributes CompleteAttributes(const Prototype& prototype, const Attributes& given) {
  Attributes all;
  for (const PrototypeAttribute& declared : prototype.attributes) {
    if (const auto found = given.find(declared.name); found != given.end()) {
      all[declared.name] = Checked(prototype, declared, found->second);
    } else if (declared.required) {
      Fail(kOpAttrNotMatch, "{} needs attribute '{}' of kind {}", prototype.type, declared.name,
           AttributeTypeName(declared.type));
    } else {
      all[declared.name] = declared.default_value;
    }
  }
  return all;
}

}  // namespace foothold
