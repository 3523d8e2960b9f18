// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RunGraphAsync: on which thread, how often and in which order callbacks come, and what they may do. Tests
// remove the graph at their end: that waits until callbacks have returned, which use the variables of the
// test.
#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class RunGraphAsync : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;
  using Callback = std::function<void(ge::Status, std::vector<Tensor>&)>;

  RunGraphAsync() {
    session_.emplace(GeOptions{});
    EXPECT_GE_OK(session_->AddGraph(1, AddGraphOf({1}, 1)));
  }
  ge::Status Run(float value, const Callback& callback, uint32_t id = 1) {
    return session_->RunGraphAsync(id, List(Generation::Make({1}, {value})), callback);
  }

  std::optional<Engine> engine_{std::in_place};
  std::optional<typename Generation::Session> session_;
};
TYPED_TEST_SUITE(RunGraphAsync, Generations, GenerationNames);

TYPED_TEST(RunGraphAsync, CallsBackOnAnotherThread) {
  std::mutex mutex;
  std::thread::id thread;
  Floats found;
  Gate done;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ASSERT_GE_OK(this->Run(1, [&](ge::Status status, auto& outputs) {
      const std::lock_guard<std::mutex> inside(mutex);
      EXPECT_GE_OK(status);
      thread = std::this_thread::get_id();
      found = ValuesOf<TypeParam>(outputs.at(0));
      done.Open();
    }));
  }
  ASSERT_TRUE(done.Wait());
  ASSERT_GE_OK(this->session_->RemoveGraph(1));
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_THAT(found, ElementsAre(2));
}

TYPED_TEST(RunGraphAsync, CallsBackOncePerRunAndInOrderOfEachThread) {
  constexpr int kThreads = 8, kRuns = 125;
  std::vector<Floats> found(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRuns; ++i)
        EXPECT_GE_OK(this->Run(static_cast<float>(i), [&found, t](ge::Status status, auto& outputs) {
          EXPECT_GE_OK(status);
          found[static_cast<size_t>(t)].push_back(ValuesOf<TypeParam>(outputs.at(0)).at(0));
        }));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
  Floats expected;
  for (int i = 0; i < kRuns; ++i)
    expected.push_back(static_cast<float>(i + 1));
  for (const Floats& values : found)
    EXPECT_EQ(values, expected);
}

TYPED_TEST(RunGraphAsync, NeverCallsBackWhatItRefuses) {
  std::atomic<int> calls{0};
  const auto count = [&](ge::Status, auto&) { ++calls; };
  std::vector<typename TypeParam::Tensor> none;
  EXPECT_REFUSED(kNoSuchGraph, "no graph 7", this->Run(1, count, 7));
  EXPECT_REFUSED(ge::FAILED, "1 input", this->session_->RunGraphAsync(1, none, count));
  EXPECT_REFUSED(
      ge::FAILED, "2 tensors",
      this->session_->RunGraphAsync(1, List(TypeParam::Make({1}, {1}), TypeParam::Make({1}, {1})), count));
  EXPECT_NE(this->Run(1, nullptr), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("callback"));
  this->session_.reset();
  EXPECT_EQ(calls, 0);
}

TYPED_TEST(RunGraphAsync, CompilesBeforeItReturns) {
  const auto x = FloatData("x", 0, {2}), w = FloatData("w", 1, {3});
  const auto sum = ge::op::Add("impossible").set_input_x1(x).set_input_x2(w);
  const ge::Graph graph = ge::Graph("bad").SetInputs({x, w}).SetOutputs(std::vector<ge::Operator>{sum});
  ASSERT_GE_OK(this->session_->AddGraph(2, graph));
  GraphError();
  EXPECT_NE(
      this->session_->RunGraphAsync(2, List(TypeParam::Make({2}, {1, 2}), TypeParam::Make({3}, {1, 2, 3})),
                                    [](auto, auto&) { ADD_FAILURE() << "called back"; }),
      ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("impossible"));
}

TYPED_TEST(RunGraphAsync, TellsInTheCallbackWhatWentWrong) {
  ASSERT_GE_OK(this->session_->AddGraph(2, ReshapeGraph()));
  std::string text;
  ge::Status found = ge::SUCCESS;
  size_t outputs_given = 1;
  Gate done;
  ASSERT_GE_OK(this->session_->RunGraphAsync(
      2, List(TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {5, 5})),
      [&](ge::Status status, auto& outputs) {
        found = status;
        text = GraphError();
        outputs_given = outputs.size();
        done.Open();
      }));
  ASSERT_TRUE(done.Wait());
  ASSERT_GE_OK(this->session_->RemoveGraph(2));
  EXPECT_NE(found, ge::SUCCESS);
  EXPECT_NE(found, ge::END_OF_SEQUENCE);
  EXPECT_THAT(text, testing::HasSubstr("reshape"));
  EXPECT_EQ(outputs_given, 0u);
}

TYPED_TEST(RunGraphAsync, OutputsOutliveSessionAndEngine) {
  std::vector<typename TypeParam::Tensor> kept;
  ASSERT_GE_OK(this->Run(1, [&](ge::Status, auto& outputs) { kept = std::move(outputs); }));
  this->session_.reset();
  this->engine_.reset();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(TypeParam::Address(kept[0])) % 64, 0u);
  EXPECT_EQ(kept[0].GetSize(), sizeof(float));
  EXPECT_THAT(ValuesOf<TypeParam>(kept[0]), ElementsAre(2));
}

