// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/open_outputs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "compiler/infer.h"
#include "compiler/late_ranks.h"

namespace foothold {
namespace {

// A single one has rules of its own (squeezing, broadcasting); the others are large enough for the windows of
// most networks, and so far apart that strides do not make them equal.
constexpr std::array<std::int64_t, 3> kTrials = {1, 224, 416};

std::int64_t Within(const InputShapes::Ranges& ranges, std::size_t axis, std::int64_t size) {
  if (axis >= ranges.size()) return size;
  const auto [low, high] = ranges[axis];
  return std::max(high < 0 ? size : std::min(size, high), low);
}

std::optional<std::vector<TensorType>> InputsFor(const Graph& graph, const InputShapes& shapes,
                                                 std::int64_t size) {
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    TensorType& type = types.emplace_back(graph.inputs[i]->outputs().at(0).desc);
    type.dims = shapes.dims(i);
    if (!RankKnown(type.dims)) return std::nullopt;
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      if (type.dims[d] < 0) type.dims[d] = Within(shapes.ranges(i), d, size);
  }
  return types;
}

// Nothing if the graph cannot have inputs of this size.
std::optional<std::vector<Dims>> OutputsFor(const Graph& graph, const InputShapes& shapes,
                                            std::int64_t size) try {
  const auto inputs = InputsFor(graph, shapes, size);
  if (!inputs) return std::nullopt;
  const std::shared_ptr<Graph> trial = graph.Clone();
  const Inferred inferred = InferTypes(*trial, *inputs);
  const LateRanks ranks(*trial, inferred);
  std::vector<Dims> dims;
  for (const OutputRef& output : trial->outputs) {
    const auto rank = ranks.Of(output);
    if (!rank)
      dims.push_back({kUnknownRank});
    else if (inferred.late.count(output.node) != 0)
      dims.emplace_back(*rank, kUnknownDim);
    else
      dims.push_back(output.node->outputs().at(static_cast<std::size_t>(output.port)).desc.dims);
  }
  return dims;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace

Dims CommonDims(const Dims& a, const Dims& b) {
  if (!RankKnown(a) || !RankKnown(b) || a.size() != b.size()) return {kUnknownRank};
  Dims common = a;
  for (std::size_t d = 0; d < common.size(); ++d)
    if (b[d] != common[d]) common[d] = kUnknownDim;
  return common;
}

std::vector<Dims> OpenOutputs(const Graph& graph, const InputShapes& shapes) {
  std::vector<Dims> common;
  int found = 0;
  for (const std::int64_t size : kTrials) {
    const auto dims = OutputsFor(graph, shapes, size);
    if (!dims) continue;
    ++found;
    if (common.empty()) common = *dims;
    for (std::size_t i = 0; i < common.size(); ++i)
      common[i] = CommonDims(common[i], (*dims)[i]);
  }
  if (found == 0) return std::vector<Dims>(graph.outputs.size(), Dims{kUnknownRank});
  for (Dims& dims : common)  // one trial tells how many there are
    if (found == 1 && RankKnown(dims)) std::fill(dims.begin(), dims.end(), kUnknownDim);
  return common;
}

}  // namespace foothold
