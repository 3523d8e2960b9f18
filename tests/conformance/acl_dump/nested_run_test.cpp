// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the callback for dumps may do while the run that called it goes on: nothing of the library waits for
// it with a lock held.
#include <functional>
#include <thread>

#include "conformance/acl_dump/dump_fixture.h"
#include "state_ops.h"

namespace {

// Called for the first piece that a thread gets, and not for those of the runs inside.
thread_local std::function<void()> inside;

int32_t CallInside(const acldumpChunk*, int32_t) {
  if (const auto function = std::exchange(inside, nullptr)) function();
  return 0;
}

// Counts the variable up by one.
ge::Graph Count(const char* name) {
  ge::op::Variable variable(name);
  variable.update_output_desc_y(FloatDesc({2}));
  const auto one = FloatConst("step", {2}, {1, 1});
  const auto sum = ge::op::AssignAdd("count").set_input_ref(variable).set_input_value(one);
  return ge::Graph("count").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{sum});
}

class NestedRun : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(acldumpRegCallback(CallInside, 0));
    ASSERT_OK(aclmdlInitDump());
  }
  void TearDown() override {
    EXPECT_OK(aclmdlFinalizeDump());
    acldumpUnregCallback();
  }
  const Session session_;
};

// Each of the two is inside its own run when it asks for the other's.
TEST_F(NestedRun, OfTwoModelsThatRunEachOtherEndsBoth) {
  const LoadedModel first(DoubleModel()), second(DoubleModel());
  Gate in_first, in_second;
  const auto run = [&](const LoadedModel& own, const LoadedModel& other, Gate& here, Gate& there) {
    EXPECT_OK(aclrtSetCurrentContext(session_.context()));
    inside = [&] {
      here.Open();
      EXPECT_TRUE(there.Wait());
      EXPECT_EQ(RunOnce(other, 5), Floats(kCount, 12));
    };
    EXPECT_EQ(RunOnce(own, 3), Floats(kCount, 8));
  };
  std::thread one([&] { run(first, second, in_first, in_second); });
  std::thread two([&] { run(second, first, in_second, in_first); });
  one.join();
  two.join();
}

template <typename Generation>
class NestedGraphRun : public NestedRun {
 protected:
  using GraphSession = typename Generation::Session;

  static ge::Status Run(GraphSession& session, uint32_t id, Floats* values = nullptr) {
    std::vector<typename Generation::Tensor> outputs;
    const ge::Status status = session.RunGraph(id, {}, outputs);
    if (values != nullptr && !outputs.empty()) *values = ValuesOf<Generation>(outputs[0]);
    return status;
  }
  const Engine engine_;
};
TYPED_TEST_SUITE(NestedGraphRun, Generations, GenerationNames);

TEST_F(NestedRun, MayReadTheVariableItsRunWrites) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, Count("x")));
  std::vector<ge::Tensor> outputs, values;
  ASSERT_GE_OK(session.RunGraph(1, {}, outputs));
  inside = [&] { EXPECT_GE_OK(session.GetVariables(std::vector<std::string>{"x"}, values)); };
  ASSERT_GE_OK(session.RunGraph(1, {}, outputs));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_THAT(ValuesOf<First>(values[0]), testing::ElementsAre(2, 2));
}

TYPED_TEST(NestedGraphRun, ThatWritesTheSameVariableIsRefused) {
  typename TestFixture::GraphSession session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, Count("x")));
  ASSERT_GE_OK(session.AddGraph(2, Count("x")));
  Floats values;
  inside = [&] { EXPECT_REFUSED(ge::FAILED, "'x' is used by the run", this->Run(session, 2)); };
  EXPECT_GE_OK(this->Run(session, 1, &values));
  EXPECT_THAT(values, testing::ElementsAre(1, 1));
  EXPECT_GE_OK(this->Run(session, 2, &values));
  EXPECT_THAT(values, testing::ElementsAre(2, 2));
}

// Of two runs that would wait for each other one is refused, and the other goes on.
TYPED_TEST(NestedGraphRun, OfTwoGraphsThatRunEachOtherEnds) {
  typename TestFixture::GraphSession session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, Count("x")));
  ASSERT_GE_OK(session.AddGraph(2, Count("y")));
  ASSERT_GE_OK(session.AddGraph(3, Count("x")));
  ASSERT_GE_OK(session.AddGraph(4, Count("y")));
  Gate in_first, in_second;
  std::atomic<int> refused{0};
  const auto run = [&](uint32_t own, uint32_t other, Gate& here, Gate& there) {
    inside = [&, other] {
      here.Open();
      EXPECT_TRUE(there.Wait());
      refused += this->Run(session, other) != ge::SUCCESS;
    };
    EXPECT_GE_OK(this->Run(session, own));
  };
  std::thread one([&] { run(1, 4, in_first, in_second); });
  std::thread two([&] { run(2, 3, in_second, in_first); });
  one.join();
  two.join();
  EXPECT_EQ(refused, 1);
  Floats values;
  EXPECT_GE_OK(this->Run(session, 1, &values));
}

}  // namespace
