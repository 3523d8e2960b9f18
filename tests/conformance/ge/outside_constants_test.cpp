// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Constants whose bytes do not stand in the graph: at an address (ConstPlaceHolder) or in a file
// (FileConstant). What the program names is taken; what a file names is not trusted.
#include "array.h"
#include "conformance/config_file.h"
#include "conformance/ge/graph_fixture.h"
#include "control_flow_ops.h"
#include "functional_ops.h"
#include "ge/ge_ir_build.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ge::op::ConstPlaceHolder AtAddress(const char* name, const Floats& values) {
  const Dims dims = {static_cast<int64_t>(values.size())};
  ge::op::ConstPlaceHolder constant(name);
  constant.set_attr_origin_shape(dims).set_attr_origin_format(ge::FORMAT_ND);
  constant.set_attr_storage_shape(dims).set_attr_storage_format(ge::FORMAT_ND);
  constant.set_attr_dtype(ge::DT_FLOAT).set_attr_addr(reinterpret_cast<int64_t>(values.data()));
  constant.set_attr_size(static_cast<int64_t>(values.size() * sizeof(float)));
  return constant;
}

// y = x + constant, for two elements.
ge::Graph SumWith(const ge::Operator& constant) {
  const ge::op::Data x = FloatData("x", 0, {2});
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(constant);
  return ge::Graph("sum").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}

ge::Graph LoadedFrom(const std::string& path) {
  ge::Graph loaded("loaded");
  EXPECT_EQ(loaded.LoadFromFile(path.c_str()), ge::GRAPH_SUCCESS) << GraphError();
  return loaded;
}

ge::Graph SavedAndLoaded(const ge::Graph& graph, const std::string& path) {
  EXPECT_EQ(graph.SaveToFile(path.c_str()), ge::GRAPH_SUCCESS) << GraphError();
  return LoadedFrom(path);
}

// What x = {10, 20} becomes; empty where the run is refused.
Floats SumOf(const ge::Graph& graph, const GeOptions& options = {}) {
  ge::Session session(options);
  EXPECT_GE_OK(session.AddGraph(1, graph));
  std::vector<ge::Tensor> outputs;
  GraphError();
  if (session.RunGraph(1, {First::Make({2}, {10, 20})}, outputs) != ge::SUCCESS) return {};
  return ValuesOf<First>(outputs.at(0));
}

TEST(ConstantAtAnAddress, IsReadWhereTheProgramSays) {
  const Engine engine;
  const Floats values = {1, 2};
  EXPECT_THAT(SumOf(SumWith(AtAddress("weights", values))), ElementsAre(11, 22)) << GraphError();
}

TEST(ConstantAtAnAddress, OfAGraphInMemoryIsTheProgramsOwn) {
  const Engine engine;
  const Floats values = {1, 2};
  ge::GraphBuffer saved;
  ASSERT_EQ(SumWith(AtAddress("weights", values)).SaveToMem(saved), ge::GRAPH_SUCCESS);
  ge::Graph loaded("loaded");
  ASSERT_EQ(loaded.LoadFromMem(saved), ge::GRAPH_SUCCESS);
  EXPECT_THAT(SumOf(loaded), ElementsAre(11, 22)) << GraphError();
}

TEST(ConstantAtAnAddress, IsRefusedWhereAFileNamesTheAddress) {
  const Engine engine;
  const TemporaryDirectory directory;
  const Floats values = {1, 2};
  const ge::Graph loaded =
      SavedAndLoaded(SumWith(AtAddress("weights", values)), directory.path() + "/graph.air");
  EXPECT_TRUE(SumOf(loaded).empty());
  EXPECT_THAT(GraphError(), HasSubstr("node 'weights' (ConstPlaceHolder): the address"));
}

TEST(ConstantAtAnAddress, OfAFileIsRefusedInModelsAndCopiesToo) {
  const Engine engine;
  const TemporaryDirectory directory;
  const Floats values = {1, 2};
  const ge::Graph loaded =
      SavedAndLoaded(SumWith(AtAddress("weights", values)), directory.path() + "/graph.air");
  ge::Graph copy("copy");
  ASSERT_EQ(copy.CopyFrom(loaded), ge::GRAPH_SUCCESS);
  EXPECT_TRUE(SumOf(copy).empty());
  EXPECT_THAT(GraphError(), HasSubstr("node 'weights' (ConstPlaceHolder): the address"));
  GeOptions options;
  ASSERT_EQ(ge::aclgrphBuildInitialize(options), ge::GRAPH_SUCCESS);
  ge::ModelBufferData model;
  EXPECT_NE(ge::aclgrphBuildModel(loaded, options, model), ge::GRAPH_SUCCESS);
  EXPECT_THAT(GraphError(), HasSubstr("node 'weights' (ConstPlaceHolder): the address"));
  ge::aclgrphBuildFinalize();
}

TEST(ConstantAtAnAddress, OfAFileIsRefusedInsideOtherGraphs) {
  const Engine engine;
  const TemporaryDirectory directory;
  const Floats values = {1, 2};
  for (const char* type : {"PartitionedCall", "If"}) {
    const ge::Graph body = SumWith(AtAddress("weights", values));
    const ge::op::Data x = FloatData("x", 0, {2});
    ge::Graph graph("outer");
    if (std::string(type) == "If") {
      ge::op::If branch("branch");
      branch.create_dynamic_input_input(1).create_dynamic_output_output(1);
      branch.set_input_cond(FloatConst("cond", {}, {1})).set_dynamic_input_input(0, x);
      branch.set_subgraph_builder_then_branch([&] { return body; });
      branch.set_subgraph_builder_else_branch([&] { return body; });
      graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{branch});
    } else {
      ge::op::PartitionedCall call("call");
      call.create_dynamic_input_args(1).create_dynamic_output_output(1).set_dynamic_input_args(0, x);
      call.set_subgraph_builder_f([&] { return body; });
      graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{call});
    }
    EXPECT_THAT(SumOf(graph), ElementsAre(11, 22)) << type << GraphError();
    EXPECT_TRUE(SumOf(SavedAndLoaded(graph, directory.path() + "/graph.air")).empty()) << type;
    EXPECT_THAT(GraphError(), HasSubstr("(ConstPlaceHolder): the address")) << type;
  }
}

TEST(ConstantAtAnAddress, OfAFileRunsWhenTheProgramGivesAnother) {
  const Engine engine;
  const TemporaryDirectory directory;
  const Floats values = {1, 2}, others = {3, 4};
  ge::Graph loaded = SavedAndLoaded(SumWith(AtAddress("weights", values)), directory.path() + "/graph.air");
  ge::GNode node = *loaded.FindNodeByName("weights");
  int64_t any = 7;
  ASSERT_EQ(node.SetAttr("_anything", any), ge::GRAPH_SUCCESS);
  EXPECT_TRUE(SumOf(loaded).empty()) << "another attribute says nothing about the address";
  int64_t address = reinterpret_cast<int64_t>(others.data());
  ASSERT_EQ(node.SetAttr("addr", address), ge::GRAPH_SUCCESS);
  EXPECT_THAT(SumOf(loaded), ElementsAre(13, 24)) << GraphError();
}

}  // namespace
