// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An ONNX model as the importer sees it: plain values, nothing of protobuf. Made by libfoothold_onnx.so
// (src/onnx_reader), read by the importer. Functions have been inlined wherever no mapping covers them. Names
// of values are looked up once, by the reader: everybody else knows a value by its number. Texts and lists
// lie in memory the model keeps, mostly that of the messages it was read from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/tensor_type.h"
#include "ir/tensor_value.h"

namespace foothold::onnx {

struct ModelGraph;

// What the file and shape inference say about a value. A tensor of strings has a type, never data.
struct ValueType {
  enum class Kind { kUnknown, kTensor, kSequence, kOptional, kOther };
  Kind kind = Kind::kUnknown;
  DataType type = DataType::kUndefined;
  Dims dims = {kUnknownRank};

  bool RankKnown() const { return foothold::RankKnown(dims); }
};

using ModelAttribute =
    std::variant<std::int64_t, float, std::string, TensorValue, std::shared_ptr<const ModelGraph>,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>,
                 std::vector<TensorValue>, std::vector<std::shared_ptr<const ModelGraph>>, std::monostate>;

// The place of a value among those of its graph.
using ValueNumber = std::int32_t;
inline constexpr ValueNumber kNoValue = -1;  // an input that is not given, an output nobody wants

struct ModelNode {
  std::string_view name;  // may be empty
  std::string_view op;
  std::string_view domain;  // empty: the default domain
  int version = 0;          // of the operator set the node was written for
  std::span<const ValueNumber> inputs;
  std::span<const ValueNumber> outputs;
  std::map<std::string, ModelAttribute, std::less<>> attributes;
};

struct ModelValue {
  std::string_view name;
  const ValueType* type = nullptr;  // one for all values that have it
  std::int32_t constant = -1;       // of an initialiser: its place among the constants
  ValueNumber outside = kNoValue;   // the value of the surrounding graph that this one is
};

struct NamedValue {
  std::string name;
  ValueNumber value = kNoValue;
  ValueType type;
};

struct ModelGraph {
  std::string name;
  std::vector<ModelNode> nodes;  // producers before consumers
  std::vector<NamedValue> inputs;
  std::vector<NamedValue> outputs;
  std::vector<ModelValue> values;
  std::vector<TensorValue> constants;  // initialisers
};

struct Model {
  std::shared_ptr<const void> memory;  // that names, lists and types are in
  std::int64_t ir_version = 0;
  ModelGraph graph;
};

}  // namespace foothold::onnx
