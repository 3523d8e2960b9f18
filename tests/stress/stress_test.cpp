// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Many streams under mixed load: host functions, blocking and other callbacks on several report threads,
// copies, events and notifies across streams, and streams and events that are destroyed and made anew at
// random. Every call is counted when it is queued and when it runs; at the end the counts must agree.
// FOOTHOLD_STRESS_TASKS sets the number of tasks per stream.
#include <acl/acl.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr int kStreams = 64;
constexpr int kProducers = 4;
constexpr int kReportThreads = 3;
constexpr size_t kBytes = 256;

std::atomic<long> failures{0};

void Expect(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  if (failures.fetch_add(1) < 5) ADD_FAILURE() << code << ": " << (text != nullptr ? text : "no text");
}

int TasksPerStream() {
  const char* text = std::getenv("FOOTHOLD_STRESS_TASKS");
  return text != nullptr ? std::atoi(text) : 1500;
}

class ReportThread {
 public:
  explicit ReportThread(aclrtContext context)
      : thread_([this, context] {
          Expect(aclrtSetCurrentContext(context));
          id_.set_value(static_cast<uint64_t>(pthread_self()));
          while (!stop_)
            aclrtProcessReport(50);
        }) {
    number_ = id_.get_future().get();
  }
  ~ReportThread() {
    stop_ = true;
    thread_.join();
  }
  uint64_t id() const { return number_; }

 private:
  std::atomic<bool> stop_{false};
  std::promise<uint64_t> id_;
  uint64_t number_ = 0;
  std::thread thread_;
};

// One stream with what belongs to it. Its own calls must run in order: `next` is what the next call expects.
struct Lane {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  void* device = nullptr;
  void* host = nullptr;
  uint64_t reporter = 0;
  long queued = 0;  // calls, by its one producer
  std::atomic<long> ran{0};
  std::atomic<long> out_of_order{0};
};

struct Call {
  Lane* lane;
  long number;
};

void RunCall(void* data) {
  std::unique_ptr<Call> call(static_cast<Call*>(data));
  if (call->lane->ran.fetch_add(1) != call->number) ++call->lane->out_of_order;
}

class Stress {
 public:
  Stress() {
    Expect(aclInit(nullptr));
    Expect(aclrtSetDevice(0));
    Expect(aclrtGetCurrentContext(&context_));
    for (int i = 0; i < kReportThreads; ++i)
      reporters_.push_back(std::make_unique<ReportThread>(context_));
    for (int i = 0; i < kStreams; ++i) {
      Open(lanes_[i], reporters_[i % kReportThreads]->id());
      Expect(aclrtMalloc(&lanes_[i].device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
      Expect(aclrtMallocHost(&lanes_[i].host, kBytes));
    }
  }
  ~Stress() {
    for (Lane& lane : lanes_) {
      Close(lane);
      Expect(aclrtFree(lane.device));
      Expect(aclrtFreeHost(lane.host));
    }
    reporters_.clear();
    Expect(aclrtResetDevice(0));
    Expect(aclFinalize());
  }

  void Run(int tasks) {
    std::vector<std::thread> producers;
    for (int i = 0; i < kProducers; ++i) {
      producers.emplace_back([this, i, tasks] { Produce(i, tasks); });
    }
    for (std::thread& producer : producers)
      producer.join();
    Expect(aclrtSynchronizeDevice());
    for (Lane& lane : lanes_) {
      EXPECT_EQ(lane.ran.load(), lane.queued);
      EXPECT_EQ(lane.out_of_order.load(), 0);
    }
  }

 private:
  void Open(Lane& lane, uint64_t reporter) {
    Expect(aclrtCreateStream(&lane.stream));
    Expect(aclrtCreateEventExWithFlag(&lane.event, ACL_EVENT_SYNC));
    Expect(aclrtSubscribeReport(reporter, lane.stream));
    lane.reporter = reporter;
  }

  void Close(Lane& lane) {
    Expect(aclrtSynchronizeStream(lane.stream));
    Expect(aclrtUnSubscribeReport(lane.reporter, lane.stream));
    Expect(aclrtDestroyEvent(lane.event));
    Expect(aclrtDestroyStream(lane.stream));
  }

  // Producer `number` owns every kProducers-th lane; it waits only for events of lanes of its own.
  void Produce(int number, int tasks) {
    Expect(aclrtSetCurrentContext(context_));
    std::mt19937 random(number);
    std::vector<Lane*> mine;
    for (int i = number; i < kStreams; i += kProducers)
      mine.push_back(&lanes_[i]);
    const long total = static_cast<long>(tasks) * static_cast<long>(mine.size());
    for (long i = 0; i < total; ++i) {
      Lane& lane = *mine[random() % mine.size()];
      Lane& other = *mine[random() % mine.size()];
      QueueOne(lane, other, random());
      if (random() % 4096 == 0) Renew(lane, random());
    }
  }

  void QueueOne(Lane& lane, Lane& other, unsigned choice) {
    switch (choice % 8) {
      case 0:
      case 1:
        Expect(aclrtLaunchHostFunc(lane.stream, RunCall, NewCall(lane)));
        break;
      case 2:
      case 3:
        Expect(aclrtLaunchCallback(RunCall, NewCall(lane), ACL_CALLBACK_BLOCK, lane.stream));
        break;
      case 4:
        Expect(aclrtRecordEvent(lane.event, lane.stream));
        Expect(aclrtStreamWaitEvent(other.stream, lane.event));
        break;
      case 5:
        Expect(
            aclrtMemcpyAsync(lane.device, kBytes, lane.host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, lane.stream));
        break;
      case 6:
        Expect(aclrtMemsetAsync(lane.device, kBytes, 1, kBytes, lane.stream));
        break;
      case 7:
        LaunchBeside(lane);
        break;
    }
  }

  // A callback beside the stream may run while later tasks do, so it is counted but not part of the order.
  void LaunchBeside(Lane& lane) {
    beside_queued_.fetch_add(1);
    Expect(aclrtLaunchCallback([](void* counter) { static_cast<std::atomic<long>*>(counter)->fetch_add(1); },
                               &beside_ran_, ACL_CALLBACK_NO_BLOCK, lane.stream));
  }

  void Renew(Lane& lane, unsigned choice) {
    if (choice % 2 == 0) {
      Close(lane);
      Open(lane, reporters_[choice / 2 % kReportThreads]->id());
    } else {  // others may still wait for it
      Expect(aclrtDestroyEvent(lane.event));
      Expect(aclrtCreateEventExWithFlag(&lane.event, ACL_EVENT_SYNC));
    }
  }

  static Call* NewCall(Lane& lane) { return new Call{&lane, lane.queued++}; }

 public:
  long beside_queued() const { return beside_queued_; }
  long beside_ran() const { return beside_ran_; }

 private:
  aclrtContext context_ = nullptr;
  std::vector<std::unique_ptr<ReportThread>> reporters_;
  Lane lanes_[kStreams];
  std::atomic<long> beside_queued_{0};
  std::atomic<long> beside_ran_{0};
};

TEST(Stress, RunsEveryTaskOnceAndInOrder) {
  Stress stress;
  stress.Run(TasksPerStream());
  EXPECT_EQ(stress.beside_ran(), stress.beside_queued());
  EXPECT_EQ(failures.load(), 0);
}

}  // namespace
