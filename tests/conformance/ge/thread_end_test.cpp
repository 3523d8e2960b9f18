// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that a graph calls and that end their thread: the graph goes on.
#include <atomic>
#include <memory>
#include <thread>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "conformance/thread_end.h"
#include "nonlinear_fuc_ops.h"
#include "save_ops.h"
#include "state_ops.h"

namespace {

ThreadEnd how = ThreadEnd::kExit;

class EndedGraphThread : public testing::TestWithParam<ThreadEnd> {
 protected:
  EndedGraphThread() { how = GetParam(); }

  const Session runtime_;
  const Engine engine_;
  ge::Session session_{GeOptions{}};
};

TEST_P(EndedGraphThread, OfAnAsynchronousRunIsReplaced) {
  ASSERT_GE_OK(session_.AddGraph(1, AddGraphOf({1}, 1)));
  std::atomic<int> called{0};
  for (int run = 0; run < 20; ++run) {
    ASSERT_GE_OK(session_.RunGraphAsync(1, {First::Make({1}, {1})}, [&](ge::Status status, auto&) {
      EXPECT_GE_OK(status);
      if (++called % 3 == 0) EndThread(how);
    }));
  }
  ASSERT_GE_OK(session_.RemoveGraph(1));
  EXPECT_EQ(called, 20);
}

TEST_P(EndedGraphThread, IsNotWaitedForWhenTheSessionEnds) {
  std::atomic<int> called{0};
  {
    ge::Session session{GeOptions{}};
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({1}, 1)));
    for (int run = 0; run < 3; ++run) {
      ASSERT_GE_OK(session.RunGraphAsync(1, {First::Make({1}, {1})}, [&](ge::Status, auto&) {
        ++called;
        EndThread(how);
      }));
    }
  }
  EXPECT_EQ(called, 3);
}

ge::Graph SaveGraph() {
  const auto x = FloatData("x", 0, {1});
  auto save = ge::op::Save("save").create_dynamic_input_tensors(1).set_dynamic_input_tensors(0, x);
  const auto y = ge::op::Relu("y").set_input_x(x);
  ge::Graph graph("save");
  graph.SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
  graph.AddOp(save);
  return graph;
}

TEST_P(EndedGraphThread, OfASaveCallbackFailsTheRunOnly) {
  ASSERT_GE_OK(session_.RegisterCallBackFunc(
      "Save", [](uint32_t, const std::map<ge::AscendString, ge::Tensor>&) -> uint32_t { EndThread(how); }));
  ASSERT_GE_OK(session_.AddGraph(1, SaveGraph()));
  std::atomic<int> failed{0};
  for (int run = 0; run < 3; ++run) {
    ASSERT_GE_OK(session_.RunGraphAsync(1, {First::Make({1}, {1})},
                                        [&](ge::Status status, auto&) { failed += status != ge::SUCCESS; }));
  }
  ASSERT_GE_OK(session_.RemoveGraph(1));
  EXPECT_EQ(failed, 3) << "each run calls back";
}

TEST_P(EndedGraphThread, OfACallerLeavesTheGraphUsable) {
  ASSERT_GE_OK(session_.RegisterCallBackFunc(
      "Save", [](uint32_t, const std::map<ge::AscendString, ge::Tensor>&) -> uint32_t { EndThread(how); }));
  ASSERT_GE_OK(session_.AddGraph(1, SaveGraph()));
  for (int round = 0; round < 3; ++round) {
    std::thread([this] {
      std::vector<ge::Tensor> outputs;
      session_.RunGraph(1, {First::Make({1}, {1})}, outputs);
      ADD_FAILURE() << "the callback has ended the thread";
    }).join();
  }
  ASSERT_GE_OK(session_.RemoveGraph(1));
}

class EndingAllocator : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t) override { EndThread(how); }
  void Free(ge::MemBlock*) override { ADD_FAILURE() << "nothing was given out"; }
};

TEST_P(EndedGraphThread, OfAnAllocatorLeavesGraphAndStreamUsable) {
  const aclrtStream stream = runtime_.Stream();
  ASSERT_GE_OK(session_.AddGraph(1, AddGraphOf({1}, 1)));
  ASSERT_GE_OK(session_.RegisterExternalAllocator(stream, std::make_shared<EndingAllocator>()));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(runtime_.context()));
    std::vector<ge::Tensor> outputs;
    session_.RunGraphWithStreamAsync(1, stream, {First::Make({1}, {1})}, outputs);
    ADD_FAILURE() << "the allocator has ended the thread";
  }).join();
  ASSERT_GE_OK(session_.UnregisterExternalAllocator(stream));
  std::vector<ge::Tensor> outputs;
  EXPECT_GE_OK(session_.RunGraphWithStreamAsync(1, stream, {First::Make({1}, {1})}, outputs));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  outputs.clear();
  ASSERT_GE_OK(session_.RemoveGraph(1));
}

INSTANTIATE_TEST_SUITE_P(Both, EndedGraphThread, testing::ValuesIn(kThreadEnds),
                         [](const auto& info) { return info.param == ThreadEnd::kExit ? "Exit" : "Cancel"; });

}  // namespace
