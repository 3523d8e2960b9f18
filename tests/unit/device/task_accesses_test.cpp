// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What every kind of queued call says it touches, and that a copy of its task does the work again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "device/cache_hint.h"
#include "device/callbacks.h"
#include "device/copy.h"
#include "device/copy_batch.h"
#include "device/copy_task.h"
#include "device/device_memory.h"
#include "device/fill.h"
#include "device/mailboxes.h"
#include "device/memory_value.h"
#include "device/overflow.h"
#include "device/random.h"
#include "device/reduce.h"
#include "unit/device/stored_tasks.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(TaskAccesses, OfACopy) {
  int* const src = OnDevice<int>({1, 2, 3});
  int* const dst = OnDevice<int>({0, 0, 0});
  PushCopy(Stored(), "test", dst, 12, src + 1, 8, CopyKind::kDeviceToDevice);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(src + 1, 8), Writes(dst, 8)));
  RunTwice([&] {
    EXPECT_THAT(Read(dst, 3), ElementsAre(2, 3, 0));
    Write(src, {4, 5, 6});
  });
  EXPECT_THAT(Read(dst, 3), ElementsAre(5, 6, 0));
}

TEST_F(TaskAccesses, OfACopyWhoseDataTheCallTook) {
  int* const dst = OnDevice<int>({0, 0});
  {
    const std::vector<int> src{7, 8};
    PushCopy(Stored(), "test", dst, 8, src.data(), 8, CopyKind::kHostToBufferToDevice);
  }
  EXPECT_THAT(Accesses(), ElementsAre(Writes(dst, 8)));
  RunTwice([&] {
    EXPECT_THAT(Read(dst, 2), ElementsAre(7, 8));
    Write(dst, {0, 0});
  });
  EXPECT_THAT(Read(dst, 2), ElementsAre(7, 8));
}

TEST_F(TaskAccesses, OfACopyThatBorrowsMemoryOfItsCall) {
  using Borrowing = BorrowingTask<CheckedCopy>;
  int host = 0;
  int* const device = OnDevice<int>({1});
  const Borrowing task(
      std::make_shared<Borrowing::Shared>(CheckedCopy{&host, device, 4, 0, SerialOf(device)}));
  std::vector<Access> list;
  task.ListAccesses(list);
  EXPECT_THAT(list, ElementsAre(Reads(device, 4), Access{&host, 4, Use::kWrite, Extent::kExact, 0}));
  EXPECT_EQ(TaskTypeOf<Borrowing>::kType.clone, nullptr);
}

TEST_F(TaskAccesses, OfARectangle) {
  char* const src = OnDevice<char>({'a', 'b', 'c', 'd', 'e', 'f'});
  char* const dst = OnDevice<char>(std::vector<char>(10, '.'));
  PushRectangleCopy(Stored(), "test", {dst, 5, src, 3, {3, 2}}, CopyKind::kDeviceToDevice);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(src, 6), Writes(dst, 8, Extent::kPartial)));
  RunTwice([&] {
    EXPECT_THAT(Read(dst, 8), ElementsAre('a', 'b', 'c', '.', '.', 'd', 'e', 'f'));
    Write(src, {'A', 'B', 'C', 'D', 'E', 'F'});
  });
  EXPECT_THAT(Read(dst, 8), ElementsAre('A', 'B', 'C', '.', '.', 'D', 'E', 'F'));
}

TEST_F(TaskAccesses, OfABatchOfCopies) {
  int* const pinned = static_cast<int*>(MemoryMap::Get().pinned.Allocate(8, "aclrtMallocHost"));
  pinned[0] = 1;
  pinned[1] = 2;
  int* const device = OnDevice<int>({0, 0});
  void* const dsts[] = {device + 1, device};
  void* const srcs[] = {pinned, pinned + 1};
  const std::size_t sizes[] = {4, 4}, first = 0;
  const CopyBatch batch{
      dsts,
      sizes,
      srcs,
      sizes,
      2,
      &first,
      1,
      [](const void*, std::size_t) {
        return BatchAttribute{static_cast<int>(BatchPlace::kDevice), static_cast<int>(BatchPlace::kHost)};
      },
      nullptr};
  PushCopyAll(Stored(), "test", batch, nullptr);
  EXPECT_THAT(Accesses(),
              ElementsAre(Reads(pinned, 4), Writes(device + 1, 4), Reads(pinned + 1, 4), Writes(device, 4)));
  RunTwice([&] {
    EXPECT_THAT(Read(device, 2), ElementsAre(2, 1));
    pinned[0] = 3;
  });
  EXPECT_THAT(Read(device, 2), ElementsAre(2, 3));
  MemoryMap::Get().pinned.Free(pinned, "aclrtFreeHost");
}

