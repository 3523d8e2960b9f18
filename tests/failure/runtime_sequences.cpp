// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Streams, callbacks, events, copies and failing tasks.
#include <pthread.h>

#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "failure/sweep.h"

namespace {

// A thread that executes callbacks until it is stopped.
class Reporter {
 public:
  explicit Reporter(aclrtContext context)
      : thread_([this, context] {
          const faults::Exempt test;
          aclrtSetCurrentContext(context);
          while (!stop_) {
            const faults::Exposed exposed;
            aclrtProcessReport(5);
          }
          aclGetRecentErrMsg();
        }) {}
  ~Reporter() {
    stop_ = true;
    thread_.join();
  }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void Launch(Trial& trial, aclrtStream stream, aclrtCallbackBlockType type, Calls& calls) {
  if (trial.Try("aclrtLaunchCallback",
                [&] { return aclrtLaunchCallback(Calls::Come, &calls, type, stream); }))
    ++calls.accepted;
}

void LaunchHostFunction(Trial& trial, aclrtStream stream, Calls& calls) {
  if (trial.Try("aclrtLaunchHostFunc", [&] { return aclrtLaunchHostFunc(stream, Calls::Come, &calls); }))
    ++calls.accepted;
}

void Synchronize(Trial& trial, aclrtStream stream) {
  trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream); });
}

void Callbacks(Trial& trial) {
  Calls calls;
  {
    const Program program(trial);
    if (!program.started()) return;
    const OwnStream stream(trial), other(trial);
    if (!stream || !other) return;
    Reporter reporter(program.context());
    for (const OwnStream* one : {&stream, &other}) {
      if (!trial.Try("aclrtSubscribeReport", [&] { return aclrtSubscribeReport(reporter.id(), one->get()); }))
        continue;
      for (int i = 0; i < 20; ++i)
        Launch(trial, one->get(), i % 7 == 3 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK, calls);
      LaunchHostFunction(trial, one->get(), calls);
      Launch(trial, one->get(), ACL_CALLBACK_NO_BLOCK, calls);
      Synchronize(trial, one->get());
      trial.Expect(calls.Match(), "callbacks did not come exactly once before the stream was synchronised");
      trial.End("aclrtUnSubscribeReport", [&] { return aclrtUnSubscribeReport(reporter.id(), one->get()); });
    }
  }
  trial.Expect(calls.Match(), "callbacks did not come exactly once");
}
const bool callbacks = Register("StreamWithCallbacksAndReportThread", Callbacks);

// Callbacks beside the stream, while their thread is busy: timers and workers take over.
void BusyReporter(Trial& trial) {
  Calls calls;
  {
    const Program program(trial);
    if (!program.started()) return;
    const OwnStream first(trial), second(trial);
    if (!first || !second) return;
    Reporter reporter(program.context());
    const auto subscribe = [&](const OwnStream& stream) {
      return trial.Try("aclrtSubscribeReport",
                       [&] { return aclrtSubscribeReport(reporter.id(), stream.get()); });
    };
    if (!subscribe(first) || !subscribe(second)) return;
    const auto slow = [](void* counted) {
      const faults::Exempt test;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      Calls::Come(counted);
    };
    if (trial.Try("aclrtLaunchCallback",
                  [&] { return aclrtLaunchCallback(slow, &calls, ACL_CALLBACK_NO_BLOCK, first.get()); }))
      ++calls.accepted;
    for (int i = 0; i < 40; ++i)
      Launch(trial, i % 2 == 0 ? second.get() : first.get(), ACL_CALLBACK_NO_BLOCK, calls);
    for (int i = 0; i < 3; ++i)
      LaunchHostFunction(trial, second.get(), calls);
    Synchronize(trial, first.get());
    Synchronize(trial, second.get());
  }
  trial.Expect(calls.Match(), "callbacks did not come exactly once");
}
const bool busy_reporter = Register("BusyReportThread", BusyReporter);

class OwnEvent {
 public:
  explicit OwnEvent(Trial& trial) : trial_(trial) {
    trial.Try("aclrtCreateEvent", [&] { return aclrtCreateEvent(&event_); });
  }
  ~OwnEvent() {
    if (event_ != nullptr) trial_.End("aclrtDestroyEvent", [&] { return aclrtDestroyEvent(event_); });
  }
  OwnEvent(const OwnEvent&) = delete;
  OwnEvent& operator=(const OwnEvent&) = delete;
  explicit operator bool() const { return event_ != nullptr; }
  aclrtEvent get() const { return event_; }

 private:
  Trial& trial_;
  aclrtEvent event_ = nullptr;
};

