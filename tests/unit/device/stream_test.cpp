// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "device/completion.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

Failure MakeFailure(const char* text) {
  return std::make_shared<const Error>(kRtStreamAbort, text);
}

// A task that stays at the head until it is let go.
struct Door {
  std::atomic<bool> open{false};
  FunctionTask Task() {
    return FunctionTask([this](Stream& stream) {
      if (open) return Outcome::kDone;
      stream.WakeAt(Now() + kMillisecond);
      return Outcome::kSuspended;
    });
  }
};

TEST(Stream, RunsTasksInOrder) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i)
    stream.Push("test", Do([&order, i] { order.push_back(i); }));
  EXPECT_TRUE(stream->Wait(kForever));
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(order[i], i);
}

TEST(Stream, KeepsTheFirstErrorAndNamesTheCall) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  for (const char* text : {"first", "second"})
    stream.Push("aclrtSomething", Do([text] { Fail(kRtSysDma, "{}", text); }));
  try {
    stream->Synchronize(kForever);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtSysDma);
    EXPECT_NE(error.message().find("aclrtSomething(a=1)"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("first"), std::string::npos) << error.message();
  }
  EXPECT_TRUE(stream->Synchronize(kForever));
}

TEST(Stream, TurnsForeignExceptionsIntoErrors) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  stream.Push("test", Do([] { throw 1; }));
  EXPECT_THROW(stream->Synchronize(kForever), Error);
}

TEST(Stream, LeavesLongTasksToWorkersWhenTheCallerHasLittleTime) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::thread::id ran_on;
  stream.Push("test", FunctionTask(
                          [&](Stream&) {
                            ran_on = std::this_thread::get_id();
                            return Outcome::kDone;
                          },
                          Place::kUnhurried));
  EXPECT_TRUE(stream->Wait(Now() + 60 * kSecond));
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST(Stream, WaitsForTheTasksQueuedBeforeOnly) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  Door door;
  const std::uint32_t first = stream.Push("test", Do([] {}));
  const std::uint32_t second = stream.Push("test", door.Task());
  EXPECT_TRUE(stream->WaitForTask(first, kForever));
  EXPECT_FALSE(stream->WaitForTask(second, Now() + 5 * kMillisecond));
  EXPECT_FALSE(stream->Wait(Now() + 5 * kMillisecond));
  door.open = true;
  EXPECT_TRUE(stream->Wait(kForever));
}

TEST(Stream, AbortsWhatIsQueuedAndNothingLater) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  Door door;
  std::atomic<int> ran{0}, cancelled{0};
  stream.Push("test", door.Task());
  for (int i = 0; i < 10; ++i) {
    stream.Push("test", FunctionTask(
                            [&](Stream&) {
                              ++ran;
                              return Outcome::kDone;
                            },
                            Place::kAnywhere, [&] { ++cancelled; }));
  }
  stream->Abort(MakeFailure("dropped"));
  stream.Push("test", Do([&] { ran += 100; }));
  EXPECT_THROW(stream->Synchronize(kForever), Error);
  EXPECT_TRUE(stream->Synchronize(kForever));
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(cancelled, 10);
}

TEST(Stream, StopsTheTaskAtTheHeadOnly) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  Door door;
  std::atomic<int> ran{0};
  stream.Push("test", door.Task());
  stream.Push("test", Do([&] { ++ran; }));
  stream->StopRunningTask(MakeFailure("stopped"));
  EXPECT_THROW(stream->Synchronize(kForever), Error);
  EXPECT_EQ(ran, 1);
  stream->StopRunningTask(MakeFailure("nothing runs"));
  stream.Push("test", Do([&] { ++ran; }));
  EXPECT_TRUE(stream->Synchronize(kForever));
  EXPECT_EQ(ran, 2);
}

TEST(Stream, StaysFailedWhenStoppedForGood) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  Door door;
  std::atomic<int> cancelled{0};
  stream.Push("test", door.Task());
  stream.Push("test",
              FunctionTask([](Stream&) { return Outcome::kDone; }, Place::kAnywhere, [&] { ++cancelled; }));
  stream->StopForGood(MakeFailure("over"));
  EXPECT_THROW(stream->Synchronize(kForever), Error);
  EXPECT_THROW(stream->Synchronize(kForever), Error);
  EXPECT_THROW(stream.Push("test", Do([] {})), Error);
  EXPECT_EQ(cancelled, 1);
}

