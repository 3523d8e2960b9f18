// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The life of the engine, of sessions and of graphs in them, and calls in the wrong order.
#include "acl/acl.h"
#include "conformance/ge/graph_fixture.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class SessionLife : public testing::Test {};
TYPED_TEST_SUITE(SessionLife, Generations, GenerationNames);

template <typename Generation>
ge::Status RunOnce(typename Generation::Session& session, uint32_t id, Floats* found = nullptr) {
  std::vector<typename Generation::Tensor> outputs;
  const ge::Status status = session.RunGraph(id, List(Generation::Make({2}, {1, 2})), outputs);
  if (status == ge::SUCCESS && found != nullptr) *found = ValuesOf<Generation>(outputs.at(0));
  return status;
}

class GraphEngine : public testing::Test {
 protected:
  void TearDown() override { ForgetMessages(); }
};

TEST_F(GraphEngine, IsInitialisedOnceAndFinalisedOnce) {
  EXPECT_GE_OK(ge::GEInitialize(GeOptions{}));
  EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"ge.graphRunMode", "1"}}));
  EXPECT_GE_OK(ge::GEFinalize());
  EXPECT_GE_OK(ge::GEFinalize());
  EXPECT_GE_OK(ge::GEInitializeV2({}));
  EXPECT_GE_OK(ge::GEFinalizeV2());
}

TEST_F(GraphEngine, KeepsOptionsItDoesNotKnow) {
  EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"vendor.secret", "17"}, {"ge.exec.isTailingOptimization", "x"}}));
  EXPECT_GE_OK(ge::GEFinalize());
}

TEST_F(GraphEngine, RefusesWrongValuesOfOptionsItKnows) {
  for (const auto& wrong :
       {GeOptions{{"ge.graphRunMode", "7"}}, GeOptions{{"ge.exec.deviceId", "first"}},
        GeOptions{{"ge.exec.precision_mode", "exact"}}, GeOptions{{"ge.exec.enableDump", "maybe"}},
        GeOptions{{"ge.exec.precision_mode", "allow_fp32_to_fp16"}, {"ge.exec.precision_mode_v2", "fp16"}}}) {
    GraphError();
    EXPECT_NE(ge::GEInitialize(wrong), ge::SUCCESS) << wrong.begin()->first.GetString();
    EXPECT_THAT(GraphError(), testing::HasSubstr("E10001"));
    ge::GEFinalize();
  }
}

TEST_F(GraphEngine, DoesNotCareWhetherTheRuntimeStartsFirst) {
  EXPECT_GE_OK(ge::GEInitialize(GeOptions{}));
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_GE_OK(ge::GEFinalize());
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << "finalising the engine ended the runtime";
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TYPED_TEST(SessionLife, HasAnIdOfItsOwn) {
  const GeOptions none;
  const typename TypeParam::Session a(none), b(none);
  EXPECT_NE(a.GetSessionId(), b.GetSessionId());
}

TYPED_TEST(SessionLife, RefusesGraphsUntilTheEngineIsInitialised) {
  typename TypeParam::Session session(GeOptions{});
  const ge::Graph graph = AddGraphOf({2}, 1);
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(kNotInitialized, "initialised", session.AddGraph(1, graph));
  EXPECT_REFUSED(kNotInitialized, "initialised", TypeParam::AddCopy(session, 1, graph));
  EXPECT_REFUSED(kNotInitialized, "initialised", session.RunGraph(1, {}, outputs));
  EXPECT_REFUSED(kNotInitialized, "initialised", session.RunGraphAsync(1, {}, [](auto, auto&) {}));
  EXPECT_REFUSED(kNotInitialized, "initialised", session.LoadGraph(1, {}, nullptr));
  const Engine engine;
  EXPECT_GE_OK(session.AddGraph(1, graph));
  EXPECT_GE_OK(RunOnce<TypeParam>(session, 1));
}

TYPED_TEST(SessionLife, NeedsADeviceThatExists) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{{"ge.session_device_id", "4095"}});
  GraphError();
  EXPECT_NE(session.AddGraph(1, AddGraphOf({2}, 1)), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("device 4095"));
}

TYPED_TEST(SessionLife, MayEndAfterTheEngine) {
  typename TypeParam::Session session(GeOptions{});
  std::vector<typename TypeParam::Tensor> outputs;
  {
    const Engine engine;
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
    ASSERT_GE_OK(session.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
  }
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
  EXPECT_REFUSED(kNotInitialized, "initialised", session.RunGraph(1, {}, outputs));
}

TYPED_TEST(SessionLife, RefusesGraphsItDoesNotHave) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(kNoSuchGraph, "no graph 5", session.RunGraph(5, {}, outputs));
  EXPECT_REFUSED(kNoSuchGraph, "no graph 5", session.RemoveGraph(5));
  EXPECT_REFUSED(kNoSuchGraph, "no graph 5", session.CompileGraph(5));
  EXPECT_REFUSED(kNoSuchGraph, "no graph 5", session.LoadGraph(5, {}, nullptr));
  EXPECT_TRUE(session.IsGraphNeedRebuild(5));
  EXPECT_EQ(session.GetCompiledGraphSummary(5), nullptr);
}

