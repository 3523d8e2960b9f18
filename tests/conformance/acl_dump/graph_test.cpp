// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dumps of graphs that sessions run: the options of ge.exec, and the configuration of AscendCL.
#include "conformance/acl_dump/dump_fixture.h"

namespace {

ge::AscendString Text(const std::string& text) {
  return ge::AscendString(text.c_str());
}

template <typename Generation>
class GraphDump : public testing::Test {};
TYPED_TEST_SUITE(GraphDump, Generations, GenerationNames);

template <typename Generation>
Floats RunGraph(typename Generation::Session& session, uint32_t id, float x) {
  std::vector<typename Generation::Tensor> outputs;
  const auto inputs = List(Generation::Make({kCount}, Floats(kCount, x)));
  EXPECT_GE_OK(session.RunGraph(id, inputs, outputs));
  return ValuesOf<Generation>(outputs.at(0));
}

TYPED_TEST(GraphDump, FollowsTheOptionsOfTheSession) {
  const Engine engine;
  const TemporaryDirectory directory;
  typename TypeParam::Session session(GeOptions{{"ge.exec.enableDump", "1"},
                                                {"ge.exec.dumpPath", Text(directory.path())},
                                                {"ge.exec.dumpMode", "all"},
                                                {"ge.exec.dumpStep", "1"},
                                                {"ge.exec.dumpLayer", "sum other"}});
  ASSERT_GE_OK(session.AddGraph(7, ScaleGraph({kCount}, 2)));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(RunGraph<TypeParam>(session, 7, 3), Floats(kCount, 8));
  const auto files = FilesBelow(directory.path());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_THAT(files.begin()->first, testing::HasSubstr("/0/scale/7/1/Add.sum."));
  EXPECT_EQ(DumpParts(files.begin()->second).tensors.size(), 3 * kBytes);
}

TYPED_TEST(GraphDump, GoesToTheCallbackToo) {
  const Engine engine;
  Session device;
  Receiving receiving;
  ASSERT_OK(aclmdlInitDump());
  {
    typename TypeParam::Session session(GeOptions{});
    ASSERT_GE_OK(session.AddGraph(1, ScaleGraph({kCount}, 2)));
    RunGraph<TypeParam>(session, 1, 3);
    EXPECT_EQ(Received::Get().files().size(), 2u);
  }
  EXPECT_OK(aclmdlFinalizeDump());
}

TYPED_TEST(GraphDump, RefusesOptionsThatDoNotFit) {
  const Engine engine;
  const TemporaryDirectory directory;
  const auto refused = [&](const GeOptions& options, const char* part) {
    typename TypeParam::Session session(options);
    EXPECT_REFUSED(kParamInvalid, part, session.AddGraph(1, AddGraphOf({kCount}, 1)));
  };
  refused({{"ge.exec.enableDump", "1"}}, "ge.exec.dumpPath");
  refused({{"ge.exec.enableDump", "1"},
           {"ge.exec.enableDumpDebug", "1"},
           {"ge.exec.dumpPath", Text(directory.path())}},
          "exclude each other");
  refused({{"ge.exec.enableDump", "1"}, {"ge.exec.dumpPath", "/no/such/place"}}, "/no/such/place");
  refused({{"ge.exec.enableDump", "1"},
           {"ge.exec.dumpPath", Text(directory.path())},
           {"ge.exec.dumpStep", "5-2"}},
          "5-2");
}

// The shape of the output comes with the data, so the node is run outside of any program.
TYPED_TEST(GraphDump, ShowsNodesWhoseShapesTheDataDecide) {
  const Engine engine;
  const TemporaryDirectory directory;
  typename TypeParam::Session session(GeOptions{{"ge.exec.enableDump", "1"},
                                                {"ge.exec.dumpPath", Text(directory.path())},
                                                {"ge.exec.dumpMode", "all"}});
  const ge::op::Data x = FloatData("x", 0, {6});
  const ge::op::Abs absolute = ge::op::Abs("absolute").set_input_x(x);
  const ge::op::Where places = ge::op::Where("places").set_input_x(absolute);
  ASSERT_GE_OK(
      session.AddGraph(1, ge::Graph("where").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{places})));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(session.RunGraph(1, List(TypeParam::Make({6}, {0, 1, 0, -2, 0, 3})), outputs));
  const DumpParts parts(FileOf(FilesBelow(directory.path()), "Where.places."));
  EXPECT_EQ(parts.tensors.size(), 6 * sizeof(float) + 3 * sizeof(int64_t));
}

}  // namespace
