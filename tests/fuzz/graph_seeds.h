// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A small saved graph around each operator that runs, in several forms: what it takes is put together from
// its prototype alone, so some run and some are refused. For the fuzzer (write_seeds), which finds the
// names of operators and attributes in them, and for the replay in the unit tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/sources.h"
#include "formats/graph_model.h"
#include "fuzz/bounded_run.h"
#include "ops/op.h"
#include "prototypes/prototype.h"

namespace foothold {

class OperatorSeed {
 public:
  static constexpr int kForms = 4;
  // Lists of ports may also be empty, or longer than attributes say.
  static int FormsOf(const Prototype& prototype) { return HasLists(prototype) ? kForms + 2 : kForms; }

  OperatorSeed(const Prototype& prototype, int form)
      : prototype_(prototype),
        form_(form),
        graph_(std::make_shared<Graph>("seed")),
        node_(graph_->Make(prototype.type, "op")) {
    for (const PrototypePort& port : prototype.inputs)
      AddInputs(port);
    for (const PrototypePort& port : prototype.outputs)
      AddOutputs(port);
    for (const PrototypeAttribute& attribute : prototype.attributes)
      node_.attributes[attribute.name] =
          attribute.required ? Value(attribute.type, attribute.name) : attribute.default_value;
  }

  std::string Bytes() const {
    GraphModel model;
    model.graph = graph_;
    return SaveGraphModel(model);
  }
  Graph& graph() const { return *graph_; }
  Node& node() const { return node_; }

 private:
  static bool HasLists(const Prototype& prototype) {
    const auto is_list = [](const PrototypePort& port) { return port.kind == PortKind::kDynamic; };
    return std::any_of(prototype.inputs.begin(), prototype.inputs.end(), is_list) ||
           std::any_of(prototype.outputs.begin(), prototype.outputs.end(), is_list);
  }

  Dims DataDims() const {
    const Dims forms[kForms] = {{2, 4}, {1, 2, 4, 4}, {3}, {2, 0, 3}};
    return forms[form_ % kForms];
  }

  int ListLength() const { return form_ < kForms ? 2 : form_ == kForms ? 0 : 3; }

  DataType TypeOf(const PrototypePort& port) const {
    const DataTypeSet types = prototype_.TypesOf(port);
    for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kInt32, DataType::kInt64,
                                DataType::kBool, DataType::kInt8, DataType::kUint8})
      if (types.Contains(type)) return type;
    return DataType::kFloat;
  }

  void AddInputs(const PrototypePort& port) {
    if (port.kind != PortKind::kDynamic) return AddInput(port, port.name);
    for (int i = 0; i < ListLength(); ++i)
      AddInput(port, port.name + std::to_string(i));
  }

  // What is only ever integers is mostly an axis, an index or a size, and known beforehand.
  void AddInput(const PrototypePort& port, const std::string& name) {
    const DataType type = TypeOf(port);
    const int index = static_cast<int>(node_.inputs().size());
    node_.AddInput(name, port.kind, port.name);
    if (port.kind == PortKind::kOptional && form_ != 1) return;
    const bool number = type == DataType::kInt32 || type == DataType::kInt64;
    Node& source = number ? MakeConstant(*graph_, name, Numbers(type)) : MakeInput(name, type);
    node_.Connect(index, {&source, 0});
  }

  TensorValue Numbers(DataType type) const {
    TensorValue value({type, Format::kNd, form_ == 0 ? Dims{} : Dims{form_ + 1}});
    const std::size_t bytes = BytesPerElement(type);
    for (std::size_t i = 0; i < value.size(); ++i)
      value.MutableAs<std::uint8_t>()[i] = i % bytes == 0 ? static_cast<std::uint8_t>(i / bytes) : 0;
    return value;
  }

  Node& MakeInput(const std::string& name, DataType type) {
    Node& data = MakeData(*graph_, name, static_cast<std::int64_t>(graph_->inputs.size()),
                          {type, Format::kNd, DataDims()});
    graph_->inputs.push_back(&data);
    return data;
  }

  void AddOutputs(const PrototypePort& port) {
    const bool list = port.kind == PortKind::kDynamic;
    for (int i = 0; i < (list ? ListLength() : 1); ++i) {
      graph_->outputs.push_back({&node_, static_cast<int>(node_.outputs().size())});
      node_.AddOutput(list ? port.name + std::to_string(i) : port.name, port.kind, port.name);
    }
  }

  static Attribute Value(PrototypeAttributeType type, const std::string& name) {
    using Type = PrototypeAttributeType;
    switch (type) {
      case Type::kInt:
        return std::int64_t{name == "N" ? 2 : 1};
      case Type::kFloat:
        return 0.5F;
      case Type::kString:
        return std::string("SAME");
      case Type::kBool:
        return true;
      case Type::kType:
        return DataType::kFloat;
      case Type::kListInt:
        return std::vector<std::int64_t>{1, 1, 1, 1};
      case Type::kListFloat:
        return std::vector<float>{1, 2};
      case Type::kListBool:
        return std::vector<bool>{true};
      case Type::kListListInt:
        return std::vector<std::vector<std::int64_t>>{{1, 1}, {1, 1}};
      case Type::kTensor:
        return BoundedVariables::Filled({DataType::kFloat, Format::kNd, {2}});
      default:
        return std::monostate();
    }
  }

  const Prototype& prototype_;
  const int form_;
  const std::shared_ptr<Graph> graph_;
  Node& node_;
};

// By name.
inline std::vector<std::pair<std::string, std::string>> GraphSeeds() {
  std::vector<std::pair<std::string, std::string>> seeds;
  for (const std::string_view type : PrototypeTypes()) {
    if (FindOp(type) == nullptr) continue;
    for (int form = 0; form < OperatorSeed::FormsOf(*FindPrototype(type)); ++form)
      seeds.emplace_back(std::string(type) + "_" + std::to_string(form),
                         OperatorSeed(*FindPrototype(type), form).Bytes());
  }
  return seeds;
}

}  // namespace foothold
