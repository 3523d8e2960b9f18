// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small offline models to begin with, in both forms of fuzz/om_model_target.h, made by the code that writes
// such files. For the fuzzer (write_seeds) and for the replay in the unit tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sources.h"
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

// The same, of a file that is no bundle.
inline std::string SectionSeed(const std::vector<std::byte>& file) {
  const auto om = OmFile::FromMemory(file.data(), file.size());
  SectionLengths lengths;
  std::string contents;
  for (std::size_t i = 0; i < std::size(kSectionNames); ++i) {
    const ConstBytes section = om->Find(kSectionNames[i]);
    if (i < std::size(lengths)) lengths[i] = static_cast<std::uint16_t>(section.size());
    contents.append(reinterpret_cast<const char*>(section.data()), section.size());
  }
  return kSections + std::string(reinterpret_cast<const char*>(lengths), sizeof lengths) + contents;
}

// y = relu(x * w) as atc makes it, with w as this CPU reads it fastest.
inline std::vector<std::byte> ProductFile(const Dims& rows, const OptionMap& options) {
  constexpr std::int64_t kWidth = 16;
  Graph graph("product");
  Node& x = MakeData(graph, "x", 0, {DataType::kFloat, Format::kNd, rows});
  x.outputs()[0].desc.dims.push_back(kWidth);
  Node& w =
      MakeConstant(graph, "w", BoundedVariables::Filled({DataType::kFloat, Format::kNd, {kWidth, kWidth}}));
  Node& product = graph.Make("MatMulV2", "product");
  product.AddInput("x1", PortKind::kRequired);
  product.AddInput("x2", PortKind::kRequired);
  product.AddOutput("y", PortKind::kRequired);
  product.Connect(0, {&x, 0});
  product.Connect(1, {&w, 0});
  graph.inputs = {&x};
  graph.outputs = {{&product, 0}};
  return OfflineModel::Build(graph, options)->Bytes();
}

// y = conv(x, w)
inline std::vector<std::byte> ConvolutionFile() {
  Graph graph("convolution");
  Node& x = MakeData(graph, "x", 0, {DataType::kFloat, Format::kNchw, {1, 8, 6, 6}});
  Node& w =
      MakeConstant(graph, "w", BoundedVariables::Filled({DataType::kFloat, Format::kNchw, {8, 8, 3, 3}}));
  Node& convolution = graph.Make("Conv2D", "convolution");
  convolution.AddInput("x", PortKind::kRequired);
  convolution.AddInput("filter", PortKind::kRequired);
  convolution.AddInput("bias", PortKind::kOptional);
  convolution.AddInput("offset_w", PortKind::kOptional);
  convolution.AddOutput("y", PortKind::kRequired);
  convolution.attributes = {{"strides", std::vector<std::int64_t>{1, 1, 1, 1}},
                            {"pads", std::vector<std::int64_t>{1, 1, 1, 1}},
                            {"data_format", std::string("NCHW")}};
  convolution.Connect(0, {&x, 0});
  convolution.Connect(1, {&w, 0});
  graph.inputs = {&x};
  graph.outputs = {{&convolution, 0}};
  return OfflineModel::Build(graph, {})->Bytes();
}

// y = relu(x), of pictures that are prepared as these settings say.
inline std::vector<std::byte> PictureFile(const std::string& settings) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("aipp_seed_" + std::to_string(getpid()) + ".cfg");
  std::ofstream(path) << "aipp_op { " << settings << " }";
  Graph graph("pictures");
  Node& x = MakeData(graph, "x", 0, {DataType::kFloat, Format::kNchw, {1, 3, 2, 4}});
  Node& relu = graph.Make("Relu", "relu");
  relu.AddInput("x", PortKind::kRequired);
  relu.AddOutput("y", PortKind::kRequired);
  relu.Connect(0, {&x, 0});
  graph.inputs = {&x};
  graph.outputs = {{&relu, 0}};
  std::vector<std::byte> bytes = OfflineModel::Build(graph, {{"insert_op_conf", path}})->Bytes();
  std::filesystem::remove(path);
  return bytes;
}

// By name.
inline std::vector<std::pair<std::string, std::string>> OmSeeds() {
  ModelDescription plain, gears;
  plain.options = {{"input_shape", "x:4"}};
  gears.gears = {ModelGears::Kind::kBatch, {{2}, {4}}, {{{2}}, {{4}}}, {{{2}}, {{4}}}};
  const auto small = FileOf(SmallModel(plain, 4, false)), large = FileOf(SmallModel(plain, 16, true)),
             geared = FileOf(SmallModel(gears, 4, false));
  const auto product = ProductFile({2}, {}), open = ProductFile({-1}, {}),
             product_gears = ProductFile({-1}, {{"dynamic_batch_size", "1,2"}, {"input_shape", "x:-1,16"}});
  return {{"small_file", WholeSeed(small)},
          {"bundle_file", WholeSeed(WriteBundle({small, product}))},
          {"packed_file", WholeSeed(product)},
          {"small_sections", SectionSeed(small)},
          {"picture_sections",
           SectionSeed(PictureFile("aipp_mode: static input_format: YUV420SP_U8 csc_switch: true"))},
          {"parameters_sections", SectionSeed(PictureFile("aipp_mode: dynamic max_src_image_size: 64"))},
          {"weights_sections", SectionSeed(large)},
          {"gears_sections", SectionSeed(geared)},
          {"packed_sections", SectionSeed(product)},
          {"open_sections", SectionSeed(open)},
          {"packed_gears_sections", SectionSeed(product_gears)},
          {"convolution_sections", SectionSeed(ConvolutionFile())}};
}

}  // namespace foothold
