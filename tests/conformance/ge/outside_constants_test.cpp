// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Constants whose bytes do not stand in the graph: at an address (ConstPlaceHolder) or in a file
// (FileConstant). What the program names is taken; what a file names is not trusted.
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

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

ge::op::FileConstant InFile(const std::string& path, const Dims& dims = {2}) {
  ge::op::FileConstant constant("weights");
  constant.set_attr_file_path(ge::AscendString(path.c_str()));
  constant.set_attr_shape(dims).set_attr_dtype(ge::DT_FLOAT);
  return constant;
}

// A folder with models/, models/data/ and other/, each with weights {1, 2} in it.
class ConstantInAFile : public testing::Test {
 protected:
  ConstantInAFile() {
    const Floats values = {1, 2};
    for (const char* folder : {"models", "models/data", "other"}) {
      std::filesystem::create_directories(Path(folder));
      std::ofstream(Path(folder) + "/weights.bin", std::ios::binary)
          .write(reinterpret_cast<const char*>(values.data()), 8);
    }
  }
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  ge::Graph Loaded(const std::string& path) const {
    return SavedAndLoaded(SumWith(InFile(path)), Path("models/graph.air"));
  }

  const TemporaryDirectory directory_;
  const Engine engine_;
};

TEST_F(ConstantInAFile, IsReadFromAnyPathTheProgramNames) {
  EXPECT_THAT(SumOf(SumWith(InFile(Path("other/weights.bin")))), ElementsAre(11, 22)) << GraphError();
  std::filesystem::create_symlink(Path("other/weights.bin"), Path("models/link.bin"));
  EXPECT_THAT(SumOf(SumWith(InFile(Path("models/link.bin")))), ElementsAre(11, 22)) << GraphError();
}

TEST_F(ConstantInAFile, MayBeginBehindOtherBytes) {
  std::ofstream(Path("other/weights.bin"), std::ios::app) << std::string("\0\0\x40\x40", 4);
  const auto at = [&](int64_t offset) {
    ge::op::FileConstant constant = InFile(Path("other/weights.bin"));
    constant.SetAttr("offset", offset);
    return SumWith(constant);
  };
  EXPECT_THAT(SumOf(at(4)), ElementsAre(12, 23)) << GraphError();
  for (const int64_t offset : {int64_t{8}, int64_t{-4}, INT64_MAX}) {
    EXPECT_TRUE(SumOf(at(offset)).empty()) << offset;
    EXPECT_THAT(GraphError(), HasSubstr("has 12 bytes")) << offset;
  }
}

TEST_F(ConstantInAFile, IsRefusedBeforeMemoryIsTakenForIt) {
  EXPECT_TRUE(SumOf(SumWith(InFile(Path("other/weights.bin"), {int64_t{1} << 44}))).empty());
  EXPECT_THAT(GraphError(), HasSubstr("has 8 bytes"));
}

TEST_F(ConstantInAFile, MustBeAFile) {
  ASSERT_EQ(mkfifo(Path("other/pipe").c_str(), 0600), 0);
  for (const char* name : {"pipe", "."}) {
    EXPECT_TRUE(SumOf(SumWith(InFile(Path("other/") + name))).empty()) << name;
    EXPECT_THAT(GraphError(), HasSubstr("is no regular file")) << name;
  }
  EXPECT_TRUE(SumOf(SumWith(InFile(Path("other/none")))).empty());
  EXPECT_THAT(GraphError(), testing::AllOf(HasSubstr("node 'weights' (FileConstant)"),
                                           HasSubstr("other/none"), HasSubstr("No such file")));
}

