// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/build_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "base/format_names.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "formats/type_numbers.h"
#include "options/precision.h"

namespace foothold {
namespace {

using Names = std::initializer_list<const char*>;

constexpr Names kOutNodes = {"ge.outputNodeName", "out_nodes", "OUT_NODES"};
constexpr Names kOutputType = {"ge.outputDatatype", "output_type", "OUTPUT_TYPE"};
constexpr Names kInputFormat = {"input_format", "ge.inputFormat", "INPUT_FORMAT"};
constexpr Names kHalfInputs = {"ge.INPUT_NODES_SET_FP16", "input_fp16_nodes", "INPUT_FP16_NODES"};
constexpr Names kPrecision = {"ge.exec.precision_mode", "ge.exec.precision_mode_v2", "precision_mode",
                              "precision_mode_v2", "PRECISION_MODE"};

struct TypeName {
  std::string_view name;
  DataType type;
};
constexpr TypeName kTypeNames[] = {
    {"FP32", DataType::kFloat},  {"FP16", DataType::kFloat16}, {"UINT8", DataType::kUint8},
    {"INT8", DataType::kInt8},   {"INT32", DataType::kInt32},  {"INT64", DataType::kInt64},
    {"INT16", DataType::kInt16}, {"BOOL", DataType::kBool},    {"BF16", DataType::kBfloat16}};

[[noreturn]] void Refuse(std::string_view option, std::string_view value, std::string_view why) {
  throw Error(kGeParamInvalid, fmt::format("option {}: \"{}\" {}", option, value, why), kBadOption);
}

struct Given {
  std::string name, value;
};

std::optional<Given> FindGiven(const OptionMap& options, Names names) {
  for (const char* name : names)
    if (const auto found = options.find(name); found != options.end() && !found->second.empty())
      return Given{name, found->second};
  return std::nullopt;
}

std::vector<std::string> Parts(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    std::string part(text.substr(0, end));
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    if (!part.empty()) parts.push_back(std::move(part));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

DataType TypeOfName(const Given& given, std::string_view name) {
  for (const TypeName& known : kTypeNames)
    if (known.name == name) return known.type;
  Refuse(given.name, given.value,
         fmt::format("names the type \"{}\"; FP32, FP16, UINT8 and others are there", name));
}

// "node:port"
OutputRef FindValue(const Graph& graph, const Given& given, std::string_view part) {
  const auto colon = part.rfind(':');
  int port = 0;
  if (colon != std::string_view::npos) {
    const auto [end, error] = std::from_chars(part.data() + colon + 1, part.data() + part.size(), port);
    if (error != std::errc() || end != part.data() + part.size() || port < 0)
      Refuse(given.name, part, "must be the name of a node, a colon and the number of an output");
  }
  Node* node = graph.Find(part.substr(0, colon));
  if (node == nullptr) Refuse(given.name, part, fmt::format("is no node of graph '{}'", graph.name()));
  if (static_cast<std::size_t>(port) >= node->outputs().size())
    Refuse(given.name, part, fmt::format("names an output that {} does not have", node->Description()));
  return {node, port};
}

Node& AddCast(Graph& graph, const std::string& name, OutputRef source, DataType type) {
  Node& cast = graph.Make("Cast", name);
  cast.AddInput("x", PortKind::kRequired);
  cast.AddOutput("y", PortKind::kRequired);
  if (source) cast.Connect(0, source);
  cast.attributes["dst_type"] = static_cast<std::int64_t>(type);
  return cast;
}

// The type an output is to have; nothing if it stays as it is.
std::optional<DataType> TypeForOutput(const Given& given, const OutputRef& output) {
  for (const std::string& part : Parts(given.value)) {
    const auto colon = part.rfind(':');
    if (colon == std::string::npos) return TypeOfName(given, part);
    if (part.substr(0, colon) == fmt::format("{}:{}", output.node->name(), output.port))
      return TypeOfName(given, std::string_view(part).substr(colon + 1));
  }
  return std::nullopt;
}

}  // namespace

void NoteBuildOptions(const OptionMap& options) {
  if (const auto mode = FindGiven(options, kPrecision))
    Log(LogLevel::kInfo, "option {} is \"{}\": every operator computes in the types of its graph{}",
        mode->name, mode->value,
        AllowsHalfWeights(options) ? ", with weights of products kept in float16" : "");
}

void ChooseOutputs(Graph& graph, const OptionMap& options) {
  const auto given = FindGiven(options, kOutNodes);
  if (!given) return;
  std::vector<OutputRef> outputs;
  for (const std::string& part : Parts(given->value))
    outputs.push_back(FindValue(graph, *given, part));
  std::vector<Node*> ends;
  for (Node* node : graph.nodes())
    if (node->type() == "NetOutput") ends.push_back(node);
  graph.Remove(ends);
  graph.outputs = std::move(outputs);
}

bool IsLayoutName(const std::string& name) {
  const auto names = FormatNames();
  return std::any_of(names.begin(), names.end(), [&](const char* known) { return name == known; });
}

void SetInputFormats(Graph& graph, const OptionMap& options) {
  const auto given = FindGiven(options, kInputFormat);
  if (!given || given->value == "ND") return;
  constexpr std::string_view kLayouts[] = {"NCHW", "NHWC", "NCDHW", "NDHWC"};
  if (std::find(std::begin(kLayouts), std::end(kLayouts), given->value) == std::end(kLayouts))
    Refuse(
        given->name, given->value,
        IsLayoutName(given->value)
            ? "is a layout that inputs cannot have here; NCHW, NHWC, NCDHW, NDHWC and ND are those they can"
            : "is no layout; NCHW, NHWC, NCDHW, NDHWC and ND are");
  const Format format = LayoutOfName(given->value);
  for (Node* data : graph.inputs) {
    PortDesc& desc = data->outputs().at(0).desc;
    if (desc.format == Format::kNd && desc.dims.size() == given->value.size()) desc.format = format;
  }
}

void CastInputs(Graph& graph, const OptionMap& options) {
  const auto given = FindGiven(options, kHalfInputs);
  if (!given) return;
  for (const std::string& name : Parts(given->value)) {
    const auto found = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                    [&](const Node* data) { return data->name() == name; });
    if (found == graph.inputs.end()) Refuse(given->name, name, "is no input of the graph");
    PortDesc& desc = (*found)->outputs().at(0).desc;
    if (desc.type == DataType::kFloat16) continue;
    const OutputRef value{*found, 0};
    Node& cast = AddCast(graph, name + "_from_fp16", {}, desc.type);
    ReplaceUses(value, {&cast, 0});
    graph.outputs.Replace(value, {&cast, 0});
    cast.Connect(0, value);
    desc.type = DataType::kFloat16;
  }
}

void CastOutputs(Graph& graph, const OptionMap& options) {
  const auto given = FindGiven(options, kOutputType);
  if (!given) return;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i)
    if (const auto type = TypeForOutput(*given, graph.outputs[i]))
      graph.outputs.Set(i, {&AddCast(graph, fmt::format("output_{}_cast", i), graph.outputs[i], *type), 0});
}

}  // namespace foothold
