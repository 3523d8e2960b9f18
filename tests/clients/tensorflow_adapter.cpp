// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the TensorFlow adapter relies on: a graph added several times under one id, built, then run
// asynchronously from several threads under a lock that the callback takes as well; inputs over memory of the
// adapter in a list that is gone when the call returns; outputs taken over with ResetData and freed after the
// engine is gone.
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "array_ops.h"
#include "clients/check.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_api.h"

namespace {

constexpr int kThreads = 4, kSteps = 50, kElements = 1000;
using Bytes = std::unique_ptr<uint8_t[], ge::Tensor::DeleteFunc>;

std::mutex mutex;
std::condition_variable changed;
int in_flight = 0;
std::vector<std::pair<float, Bytes>> results;

ge::Graph TwiceGraph() {
  const ge::TensorDesc desc(ge::Shape({kElements}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("arg_0").set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  const auto y = ge::op::Add("twice").set_input_x1(x).set_input_x2(x);
  return ge::Graph("ge_default").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

void Take(float value, ge::Status status, std::vector<ge::Tensor>& outputs) {
  const std::lock_guard<std::mutex> lock(mutex);
  REQUIRE(status == ge::SUCCESS && outputs.size() == 1);
  REQUIRE(outputs[0].GetTensorDesc().GetPlacement() != ge::kPlacementDevice);
  REQUIRE(outputs[0].GetSize() == kElements * sizeof(float));
  REQUIRE(reinterpret_cast<uintptr_t>(outputs[0].GetData()) % 64 == 0);
  results.emplace_back(value, outputs[0].ResetData());
  --in_flight;
  changed.notify_all();
}

void Steps(ge::Session& session, std::vector<std::vector<float>>& memory) {
  for (std::vector<float>& values : memory) {
    const std::lock_guard<std::mutex> lock(mutex);
    std::vector<ge::Tensor> inputs(1, ge::Tensor(ge::TensorDesc(ge::Shape({kElements}))));
    inputs[0].SetData(reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float),
                      [](uint8_t*) {});
    const float value = values[0];
    REQUIRE(session.RunGraphAsync(1, inputs, [value](ge::Status status, std::vector<ge::Tensor>& outputs) {
      Take(value, status, outputs);
    }) == ge::SUCCESS);
    ++in_flight;  // after the call, as the adapter does; the callback waits for the lock
  }
}

void WaitForAll() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return in_flight == 0 && results.size() == kThreads * kSteps; });
}

}  // namespace

int main() {
  REQUIRE(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>{
              {"ge.exec.graphIOMemAllocMode", "ByGE"}, {"ge.jit_compile", "2"}}) == ge::SUCCESS);
  auto session = std::make_unique<ge::Session>(std::map<ge::AscendString, ge::AscendString>());
  const ge::Graph graph = TwiceGraph();
  for (int i = 0; i < 3; ++i)
    REQUIRE(session->AddGraph(1, ge::Graph(graph)) == ge::SUCCESS);
  REQUIRE(session->BuildGraph(1, std::vector<ge::InputTensorInfo>()) == ge::SUCCESS);
  REQUIRE(!session->IsGraphNeedRebuild(1));

  std::vector<std::vector<std::vector<float>>> memory(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    for (int s = 0; s < kSteps; ++s)
      memory[static_cast<size_t>(t)].emplace_back(kElements, static_cast<float>(t * kSteps + s));
    threads.emplace_back([&, t] { Steps(*session, memory[static_cast<size_t>(t)]); });
  }
  for (std::thread& thread : threads)
    thread.join();
  WaitForAll();
  REQUIRE(session->RemoveGraph(1) == ge::SUCCESS);
  session.reset();
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  for (const auto& [value, bytes] : results)
    for (int i = 0; i < kElements; ++i)
      REQUIRE(reinterpret_cast<const float*>(bytes.get())[i] == 2 * value);
  results.clear();
  return 0;
}
