// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "ir/imported_outputs.h"
#include "onnx/graph_import.h"

namespace foothold::onnx {
namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const NamedValue& FindInput(const ModelGraph& graph, const std::string& name, std::string_view option) {
  for (const NamedValue& input : graph.inputs)
    if (input.name == name) return input;
  throw Error(kInvalidParam, fmt::format("option {}: \"{}\" is no input of the model", option, name),
              "E10016");
}

std::vector<NamedValue> OrderedInputs(const ModelGraph& graph, const ImportOptions& options) {
  std::vector<NamedValue> ordered;
  for (const std::string& name : options.input_order)
    ordered.push_back(FindInput(graph, name, "input_data_names"));
  for (const NamedValue& input : graph.inputs)
    if (!Contains(options.input_order, input.name)) ordered.push_back(input);
  return ordered;
}

std::string_view KindName(const ValueType& type) {
  switch (type.kind) {
    case ValueType::Kind::kSequence:
      return "a sequence";
    case ValueType::Kind::kOptional:
      return "an optional value";
    case ValueType::Kind::kTensor:
      return "a tensor of strings";
    default:
      return "no tensor";
  }
}

class ModelImport {
 public:
  ModelImport(const Model& model, const ImportOptions& options)
      : model_(model),
        options_(options),
        graph_(model.graph, report_, options.graph_name.empty() ? model.graph.name : options.graph_name) {}

  std::shared_ptr<Graph> Run() {
    const std::vector<NamedValue> inputs = OrderedInputs(model_.graph, options_);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      AddInput(inputs[i], static_cast<std::int64_t>(i));
    for (const std::string& name : options_.half_inputs)
      FindInput(model_.graph, name, "ge.INPUT_NODES_SET_FP16");
    graph_.ImportNodes();
    report_.ThrowIfAny();
    const auto& made = graph_.builder().graph();
    std::vector<std::string> names;
    for (const ValueNumber number : Outputs()) {
      const OutputRef value = graph_.Find(number);
      made->outputs.push_back(value);
      names.push_back(fmt::format("{}:{}:{}", value.node->name(), value.port, NameOf(number)));
    }
    made->attributes[kImportedOutputs] = std::move(names);
    return made;
  }

 private:
  void AddInput(const NamedValue& input, std::int64_t index) {
    const bool is_tensor = input.type.kind == ValueType::Kind::kTensor;
    if (!is_tensor || input.type.type == DataType::kString)
      report_.AddText(fmt::format("input '{}' is {}; only tensors of numbers can be inputs", input.name,
                                  KindName(input.type)));
    ValueType type = input.type;
    const bool as_half = Contains(options_.half_inputs, input.name);
    if (as_half) type.type = DataType::kFloat16;
    const OutputRef value = graph_.AddInput(input.name, index, type);
    graph_.Bind(input.value, value);
    SetRanges(*value.node, input.name, static_cast<std::size_t>(index));
    if (!as_half) return;
    graph_.builder().SetPrefix(input.name + "/");
    graph_.Bind(
        input.value,
        graph_.builder().Op("Cast", {value}).Set("dst_type", static_cast<std::int64_t>(input.type.type)));
  }

  void SetRanges(Node& data, const std::string& name, std::size_t position) const {
    for (const InputShape& shape : options_.input_shapes) {
      if (shape.ranges.empty() || (shape.name.empty() ? shape.position != position : shape.name != name))
        continue;
      data.inputs()[0].desc.EditDetails().ranges = shape.ranges;
      data.outputs()[0].desc.EditDetails().ranges = shape.ranges;
    }
  }

  std::vector<ValueNumber> Outputs() const {
    std::vector<ValueNumber> numbers;
    for (const std::string& text : options_.output_names)
      numbers.push_back(FindOutput(text));
    if (numbers.empty())
      for (const NamedValue& output : model_.graph.outputs)
        numbers.push_back(output.value);
    return numbers;
  }

  std::string_view NameOf(ValueNumber number) const {
    return model_.graph.values[static_cast<std::size_t>(number)].name;
  }

  // The name of a value, or "node:index".
  ValueNumber FindOutput(const std::string& text) const {
    const std::size_t colon = text.rfind(':');
    for (const ModelNode& node : model_.graph.nodes) {
      for (const ValueNumber output : node.outputs)
        if (output != kNoValue && NameOf(output) == text) return output;
      if (colon == std::string::npos || node.name != text.substr(0, colon)) continue;
      std::size_t index = 0;
      const char* end = text.data() + text.size();
      const auto parsed = std::from_chars(text.data() + colon + 1, end, index);
      if (parsed.ec == std::errc() && parsed.ptr == end && index < node.outputs.size() &&
          node.outputs[index] != kNoValue)
        return node.outputs[index];
    }
    throw Error(kInvalidParam,
                fmt::format("option ge.outputNodeName: \"{}\" is no value and no output of a node", text),
                "E10016");
  }

  const Model& model_;
  const ImportOptions& options_;
  ImportReport report_;
  GraphImport graph_;
};

}  // namespace

std::shared_ptr<Graph> ImportModel(const Model& model, const ImportOptions& options) {
  return ModelImport(model, options).Run();
}

}  // namespace foothold::onnx
