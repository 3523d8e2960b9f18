// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <dirent.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "conformance/ge/graph_fixture.h"
#include "ge/ge_ir_build.h"

namespace {

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* directory = opendir(folder.c_str());
  while (const dirent* entry = directory == nullptr ? nullptr : readdir(directory))
    if (entry->d_name[0] != '.') names.push_back(entry->d_name);
  if (directory != nullptr) closedir(directory);
  return names;
}

std::string TextOf(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class GraphDump : public testing::Test {
 protected:
  GraphDump() {
    std::string name = testing::TempDir() + "graph_dump_XXXXXX";
    folder_ = mkdtemp(&name[0]);
    setenv("DUMP_GE_GRAPH", "2", 1);
    setenv("DUMP_GRAPH_PATH", folder_.c_str(), 1);
  }
  ~GraphDump() override {
    for (const char* name : {"DUMP_GE_GRAPH", "DUMP_GRAPH_PATH", "DUMP_GRAPH_LEVEL", "DUMP_GRAPH_FORMAT"})
      unsetenv(name);
    EXPECT_EQ(system(("rm -r " + folder_).c_str()), 0);
  }

  // Names of the files one run leaves, and where they are.
  std::vector<std::string> Run() {
    Engine engine;
    ge::Session session((GeOptions()));
    const ge::op::Data x = FloatData("x", 0, {2});
    const auto twice = ge::op::Add("twice").set_input_x1(x).set_input_x2(x);
    ge::Graph graph("dumped");
    graph.SetInputs({x}).SetOutputs({twice});
    EXPECT_GE_OK(session.AddGraph(1, graph));
    std::vector<ge::Tensor> outputs;
    EXPECT_GE_OK(session.RunGraph(1, {HostTensor<float>({2}, {1, 2}, ge::DT_FLOAT)}, outputs));
    where_ = folder_ + "/pid_" + std::to_string(getpid()) + "_deviceid_0";
    return FilesIn(where_);
  }

  std::string folder_, where_;
};

TEST_F(GraphDump, WritesEveryStage) {
  EXPECT_THAT(Run(),
              testing::UnorderedElementsAre(testing::MatchesRegex("ge_proto_.*_PreRunBegin.txt"),
                                            testing::MatchesRegex("ge_proto_.*_PreRunAfterPrepare.txt"),
                                            testing::MatchesRegex("ge_proto_.*_AfterInfershape.txt"),
                                            testing::MatchesRegex("ge_proto_.*_Build.txt")));
}

TEST_F(GraphDump, WritesReadableTextOfTheStageAskedFor) {
  setenv("DUMP_GRAPH_FORMAT", "readable", 1);
  setenv("DUMP_GRAPH_LEVEL", "Begin", 1);
  const std::vector<std::string> files = Run();
  ASSERT_THAT(files, testing::ElementsAre(testing::MatchesRegex("ge_readable_.*_PreRunBegin.txt")));
  EXPECT_THAT(TextOf(where_ + "/" + files[0]), testing::HasSubstr("%twice"));
}

TEST_F(GraphDump, WritesEveryStageOfOfflineModels) {
  const ge::op::Data x = FloatData("x", 0, {2});
  const auto twice = ge::op::Add("twice").set_input_x1(x).set_input_x2(x);
  ge::Graph graph("built");
  graph.SetInputs({x}).SetOutputs({twice});
  ASSERT_EQ(ge::aclgrphBuildInitialize(GeOptions()), ge::GRAPH_SUCCESS);
  ge::ModelBufferData model;
  EXPECT_EQ(ge::aclgrphBuildModel(graph, GeOptions(), model), ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
  EXPECT_THAT(
      FilesIn(folder_ + "/pid_" + std::to_string(getpid()) + "_deviceid_0"),
      testing::UnorderedElementsAre(testing::MatchesRegex("ge_proto_.*_graph_built_PreRunBegin.txt"),
                                    testing::MatchesRegex("ge_proto_.*_graph_built_PreRunAfterPrepare.txt"),
                                    testing::MatchesRegex("ge_proto_.*_graph_built_AfterInfershape.txt"),
                                    testing::MatchesRegex("ge_proto_.*_graph_built_Build.txt")));
}

TEST_F(GraphDump, WritesNothingUnlessAsked) {
  unsetenv("DUMP_GE_GRAPH");
  EXPECT_THAT(Run(), testing::IsEmpty());
}

}  // namespace
