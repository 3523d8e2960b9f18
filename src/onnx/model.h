// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An ONNX model as the importer sees it: plain values, nothing of protobuf. Made by libfoothold_onnx.so
// (src/onnx_reader), read by the importer. Functions have been inlined wherever no mapping covers them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
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

struct ModelNode {
  std::string name;  // may be empty
  std::string op;
  std::string domain;               // empty: the default domain
  int version = 0;                  // of the operator set the node was written for
  std::vector<std::string> inputs;  // an empty name: not given
  std::vector<std::string> outputs;
  std::map<std::string, ModelAttribute, std::less<>> attributes;
};

struct NamedType {
  std::string name;
  ValueType type;
};

struct ModelGraph {
  std::string name;
  std::vector<ModelNode> nodes;  // producers before consumers
  std::vector<NamedType> inputs;
  std::vector<NamedType> outputs;
  std::unordered_map<std::string, TensorValue> constants;  // initialisers
  std::unordered_map<std::string, ValueType> types;
};

struct Model {
  std::int64_t ir_version = 0;
  ModelGraph graph;
};

}  // namespace foothold::onnx