TEST(Stream, IsCleanWhenItsObjectIsUsedAnew) {
  const RuntimeSession session;
  const StreamRef old = session.NewStream();
  old->failures().ChooseMode(StreamFailures::Mode::kStop);
  old.Push("test", Do([] { Fail(kRtSysDma, "left behind"); }));
  EXPECT_THROW(old->Synchronize(kForever), Error);
  Runtime::Get().DestroyStream(old, false);
  std::vector<StreamRef> fresh;
  bool reused = false;
  for (int i = 0; i < 100 && !reused; ++i) {
    fresh.push_back(session.NewStream());
    reused = fresh.back().stream == old.stream;
    EXPECT_TRUE(fresh.back()->Synchronize(kForever));
    EXPECT_EQ(fresh.back()->failures().mode(), StreamFailures::Mode::kContinue);
    EXPECT_TRUE(fresh.back().Push("test", Do([] {})) < UINT32_MAX);
  }
  EXPECT_TRUE(reused);
}

// Threads push to a stream that another destroys and makes anew: a task runs in the stream it was meant for,
// or is refused.
TEST(Stream, NeverRunsATaskInALaterStream) {
  const RuntimeSession session;
  std::atomic<const void*> current{nullptr};
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> accepted{0}, ran{0}, refused{0}, astray{0};
  const StreamRef first = session.NewStream();
  current = first.handle;
  Context& context = CurrentContext();
  std::vector<std::thread> pushers;
  for (int i = 0; i < 2; ++i) {
    pushers.emplace_back([&] {
      SetCurrentContext(context, context.handle());
      while (!stop) {
        try {
          const StreamRef stream = FindStreamAnywhere(current.load());
          const std::int32_t id = stream->id();
          stream.Push("test", FunctionTask([&, id](Stream& where) {
                        ++ran;
                        astray += where.id() != id;
                        return Outcome::kDone;
                      }));
          ++accepted;
        } catch (const Error&) {
          ++refused;
        }
      }
    });
  }
  while (accepted == 0)
    std::this_thread::yield();
  for (int round = 0; round < 3000; ++round) {
    const StreamRef next = session.NewStream();
    const void* old = current.exchange(next.handle);
    const StreamRef stream = FindStreamAnywhere(old);
    Runtime::Get().DestroyStream(stream, round % 8 == 0);
  }
  stop = true;
  for (auto& pusher : pushers)
    pusher.join();
  EXPECT_EQ(astray, 0u);
  EXPECT_LE(ran, accepted);
}

TEST(Stream, TakesOverTheFailureAnEventCarries) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  stream->Adopt(MakeFailure("from elsewhere"));
  EXPECT_TRUE(stream->failures().Peek());
  EXPECT_THROW(stream->Synchronize(kForever), Error);
  EXPECT_FALSE(stream->failures().Peek());
}

TEST(Stream, StoresTasksWhenPersistent) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream(kStreamPersistent);
  std::atomic<int> ran{0}, cancelled{0};
  stream.Push("test", FunctionTask(
                          [&](Stream&) {
                            ++ran;
                            return Outcome::kDone;
                          },
                          Place::kAnywhere, [&] { ++cancelled; }));
  EXPECT_TRUE(stream->Wait(kForever));
  EXPECT_TRUE(stream->IsIdle());
  Runtime::Get().DestroyStream(stream, false);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(cancelled, 1);
}

// Two threads that wait for different points of a stream, over and over: nobody is forgotten.
TEST(Stream, WakesEveryoneWhoWaits) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::atomic<int> waits{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        stream.Push("test", FunctionTask([](Stream&) { return Outcome::kDone; }, Place::kWorker));
        EXPECT_TRUE(stream->Wait(Now() + 60 * kSecond));
        ++waits;
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(waits, 2000);
}

// Notes which thread runs it; best at once.
class AtOnce {
 public:
  explicit AtOnce(std::thread::id& ran_on) : ran_on_(&ran_on) {}
  Outcome Run(Stream&) {
    *ran_on_ = std::this_thread::get_id();
    return Outcome::kDone;
  }
  std::string Describe() const { return ""; }
  Place place() const { return {Place::kAnywhere, nullptr, true}; }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;

 private:
  std::thread::id* ran_on_;
};

TEST(Stream, RunsShortTasksWhereTheyAreQueuedIfNothingIsBeforeThem) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::thread::id ran_on;
  for (int i = 0; i < 100; ++i) {
    ran_on = {};
    stream.Push("test", AtOnce(ran_on));
    EXPECT_EQ(ran_on, std::this_thread::get_id());
    EXPECT_TRUE(stream->IsIdle());
  }
}

TEST(Stream, KeepsTheOrderOfShortTasks) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::atomic<bool> open{false};
  std::thread::id ran_on;
  stream.Push("test", FunctionTask(
                          [&](Stream&) {
                            while (!open)
                              std::this_thread::yield();
                            return Outcome::kDone;
                          },
                          Place::kWorker));
  stream.Push("test", AtOnce(ran_on));
  EXPECT_EQ(ran_on, std::thread::id());
  open = true;
  EXPECT_TRUE(stream->Synchronize(kForever));
  EXPECT_NE(ran_on, std::thread::id());
}

}  // namespace
}  // namespace foothold
