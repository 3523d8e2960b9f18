// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/readable_text.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "ir/stored_weight.h"

namespace foothold {
namespace {

constexpr std::size_t kShownElements = 6;
constexpr std::size_t kShownAtEnds = 3;

template <typename T>
std::string Elements(const TensorValue& value) {
  const std::size_t count = value.size() / sizeof(T);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (count > kShownElements && i == kShownAtEnds) {
      text += " ...";
      i = count - kShownAtEnds;
    }
    text += fmt::format("{}{}", text.empty() ? "" : " ", value.As<T>()[i]);
  }
  return count == 1 && value.dims().empty() ? text : "[" + text + "]";
}

std::string TensorText(const TensorValue& value) {
  if (value.size() == 0) return "<empty>";
  switch (value.type().type) {
    case DataType::kFloat:
      return Elements<float>(value);
    case DataType::kDouble:
      return Elements<double>(value);
    case DataType::kInt8:
      return Elements<std::int8_t>(value);
    case DataType::kInt16:
      return Elements<std::int16_t>(value);
    case DataType::kInt32:
      return Elements<std::int32_t>(value);
    case DataType::kInt64:
      return Elements<std::int64_t>(value);
    case DataType::kUint8:
      return Elements<std::uint8_t>(value);
    case DataType::kUint16:
      return Elements<std::uint16_t>(value);
    case DataType::kUint32:
      return Elements<std::uint32_t>(value);
    case DataType::kUint64:
      return Elements<std::uint64_t>(value);
    case DataType::kBool:
      return Elements<bool>(value);
    default:
      return "<not_supported>";
  }
}

std::string ValueText(const Attribute& value) {
  if (const auto* tensor = std::get_if<TensorValue>(&value)) {
    const WeightUses uses;
    LoadWeight(*tensor);
    return TensorText(*tensor);
  }
  return ToString(value);
}

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  std::string Print() {
    text_ = fmt::format("graph(\"{}\"):\n", graph_.name());
    for (Node* node : graph_.Order())
      PrintNode(*node);
    PrintReturn();
    for (const Graph* below : subgraphs_)
      text_ += "\n" + Printer(*below).Print();
    return std::move(text_);
  }

 private:
  void PrintNode(Node& node) {
    std::size_t users = 0;
    for (const Output& output : node.outputs())
      users += Users(node, output);
    std::string parts;
    Append(parts, "inputs = ({})", Inputs(node));
    Append(parts, "attrs = {{{}}}", AttributesAndGraphs(node));
    text_ += fmt::format("  %{} : [#users={}] = Node[type={}]{}\n", node.name(), users, node.type(),
                         parts.empty() ? "" : " (" + parts + ")");
    if (node.outputs().size() > 1) PrintElements(node);
  }

  // The values of a node with several outputs get names of their own.
  void PrintElements(Node& node) {
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      std::string name = next_element_ == 0 ? "ret" : "ret_" + std::to_string(next_element_);
      ++next_element_;
      text_ += fmt::format("  %{} : [#users={}] = get_element[node=%{}]({})\n", name,
                           Users(node, node.outputs()[i]), node.name(), i);
      elements_[{&node, static_cast<int>(i)}] = std::move(name);
    }
  }

  void PrintReturn() {
    std::string values;
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (i > 0) values += ", ";
      if (graph_.outputs.size() > 1) values += fmt::format("output_{}=", i);
      values += Name(graph_.outputs[i]);
    }
    text_ += fmt::format("\n  return ({})\n", values);
  }

  static void Append(std::string& parts, const char* format, const std::string& part) {
    if (part.empty()) return;
    if (!parts.empty()) parts += ", ";
    parts += fmt::format(fmt::runtime(format), part);
  }

  std::size_t Users(const Node& node, const Output& output) const {
    const int port = static_cast<int>(&output - node.outputs().data());
    std::size_t users = output.consumers.size();
    for (const OutputRef& returned : graph_.outputs)
      users += returned.node == &node && returned.port == port ? 1 : 0;
    return users;
  }

  std::string Name(const OutputRef& value) const {
    const auto found = elements_.find({value.node, value.port});
    return "%" + (found == elements_.end() ? value.node->name() : found->second);
  }

  std::string Inputs(const Node& node) const {
    std::string text;
    for (const Input& input : node.inputs()) {
      if (!input.source) continue;
      const bool instance = input.kind == PortKind::kDynamic && input.name.size() > input.group.size();
      const std::string name =
          instance ? input.group + "_" + input.name.substr(input.group.size()) : input.name;
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, Name(input.source));
    }
    return text;
  }

  std::string AttributesAndGraphs(Node& node) {
    std::string text;
    for (const auto& [name, value] : node.attributes) {
      if (name.starts_with('_') || std::holds_alternative<std::monostate>(value)) continue;
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, ValueText(value));
    }
    for (Subgraph& subgraph : node.subgraphs) {
      if (!subgraph.graph && !subgraph.builder) continue;
      const Graph& graph = GraphOf(node, subgraph);
      text += fmt::format("{}{}: %{}", text.empty() ? "" : ", ", subgraph.name, graph.name());
      subgraphs_.push_back(&graph);
    }
    return text;
  }

  const Graph& graph_;
  std::string text_;
  std::map<std::pair<const Node*, int>, std::string> elements_;
  std::vector<const Graph*> subgraphs_;
  int next_element_ = 0;
};

}  // namespace

std::string ReadableText(const Graph& graph) {
  return Printer(graph).Print();
}

}  // namespace foothold
