// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The value of an attribute of a node, a graph or a port. Values; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/tensor_type.h"
#include "ir/tensor_value.h"

namespace foothold {

class Graph;
struct NamedAttributes;

using Bytes = std::vector<std::uint8_t>;

// A monostate is an attribute that has no value: declared, not set, without a default.
using Attribute =
    std::variant<std::monostate, std::int64_t, float, std::string, bool, TensorValue, TensorType, DataType,
                 Bytes, std::shared_ptr<const NamedAttributes>, std::shared_ptr<Graph>,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>, std::vector<bool>,
                 std::vector<TensorValue>, std::vector<TensorType>, std::vector<DataType>, std::vector<Bytes>,
                 std::vector<std::vector<std::int64_t>>, std::vector<std::vector<float>>,
                 std::vector<std::shared_ptr<const NamedAttributes>>, std::vector<std::shared_ptr<Graph>>>;

// Kept in the order of names, so that everything printed from them is stable.
using Attributes = std::map<std::string, Attribute, std::less<>>;

struct NamedAttributes {
  std::string name;
  Attributes attributes;
};

// "VT_INT", "VT_LIST_FLOAT" ...: as the API names the kind of a value. "VT_NONE" for no value.
std::string_view AttributeKind(const Attribute& value);

// What the program reads in messages and text dumps; long lists are shortened.
std::string ToString(const Attribute& value);

}  // namespace foothold
