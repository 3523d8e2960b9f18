// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/offline_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "formats/graph_model.h"
#include "model/model_codes.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kWidth = 32;

// y = x * w + 1, w large enough to be kept beside the graph.
std::shared_ptr<Graph> Product(const Dims& dims) {
  auto graph = std::make_shared<Graph>("product");
  const OutputRef x = AddData(*graph, "x", 0, dims);
  const std::int64_t width = dims[1];
  std::vector<float> weights(static_cast<std::size_t>(width * width));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = (static_cast<float>(i % 13) - 6) / (width > kWidth ? 7.0f : 1.0f);
  const OutputRef w = AddConstant(*graph, "w", FloatValue({width, width}, weights));
  const OutputRef one = AddConstant(*graph, "one", FloatValue({1}, {1}));
  Node& product = AddNode(*graph, "MatMulV2", "p", {{"x1", x}, {"x2", w}});
  Node& sum = AddNode(*graph, "Add", "sum", {{"x1", {&product, 0}}, {"x2", one}});
  graph->outputs = {{&sum, 0}};
  return graph;
}

std::vector<float> RunModel(const OfflineModel& model, const Dims& dims) {
  TensorValue input(FloatType(dims));
  for (std::int64_t i = 0; i < ElementCount(dims); ++i)
    input.MutableAs<float>()[i] = static_cast<float>(i % 5);
  NoVariables none;
  return FloatsOf(RunProgram(model.Prepare({FloatType(dims)})->program, {input}, none).at(0));
}

std::shared_ptr<const OfflineModel> Reload(const OfflineModel& model) {
  const std::vector<std::byte> bytes = model.Bytes();
  return OfflineModel::Load(OmFile::FromMemory(bytes.data(), bytes.size()));
}

TEST(OfflineModel, ComputesTheSameAfterItWasSavedAndLoaded) {
  const auto built = OfflineModel::Build(*Product({2, kWidth}), {});
  const auto loaded = Reload(*built);
  EXPECT_EQ(RunModel(*loaded, {2, kWidth}), RunModel(*built, {2, kWidth}));
  EXPECT_EQ(loaded->description().inputs.at(0).name, "x");
  EXPECT_EQ(loaded->description().outputs.at(0).type, built->description().outputs.at(0).type);
  EXPECT_EQ(loaded->description().outputs.at(0).type.dims, (Dims{2, kWidth}));
}

TEST(OfflineModel, KeepsLargeTensorsOutOfTheGraph) {
  const auto bytes = OfflineModel::Build(*Product({2, kWidth}), {})->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  EXPECT_LT(file->Get("graph").size(), kWidth * kWidth * sizeof(float));
  EXPECT_EQ(file->Get("weights").size(), kWidth * kWidth * sizeof(float));
}

