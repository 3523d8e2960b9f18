// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtMemcpy and aclrtMemcpyAsync: all ways, all errors, and the order with other tasks.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

class Memcpy : public testing::Test {
 protected:
  char* Device(size_t size) {
    void* block = nullptr;
    EXPECT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return static_cast<char*>(block);
  }
  char* Pinned(size_t size, char value = 0) {
    void* block = nullptr;
    EXPECT_OK(aclrtMallocHost(&block, size));
    std::memset(block, value, size);
    return static_cast<char*>(block);
  }
  std::vector<char> Read(const char* device, size_t size) {
    std::vector<char> data(size);
    EXPECT_OK(aclrtMemcpy(data.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST));
    return data;
  }
  static std::vector<char> Pattern(size_t size) {
    std::vector<char> data(size);
    for (size_t i = 0; i < size; ++i)
      data[i] = static_cast<char>(i * 31 + i / 251);
    return data;
  }

  Session session_;
};
using aclrtMemcpyTest = Memcpy;
using aclrtMemcpyAsyncTest = Memcpy;

TEST_F(aclrtMemcpyTest, GoesEveryWay) {
  for (const size_t size : {1u, 1000u, 100000u, 20u << 20}) {
    const std::vector<char> data = Pattern(size);
    char* a = Device(size);
    char* b = Device(size);
    std::vector<char> back(size);
    EXPECT_OK(aclrtMemcpy(a, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(b, size, a, size, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(back.data(), size, b, size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_TRUE(back == data) << size;
    std::vector<char> host(size);
    EXPECT_OK(aclrtMemcpy(host.data(), size, data.data(), size, ACL_MEMCPY_HOST_TO_HOST));
    EXPECT_TRUE(host == data) << size;
  }
}

TEST_F(aclrtMemcpyTest, TheAddressesDecideNotTheKind) {
  const int value = 77;
  char* device = Device(4);
  for (const auto kind : {ACL_MEMCPY_HOST_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST,
                          ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEFAULT}) {
    int back = 0;
    EXPECT_OK(aclrtMemcpy(device, 4, &value, 4, kind));
    EXPECT_OK(aclrtMemcpy(&back, 4, device, 4, kind));
    EXPECT_EQ(back, value);
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(device, 4, &value, 4, static_cast<aclrtMemcpyKind>(8)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(device, 4, &value, 4, static_cast<aclrtMemcpyKind>(-1)));
}

TEST_F(aclrtMemcpyTest, CopiesNothingFromAndToNull) {
  char host[64] = {};
  char* device = Device(64);
  EXPECT_OK(aclrtMemcpy(nullptr, 0, host, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(device, 64, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtMemcpyAsync(nullptr, 0, host, 0, ACL_MEMCPY_HOST_TO_DEVICE, session_.Stream()));
}

TEST_F(aclrtMemcpyTest, RefusesNullAndTooMuch) {
  char host[64] = {};
  char* device = Device(64);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(nullptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device, 64, nullptr, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device, 32, host, 33, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(device, SIZE_MAX, host, SIZE_MAX, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(aclrtMemcpyTest, CopiesNothingSuccessfully) {
  char host[4] = {};
  EXPECT_OK(aclrtMemcpy(Device(4), 4, host, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(Device(4), 0, host, 0, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(aclrtMemcpyTest, StaysInsideTheAllocation) {
  std::vector<char> host(1 << 20);
  for (const size_t size : {64u, 1000u, 100000u}) {
    char* device = Device(size);
    EXPECT_OK(aclrtMemcpy(device + 10, size, host.data(), size - 10, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(device, size + 1, host.data(), size + 1, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(device + 10, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(host.data(), host.size(), device + 1, size, ACL_MEMCPY_DEVICE_TO_HOST));
  }
}

TEST_F(aclrtMemcpyTest, RefusesFreedMemoryAndSaysWhoFreedIt) {
  char host[64] = {};
  char* device = Device(64);
  ASSERT_OK(aclrtFree(device));
  RecentError();
  EXPECT_EQ(aclrtMemcpy(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = RecentError();
  EXPECT_NE(text.find("aclrtFree freed"), std::string::npos) << text;
  char* pinned = Pinned(64);
  ASSERT_OK(aclrtFreeHost(pinned));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(Device(64), 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(aclrtMemcpyTest, RefusesWhatCannotBeMemory) {
  char* device = Device(64);
  for (const uintptr_t wrong :
       {uintptr_t{1}, uintptr_t{4095}, reinterpret_cast<uintptr_t>(session_.context()), UINTPTR_MAX - 10}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(device, 64, reinterpret_cast<void*>(wrong), 64, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(reinterpret_cast<void*>(wrong), 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  }
}

TEST_F(aclrtMemcpyTest, MovesOverlappingRanges) {
  const std::vector<char> data = Pattern(10000);
  char* device = Device(20000);
  ASSERT_OK(aclrtMemcpy(device, 20000, data.data(), 10000, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(device + 3000, 17000, device, 10000, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(Read(device + 3000, 10000), data);
  EXPECT_OK(aclrtMemcpy(device, 20000, device + 3000, 10000, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(Read(device, 10000), data);
}

TEST_F(aclrtMemcpyTest, DoesNotWaitForStreams) {
  aclrtStream stream = session_.Stream();
  Gate gate;
  gate.Hold(stream);
  char* device = Device(4);
  const int value = 5;
  EXPECT_OK(aclrtMemcpy(device, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemset(device, 4, 0, 4));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(aclrtMemcpyTest, NeedsADevice) {
  char* device = Device(4);
  std::thread([&] {
    int value = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtMemcpy(device, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  }).join();
}

TEST_F(aclrtMemcpyTest, GoesBetweenDevices) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [this] {
    char* first = Device(1000);
    ASSERT_OK(aclrtMemset(first, 1000, 9, 1000));
    ASSERT_OK(aclrtSetDevice(1));
    char* second = Device(1000);
    EXPECT_OK(aclrtMemcpy(second, 1000, first, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_EQ(Read(second, 1000), std::vector<char>(1000, 9));
    EXPECT_OK(aclrtResetDevice(1));
    EXPECT_OK(aclrtSetDevice(0));
  });
}

TEST_F(aclrtMemcpyAsyncTest, IsQueuedWithPinnedMemory) {
  aclrtStream stream = session_.Stream();
  char* device = Device(100);
  char* in = Pinned(100, 1);
  char* out = Pinned(100, 0);
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(aclrtMemcpyAsync(device, 100, in, 100, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(aclrtMemcpyAsync(out, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  in[0] = 2;
  EXPECT_EQ(out[0], 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(out[0], 2) << "the source is read when the task runs";
  EXPECT_EQ(out[99], 1);
}

TEST_F(aclrtMemcpyAsyncTest, KeepsTheOrderOfItsStream) {
  aclrtStream stream = session_.Stream();
  const size_t size = 300000;
  char* a = Device(size);
  char* b = Device(size);
  char* in = Pinned(size, 3);
  char* out = Pinned(size, 0);
  for (int round = 0; round < 50; ++round) {
    in[size - 1] = static_cast<char>(round);
    ASSERT_OK(aclrtMemcpyAsync(a, size, in, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    ASSERT_OK(aclrtMemcpyAsync(b, size, a, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    ASSERT_OK(aclrtMemsetAsync(a, size, 0, size, stream));
    ASSERT_OK(aclrtMemcpyAsync(out, size, b, size, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_EQ(out[size - 1], static_cast<char>(round));
    ASSERT_EQ(out[0], 3);
  }
}

TEST_F(aclrtMemcpyAsyncTest, FollowsEventsOfOtherStreams) {
  aclrtStream first = session_.Stream();
  aclrtStream second = session_.Stream();
  aclrtEvent event = session_.Event();
  char* device = Device(100);
  char* in = Pinned(100, 4);
  char* out = Pinned(100, 0);
  Gate gate;
  gate.Hold(first);
  ASSERT_OK(aclrtMemcpyAsync(device, 100, in, 100, ACL_MEMCPY_HOST_TO_DEVICE, first));
  ASSERT_OK(aclrtRecordEvent(event, first));
  ASSERT_OK(aclrtStreamWaitEvent(second, event));
  ASSERT_OK(aclrtMemcpyAsync(out, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST, second));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(out[50], 4);
}

TEST_F(aclrtMemcpyAsyncTest, WithPageableMemoryReturnsWhenTheCopyIsDone) {
  aclrtStream stream = session_.Stream();
  for (const size_t size : {100u, 1000000u}) {
    char* device = Device(size);
    const std::vector<char> data = Pattern(size);
    EXPECT_OK(aclrtMemcpyAsync(device, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_EQ(Read(device, size), data) << "without synchronising";
    std::vector<char> back(size);
    EXPECT_OK(aclrtMemcpyAsync(back.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    EXPECT_EQ(back, data);
  }
}

TEST_F(aclrtMemcpyAsyncTest, WithPageableMemoryComesAfterWhatWasQueuedBefore) {
  aclrtStream stream = session_.Stream();
  char* device = Device(1000);
  std::vector<char> back(1000);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemsetAsync(device, 1000, 6, 1000, stream));
  std::atomic<bool> returned{false};
  std::thread copying([&] {
    EXPECT_OK(aclrtSetCurrentContext(session_.context()));
    EXPECT_OK(aclrtMemcpyAsync(back.data(), 1000, device, 1000, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    returned = true;
  });
  ASSERT_TRUE(gate.Reached());
  EXPECT_FALSE(returned);
  gate.Open();
  copying.join();
  EXPECT_EQ(back, std::vector<char>(1000, 6));
}

TEST_F(aclrtMemcpyAsyncTest, RefusesToWaitInsideACallbackOfItsOwnStream) {
  struct Shared {
    aclrtContext context;
    aclrtStream stream;
    char* device;
    aclError pageable;
    aclError pinned;
    char* host;
  } shared = {session_.context(), session_.Stream(), Device(4), ACL_SUCCESS, ACL_ERROR_FAILURE, Pinned(4, 8)};
  ASSERT_OK(aclrtLaunchHostFunc(
      shared.stream,
      [](void* argument) {
        auto& s = *static_cast<Shared*>(argument);
        aclrtSetCurrentContext(s.context);
        int value = 0;
        s.pageable = aclrtMemcpyAsync(s.device, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE, s.stream);
        s.pinned = aclrtMemcpyAsync(s.device, 4, s.host, 4, ACL_MEMCPY_HOST_TO_DEVICE, s.stream);
      },
      &shared));
  EXPECT_OK(aclrtSynchronizeStream(shared.stream));
  EXPECT_OK(aclrtSynchronizeStream(shared.stream));
  EXPECT_EQ(shared.pageable, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(shared.pinned, ACL_SUCCESS);
  EXPECT_EQ(Read(shared.device, 4), std::vector<char>(4, 8));
}

// Whether the abort comes before or after the copy is queued, the call returns with the copy made or an
// error, and the memory is the caller's again.
TEST_F(aclrtMemcpyAsyncTest, LeavesPageableMemoryAloneOnceItReturned) {
  char* device = Device(100);
  ASSERT_OK(aclrtMemset(device, 100, 1, 100));
  static std::vector<std::unique_ptr<Gate>> gates;  // a dropped function may leave its gate late
  for (int round = 0; round < 20; ++round) {
    aclrtStream stream = session_.Stream();
    gates.push_back(std::make_unique<Gate>());
    Gate& gate = *gates.back();
    gate.Hold(stream);
    std::thread copying([&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      auto back = std::make_unique<std::vector<char>>(100, char{0});
      const aclError result =
          aclrtMemcpyAsync(back->data(), 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST, stream);
      EXPECT_EQ(back->front(), result == ACL_SUCCESS ? 1 : 0);
      RecentError();
    });
    ASSERT_TRUE(gate.Reached());
    std::thread aborting([&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      EXPECT_OK(aclrtStreamAbort(stream));
    });
    gate.Open();
    aborting.join();
    copying.join();
    EXPECT_OK(aclrtDestroyStreamForce(stream));
  }
  RecentError();
}

TEST_F(aclrtMemcpyAsyncTest, CapturesBufferedSourcesAtOnce) {
  aclrtStream stream = session_.Stream();
  char* device = Device(100);
  std::vector<char> source(100, 5);
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(aclrtMemcpyAsync(device, 100, source.data(), 100, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
  std::fill(source.begin(), source.end(), char{0});
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Read(device, 100), std::vector<char>(100, 5));
}

TEST_F(aclrtMemcpyAsyncTest, DoesNotCopyFromHostToHost) {
  aclrtStream stream = session_.Stream();
  char* a = Pinned(100);
  char* b = Pinned(100);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyAsync(a, 100, b, 100, ACL_MEMCPY_HOST_TO_HOST, stream));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyAsync(a, 100, b, 100, ACL_MEMCPY_DEFAULT, stream));
}

TEST_F(aclrtMemcpyAsyncTest, RefusesWrongArguments) {
  aclrtStream stream = session_.Stream();
  char* device = Device(64);
  char* host = Pinned(128);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(nullptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 64, nullptr, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 64, host, 65, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 65, host, 65, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 64, host + 100, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 64, host, 64, static_cast<aclrtMemcpyKind>(99), stream));
  EXPECT_NE(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, device), ACL_SUCCESS);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// The copy would have to be done before the call returns, and these streams never do anything.
TEST_F(aclrtMemcpyAsyncTest, WithPageableMemoryNeedsAStreamThatRuns) {
  aclrtStream stored = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stored, 0, ACL_STREAM_PERSISTENT));
  std::uint64_t value = 0;
  std::uint64_t* cell = session_.Cell(5);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyAsync(&value, 8, cell, 8, ACL_MEMCPY_DEVICE_TO_HOST, stored));
  EXPECT_EQ(value, 0u);
}

TEST_F(aclrtMemcpyAsyncTest, TakesTheDefaultStream) {
  char* device = Device(64);
  char* host = Pinned(64, 3);
  EXPECT_OK(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Read(device, 64), std::vector<char>(64, 3));
}

TEST_F(aclrtMemcpyAsyncTest, FailsWhenItsMemoryIsGone) {
  aclrtStream stream = session_.Stream();
  char* device = Device(64);
  char* host = Pinned(64);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ASSERT_OK(aclrtFree(device));
  gate.Open();
  RecentError();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
  const std::string text = RecentError();
  EXPECT_NE(text.find("aclrtFree freed"), std::string::npos) << text;
}

TEST_F(aclrtMemcpyAsyncTest, FailsWhenItsMemoryWasGivenToSomebodyElse) {
  aclrtStream stream = session_.Stream();
  char* device = Device(64);
  char* host = Pinned(64, 1);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ASSERT_OK(aclrtFree(device));
  std::vector<char*> others;
  for (int i = 0; i < 10; ++i) {
    others.push_back(Device(64));
    ASSERT_OK(aclrtMemset(others.back(), 64, 9, 64));
  }
  ASSERT_NE(std::find(others.begin(), others.end(), device), others.end()) << "the place is used again";
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
  RecentError();
  EXPECT_EQ(Read(device, 64), std::vector<char>(64, 9)) << "nobody else's memory is written";
}

TEST_F(aclrtMemcpyAsyncTest, WithConditionIsTheSame) {
  aclrtStream stream = session_.Stream();
  char* device = Device(64);
  char* host = Pinned(64, 3);
  EXPECT_OK(aclrtMemcpyAsyncWithCondition(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Read(device, 64), std::vector<char>(64, 3));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsyncWithCondition(device, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

TEST_F(aclrtMemcpyAsyncTest, ManyThreadsShareAStream) {
  aclrtStream stream = session_.Stream();
  constexpr size_t kThreads = 4;
  constexpr size_t kPieces = 200;
  char* device = Device(kThreads * kPieces * 64);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      ASSERT_OK(aclrtSetCurrentContext(session_.context()));
      char* host = Pinned(64, static_cast<char>(t + 1));
      for (size_t i = 0; i < kPieces; ++i) {
        ASSERT_OK(aclrtMemcpyAsync(device + (t * kPieces + i) * 64, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE,
                                   stream));
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  const std::vector<char> all = Read(device, kThreads * kPieces * 64);
  for (size_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(std::count(all.begin(), all.end(), static_cast<char>(t + 1)), static_cast<long>(kPieces * 64));
  }
}

}  // namespace