TEST_F(TaskAccesses, OfFillingWithBytesAndWords) {
  std::uint32_t* const device = OnDevice<std::uint32_t>({0, 0});
  PushSetBytes(Stored(), "test", device, 8, 0xAB, 4);
  EXPECT_THAT(Accesses(), ElementsAre(Writes(device, 4)));
  RunTwice([&] {
    EXPECT_THAT(Read(device, 2), ElementsAre(0xABABABAB, 0));
    Write(device, {1, 1});
  });
  EXPECT_THAT(Read(device, 2), ElementsAre(0xABABABAB, 1));
  PushSetWords(Stored(), "test", device, 8, 5, 2);
  EXPECT_THAT(Accesses(), ElementsAre(Writes(device, 8)));
  RunTwice([&] {
    EXPECT_THAT(Read(device, 2), ElementsAre(5, 5));
    Write(device, {1, 1});
  });
  EXPECT_THAT(Read(device, 2), ElementsAre(5, 5));
}

TEST_F(TaskAccesses, OfAReduction) {
  float* const dst = OnDevice<float>({1, 2});
  float* const src = OnDevice<float>({10, 20});
  PushReduce(Stored(), "test", dst, src, 8, ReduceOperation::kSum, ReduceType::kFloat32);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(src, 8), Reads(dst, 8), Writes(dst, 8)));
  RunTwice([&] { EXPECT_THAT(Read(dst, 2), ElementsAre(11, 22)); });
  EXPECT_THAT(Read(dst, 2), ElementsAre(21, 42));
}

RandomRequest Numbers(std::uint64_t count, void* out, void* counter) {
  const RandomParameter low{false, 4, 0}, high{false, 4, 1000}, seed{false, 8, 1};
  return {Distribution::kUniform,
          RandomType::kInt32,
          {low, high},
          seed,
          RandomParameter{false, 8, count},
          out,
          counter};
}

TEST_F(TaskAccesses, OfRandomNumbers) {
  std::int32_t* const out = OnDevice<std::int32_t>({-1, -1, -1, -1});
  std::uint64_t* const counter = OnDevice<std::uint64_t>({0});
  PushRandom(Stored(), "test", Numbers(4, out, counter));
  EXPECT_THAT(Accesses(), ElementsAre(Reads(counter, 8), Writes(counter, 8), Writes(out, 16)));
  std::vector<std::int32_t> first;
  std::uint64_t moved = 0;
  RunTwice([&] {
    first = Read(out, 4);
    moved = Read(counter, 1)[0];
  });
  EXPECT_GT(moved, 0u);
  EXPECT_EQ(Read(counter, 1)[0], 2 * moved);
  EXPECT_NE(Read(out, 4), first) << "the sequence goes on";
}

TEST_F(TaskAccesses, OfRandomNumbersWhoseCountIsOnTheDevice) {
  std::int32_t* const out = OnDevice<std::int32_t>({-1, -1, -1, -1});
  std::uint64_t* const count = OnDevice<std::uint64_t>({2});
  RandomRequest request = Numbers(0, out + 1, nullptr);
  request.count = {true, 8, 0, count};
  PushRandom(Stored(), "test", request);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(count, 8), Writes(out + 1, 12, Extent::kPartial)));
  std::vector<std::int32_t> first;
  RunTwice([&] {
    first = Read(out, 4);
    EXPECT_EQ(first[3], -1);
    Write(count, {3});
  });
  EXPECT_EQ(Read(out, 3), std::vector(first.begin(), first.begin() + 3)) << "no counter: the same numbers";
  EXPECT_NE(Read(out, 4)[3], -1);
}

TEST_F(TaskAccesses, OfRandomNumbersEndWithTheMemoryOfAParameter) {
  std::uint64_t* const count = OnDevice<std::uint64_t>({1});
  RandomRequest request = Numbers(0, OnDevice<std::int32_t>({-1}), nullptr);
  request.count = {true, 8, 0, count};
  PushRandom(Stored(), "test", request);
  FreeDevicePointer(count, "aclrtFree");
  ASSERT_EQ(OnDevice<std::uint64_t>({1}), count) << "handed out anew";
  live_.Push("test", Replay(std::make_shared<Copied>(Queued())));
  try {
    live_->Synchronize(kForever);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtSysDma);
    EXPECT_THAT(error.message(), testing::HasSubstr("randomNum"));
  }
}