TYPED_TEST(SessionLife, KeepsTheFirstGraphOfAnId) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  const ge::Graph graph = AddGraphOf({2}, 1);
  const ge::Graph same = graph;
  EXPECT_GE_OK(session.AddGraph(1, graph));
  EXPECT_GE_OK(session.AddGraph(1, same));
  EXPECT_REFUSED(ge::FAILED, "another graph 1", session.AddGraph(1, AddGraphOf({2}, 10)));
  Floats found;
  EXPECT_GE_OK(RunOnce<TypeParam>(session, 1, &found));
  EXPECT_THAT(found, ElementsAre(2, 3));
  EXPECT_FALSE(session.IsGraphNeedRebuild(1));
}

TYPED_TEST(SessionLife, RefusesAGraphThatWasNeverBuilt) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  EXPECT_REFUSED(ge::FAILED, "graph 1", session.AddGraph(1, ge::Graph("empty")));
}

TYPED_TEST(SessionLife, GivesTheIdFreeWhenTheGraphIsRemoved) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  EXPECT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_GE_OK(session.RemoveGraph(1));
  EXPECT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 10)));
  Floats found;
  EXPECT_GE_OK(RunOnce<TypeParam>(session, 1, &found));
  EXPECT_THAT(found, ElementsAre(11, 12));
}

TYPED_TEST(SessionLife, DoesNotSeeLaterChangesOfACopiedGraph) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  ge::Graph graph = AddGraphOf({2}, 1);
  ASSERT_GE_OK(TypeParam::AddCopy(session, 1, graph));
  ASSERT_GE_OK(TypeParam::AddCopy(session, 2, graph));
  ge::Operator step;
  ASSERT_EQ(graph.FindOpByName("step", step), ge::GRAPH_SUCCESS);
  step.SetAttr("value", HostTensor<float>({1}, {100}, ge::DT_FLOAT));
  Floats found;
  EXPECT_GE_OK(RunOnce<TypeParam>(session, 1, &found));
  EXPECT_THAT(found, ElementsAre(2, 3));
  EXPECT_GE_OK(RunOnce<TypeParam>(session, 2, &found));
  EXPECT_THAT(found, ElementsAre(2, 3));
}

TYPED_TEST(SessionLife, CompilesAnyNumberOfTimes) {
  const Engine engine;
  typename TypeParam::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_EQ(session.GetCompiledGraphSummary(1), nullptr);
  EXPECT_GE_OK(session.CompileGraph(1));
  EXPECT_GE_OK(session.CompileGraph(1));
  EXPECT_NE(session.GetCompiledGraphSummary(1), nullptr);
}

TEST(FirstSession, RunsOnlyOnStreamsAfterCompileGraph) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(session.CompileGraph(1));
  std::vector<ge::Tensor> outputs;
  const auto inputs = List(First::Make({2}, {1, 2}));
  EXPECT_REFUSED(ge::FAILED, "E10062", session.RunGraph(1, inputs, outputs));
  EXPECT_REFUSED(ge::FAILED, "E10062", session.RunGraphAsync(1, inputs, [](auto, auto&) { FAIL(); }));
}

TEST(FirstSession, LoadsOnceAndOnlyWhatIsCompiled) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  std::vector<gert::Tensor> outputs;
  const auto inputs = List(Second::Make({2}, {1, 2}));
  EXPECT_REFUSED(ge::FAILED, "E10062", session.LoadGraph(1, {}, nullptr));
  ASSERT_GE_OK(session.CompileGraph(1));
  EXPECT_REFUSED(ge::FAILED, "E10062", session.ExecuteGraphWithStreamAsync(1, nullptr, inputs, outputs));
  EXPECT_GE_OK(session.LoadGraph(1, {}, nullptr));
  EXPECT_REFUSED(kRepeated, "loaded", session.LoadGraph(1, {}, nullptr));
}

TEST(FirstSession, RunsAfterBuildGraphInBothWays) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  ASSERT_GE_OK(session.BuildGraph(1, std::vector<ge::InputTensorInfo>()));
  std::vector<ge::Tensor> outputs;
  const auto inputs = List(First::Make({2}, {1, 2}));
  EXPECT_GE_OK(session.RunGraph(1, inputs, outputs));
  EXPECT_GE_OK(session.RunGraphAsync(1, inputs, [](ge::Status status, auto&) { EXPECT_GE_OK(status); }));
  std::vector<gert::Tensor> none;
  EXPECT_REFUSED(ge::FAILED, "E10062",
                 session.ExecuteGraphWithStreamAsync(1, nullptr, List(Second::Make({2}, {1, 2})), none));
  EXPECT_GE_OK(session.RemoveGraph(1));
}

TEST(SecondSession, RunsAGraphInOneWayOnly) {
  const Engine engine;
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_GE_OK(RunOnce<Second>(session, 1));
  EXPECT_REFUSED(ge::FAILED, "E10062",
                 session.RunGraphAsync(1, List(Second::Make({2}, {1, 2})), [](auto, auto&) { FAIL(); }));
  std::vector<gert::Tensor> outputs;
  EXPECT_REFUSED(ge::FAILED, "RunGraph ",
                 session.RunGraphWithStreamAsync(1, nullptr, List(Second::Make({2}, {1, 2})), outputs));
  EXPECT_GE_OK(session.RemoveGraph(1));
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_GE_OK(session.RunGraphAsync(1, List(Second::Make({2}, {1, 2})),
                                     [](ge::Status s, auto&) { EXPECT_GE_OK(s); }));
}

TEST(SecondSession, LoadsByItselfAndAgain) {
  const Engine engine;
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_GE_OK(session.LoadGraph(1, {}, nullptr));
  EXPECT_GE_OK(session.LoadGraph(1, {}, nullptr));
  EXPECT_GE_OK(RunOnce<Second>(session, 1));
}

}  // namespace