TEST_F(ConstantInAFile, OfAGraphFromAFileLiesBelowItsFolder) {
  for (const std::string& path :
       {std::string("weights.bin"), std::string("data/weights.bin"), Path("models/data/weights.bin")})
    EXPECT_THAT(SumOf(Loaded(path)), ElementsAre(11, 22)) << path << GraphError();
  std::filesystem::create_symlink(Path("other/weights.bin"), Path("models/link.bin"));
  for (const std::string& path :
       {std::string("../other/weights.bin"), Path("other/weights.bin"), std::string("link.bin")}) {
    EXPECT_TRUE(SumOf(Loaded(path)).empty()) << path;
    EXPECT_THAT(GraphError(), testing::AllOf(HasSubstr("node 'weights' (FileConstant)"), HasSubstr(path),
                                             HasSubstr("outside the folder of the model"),
                                             HasSubstr("ge.externalWeightDir")));
  }
}

TEST_F(ConstantInAFile, OfAGraphFromAFileMayBeNamedFromTheWorkingDirectory) {
  const std::string seen = std::filesystem::relative(Path("models/data/weights.bin")).string();
  EXPECT_THAT(SumOf(Loaded(seen)), ElementsAre(11, 22)) << seen << GraphError();
  EXPECT_TRUE(SumOf(Loaded(std::filesystem::relative(Path("other/weights.bin")).string())).empty());
}

TEST_F(ConstantInAFile, OfAGraphFromAFileMayLieWhereAnOptionSays) {
  const GeOptions options = {{ge::OPTION_EXTERNAL_WEIGHT_DIR, Path("other").c_str()}};
  std::filesystem::remove(Path("models/weights.bin"));
  for (const std::string& path : {std::string("weights.bin"), Path("other/weights.bin")}) {
    const ge::Graph loaded = Loaded(path);
    EXPECT_THAT(SumOf(loaded, options), ElementsAre(11, 22)) << path << GraphError();
    EXPECT_TRUE(SumOf(loaded).empty()) << path;
    GeOptions none;
    ASSERT_EQ(ge::aclgrphBuildInitialize(none), ge::GRAPH_SUCCESS);
    ge::ModelBufferData model;
    EXPECT_EQ(ge::aclgrphBuildModel(loaded, options, model), ge::GRAPH_SUCCESS) << path << GraphError();
    EXPECT_THAT(ge::GEGetWarningMsg(), testing::Not(HasSubstr("externalWeightDir")));
    ge::aclgrphBuildFinalize();
  }
}

TEST_F(ConstantInAFile, InsideOtherGraphsFollowsTheSameRules) {
  const GeOptions options = {{ge::OPTION_EXTERNAL_WEIGHT_DIR, Path("other").c_str()}};
  const ge::op::Data x = FloatData("x", 0, {2});
  ge::op::If branch("branch");
  branch.create_dynamic_input_input(1).create_dynamic_output_output(1);
  branch.set_input_cond(FloatData("cond", 1, {})).set_dynamic_input_input(0, x);
  const auto body = [&] { return SumWith(InFile(Path("other/weights.bin"))); };
  branch.set_subgraph_builder_then_branch(body);
  branch.set_subgraph_builder_else_branch(body);
  const ge::Graph graph = ge::Graph("outer").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{branch});
  const ge::Graph loaded = SavedAndLoaded(graph, Path("models/graph.air"));
  for (const bool allowed : {true, false}) {
    ge::Session session(allowed ? options : GeOptions());
    EXPECT_GE_OK(session.AddGraph(1, loaded));
    std::vector<ge::Tensor> outputs;
    const std::vector<ge::Tensor> inputs = {First::Make({2}, {10, 20}), First::Make({}, {1})};
    EXPECT_EQ(session.RunGraph(1, inputs, outputs) == ge::SUCCESS, allowed) << GraphError();
    if (allowed) {
      EXPECT_THAT(ValuesOf<First>(outputs.at(0)), ElementsAre(11, 22));
    }
  }
}

TEST_F(ConstantInAFile, OfAGraphFromAFileIsReadFromAnyPathTheProgramGivesIt) {
  ge::Graph loaded = Loaded("none");
  ge::AscendString path(Path("other/weights.bin").c_str());
  ASSERT_EQ(loaded.FindNodeByName("weights")->SetAttr("file_path", path), ge::GRAPH_SUCCESS);
  EXPECT_THAT(SumOf(loaded), ElementsAre(11, 22)) << GraphError();
}

}  // namespace
