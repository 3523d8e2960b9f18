// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/type_inference.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "ir/tensor_type.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

// Declared shapes of inner values and outputs are often stale in files; inference finds its own.
void ForgetDeclaredShapes(pb::GraphProto& graph) {
  std::set<std::string> found_by_inference;
  for (const pb::NodeProto& node : graph.node())
    if (node.domain().empty() || node.domain() == "ai.onnx")
      found_by_inference.insert(node.output().begin(), node.output().end());
  auto* infos = graph.mutable_value_info();
  infos->erase(std::remove_if(infos->begin(), infos->end(),
                              [&](const pb::ValueInfoProto& info) {
                                return found_by_inference.count(info.name()) != 0;
                              }),
               infos->end());
  for (pb::ValueInfoProto& output : *graph.mutable_output())
    if (output.type().has_tensor_type() && found_by_inference.count(output.name()) != 0)
      output.mutable_type()->mutable_tensor_type()->clear_shape();
}

// Operators that mean something else since the newest version the ONNX library knows: it would find wrong
// shapes for them. They get another name while it looks.
class HiddenNodes {
 public:
  HiddenNodes(pb::GraphProto& graph, int version) {
    if (version <= NewestKnownOpset()) return;
    for (pb::NodeProto& node : *graph.mutable_node())
      if (HasChanged(node)) {
        hidden_.push_back(&node);
        node.set_domain("foothold.hidden");
      }
  }
  ~HiddenNodes() {
    for (pb::NodeProto* node : hidden_)
      node->clear_domain();
  }
  HiddenNodes(const HiddenNodes&) = delete;
  HiddenNodes& operator=(const HiddenNodes&) = delete;

 private:
  static bool HasChanged(const pb::NodeProto& node) {
    static constexpr std::array kChanged = {
        "Split", "Pad", "Resize", "DFT", "AveragePool", "GridSample", "GroupNormalization"};
    if (!node.domain().empty()) return false;
    if (node.op_type().rfind("Reduce", 0) == 0) return node.input_size() > 1;
    return std::find(kChanged.begin(), kChanged.end(), node.op_type()) != kChanged.end();
  }

  std::vector<pb::NodeProto*> hidden_;
};

int DefaultVersion(const pb::ModelProto& model) {
  for (const auto& import : model.opset_import())
    if (import.domain().empty() || import.domain() == "ai.onnx") return static_cast<int>(import.version());
  return 1;
}

pb::ValueInfoProto& FindInput(pb::GraphProto& graph, const InputShape& shape) {
  std::vector<pb::ValueInfoProto*> inputs;
  std::string names;
  std::set<std::string> constants;
  for (const pb::TensorProto& tensor : graph.initializer())
    constants.insert(tensor.name());
  for (pb::ValueInfoProto& input : *graph.mutable_input())
    if (constants.count(input.name()) == 0) {
      inputs.push_back(&input);
      names += (names.empty() ? "" : ", ") + input.name();
    }
  if (shape.name.empty() && shape.position < inputs.size()) return *inputs[shape.position];
  for (pb::ValueInfoProto* input : inputs)
    if (input->name() == shape.name) return *input;
  Fail(kInvalidParam, "the model has no input {} to give the shape {}; its inputs are: {}",
       shape.name.empty() ? fmt::format("number {}", shape.position) : "'" + shape.name + "'",
       ToString(shape.dims), names);
}

void SetShape(pb::ValueInfoProto& input, const Dims& dims) {
  pb::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
  const pb::TensorShapeProto before = type.shape();
  if (type.has_shape() && before.dim_size() != static_cast<int>(dims.size()))
    Fail(kInvalidParam, "input '{}' has {} dimensions in the model and {} in the option", input.name(),
         before.dim_size(), dims.size());
  type.clear_shape();
  type.mutable_shape();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    auto& dim = *type.mutable_shape()->add_dim();
    if (dims[i] >= 0) {
      dim.set_dim_value(dims[i]);
    } else if (static_cast<int>(i) < before.dim_size()) {
      dim = before.dim(static_cast<int>(i));
    }
  }
}

}  // namespace

int NewestKnownOpset() {
  static const int newest = pb::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  return newest;
}

void SetInputShapes(pb::GraphProto& graph, const std::vector<InputShape>& shapes) {
  for (const InputShape& shape : shapes)
    SetShape(FindInput(graph, shape), shape.dims);
}

void InferModelTypes(pb::ModelProto& model) {
  const int version = DefaultVersion(model);
  ForgetDeclaredShapes(*model.mutable_graph());
  const HiddenNodes hidden(*model.mutable_graph(), version);
  const bool known = version <= NewestKnownOpset();
  try {
    pb::shape_inference::InferShapes(model, pb::OpSchemaRegistry::Instance(), {false, 0, true});
  } catch (const std::exception& error) {
    // With newer operators a contradiction may be the library's own.
    if (known) Fail(kParseFile, "the types of the model contradict each other: {}", error.what());
  }
}

void InferBodyTypes(pb::GraphProto& graph, const Opsets& opsets, const pb::ModelProto& model) {
  pb::shape_inference::ModelLocalFunctionsMap functions;
  for (const pb::FunctionProto& function : model.functions())
    functions[function.domain() + ":" + function.name()] = &function;
  try {
    pb::shape_inference::InferShapes(&graph, opsets, pb::OpSchemaRegistry::Instance(), {false, 0, true},
                                     functions);
  } catch (const std::exception&) {  // mappings that need a rank say so
  }
}

}  // namespace foothold::onnx
