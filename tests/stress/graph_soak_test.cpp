// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Threads add, run and remove graphs of one session at random: asynchronous runs whose callbacks keep their
// outputs, runs on streams with a pool of the program, shapes that change. Every accepted run must call back
// once, every block must come back, and every number must be right. FOOTHOLD_SOAK_ROUNDS makes it longer.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

namespace {

constexpr int kThreads = 8;

int Rounds() {
  const char* text = std::getenv("FOOTHOLD_SOAK_ROUNDS");
  return text == nullptr ? 40 : std::atoi(text);
}

ge::TensorDesc Desc(int64_t size) {
  return ge::TensorDesc(ge::Shape({size}), ge::FORMAT_ND, ge::DT_FLOAT);
}

// y = (x + x) * x
ge::Graph SquareTwice() {
  ge::op::Data x("x");
  x.set_attr_index(0);
  x.update_input_desc_x(Desc(-1));
  x.update_output_desc_y(Desc(-1));
  auto twice = ge::op::Add("twice").set_input_x1(x).set_input_x2(x);
  auto product = ge::op::Mul("product").set_input_x1(twice).set_input_x2(x);
  ge::Graph graph("square_twice");
  graph.SetInputs({x}).SetOutputs({product});
  return graph;
}

class CountingPool : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t size) override {
    void* address = nullptr;
    if (aclrtMalloc(&address, size, ACL_MEM_MALLOC_NORMAL_ONLY) != ACL_SUCCESS) return nullptr;
    ++taken;
    return new ge::MemBlock(*this, address, size);
  }
  void Free(ge::MemBlock* block) override {
    aclrtFree(block->GetAddr());
    delete block;
    ++returned;
  }
  std::atomic<int> taken{0}, returned{0};
};

struct Tally {
  std::atomic<int> accepted{0}, called_back{0}, wrong{0};
};

void CheckValues(Tally& tally, const float* values, int64_t size, float base) {
  for (int64_t i = 0; i < size; ++i) {
    const float x = base + static_cast<float>(i);
    if (values[i] != 2 * x * x) ++tally.wrong;
  }
}

void RunAsync(ge::Session& session, uint32_t id, Tally& tally, std::mt19937& random) {
  const auto size = static_cast<int64_t>(1 + random() % 40);
  const auto base = static_cast<float>(random() % 100);
  std::vector<float> x;
  for (int64_t i = 0; i < size; ++i)
    x.push_back(base + static_cast<float>(i));
  const std::vector<ge::Tensor> inputs{
      ge::Tensor(Desc(size), reinterpret_cast<const uint8_t*>(x.data()), x.size() * sizeof(float))};
  const auto callback = [&tally, size, base](ge::Status status, std::vector<ge::Tensor>& outputs) {
    ++tally.called_back;
    if (status != ge::SUCCESS || outputs.size() != 1 || outputs[0].GetSize() != size * sizeof(float)) {
      ++tally.wrong;
      return;
    }
    CheckValues(tally, reinterpret_cast<const float*>(outputs[0].GetData()), size, base);
  };
  if (session.RunGraphAsync(id, inputs, callback) == ge::SUCCESS) ++tally.accepted;
}

void RunOnStream(ge::Session& session, uint32_t id, aclrtStream stream, Tally& tally, std::mt19937& random) {
  const auto size = static_cast<int64_t>(1 + random() % 40);
  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, size * sizeof(float), ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  std::vector<float> x(static_cast<size_t>(size)), y(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i)
    x[static_cast<size_t>(i)] = static_cast<float>(i);
  const size_t bytes = x.size() * sizeof(float);
  aclrtMemcpy(device, bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  ge::Tensor input(Desc(size));
  input.SetData(static_cast<uint8_t*>(device), bytes, [](uint8_t*) {});
  std::vector<ge::Tensor> outputs;
  if (session.RunGraphWithStreamAsync(id, stream, {input}, outputs) != ge::SUCCESS) {
    ++tally.wrong;
  } else {
    aclrtMemcpyAsync(y.data(), bytes, outputs[0].GetData(), bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    CheckValues(tally, y.data(), size, 0);
  }
  outputs.clear();
  aclrtFree(device);
}

// One thread: its own graph id and stream, the session of all.
void Work(ge::Session& session, const ge::Graph& graph, int number, Tally& tally) {
  std::mt19937 random(static_cast<unsigned>(number));
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  const auto pool = std::make_shared<CountingPool>();
  ASSERT_EQ(session.RegisterExternalAllocator(stream, pool), ge::SUCCESS);
  const auto id = static_cast<uint32_t>(number);
  for (int round = 0; round < Rounds(); ++round) {
    ASSERT_EQ(session.AddGraphWithCopy(id, graph), ge::SUCCESS) << ge::GEGetErrorMsg();
    const bool on_stream = random() % 2 == 0;
    for (unsigned runs = random() % 20; runs > 0; --runs)
      on_stream ? RunOnStream(session, id, stream, tally, random) : RunAsync(session, id, tally, random);
    ASSERT_EQ(session.RemoveGraph(id), ge::SUCCESS);
  }
  EXPECT_EQ(session.UnregisterExternalAllocator(stream), ge::SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(pool->taken.load(), pool->returned.load());
  aclrtResetDevice(0);
}

TEST(GraphSoak, LosesNoRunNoBlockAndNoNumber) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const std::map<ge::AscendString, ge::AscendString> options;
  ASSERT_EQ(ge::GEInitialize(options), ge::SUCCESS);
  Tally tally;
  {
    ge::Session session(options);
    const ge::Graph graph = SquareTwice();
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] { Work(session, graph, i, tally); });
    for (std::thread& thread : threads)
      thread.join();
  }
  EXPECT_EQ(tally.accepted.load(), tally.called_back.load());
  EXPECT_GT(tally.accepted.load(), 0);
  EXPECT_EQ(tally.wrong.load(), 0);
  EXPECT_EQ(ge::GEFinalize(), ge::SUCCESS);
  aclrtResetDevice(0);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

}  // namespace
