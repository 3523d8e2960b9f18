// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that a graph calls, calling back into the session: what they may do works, what
// would wait for itself is refused, and a session may be ended inside its own callback.
#include <future>
#include <memory>
#include <thread>

#include "conformance/ge/graph_fixture.h"
#include "functional_ops.h"
#include "save_ops.h"
#include "state_ops.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = x + 1, by a call of a graph that `build` makes.
ge::Graph CallGraph(const ge::SubgraphBuilder& build) {
  const auto x = FloatData("x", 0, {1});
  ge::op::PartitionedCall call("call");
  call.create_dynamic_input_args(1).set_dynamic_input_args(0, x).create_dynamic_output_output(1);
  call.set_subgraph_builder_f(build);
  return ge::Graph("call").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{call});
}

// Hands the variable v to the callback for "Save".
ge::Graph SaveGraph() {
  ge::op::Variable v("v");
  v.set_attr_value(HostTensor(Dims{1}, Floats{4}, ge::DT_FLOAT));
  v.update_output_desc_y(FloatDesc({1}));
  const auto save = ge::op::Save("save").create_dynamic_input_tensors(1).set_dynamic_input_tensors(0, v);
  return ge::Graph("save").SetInputs({v}).SetOutputs(std::vector<ge::Operator>{save});
}

template <typename Generation>
class Reentry : public testing::Test {
 protected:
  using Session = typename Generation::Session;
  using Tensors = std::vector<typename Generation::Tensor>;

  Floats Run(Session& session, uint32_t id) {
    Tensors outputs;
    EXPECT_GE_OK(session.RunGraph(id, List(Generation::Make({1}, {5})), outputs));
    return outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]);
  }
  const Engine engine_;
};
TYPED_TEST_SUITE(Reentry, Generations, GenerationNames);

TYPED_TEST(Reentry, ABuilderMayUseOtherGraphsOfTheSession) {
  typename TypeParam::Session session{GeOptions{}};
  ASSERT_GE_OK(session.AddGraph(2, AddGraphOf({1}, 10)));
  Floats inner;
  ASSERT_GE_OK(session.AddGraph(1, CallGraph([&] {
                                  inner = this->Run(session, 2);
                                  return AddGraphOf({1}, 1, "inner");
                                })));
  EXPECT_THAT(this->Run(session, 1), ElementsAre(6));
  EXPECT_THAT(inner, ElementsAre(15));
}

TYPED_TEST(Reentry, ABuilderKeepsNobodyElseFromTheGraph) {
  typename TypeParam::Session session{GeOptions{}};
  bool asked = false;
  ASSERT_GE_OK(
      session.AddGraph(1, CallGraph([&] {
                         std::thread([&] { asked = session.GetCompiledGraphSummary(1) == nullptr; }).join();
                         return AddGraphOf({1}, 1, "inner");
                       })));
  EXPECT_GE_OK(session.CompileGraph(1));
  EXPECT_TRUE(asked);
}

TYPED_TEST(Reentry, ABuilderIsRefusedTheGraphItBuilds) {
  typename TypeParam::Session session{GeOptions{}};
  ASSERT_GE_OK(session.AddGraph(1, CallGraph([&] {
                                  EXPECT_REFUSED(ge::FAILED, "builds one of its subgraphs",
                                                 session.CompileGraph(1));
                                  EXPECT_REFUSED(ge::FAILED, "cannot be removed", session.RemoveGraph(1));
                                  return AddGraphOf({1}, 1, "inner");
                                })));
  EXPECT_THAT(this->Run(session, 1), ElementsAre(6));
}

TYPED_TEST(Reentry, ACallbackInsideACallbackCannotRemoveTheOuterGraph) {
  typename TypeParam::Session session{GeOptions{}};
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({1}, 1)));
  ASSERT_GE_OK(session.AddGraph(2, CallGraph([&] {
                                  EXPECT_REFUSED(ge::FAILED, "cannot be removed", session.RemoveGraph(1));
                                  return AddGraphOf({1}, 1, "inner");
                                })));
  std::promise<Floats> inner;
  ASSERT_GE_OK(session.RunGraphAsync(
      1, List(TypeParam::Make({1}, {5})),
      [&](ge::Status, typename TestFixture::Tensors&) { inner.set_value(this->Run(session, 2)); }));
  EXPECT_THAT(inner.get_future().get(), ElementsAre(6));
}

TYPED_TEST(Reentry, ASessionMayEndInsideTheCallbackOfItsRun) {
  auto session = std::make_unique<typename TypeParam::Session>(GeOptions{});
  ASSERT_GE_OK(session->AddGraph(1, AddGraphOf({1}, 1)));
  const auto seen = std::make_shared<std::promise<Floats>>();
  const auto end = [&session, seen](ge::Status status, typename TestFixture::Tensors& outputs) {
    EXPECT_EQ(status, ge::SUCCESS);
    session.reset();
    seen->set_value(ValuesOf<TypeParam>(outputs.at(0)));
  };
  auto& running = *session;
  ASSERT_GE_OK(running.RunGraphAsync(1, List(TypeParam::Make({1}, {5})), end));
  EXPECT_THAT(seen->get_future().get(), ElementsAre(6));
}

std::unique_ptr<ge::Session> first;
std::unique_ptr<ge::GeSession> second;
int ended = 0;

uint32_t EndFirst(uint32_t, const std::map<ge::AscendString, ge::Tensor>& values) {
  first.reset();
  ended += values.at("v").GetSize() == sizeof(float);
  return 0;
}

TEST(ReentryOfSave, EndsTheFirstGenerationsSession) {
  const Engine engine;
  first = std::make_unique<ge::Session>(GeOptions{});
  ended = 0;
  ge::Session& session = *first;
  ASSERT_GE_OK(session.RegisterCallBackFunc("Save", EndFirst));
  ASSERT_GE_OK(session.AddGraph(1, SaveGraph()));
  std::vector<ge::Tensor> outputs;
  EXPECT_GE_OK(session.RunGraph(1, {}, outputs));
  EXPECT_EQ(ended, 1);
}

TEST(ReentryOfSave, EndsTheSecondGenerationsSession) {
  const Engine engine;
  second = std::make_unique<ge::GeSession>(GeOptions{});
  ended = 0;
  ge::GeSession& session = *second;
  ASSERT_GE_OK(session.RegisterCallBackFunc("Save", [](uint32_t, const auto& values) {
    second.reset();
    ended += values.at("v").GetSize() == sizeof(float);
    return ge::SUCCESS;
  }));
  ASSERT_GE_OK(session.AddGraph(1, SaveGraph()));
  std::vector<gert::Tensor> outputs;
  EXPECT_GE_OK(session.RunGraph(1, {}, outputs));
  EXPECT_EQ(ended, 1);
}

}  // namespace
