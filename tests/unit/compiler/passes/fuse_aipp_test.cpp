// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_aipp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/keep_nodes.h"
#include "ops/aipp/aipp.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using testing::ElementsAre;

TensorValue Waves(const Dims& dims) {
  TensorValue value(TensorType{DataType::kFloat, Format::kNchw, dims});
  for (std::int64_t i = 0; i < ElementCount(dims); ++i)
    value.MutableAs<float>()[i] = std::sin(static_cast<float>(i));
  return value;
}

class FuseAippTest : public testing::Test {
 protected:
  FuseAippTest() {
    AippSettings settings;
    settings.input_format = AippFormat::kYuv420sp;
    settings.src_image_size_w = settings.src_image_size_h = 32;
    settings.csc_switch = true;
    settings.var_reci_chn = {0.0078125, 0.0078125, 0.0078125, 1};
    const OutputRef data = AddData(graph_, "pictures", 0, {2, 48, 32, 1});
    data.node->outputs()[0].desc.type = DataType::kUint8;
    data.node->outputs()[0].desc.format = Format::kNhwc;
    Node& aipp = graph_.Make("Aipp", "aipp");
    SetUpAipp(aipp, settings, {DataType::kFloat, Format::kNchw, {2, 3, 32, 32}});
    aipp.Connect(0, data);
    const OutputRef filter = AddConstant(graph_, "filter", Waves({24, 3, 7, 7}));
    Node& convolution = AddNode(graph_, "Conv2D", "conv", {{"x", {&aipp, 0}}, {"filter", filter}});
    convolution.attributes["strides"] = Dims{1, 1, 2, 2};
    convolution.attributes["pads"] = Dims{3, 3, 3, 3};
    convolution.attributes["data_format"] = std::string("NCHW");
    graph_.outputs = {{&convolution, 0}};
    pictures_ = TensorValue(TensorType{DataType::kUint8, Format::kNhwc, {2, 48, 32, 1}});
    for (std::size_t i = 0; i < pictures_.size(); ++i)
      pictures_.MutableAs<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 % 251);
  }

  std::vector<float> Run(const NodePredicate& keeps) {
    const NormalGraph normal = Normalize(graph_);
    KeepNodes(*normal.graph, keeps);
    Executable executable(normal.graph);
    const auto plan = executable.Prepare({pictures_.type()});
    types_.clear();
    for (const Step& step : plan->program->steps)
      types_.push_back(step.type);
    NoVariables variables;
    return FloatsOf(RunStages(*plan, {pictures_}, variables).at(0));
  }

  Graph graph_{"pictures"};
  TensorValue pictures_;
  std::vector<std::string> types_;
};

TEST_F(FuseAippTest, PreparesPicturesInTheLayoutOfTheFirstConvolution) {
  const std::vector<float> fused = Run(nullptr);
  EXPECT_THAT(types_, ElementsAre("Aipp", "BlockedConv2D", "UnblockChannels"));
  const std::vector<float> apart = Run([](const Node&) { return true; });
  EXPECT_THAT(types_, ElementsAre("Aipp", "Conv2D"));
  ASSERT_EQ(fused.size(), apart.size());
  for (std::size_t i = 0; i < fused.size(); ++i)
    ASSERT_NEAR(fused[i], apart[i], 2e-4f * std::max(1.0f, std::abs(apart[i])));
}

TEST_F(FuseAippTest, LeavesAloneWhatSomebodyLooksAt) {
  Run([](const Node& node) { return node.type() == "Aipp"; });
  EXPECT_THAT(types_, ElementsAre("Aipp", "BlockChannels", "BlockedConv2D", "UnblockChannels"));
}

}  // namespace
}  // namespace foothold
