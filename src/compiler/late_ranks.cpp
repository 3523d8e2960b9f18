// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/late_ranks.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "compiler/control_flow.h"
#include "compiler/sources.h"
#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

// Axes, lengths and shapes are short.
constexpr std::int64_t kMostElements = 64;

// Operators of which only a run tells anything, and lists of places that are found.
const std::map<std::string_view, std::vector<std::size_t>> kRanks = {
    {"Where", {2}},
    {"NonZero", {2}},
    {"MaskedSelect", {1}},
    {"NonMaxSuppressionV3", {1}},
    {"NonMaxSuppressionV6", {2}},
};

// The numbers 0, 1, 2, ... are axes that differ; ones are lengths of everything.
enum class Numbers { kCounting, kOnes, kZeros };

TensorValue MadeUp(const TensorType& type, Numbers numbers) {
  TensorValue value(type);
  const std::int64_t count = ElementCount(type.dims);
  VisitType(
      type.type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (std::int64_t i = 0; i < count; ++i)
          value.MutableAs<T>()[i] = static_cast<T>(static_cast<Computed<T>>(numbers == Numbers::kCounting ? i
                                                                            : numbers == Numbers::kOnes   ? 1
                                                                                                        : 0));
      },
      [] {});
  return value;
}

bool IsShort(const TensorType& type) {
  return IsStatic(type.dims) && ElementCount(type.dims) <= kMostElements;
}

// What the rule of the operator says of numbers that are made up, wherever it asks for some.
bool InfersFrom(Node& node, const OpDef& op, Numbers numbers) try {
  std::vector<TensorValue> made;
  made.reserve(node.inputs().size());
  auto values = KnownValues(node);
  for (std::size_t tries = 0; tries <= values.size(); ++tries)
    try {
      OpContext context(node, values);
      op.infer()(context);
      return true;
    } catch (const ValueNotKnown& missing) {
      const auto port = static_cast<std::size_t>(missing.port);
      if (missing.port < 0 || port >= values.size() || values[port] != nullptr) return false;
      const TensorType type = node.InputType(missing.port);
      if (!node.inputs()[port].source || !IsShort(type)) return false;
      values[port] = &made.emplace_back(MadeUp(type, numbers));
    }
  return false;
} catch (const Error&) {
  return false;
}

void SetRank(Node& node, std::size_t port, std::size_t rank) {
  TensorType& type = node.outputs()[port].desc;
  type.dims.assign(rank, 1);
}

}  // namespace

LateRanks::LateRanks(Graph& graph, const Inferred& inferred) {
  for (Node* node : graph.Order()) {
    const bool late = inferred.late.count(node) != 0;
    if (!late || (KnowsInputs(*node) && Decide(*node))) decided_.insert(node);
  }
}

std::optional<std::size_t> LateRanks::Of(const OutputRef& value) const {
  if (decided_.count(value.node) == 0) return std::nullopt;
  return value.node->outputs().at(static_cast<std::size_t>(value.port)).desc.dims.size();
}

bool LateRanks::KnowsInputs(const Node& node) const {
  return std::all_of(node.inputs().begin(), node.inputs().end(), [&](const Input& input) {
    return !input.source || decided_.count(input.source.node) != 0;
  });
}

bool LateRanks::Decide(Node& node) {
  if (node.type() == "Reshape") {
    const TensorType shape = node.InputType(1);
    if (!IsShort(shape)) return false;
    node.outputs().at(0).desc.type = node.InputType(0).type;
    SetRank(node, 0, static_cast<std::size_t>(ElementCount(shape.dims)));
    return true;
  }
  if (const auto known = kRanks.find(node.type()); known != kRanks.end()) {
    for (std::size_t i = 0; i < std::min(known->second.size(), node.outputs().size()); ++i)
      SetRank(node, i, known->second[i]);
    return node.outputs().size() <= known->second.size();
  }
  const OpDef* op = RunsGraphs(node) ? nullptr : FindOp(node.type());
  if (op == nullptr || !op->infer()) return false;
  return InfersFrom(node, *op, Numbers::kCounting) || InfersFrom(node, *op, Numbers::kOnes) ||
         InfersFrom(node, *op, Numbers::kZeros);
}

}  // namespace foothold
