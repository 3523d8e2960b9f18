// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sessions: synchronous runs, asynchronous ones with Summary, runs on a stream with the program's allocator,
// and sessions alone.
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "failure/graphs.h"
#include "failure/sweep.h"
#include "save_ops.h"

namespace {

// The Graph Engine from start to end.
class Engine {
 public:
  explicit Engine(Trial& trial) : trial_(trial) {
    const GeOptions none;
    started_ = trial.Try("GEInitialize", [&] { return ge::GEInitialize(none); });
  }
  ~Engine() {
    if (started_) trial_.End("GEFinalize", [] { return ge::GEFinalize(); });
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  bool started() const { return started_; }

 private:
  Trial& trial_;
  bool started_ = false;
};

// What a program does with a session whose constructor cannot say that it failed: it goes on.
template <typename Session>
class OwnSession {
 public:
  explicit OwnSession(Trial& trial) : trial_(trial) {
    const GeOptions none;
    trial.Do([&] {
      session_.emplace(none);
      return 0;
    });
  }
  ~OwnSession() {
    trial_.Do([&] {
      session_.reset();
      return 0;
    });
  }
  OwnSession(const OwnSession&) = delete;
  OwnSession& operator=(const OwnSession&) = delete;
  Session& operator*() { return *session_; }
  Session* operator->() { return &*session_; }

 private:
  Trial& trial_;
  std::optional<Session> session_;
};

void SessionAlone(Trial& trial) {
  const Engine engine(trial);
  if (!engine.started()) return;
  OwnSession<ge::Session> first(trial);
  OwnSession<ge::GeSession> second(trial);
  trial.Do([&] { return first->GetSessionId() + second->GetSessionId(); });
  const ge::Graph graph = AddGraph();
  if (trial.Try("AddGraph", [&] { return first->AddGraph(1, graph); }))
    trial.End("RemoveGraph", [&] { return first->RemoveGraph(1); });
  if (trial.Try("AddGraph", [&] { return second->AddGraph(1, graph); }))
    trial.End("RemoveGraph", [&] { return second->RemoveGraph(1); });
}
const bool session_alone = Register("SessionsMadeAndDeleted", SessionAlone);

void RunFirst(Trial& trial) {
  const Engine engine(trial);
  if (!engine.started()) return;
  OwnSession<ge::Session> session(trial);
  const ge::Graph graph = AddGraph();
  const std::vector<ge::Tensor> inputs = {HostTensor({2}, {1, 2})};
  if (!trial.Try("AddGraph", [&] { return session->AddGraph(1, graph); })) return;
  for (int i = 0; i < 3; ++i) {
    std::vector<ge::Tensor> outputs;
    if (trial.Try("RunGraph", [&] { return session->RunGraph(1, inputs, outputs); }))
      trial.Expect(FloatsOf(outputs) == Floats{2, 3}, "wrong outputs");
  }
  trial.End("RemoveGraph", [&] { return session->RemoveGraph(1); });
}
const bool run_first = Register("RunGraphOfSession", RunFirst);

void RunSecond(Trial& trial) {
  const Engine engine(trial);
  if (!engine.started()) return;
  OwnSession<ge::GeSession> session(trial);
  const ge::Graph graph = AddGraph();
  std::vector<gert::Tensor> inputs;
  inputs.push_back(RuntimeTensor({2}, {1, 2}));
  if (!trial.Try("AddGraph", [&] { return session->AddGraph(1, graph); })) return;
  trial.Try("CompileGraph", [&] { return session->CompileGraph(1); });
  for (int i = 0; i < 3; ++i) {
    std::vector<gert::Tensor> outputs;
    if (trial.Try("RunGraph", [&] { return session->RunGraph(1, inputs, outputs); }))
      trial.Expect(FloatsOf(outputs) == Floats{2, 3}, "wrong outputs");
  }
  trial.End("RemoveGraph", [&] { return session->RemoveGraph(1); });
}
const bool run_second = Register("RunGraphOfGeSession", RunSecond);

std::atomic<int> summaries{0};

// y = x + 1, and a look at it.
ge::Graph SummaryGraph() {
  const auto x = FloatData("x", {2});
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(FloatConst("one", {1, 1}));
  const auto look = ge::op::Summary("look").set_input_x(sum);
  return ge::Graph("summary").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum}).SetTargets({look});
}

// One pointer to it is all that fits into a function object without memory of its own, which is the test's.
struct Runs : Calls {
  explicit Runs(Trial& of) : trial(of) {}
  template <typename Outputs>
  void Come(ge::Status status, Outputs& outputs) {
    const faults::Exempt test;
    ++came;
    if (status != ge::SUCCESS) return;
    ++good;
    trial.Expect(FloatsOf(outputs) == Floats{2, 3}, "wrong outputs");
  }
  Trial& trial;
  std::atomic<int> good{0};
};

// Each run that was accepted calls back once, with a result or the reason why there is none.
template <typename Session, typename Inputs, typename Register>
void RunAsync(Trial& trial, const Inputs& inputs, const Register& register_summary) {
  const Engine engine(trial);
  if (!engine.started()) return;
  Runs calls(trial);
  summaries = 0;
  {
    OwnSession<Session> session(trial);
    const ge::Graph graph = SummaryGraph();
    if (!trial.Try("AddGraph", [&] { return session->AddGraph(1, graph); })) return;
    if (!trial.Try("RegisterCallBackFunc", [&] { return register_summary(*session); })) return;
    for (int i = 0; i < 5; ++i) {
      const auto come = [runs = &calls](ge::Status status, auto& outputs) { runs->Come(status, outputs); };
      if (trial.Try("RunGraphAsync", [&] { return session->RunGraphAsync(1, inputs, come); }))
        ++calls.accepted;
    }
    trial.End("RemoveGraph", [&] { return session->RemoveGraph(1); });
    trial.Expect(calls.Match(), "callbacks of runs did not come exactly once");
  }
  trial.Expect(calls.Match(), "callbacks of runs did not come exactly once");
  trial.Expect(summaries >= calls.good && summaries <= calls.accepted,
               "Summary was not called once for each run");
  trial.Expect(calls.good == calls.accepted || faults::Happened(), "a run failed without cause");
}

