// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small offline models to begin with, in both forms of fuzz/om_model_target.h, made by the code that writes
// such files. For the fuzzer (write_om_seeds) and for the replay in the unit tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/graph_model.h"
#include "fuzz/om_model_target.h"

namespace foothold {

struct OmParts {
  std::string description, graph, weights;
};

// y = relu(x + w), with a weight that stands in the graph or in a section of its own.
inline OmParts SmallModel(ModelDescription description, std::size_t weight_floats, bool outside) {
  OmParts parts;
  const auto graph = std::make_shared<Graph>("seed");
  Node& data = graph->Make("Data", "x");
  const TensorType type{DataType::kFloat, Format::kNd, {static_cast<std::int64_t>(weight_floats)}};
  data.AddInput("x", PortKind::kRequired);
  data.AddOutput("y", PortKind::kRequired).desc = PortDesc(type);
  data.attributes["index"] = std::int64_t{0};
  Node& weight = graph->Make("Const", "w");
  weight.AddOutput("y", PortKind::kRequired).desc = PortDesc(type);
  TensorValue value(type);
  std::fill_n(value.MutableAs<float>(), weight_floats, 1.0F);
  weight.attributes["value"] = value;
  Node& sum = graph->Make("Add", "sum");
  sum.AddInput("x1", PortKind::kRequired);
  sum.AddInput("x2", PortKind::kRequired);
  sum.AddOutput("y", PortKind::kRequired);
  sum.Connect(0, {&data, 0});
  sum.Connect(1, {&weight, 0});
  Node& relu = graph->Make("Relu", "relu");
  relu.AddInput("x", PortKind::kRequired);
  relu.AddOutput("y", PortKind::kRequired);
  relu.Connect(0, {&sum, 0});
  graph->inputs = {&data};
  graph->outputs = {{&relu, 0}};
  GraphModel model;
  model.graph = graph;
  parts.graph = SaveGraphModel(model, [&](const TensorValue& put) -> std::optional<std::uint64_t> {
    if (!outside) return std::nullopt;
    parts.weights.assign(put.As<char>(), put.size());
    return 0;
  });
  description.name = "seed";
  description.inputs = {{"x", type}};
  description.outputs = {{"relu:0:y", type}};
  parts.description = ToJson(description);
  return parts;
}

inline std::vector<std::byte> FileOf(const OmParts& parts) {
  const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  return WriteOm({{kDescriptionSection, {bytes(parts.description)}},
                  {kGraphSection, {bytes(parts.graph)}},
                  {kWeightsSection, {bytes(parts.weights)}}});
}

inline std::string WholeSeed(const std::vector<std::byte>& file) {
  return kWholeFile + std::string(reinterpret_cast<const char*>(file.data()), file.size());
}

inline std::string SectionSeed(const OmParts& parts) {
  const std::uint16_t lengths[] = {static_cast<std::uint16_t>(parts.description.size()),
                                   static_cast<std::uint16_t>(parts.graph.size())};
  return kSections + std::string(reinterpret_cast<const char*>(lengths), sizeof lengths) + parts.description +
         parts.graph + parts.weights;
}

// By name.
inline std::vector<std::pair<std::string, std::string>> OmSeeds() {
  ModelDescription plain, gears;
  plain.options = {{"input_shape", "x:4"}};
  gears.gears = {ModelGears::Kind::kBatch, {{2}, {4}}, {{{2}}, {{4}}}, {{{2}}, {{4}}}};
  const OmParts small = SmallModel(plain, 4, false), large = SmallModel(plain, 16, true),
                geared = SmallModel(gears, 4, false);
  const std::vector<std::byte> bundle = WriteBundle({FileOf(small), FileOf(large)});
  return {{"small_file", WholeSeed(FileOf(small))},
          {"bundle_file", WholeSeed(bundle)},
          {"small_sections", SectionSeed(small)},
          {"weights_sections", SectionSeed(large)},
          {"gears_sections", SectionSeed(geared)}};
}

}  // namespace foothold