void Events(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream first(trial), second(trial);
  const OwnEvent begin(trial), end(trial);
  const OwnMemory memory(trial, 4096);
  if (!first || !second || !begin || !end || !memory) return;
  const auto record = [&](const OwnEvent& event, const OwnStream& stream) {
    return trial.Try("aclrtRecordEvent", [&] { return aclrtRecordEvent(event.get(), stream.get()); });
  };
  bool good = trial.Try("aclrtMemsetAsync",
                        [&] { return aclrtMemsetAsync(memory.get(), 4096, 7, 4096, first.get()); });
  good = record(begin, first) && good;
  good = trial.Try("aclrtStreamWaitEvent", [&] { return aclrtStreamWaitEvent(second.get(), begin.get()); }) &&
         good;
  good = trial.Try("aclrtMemsetAsync", [&] {
    return aclrtMemsetAsync(memory.get(), 2048, 9, 2048, second.get());
  }) && good;
  good = record(end, second) && good;
  good = trial.Try("aclrtSynchronizeEvent", [&] { return aclrtSynchronizeEvent(end.get()); }) && good;
  Synchronize(trial, first.get());
  Synchronize(trial, second.get());
  unsigned char found[4096] = {};
  good = trial.Try("aclrtMemcpy",
                   [&] { return aclrtMemcpy(found, 4096, memory.get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST); }) &&
         good && !trial.refused();
  if (good) trial.Expect(found[0] == 9 && found[4095] == 7, "wrong bytes behind an event");
}
const bool events = Register("Events", Events);

// Captures in two streams with a group, run twice; whatever fails, the streams work afterwards.
void Captures(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream first(trial), second(trial);
  const OwnEvent fork(trial), join(trial);
  const OwnMemory memory(trial, 8 << 20);
  if (!first || !second || !fork || !join || !memory) return;
  const auto fill = [&](const OwnStream& stream, size_t at, int value) {
    return trial.Try("aclrtMemsetAsync", [&] {
      return aclrtMemsetAsync(static_cast<char*>(memory.get()) + at, 4 << 20, value, 4 << 20, stream.get());
    });
  };
  const auto order = [&](const OwnEvent& event, const OwnStream& from, const OwnStream& to) {
    return trial.Try("aclrtRecordEvent", [&] { return aclrtRecordEvent(event.get(), from.get()); }) &&
           trial.Try("aclrtStreamWaitEvent", [&] { return aclrtStreamWaitEvent(to.get(), event.get()); });
  };
  const auto mode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  aclrtTaskGrp group = nullptr;
  aclmdlRI instance = nullptr;
  if (!trial.Try("aclmdlRICaptureBegin", [&] { return aclmdlRICaptureBegin(first.get(), mode); })) return;
  bool good = order(fork, first, second) && fill(first, 0, 3);
  good = good &&
         trial.Try("aclmdlRICaptureTaskGrpBegin", [&] { return aclmdlRICaptureTaskGrpBegin(second.get()); });
  good = good && fill(second, 4 << 20, 4);
  good = good && trial.Try("aclmdlRICaptureTaskGrpEnd",
                           [&] { return aclmdlRICaptureTaskGrpEnd(second.get(), &group); });
  good = good && order(join, second, first);
  // One that lacks something may be invalid by now.
  const auto end = [&] { return aclmdlRICaptureEnd(first.get(), &instance); };
  if (good) {
    good = trial.Try("aclmdlRICaptureEnd", end);
  } else {
    trial.Do(end);
  }
  for (int i = 0; good && i < 2; ++i) {
    trial.Try("aclmdlRIExecuteAsync", [&] { return aclmdlRIExecuteAsync(instance, second.get()); });
    Synchronize(trial, second.get());
  }
  if (instance != nullptr) trial.End("aclmdlRIDestroy", [&] { return aclmdlRIDestroy(instance); });
  unsigned char found[2] = {};
  for (size_t i = 0; i < 2; ++i)
    trial.Try("aclrtMemcpy", [&] {
      return aclrtMemcpy(&found[i], 1, static_cast<char*>(memory.get()) + i * (8 << 20) - i, 1,
                         ACL_MEMCPY_DEVICE_TO_HOST);
    });
  if (!trial.refused()) trial.Expect(found[0] == 3 && found[1] == 4, "wrong bytes after a run");
  Synchronize(trial, first.get());
}
const bool captures = Register("Captures", Captures);