TEST_F(TaskAccesses, OfRandomNumbersInVirtualMemoryReachToTheEndOfTheRange) {
  VirtualMemory& memory = MemoryMap::Get().virtual_memory;
  auto* const range = static_cast<std::byte*>(memory.Reserve(2 * kHugePage, 0, nullptr, "api"));
  void* const pages = memory.AllocatePages(CurrentDevice().memory(), kHugePage, {}, "api");
  memory.Map(range, kHugePage, pages, true, "api");
  RandomRequest request = Numbers(0, range + 64, nullptr);
  request.count = {true, 8, 0, OnDevice<std::uint64_t>({2})};
  PushRandom(Stored(), "test", request);
  EXPECT_EQ(Accesses().back(), Writes(range + 64, 2 * kHugePage - 64, Extent::kPartial));
  memory.Unmap(range);
  memory.FreePages(pages);
  memory.Release(range);
}

TEST_F(TaskAccesses, OfValuesInMemory) {
  std::uint64_t* const cell = OnDevice<std::uint64_t>({0});
  PushValueWrite(Stored(), "test", cell, 9);
  EXPECT_THAT(Accesses(), ElementsAre(Writes(cell, 8)));
  RunTwice([&] {
    EXPECT_THAT(Read(cell, 1), ElementsAre(9));
    Write(cell, {0});
  });
  EXPECT_THAT(Read(cell, 1), ElementsAre(9));
  PushValueWait(Stored(), "test", cell, 9, ValueCondition::kEqual);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(cell, 8)));
  const auto wait = std::make_shared<Copied>(Queued());
  RunCopy(wait);
  Write(cell, {0});
  live_.Push("test", Replay(std::make_shared<Copied>(wait->task())));
  EXPECT_FALSE(live_->Wait(Now() + 5 * kMillisecond)) << "the second one waits as the first did";
  Write(cell, {9});
  EXPECT_TRUE(live_->Synchronize(kForever));
}

TEST_F(TaskAccesses, OfTheOverflowStatus) {
  std::uint32_t* const out = OnDevice(std::vector<std::uint32_t>(16, 7));
  PushReadOverflow(Stored(), "test", out, kOverflowStatusBytes);
  EXPECT_THAT(Accesses(), ElementsAre(Writes(out, 64)));
  RunTwice([&] {
    EXPECT_EQ(Read(out, 1)[0], 0u);
    RaiseOverflow(0);
  });
  EXPECT_EQ(Read(out, 1)[0], 1u);
  PushClearOverflow(Stored(), "test");
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] {
    EXPECT_EQ(CurrentDevice().overflowed.load(), 0u);
    RaiseOverflow(0);
  });
  EXPECT_EQ(CurrentDevice().overflowed.load(), 0u);
}

TEST_F(TaskAccesses, OfAHintAboutCaches) {
  char* const device = OnDevice(std::vector<char>(100));
  PushCacheHint(Stored(), "test", device, 100);
  EXPECT_THAT(Accesses(), ElementsAre(Reads(device, 100, Extent::kPartial)));
  RunTwice([] {});
}

std::uint32_t ValueOf(WatchedValue& value) {
  std::uint32_t seen = 0;
  value.Update([&](std::uint32_t& now) { seen = now; });
  return seen;
}

TEST_F(TaskAccesses, OfNotifies) {
  const auto notify = FindNotify(Runtime::Get().CreateNotify(CurrentContext()));
  notify->Record(Stored(), "test");
  EXPECT_THAT(Accesses(), IsEmpty());
  const auto record = std::make_shared<Copied>(Queued());
  notify->WaitAndReset(Stored(), "test", 1);
  EXPECT_THAT(Accesses(), IsEmpty());
  const auto wait = std::make_shared<Copied>(Queued());
  for (int i = 0; i < 2; ++i) {
    RunCopy(std::make_shared<Copied>(record->task()));
    RunCopy(std::make_shared<Copied>(wait->task()));  // would not end without the record
    EXPECT_FALSE(notify->Take(*live_.stream)) << "the wait has cleared it";
  }
}

