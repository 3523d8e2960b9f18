// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RunGraphAsync with inputs like those of runs before, many at once: each run has its own inputs, whatever
// their size and whatever becomes of the program's memory, and lets go of what it was given when it is over.
#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"

namespace {

constexpr int kRuns = 500;  // more than are kept to be used again

// y = x0 + x1 + ...
ge::Graph SumGraph(int count, const Dims& dims) {
  std::vector<ge::Operator> inputs;
  for (int i = 0; i < count; ++i)
    inputs.push_back(FloatData(("x" + std::to_string(i)).c_str(), i, dims));
  ge::Operator sum = inputs[0];
  for (int i = 1; i < count; ++i)
    sum = ge::op::Add(("sum" + std::to_string(i)).c_str()).set_input_x1(sum).set_input_x2(inputs[size_t(i)]);
  return ge::Graph("sum").SetInputs(inputs).SetOutputs(std::vector<ge::Operator>{sum});
}

template <typename Generation>
class RepeatedRuns : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;

  // Runs with inputs of this many elements; input i of run r is r + i everywhere.
  void RunMany(int inputs, int64_t elements, int runs = kRuns) {
    for (int run = 0; run < runs; ++run) {
      std::vector<Tensor> list;
      for (int i = 0; i < inputs; ++i)
        list.push_back(Generation::Make({elements}, Floats(size_t(elements), float(run + i))));
      ASSERT_GE_OK(session_.RunGraphAsync(1, list, [this, run, inputs](ge::Status status, auto& outputs) {
        EXPECT_GE_OK(status);
        const float expected = float(inputs * run + inputs * (inputs - 1) / 2);
        for (float value : ValuesOf<Generation>(outputs.at(0)))
          wrong_ += value != expected;
        ++came_;
      }));
    }
  }

  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
  std::atomic<int> came_{0}, wrong_{0};
};
TYPED_TEST_SUITE(RepeatedRuns, Generations, GenerationNames);

TYPED_TEST(RepeatedRuns, HaveTheirOwnInputs) {
  for (const int64_t elements : {1, 16, 33, 64, 65, 1000}) {
    ASSERT_GE_OK(this->session_.AddGraph(1, SumGraph(3, {elements})));
    this->RunMany(3, elements);
    ASSERT_GE_OK(this->session_.RemoveGraph(1));
  }
  EXPECT_EQ(this->came_, 6 * kRuns);
  EXPECT_EQ(this->wrong_, 0);
}

TYPED_TEST(RepeatedRuns, MayHaveManyInputs) {
  ASSERT_GE_OK(this->session_.AddGraph(1, SumGraph(9, {2})));
  this->RunMany(9, 2);
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->came_, kRuns);
  EXPECT_EQ(this->wrong_, 0);
}

TYPED_TEST(RepeatedRuns, MayChangeTheirShapes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, SumGraph(2, {-1})));
  for (int round = 0; round < 20; ++round)
    this->RunMany(2, 1 + round % 3 * 50, 30);
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(this->came_, 600);
  EXPECT_EQ(this->wrong_, 0);
}

TYPED_TEST(RepeatedRuns, LetGoOfACallbackBeforeTheNextComes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({1}, 1)));
  std::vector<std::weak_ptr<int>> held;
  std::atomic<int> kept{0};
  for (int run = 0; run < kRuns; ++run) {
    const auto token = std::make_shared<int>(run);
    held.push_back(token);
    ASSERT_GE_OK(
        this->session_.RunGraphAsync(1, List(TypeParam::Make({1}, {1})),
                                     [token, before = run == 0 ? std::weak_ptr<int>() : held[run - 1], &kept](
                                         ge::Status, auto&) { kept += !before.expired(); }));
  }
  ASSERT_GE_OK(this->session_.RemoveGraph(1));
  EXPECT_EQ(kept, 0);
  for (const auto& token : held)
    EXPECT_TRUE(token.expired());
}

TYPED_TEST(RepeatedRuns, AreOverWhenTheSessionIs) {
  std::atomic<int> came{0};
  {
    typename TypeParam::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({1}, 1)));
    for (int run = 0; run < kRuns; ++run)
      ASSERT_GE_OK(session.RunGraphAsync(1, List(TypeParam::Make({1}, {1})), [&](auto, auto&) { ++came; }));
  }
  EXPECT_EQ(came, kRuns);
}

// The thread of the graph falls asleep in between, and lets go of what it kept.
TYPED_TEST(RepeatedRuns, MayComeOneAtATime) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({1}, 1)));
  for (int run = 0; run < 50; ++run) {
    Gate done;
    ASSERT_GE_OK(
        this->session_.RunGraphAsync(1, List(TypeParam::Make({1}, {1})), [&](auto, auto&) { done.Open(); }));
    ASSERT_TRUE(done.Wait());
    if (run % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  EXPECT_GE_OK(this->session_.RemoveGraph(1));
}

TEST(RepeatedRunsOfTheSecond, CopyMemoryThatNobodyKeeps) {
  const Engine engine;
  ge::GeSession session(GeOptions{});
  for (const int64_t elements : {4, 4000}) {
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({elements}, 1)));
    Gate hold;
    ASSERT_GE_OK(session.RunGraphAsync(1, List(Second::Make({elements}, Floats(size_t(elements), 0))),
                                       [&](auto, auto&) { EXPECT_TRUE(hold.Wait()); }));
    Floats memory(size_t(elements), 41), found;
    std::vector<gert::Tensor> inputs = List(Second::Make({elements}, memory));
    inputs[0].SetData(gert::TensorData(memory.data(), nullptr, memory.size() * sizeof(float), gert::kOnHost));
    ASSERT_GE_OK(session.RunGraphAsync(1, inputs, [&](ge::Status, std::vector<gert::Tensor>& outputs) {
      found = ValuesOf<Second>(outputs.at(0));
    }));
    memory.assign(memory.size(), 0);
    hold.Open();
    ASSERT_GE_OK(session.RemoveGraph(1));
    EXPECT_EQ(found, Floats(size_t(elements), 42));
  }
}

}  // namespace
