// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/report.h"

#include <fmt/format.h>

#include "base/error.h"
#include "onnx/mapping.h"

namespace foothold::onnx {
namespace {

// What the person who made the model can do.
std::string Advice(const ModelNode& node) {
  if (node.domain == "com.microsoft")
    return "it was written by onnxruntime's optimiser: export the model without it";
  if (!node.domain.empty())
    return "give it a function body in the model, or export it with standard operators";
  if (node.version > kNewestOpset)
    return fmt::format("export the model with opset {} or lower", kNewestOpset);
  for (const Mapping& mapping : AllMappings())
    if (mapping.op == node.op)
      return fmt::format("it is supported in opsets {} to {}", mapping.since, mapping.until);
  return "replace it by supported operators before the export; docs/onnx.md lists them";
}

}  // namespace

std::string Describe(const ModelGraph& graph, const ModelNode& node) {
  const ValueNumber first = node.outputs.empty() ? kNoValue : node.outputs[0];
  const std::string_view value =
      first == kNoValue ? std::string_view() : graph.values[static_cast<std::size_t>(first)].name;
  const std::string name =
      node.name.empty() ? fmt::format("the node of '{}'", value) : fmt::format("node '{}'", node.name);
  return fmt::format("{} ({}, {} opset {})", name, node.op, node.domain.empty() ? "ai.onnx" : node.domain,
                     node.version);
}

void ImportReport::Add(const ModelGraph& graph, const ModelNode& node, const std::string& why) {
  lines_.push_back(fmt::format("{}: {}", Describe(graph, node), why));
}

void ImportReport::AddNoMapping(const ModelGraph& graph, const ModelNode& node) {
  Add(graph, node, fmt::format("this operator is not supported; {}", Advice(node)));
}

void ImportReport::CountNode() {
  constexpr std::size_t kMostNodes = std::size_t{1} << 22;
  if (++nodes_ > kMostNodes)
    Fail(kFeatureUnsupported, "the model has more than {} nodes with all its loops unrolled", kMostNodes);
}

void ImportReport::ThrowIfAny() const {
  if (lines_.empty()) return;
  throw Error(kFeatureUnsupported,
              fmt::format("the model cannot be imported:\n  {}", fmt::join(lines_, "\n  ")), "E16002");
}

}  // namespace foothold::onnx