TEST_F(TaskAccesses, OfCountedNotifies) {
  using State = CountNotifyState;
  const auto notify = FindCountNotify(Runtime::Get().CreateCountNotify(CurrentContext()));
  notify->Record(Stored(), "test", State::RecordMode::kAdd, 3);
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] { EXPECT_EQ(ValueOf(notify->value()), 3u); });
  EXPECT_EQ(ValueOf(notify->value()), 6u);
  notify->Wait(Stored(), "test", State::WaitMode::kEqual, 6, true, 1);
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] {
    EXPECT_EQ(ValueOf(notify->value()), 0u);
    notify->value().Update([](std::uint32_t& value) { value = 6; });
  });
  EXPECT_EQ(ValueOf(notify->value()), 0u);
  notify->Reset(Stored(), "test");
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] { notify->value().Update([](std::uint32_t& value) { value = 6; }); });
  EXPECT_EQ(ValueOf(notify->value()), 0u);
}

TEST_F(TaskAccesses, GiveACopyOfAWaitATimeOfItsOwn) {
  const auto notify = FindNotify(Runtime::Get().CreateNotify(CurrentContext()));
  notify->WaitAndReset(Stored(), "test", 1);
  const auto first = std::make_shared<Copied>(Queued());
  live_.Push("test", Replay(first));
  EXPECT_THROW(live_->Synchronize(kForever), Error) << "nobody records it";
  live_.Push("test", Replay(std::make_shared<Copied>(first->task())));
  EXPECT_FALSE(live_->Wait(Now() + 5 * kMillisecond)) << "its second begins now";
  notify->Set(1);
  EXPECT_TRUE(live_->Synchronize(kForever));
}

TEST_F(TaskAccesses, OfEventsWhichAStoredStreamRecordsAnewInEachRun) {
  const auto event = FindEvent(Runtime::Get().CreateEvent(CurrentContext(), Event::Kind::kPlain, 0));
  event->Record(Stored(), "test");
  EXPECT_THAT(Accesses(), IsEmpty());
  EXPECT_TRUE(Replays());
  event->WaitOn(Stored(), "test", 0);
  EXPECT_THAT(Accesses(), IsEmpty());
  EXPECT_TRUE(Replays());
  event->Reset(Stored(), "test");
  EXPECT_THAT(Accesses(), IsEmpty());
  EXPECT_TRUE(Replays());
}

void CountCall(void* calls) {
  ++*static_cast<std::atomic<int>*>(calls);
}

TEST_F(TaskAccesses, OfHostFunctions) {
  std::atomic<int> calls{0};
  LaunchHostFunction(Stored(), "test", CountCall, &calls);
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] { EXPECT_EQ(calls, 1); });
  EXPECT_EQ(calls, 2);
}

TEST_F(TaskAccesses, OfCallbacks) {
  Subscribe(SelfThread(), live_, Mailbox::Kind::kReport);
  std::atomic<int> calls{0};
  LaunchCallback(live_, "test", CountCall, &calls, true);
  stored_ = live_;  // where it stays until this thread executes callbacks
  EXPECT_THAT(Accesses(), IsEmpty());
  ASSERT_TRUE(Replays());
  const auto copy = std::make_shared<Copied>(Queued());
  live_.Push("test", Replay(copy));
  live_.Push("test", Replay(std::make_shared<Copied>(copy->task())));
  while (!live_->IsIdle())
    ProcessCallbacks(Mailbox::Kind::kReport, Now() + kMillisecond);
  EXPECT_TRUE(live_->Synchronize(kForever));
  EXPECT_EQ(calls, 3);
  Unsubscribe(SelfThread(), live_, Mailbox::Kind::kReport);
}

TEST_F(TaskAccesses, OfCallbacksBesideTheStream) {
  Subscribe(SelfThread(), Stored(), Mailbox::Kind::kReport);
  std::atomic<int> calls{0};
  LaunchCallback(stored_, "test", CountCall, &calls, false);
  EXPECT_THAT(Accesses(), IsEmpty());
  EXPECT_TRUE(Replays());
  Unsubscribe(SelfThread(), stored_, Mailbox::Kind::kReport);
}

TEST_F(TaskAccesses, OfMarksOfProfiles) {
  aclprofStepInfo* const info = aclprofCreateStepInfo();
  ASSERT_EQ(aclprofGetStepTimestamp(info, ACL_STEP_START, const_cast<void*>(Stored().handle)), 0);
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([] {});
  aclprofDestroyStepInfo(info);
}

}  // namespace
}  // namespace foothold
