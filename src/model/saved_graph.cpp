// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/saved_graph.h"

#include "base/error.h"
#include "formats/graph_model.h"
#include "model/model_codes.h"

namespace foothold {
namespace {

// Building a model has turned them into constants.
void RefuseOutsideWeights(const Graph& graph) {
  for (const Node* node : graph.nodes()) {
    if (node->type() == "FileConstant" || node->type() == "ConstPlaceHolder")
      Fail(kParseModel, "{} takes its value from outside of the file", node->Description());
    if (node->type() == "Aipp" && node->FindAttribute("aipp") == nullptr)
      Fail(kParseModel, "{} takes its settings from outside of the file", node->Description());
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) RefuseOutsideWeights(*subgraph.graph);
  }
}

}  // namespace

std::shared_ptr<Graph> ReadSavedGraph(const std::shared_ptr<const OmFile>& file) {
  const ConstBytes weights = file->Get(kWeightsSection);
  const GetWeight get = [&](std::uint64_t offset, std::uint64_t size) {
    if (offset % kTensorAlignment != 0 || offset > weights.size() || size > weights.size() - offset)
      Fail(kParseModel, "a weight lies outside the file");
    // Nobody writes to constants; the pointer keeps the mapping.
    return SharedBytes(file, const_cast<std::byte*>(weights.data() + offset));
  };
  const ConstBytes bytes = file->Get(kGraphSection);
  try {
    const GraphModel model = LoadGraphModel(bytes.data(), bytes.size(), get);
    RefuseOutsideWeights(*model.graph);
    return model.graph;
  } catch (const Error& error) {
    Fail(kParseModel, "the model {} is damaged: {}", file->origin(), error.message());
  }
}

}  // namespace foothold