void RunAsyncFirst(Trial& trial) {
  const std::vector<ge::Tensor> inputs = {HostTensor({2}, {1, 2})};
  RunAsync<ge::Session>(trial, inputs, [](ge::Session& session) {
    const ge::session::pCallBackFunc note = [](uint32_t, const std::map<ge::AscendString, ge::Tensor>&) {
      return ++summaries, 0u;
    };
    return session.RegisterCallBackFunc("Summary", note);
  });
}
const bool run_async_first = Register("RunGraphAsyncWithSummaryOfSession", RunAsyncFirst);

void RunAsyncSecond(Trial& trial) {
  std::vector<gert::Tensor> inputs;
  inputs.push_back(RuntimeTensor({2}, {1, 2}));
  RunAsync<ge::GeSession>(trial, inputs, [](ge::GeSession& session) {
    return session.RegisterCallBackFunc(
        "Summary", [](uint32_t, const std::map<ge::AscendString, gert::Tensor>&) { return ++summaries, 0u; });
  });
}
const bool run_async_second = Register("RunGraphAsyncWithSummaryOfGeSession", RunAsyncSecond);

// The short way of runs that come again.
template <typename Session, typename Inputs>
void RunAgain(Trial& trial, const Inputs& inputs) {
  const Engine engine(trial);
  if (!engine.started()) return;
  Runs calls(trial);
  {
    OwnSession<Session> session(trial);
    const ge::Graph graph = AddGraph();
    if (!trial.Try("AddGraph", [&] { return session->AddGraph(1, graph); })) return;
    for (int i = 0; i < 5; ++i) {
      const auto come = [runs = &calls](ge::Status status, auto& outputs) { runs->Come(status, outputs); };
      if (trial.Try("RunGraphAsync", [&] { return session->RunGraphAsync(1, inputs, come); }))
        ++calls.accepted;
    }
    trial.End("RemoveGraph", [&] { return session->RemoveGraph(1); });
  }
  trial.Expect(calls.Match(), "callbacks of runs did not come exactly once");
  trial.Expect(calls.good == calls.accepted || faults::Happened(), "a run failed without cause");
}

void RunAgainFirst(Trial& trial) {
  const std::vector<ge::Tensor> inputs = {HostTensor({2}, {1, 2})};
  RunAgain<ge::Session>(trial, inputs);
}
const bool run_again_first = Register("RunGraphAsyncAgainOfSession", RunAgainFirst);

void RunAgainSecond(Trial& trial) {
  std::vector<gert::Tensor> inputs;
  inputs.push_back(RuntimeTensor({2}, {1, 2}));
  RunAgain<ge::GeSession>(trial, inputs);
}
const bool run_again_second = Register("RunGraphAsyncAgainOfGeSession", RunAgainSecond);

// A pool over device memory.
class CountingAllocator : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t size) override {
    const faults::Exempt test;
    void* address = nullptr;
    if (aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    auto* block = new ge::MemBlock(*this, address, size);
    live_.insert(block);
    return block;
  }
  void Free(ge::MemBlock* block) override {
    const faults::Exempt test;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (live_.erase(block) != 1) ++wrong;
    aclrtFree(block->GetAddr());
    delete block;
  }
  size_t live() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return live_.size();
  }
  int wrong = 0;

 private:
  std::mutex mutex_;
  std::set<ge::MemBlock*> live_;
};

void RunOnStream(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const Engine engine(trial);
  if (!engine.started()) return;
  const OwnStream stream(trial);
  if (!stream) return;
  const auto pool = std::make_shared<CountingAllocator>();
  {
    OwnSession<ge::GeSession> session(trial);
    const ge::Graph graph = AddGraph();
    std::vector<gert::Tensor> inputs;
    inputs.push_back(RuntimeTensor({2}, {1, 2}));
    const bool ready = trial.Try("RegisterExternalAllocator", [&] {
      return session->RegisterExternalAllocator(stream.get(), pool);
    }) && trial.Try("AddGraph", [&] { return session->AddGraph(1, graph); });
    for (int i = 0; ready && i < 3; ++i) {
      std::vector<gert::Tensor> outputs;
      const bool run = trial.Try("RunGraphWithStreamAsync", [&] {
        return session->RunGraphWithStreamAsync(1, stream.get(), inputs, outputs);
      });
      const bool waited =
          trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); });
      if (run && waited) trial.Expect(FloatsOf(outputs) == Floats{2, 3}, "wrong outputs");
    }
    if (ready) trial.End("RemoveGraph", [&] { return session->RemoveGraph(1); });
  }
  trial.Expect(pool->live() == 0 && pool->wrong == 0, "blocks of the allocator did not come back once each");
  trial.Expect(pool.use_count() == 1, "the allocator is still held");
}
const bool run_on_stream = Register("RunOnStreamWithExternalAllocator", RunOnStream);

}  // namespace