TYPED_TEST(RunGraphAsync, LetsACallbackStartTheNextRun) {
  constexpr float kRuns = 50;
  Gate done;
  typename RunGraphAsync<TypeParam>::Callback next = [&](ge::Status status, auto& outputs) {
    EXPECT_GE_OK(status);
    const float value = ValuesOf<TypeParam>(outputs.at(0)).at(0);
    if (value == kRuns) return done.Open();
    EXPECT_GE_OK(this->Run(value, next));
  };
  ASSERT_GE_OK(this->Run(0, next));
  EXPECT_TRUE(done.Wait());
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RunGraphAsync, GivesCallbacksTheDevice) {
  const Session runtime;
  Gate done;
  ASSERT_GE_OK(this->Run(0, [&](auto, auto&) {
    EXPECT_EQ(runtime.Read(runtime.Cell(17)), 17u);
    done.Open();
  }));
  EXPECT_TRUE(done.Wait());
  this->session_.reset();
}

TYPED_TEST(RunGraphAsync, GoesOnAfterACallbackThatThrows) {
  ASSERT_GE_OK(this->Run(0, [](auto, auto&) { throw std::runtime_error("from the callback"); }));
  Gate done;
  ASSERT_GE_OK(this->Run(0, [&](ge::Status status, auto&) {
    EXPECT_GE_OK(status);
    done.Open();
  }));
  EXPECT_TRUE(done.Wait());
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RunGraphAsync, RemovingTheGraphWaitsForItsCallbacks) {
  std::atomic<int> calls{0};
  for (int i = 0; i < 100; ++i)
    ASSERT_GE_OK(this->Run(1, [&](auto, auto&) { ++calls; }));
  ASSERT_GE_OK(this->session_->RemoveGraph(1));
  EXPECT_EQ(calls, 100);
}

TYPED_TEST(RunGraphAsync, FinalisingWaitsForCallbacks) {
  std::atomic<int> calls{0};
  for (int i = 0; i < 100; ++i)
    ASSERT_GE_OK(this->Run(1, [&](auto, auto&) { ++calls; }));
  this->engine_.reset();
  EXPECT_EQ(calls, 100);
}

TYPED_TEST(RunGraphAsync, RefusesToRemoveTheGraphInItsOwnCallback) {
  ASSERT_GE_OK(this->session_->AddGraph(2, AddGraphOf({1}, 1)));
  ge::Status own = ge::SUCCESS, other = ge::FAILED;
  Gate done;
  ASSERT_GE_OK(this->Run(0, [&](auto, auto&) {
    own = this->session_->RemoveGraph(1);
    other = this->session_->RemoveGraph(2);
    done.Open();
  }));
  ASSERT_TRUE(done.Wait());
  EXPECT_EQ(own, ge::FAILED);
  EXPECT_EQ(other, ge::SUCCESS);
  EXPECT_GE_OK(this->session_->RemoveGraph(1));
}

TYPED_TEST(RunGraphAsync, MayBeCalledWhileTheGraphIsRemoved) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> accepted{0}, called{0};
    std::thread runs([&] {
      while (this->Run(1, [&](auto, auto&) { ++called; }) == ge::SUCCESS)
        ++accepted;
    });
    EXPECT_GE_OK(this->session_->RemoveGraph(1));
    runs.join();
    EXPECT_EQ(called, accepted);
    ASSERT_GE_OK(this->session_->AddGraph(1, AddGraphOf({1}, 1)));
  }
  GraphError();
}

TEST(RunGraphAsyncOfTheFirst, KeepsTheInputsThoughTheirListIsGone) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({1}, 1)));
  Gate hold, done;
  ASSERT_GE_OK(session.RunGraphAsync(1, List(First::Make({1}, {0})), [&](auto, auto&) { hold.Wait(); }));
  Floats found;
  {
    std::vector<ge::Tensor> inputs = List(First::Make({1}, {41}));
    ASSERT_GE_OK(session.RunGraphAsync(1, inputs, [&](ge::Status, std::vector<ge::Tensor>& outputs) {
      found = ValuesOf<First>(outputs.at(0));
      done.Open();
    }));
  }
  hold.Open();
  ASSERT_TRUE(done.Wait());
  ASSERT_GE_OK(session.RemoveGraph(1));
  EXPECT_THAT(found, ElementsAre(42));
}

TEST(RunGraphAsyncOfTheFirst, LetsACallbackTakeTheBytes) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({1}, 1)));
  std::unique_ptr<uint8_t[], ge::Tensor::DeleteFunc> bytes;
  Gate done;
  ASSERT_GE_OK(
      session.RunGraphAsync(1, List(First::Make({1}, {1})), [&](auto, std::vector<ge::Tensor>& outputs) {
        EXPECT_EQ(outputs.at(0).GetTensorDesc().GetPlacement(), ge::kPlacementHost);
        bytes = outputs[0].ResetData();
        done.Open();
      }));
  ASSERT_TRUE(done.Wait());
  ASSERT_GE_OK(session.RemoveGraph(1));
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(*reinterpret_cast<const float*>(bytes.get()), 2);
}

}  // namespace
