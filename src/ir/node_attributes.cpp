// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"
#include "ir/node.h"

namespace foothold {
namespace {

template <typename T>
const T* Find(const Node& node, std::string_view name, std::string_view wanted) {
  const Attribute* attribute = node.FindAttribute(name);
  if (attribute == nullptr) return nullptr;
  const T* value = std::get_if<T>(attribute);
  if (value == nullptr)
    Fail(kInvalidParam, "attribute '{}' of {} is {}, not {}", name, node.Description(),
         AttributeKind(*attribute), wanted);
  return value;
}

}  // namespace

const Attribute* Node::FindAttribute(std::string_view name) const noexcept {
  const auto found = attributes.find(name);
  if (found == attributes.end() || std::holds_alternative<std::monostate>(found->second)) return nullptr;
  return &found->second;
}

std::int64_t Node::Int(std::string_view name, std::int64_t otherwise) const {
  const auto* value = Find<std::int64_t>(*this, name, "an integer");
  return value == nullptr ? otherwise : *value;
}

float Node::Float(std::string_view name, float otherwise) const {
  const auto* value = Find<float>(*this, name, "a number");
  return value == nullptr ? otherwise : *value;
}

bool Node::Bool(std::string_view name, bool otherwise) const {
  const auto* value = Find<bool>(*this, name, "a truth value");
  return value == nullptr ? otherwise : *value;
}

std::string Node::Text(std::string_view name, std::string_view otherwise) const {
  const auto* value = Find<std::string>(*this, name, "a text");
  return value == nullptr ? std::string(otherwise) : *value;
}

std::vector<std::int64_t> Node::Ints(std::string_view name, std::vector<std::int64_t> otherwise) const {
  const auto* value = Find<std::vector<std::int64_t>>(*this, name, "a list of integers");
  return value == nullptr ? std::move(otherwise) : *value;
}

std::vector<float> Node::Floats(std::string_view name, std::vector<float> otherwise) const {
  const auto* value = Find<std::vector<float>>(*this, name, "a list of numbers");
  return value == nullptr ? std::move(otherwise) : *value;
}

}  // namespace foothold
