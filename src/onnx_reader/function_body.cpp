// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/function_body.h"

#include <map>

#include "base/error.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

class Expansion {
 public:
  Expansion(const pb::NodeProto& node, const pb::FunctionProto& function, const pb::OpSchema* schema,
            const std::string& prefix)
      : node_(node), schema_(schema), prefix_(prefix) {
    if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
      Fail(kParseFile, "node '{}' gives function {} {} inputs and wants {} outputs; it has {} and {}",
           node.name(), node.op_type(), node.input_size(), node.output_size(), function.input_size(),
           function.output_size());
    for (int i = 0; i < function.input_size(); ++i)
      names_[function.input(i)] = i < node.input_size() ? node.input(i) : "";
    for (int i = 0; i < function.output_size(); ++i)
      if (i < node.output_size() && !node.output(i).empty()) names_[function.output(i)] = node.output(i);
  }

  pb::NodeProto Rename(const pb::NodeProto& inner) const {
    pb::NodeProto renamed = inner;
    renamed.set_name(prefix_ + (inner.name().empty() ? inner.op_type() : inner.name()));
    for (std::string& name : *renamed.mutable_input())
      name = Outside(name);
    for (std::string& name : *renamed.mutable_output())
      name = Outside(name);
    renamed.clear_attribute();
    for (const pb::AttributeProto& attribute : inner.attribute())
      AddAttribute(renamed, attribute);
    return renamed;
  }

 private:
  std::string Outside(const std::string& name) const {
    if (name.empty()) return name;
    const auto found = names_.find(name);
    return found != names_.end() ? found->second : prefix_ + name;
  }

  const pb::AttributeProto* Given(const std::string& name) const {
    for (const pb::AttributeProto& attribute : node_.attribute())
      if (attribute.name() == name) return &attribute;
    if (schema_ == nullptr) return nullptr;
    const auto found = schema_->attributes().find(name);
    const bool has_default = found != schema_->attributes().end() &&
                             found->second.default_value.type() != pb::AttributeProto::UNDEFINED;
    return has_default ? &found->second.default_value : nullptr;
  }

  void AddAttribute(pb::NodeProto& to, const pb::AttributeProto& attribute) const {
    if (attribute.ref_attr_name().empty()) {
      pb::AttributeProto& added = *to.add_attribute();
      added = attribute;
      if (attribute.has_g()) *added.mutable_g() = Rename(attribute.g());
      for (pb::GraphProto& graph : *added.mutable_graphs())
        graph = Rename(graph);
      return;
    }
    const pb::AttributeProto* given = Given(attribute.ref_attr_name());
    if (given == nullptr) return;  // not given: the inner operator's own default counts
    pb::AttributeProto& added = *to.add_attribute();
    added = *given;
    added.set_name(attribute.name());
  }

  pb::GraphProto Rename(const pb::GraphProto& graph) const {
    pb::GraphProto renamed = graph;
    renamed.clear_node();
    for (const pb::NodeProto& node : graph.node())
      *renamed.add_node() = Rename(node);
    for (auto* values : {renamed.mutable_input(), renamed.mutable_output(), renamed.mutable_value_info()})
      for (pb::ValueInfoProto& value : *values)
        value.set_name(Outside(value.name()));
    for (pb::TensorProto& tensor : *renamed.mutable_initializer())
      tensor.set_name(Outside(tensor.name()));
    return renamed;
  }

  const pb::NodeProto& node_;
  const pb::OpSchema* schema_;
  const std::string& prefix_;
  std::map<std::string, std::string> names_;  // inside to outside
};

}  // namespace

std::optional<pb::FunctionProto> StandardFunction(const pb::NodeProto& node, int version,
                                                  const std::vector<pb::TypeProto>& types) {
  const pb::OpSchema* schema =
      pb::OpSchemaRegistry::Schema(node.op_type(), std::min(version, NewestKnownOpset()), node.domain());
  if (schema == nullptr) return std::nullopt;
  if (schema->HasFunction()) return *schema->GetFunction();
  if (!schema->HasContextDependentFunction()) return std::nullopt;
  pb::FunctionProto function;
  const pb::FunctionBodyBuildContextImpl context(node, types);
  if (!schema->BuildContextDependentFunction(context, function)) return std::nullopt;
  if (function.name().empty()) schema->BuildFunction(function);  // some builders have done so
  return function;
}

FunctionBody ExpandFunction(const pb::NodeProto& node, const pb::FunctionProto& function,
                            const pb::OpSchema* schema, const Opsets& opsets, const std::string& prefix) {
  FunctionBody body;
  body.opsets = opsets;
  for (const auto& import : function.opset_import())
    body.opsets[import.domain() == "ai.onnx" ? "" : import.domain()] = static_cast<int>(import.version());
  const Expansion expansion(node, function, schema, prefix);
  for (const pb::NodeProto& inner : function.node())
    body.nodes.push_back(expansion.Rename(inner));
  return body;
}

}  // namespace foothold::onnx