void Copies(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  constexpr size_t kBytes = 1 << 16;
  const OwnStream stream(trial);
  const OwnMemory first(trial, kBytes), second(trial, kBytes);
  if (!stream || !first || !second) return;
  void* host = nullptr;
  if (!trial.Try("aclrtMallocHost", [&] { return aclrtMallocHost(&host, kBytes); })) return;
  auto* bytes = static_cast<unsigned char*>(host);
  std::memset(bytes, 5, kBytes);
  const auto copy = [&](void* to, const void* from, aclrtMemcpyKind kind) {
    trial.Try("aclrtMemcpyAsync",
              [&] { return aclrtMemcpyAsync(to, kBytes, from, kBytes, kind, stream.get()); });
  };
  copy(first.get(), host, ACL_MEMCPY_HOST_TO_DEVICE);
  copy(second.get(), first.get(), ACL_MEMCPY_DEVICE_TO_DEVICE);
  unsigned char last = 0;
  Synchronize(trial, stream.get());
  trial.Try("aclrtMemcpy", [&] {
    return aclrtMemcpy(&last, 1, static_cast<char*>(second.get()) + kBytes - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST);
  });
  if (!trial.refused()) trial.Expect(last == 5, "wrong bytes were copied");
  std::vector<unsigned char> pageable(kBytes);
  copy(pageable.data(), second.get(), ACL_MEMCPY_DEVICE_TO_HOST);
  Synchronize(trial, stream.get());
  if (!trial.refused()) trial.Expect(pageable[kBytes - 1] == 5, "wrong bytes were copied back");
  trial.End("aclrtFreeHost", [&] { return aclrtFreeHost(host); });
}
const bool copies = Register("Copies", Copies);

std::atomic<int> failures_told{0};

// A task that fails is told of, by its callback and by the next synchronisation, whatever is lacking.
void FailingTask(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  if (!stream) return;
  failures_told = 0;
  const auto tell = [](aclrtExceptionInfo*) { ++failures_told; };
  if (!trial.Try("aclrtSetExceptionInfoCallback", [&] { return aclrtSetExceptionInfoCallback(tell); }))
    return;
  const auto fail = [](void*) {
    const faults::Exempt test;
    throw std::runtime_error("as the test wants");
  };
  const bool accepted =
      trial.Try("aclrtLaunchHostFunc", [&] { return aclrtLaunchHostFunc(stream.get(), fail, nullptr); });
  const aclError found = trial.Do([&] { return aclrtSynchronizeStream(stream.get()); });
  trial.Expect(!accepted || found != ACL_SUCCESS, "a failed task counted as done");
  trial.Expect(failures_told == (accepted ? 1 : 0), "the callback for failures was not called exactly once");
  trial.End("aclrtSetExceptionInfoCallback", [] { return aclrtSetExceptionInfoCallback(nullptr); });
}
const bool failing_task = Register("FailingTask", FailingTask);

// Two functions of the program, the first of which waits for the second: two workers are needed.
void WaitingFunctions(Trial& trial) {
  Calls calls;
  {
    const Program program(trial);
    if (!program.started()) return;
    const OwnStream first(trial), second(trial);
    if (!first || !second) return;
    std::atomic<bool> open{false};
    const auto wait = [](void* door) {
      const faults::Exempt test;
      while (!*static_cast<std::atomic<bool>*>(door))
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    };
    const auto unlock = [](void* door) { *static_cast<std::atomic<bool>*>(door) = true; };
    trial.Try("aclrtLaunchHostFunc", [&] { return aclrtLaunchHostFunc(first.get(), wait, &open); });
    if (!trial.Try("aclrtLaunchHostFunc", [&] { return aclrtLaunchHostFunc(second.get(), unlock, &open); }))
      open = true;
    LaunchHostFunction(trial, first.get(), calls);
    Synchronize(trial, second.get());
    Synchronize(trial, first.get());
  }
  trial.Expect(calls.Match(), "functions were not called exactly once");
}
const bool waiting_functions = Register("FunctionsThatWaitForEachOther", WaitingFunctions);

// A kernel of the program itself.
std::atomic<int> blocks_run{0};
void CountBlock(const void*, const void*) {
  ++blocks_run;
}

void Kernels(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  if (!stream) return;
  aclrtFuncHandle function = nullptr;
  if (!trial.Try("aclrtGetFuncBySymbol",
                 [&] { return aclrtGetFuncBySymbol(reinterpret_cast<void*>(&CountBlock), &function); }))
    return;
  blocks_run = 0;
  int accepted = 0;
  char large[1000] = {};
  if (trial.Try("aclrtLaunchKernelWithHostArgs", [&] {
        return aclrtLaunchKernelWithHostArgs(function, 3, stream.get(), nullptr, large, sizeof large, nullptr,
                                             0);
      }))
    ++accepted;
  Synchronize(trial, stream.get());
  trial.Expect(blocks_run <= 3 * accepted, "blocks ran that nobody launched");
  trial.Expect(trial.refused() || blocks_run == 3 * accepted, "not all blocks ran");
}
const bool kernels = Register("KernelsOfTheProgram", Kernels);

}  // namespace