std::string Text(ConstBytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The same file with one section changed.
std::vector<std::byte> Rewritten(const OmFile& file, std::string_view changed, ConstBytes with) {
  std::vector<OmSection> sections;
  for (const OmFile::Entry& entry : file.entries())
    sections.push_back({entry.name, {entry.name == changed ? with : file.Get(entry.name)}});
  return WriteOm(sections);
}

TEST(OfflineModel, UsesPackedWeightsWhereTheyAreMapped) {
  const auto bytes = OfflineModel::Build(*Product({2, kWidth}), {})->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  const auto model = OfflineModel::Load(file);
  const auto& constants = model->Prepare({FloatType({2, kWidth})})->program->constants;
  const ConstBytes packed = file->Get("packed");
  EXPECT_TRUE(std::any_of(constants.begin(), constants.end(),
                          [&](const TensorValue& constant) { return constant.data() == packed.data(); }));
}

// Whoever loads the model does not touch them, nor what the system would map along with a neighbour.
TEST(OfflineModel, PutsWeightsThatHavePackedCopiesLast) {
  const auto graph = Product({16, kWidth});
  const std::vector<float> shifts(16 * kWidth, 42.0f);
  const OutputRef shift = AddConstant(*graph, "shift", FloatValue({16, kWidth}, shifts));
  Node& shifted = AddNode(*graph, "Mul", "shifted", {{"x1", graph->outputs[0]}, {"x2", shift}});
  graph->outputs = {{&shifted, 0}};
  const auto built = OfflineModel::Build(*graph, {});
  const auto bytes = built->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  const auto* weights = reinterpret_cast<const float*>(file->Get("weights").data());
  EXPECT_EQ(std::vector<float>(weights, weights + shifts.size()), shifts);
  EXPECT_EQ(RunModel(*Reload(*built), {16, kWidth}), RunModel(*built, {16, kWidth}));
}

TEST(OfflineModel, PacksWeightsAgainOnAnotherCpu) {
  const auto built = OfflineModel::Build(*Product({2, kWidth}), {});
  const auto bytes = built->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  std::string index = Text(file->Get("packings"));
  index.replace(index.find("gemm"), 4, "mmeg");
  const auto other = Rewritten(*file, "packings", std::as_bytes(std::span(index.data(), index.size())));
  const auto model = OfflineModel::Load(OmFile::FromMemory(other.data(), other.size()));
  EXPECT_EQ(RunModel(*model, {2, kWidth}), RunModel(*built, {2, kWidth}));
}

TEST(OfflineModel, IgnoresPackedWeightsOfAnotherSizeThanKernelsRead) {
  const auto built = OfflineModel::Build(*Product({2, kWidth}), {});
  const auto bytes = built->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  std::string index = Text(file->Get("packings"));
  const std::size_t dims = index.find("\"dims\":[") + 8;
  index.replace(dims, index.find(']', dims) - dims, "16");
  const auto other = Rewritten(*file, "packings", std::as_bytes(std::span(index.data(), index.size())));
  const auto model = OfflineModel::Load(OmFile::FromMemory(other.data(), other.size()));
  EXPECT_EQ(RunModel(*model, {2, kWidth}), RunModel(*built, {2, kWidth}));
}

// Products of one row read narrow weights, unless there are floats for larger ones already.
TEST(OfflineModel, KeepsNarrowWeightsForProductsOfOneRow) {
  constexpr std::int64_t kWide = 512;
  const auto ways = [&](const OfflineModel& model) {
    const std::vector<std::byte> bytes = model.Bytes();
    const std::string index = Text(OmFile::FromMemory(bytes.data(), bytes.size())->Get("packings"));
    return std::pair(index.find("\"narrow float") != std::string::npos,
                     index.find("\"float") != std::string::npos);
  };
  const auto gears = [&](const char* sizes) {
    return OfflineModel::Build(*Product({-1, kWide}),
                               {{"input_shape", "x:-1,512"}, {"dynamic_batch_size", sizes}});
  };
  EXPECT_EQ(ways(*OfflineModel::Build(*Product({1, kWide}), {})), std::pair(true, false));
  EXPECT_EQ(ways(*gears("64,1")), std::pair(false, true));
  EXPECT_EQ(ways(*gears("1,64")), std::pair(true, true));
  for (const char* sizes : {"64,1", "1,64"}) {
    const auto built = gears(sizes);
    EXPECT_EQ(RunModel(*Reload(*built), {1, kWide}), RunModel(*built, {1, kWide})) << sizes;
  }
}

TEST(OfflineModel, HasAShapeForEveryGear) {
  const auto model = Reload(*OfflineModel::Build(
      *Product({-1, kWidth}), {{"input_shape", "x:-1,32"}, {"dynamic_batch_size", "1,4, 2"}}));
  const ModelDescription& description = model->description();
  EXPECT_EQ(description.gears.kind, ModelGears::Kind::kBatch);
  EXPECT_THAT(description.gears.values, ElementsAre(Dims{1}, Dims{4}, Dims{2}));
  EXPECT_EQ(description.gears.Largest(), 1u);
  EXPECT_EQ(description.gears.outputs.at(1).at(0), (Dims{4, kWidth}));
  EXPECT_EQ(description.outputs.at(0).type.dims, (Dims{-1, kWidth}));
  EXPECT_EQ(RunModel(*model, {4, kWidth}).size(), 4u * kWidth);
}

TEST(OfflineModel, LeavesOpenShapesToTheRun) {
  const auto model = Reload(*OfflineModel::Build(*Product({-1, kWidth}), {}));
  EXPECT_FALSE(model->description().FixedSizes());
  EXPECT_EQ(model->description().outputs.at(0).type.type, DataType::kFloat);
  EXPECT_EQ(RunModel(*model, {3, kWidth}).size(), 3u * kWidth);
  EXPECT_EQ(RunModel(*model, {5, kWidth}).size(), 5u * kWidth);
}

std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(OfflineModel, SaysWhichInputDoesNotFit) {
  const auto model = OfflineModel::Build(*Product({2, kWidth}), {});
  EXPECT_THAT(Refusal([&] { model->Prepare({FloatType({3, kWidth})}); }), HasSubstr("'x'"));
  EXPECT_THAT(Refusal([&] {
                model->Prepare({{DataType::kInt32, Format::kNd, {2, kWidth}}});
              }),
              HasSubstr("int32"));
  EXPECT_THAT(Refusal([&] { model->Prepare({}); }), HasSubstr("1 inputs"));
}

TEST(OfflineModel, RefusesGearsThatMakeNoSense) {
  const auto build = [](const OptionMap& options) {
    return Refusal([&] { OfflineModel::Build(*Product({-1, kWidth}), options); });
  };
  EXPECT_THAT(build({{"dynamic_batch_size", "1,2"}, {"dynamic_dims", "1;2"}}), HasSubstr("exclude"));
  EXPECT_THAT(build({{"dynamic_batch_size", "1,x"}}), HasSubstr("\"x\""));
  EXPECT_THAT(build({{"dynamic_image_size", "1,2,3;4,5,6"}}), HasSubstr("height"));
  EXPECT_THAT(build({{"dynamic_image_size", "1,2;3,4"}}), HasSubstr("open dimension"));
  EXPECT_THAT(build({{"dynamic_batch_size", "0,2"}}), HasSubstr("\"0\""));
}

TEST(OfflineModel, ListsAllNodesWithoutAKernel) {
  auto graph = Product({2, kWidth});
  Node& first = AddNode(*graph, "NoSuchOperator", "strange", {{"x", graph->outputs[0]}});
  Node& second = AddNode(*graph, "NoSuchEither", "stranger", {{"x", {&first, 0}}});
  graph->outputs = {{&second, 0}};
  const std::string report = Refusal([&] { OfflineModel::Build(*graph, {}); });
  EXPECT_THAT(report, HasSubstr("strange"));
  EXPECT_THAT(report, HasSubstr("stranger"));
}

// The model as a whole, not only its container, must withstand any bytes.
TEST(OfflineModel, RefusesDamageBehindChecksumsThatFit) {
  const auto bytes = OfflineModel::Build(*Product({2, kWidth}), {})->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  const auto rewrite = [&](std::string_view changed, ConstBytes with) {
    const auto bad = Rewritten(*file, changed, with);
    return Refusal([&] { OfflineModel::Load(OmFile::FromMemory(bad.data(), bad.size())); });
  };
  EXPECT_THAT(rewrite("weights", {}), HasSubstr("outside"));
  EXPECT_THAT(rewrite("description", std::as_bytes(std::span("{}", 2))), HasSubstr("description"));
  EXPECT_THAT(rewrite("graph", std::as_bytes(std::span("\xff\xff", 2))), HasSubstr("damaged"));
  EXPECT_THAT(rewrite("packed", {}), HasSubstr("outside"));
  EXPECT_THAT(rewrite("packings", std::as_bytes(std::span("{}", 2))), HasSubstr("packed weights"));
  const std::string deep(100000, '[');
  EXPECT_THAT(rewrite("description", std::as_bytes(std::span(deep.data(), deep.size()))),
              HasSubstr("description"));
}

TEST(OfflineModel, RefusesNodesThatTakeTheirValueFromOutside) {
  const auto bytes = OfflineModel::Build(*Product({2, kWidth}), {})->Bytes();
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  for (const char* type : {"ConstPlaceHolder", "FileConstant"}) {
    auto body = std::make_shared<Graph>("body");
    body->outputs = {{&AddNode(*body, type, "foreign", {}), 0}};
    GraphModel model{std::make_shared<Graph>("outer"), {}};
    Node& call = AddNode(*model.graph, "PartitionedCall", "call", {});
    call.subgraphs.push_back({"f", "f", nullptr, body});
    model.graph->outputs = {{&call, 0}};
    const std::string graph = SaveGraphModel(model);
    const auto bad = Rewritten(*file, "graph", std::as_bytes(std::span(graph.data(), graph.size())));
    EXPECT_THAT(Refusal([&] { OfflineModel::Load(OmFile::FromMemory(bad.data(), bad.size())); }),
                HasSubstr(fmt::format("node 'foreign' ({}) takes its value from outside", type)));
  }
}

}  // namespace
}  // namespace foothold
