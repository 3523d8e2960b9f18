// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kCapacity = std::uint64_t{16} << 20;

template <typename Body>
Error FailureOf(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(kSuccess, "");
}

TEST(DeviceMemory, UsedAndFreeAddUp) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  EXPECT_EQ(memory->capacity(), kCapacity);
  void* a = memory->Allocate(1, "api");
  EXPECT_EQ(memory->used(), 64u);
  void* b = memory->Allocate(64, "api");
  EXPECT_EQ(memory->used(), 128u);
  memory->Free(a, "api");
  memory->Free(b, "api");
  EXPECT_EQ(memory->used(), 0u);
}

TEST(DeviceMemory, AFailureSaysAskedFreeTotalAndWhoHasIt) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  memory->Allocate(10 << 20, "aclrtSomething");
  const Error error = FailureOf([&] { memory->Allocate(8 << 20, "api"); });
  EXPECT_EQ(error.code(), kRtMemoryAllocation);
  EXPECT_THAT(error.message(),
              AllOf(HasSubstr("device 7"), HasSubstr("8388608 bytes"), HasSubstr("6291456"),
                    HasSubstr("16777216"), HasSubstr("10485760 bytes at"), HasSubstr("aclrtSomething")));
  EXPECT_EQ(memory->used(), std::uint64_t{10} << 20);
}

TEST(DeviceMemory, MemoryElsewhereCountsToo) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  memory->Charge(kCapacity - 64, "api");
  memory->Allocate(64, "api");
  EXPECT_EQ(FailureOf([&] { memory->Allocate(1, "api"); }).code(), kRtMemoryAllocation);
  EXPECT_EQ(FailureOf([&] { memory->Charge(1, "api"); }).code(), kRtMemoryAllocation);
  memory->Refund(64);
  memory->Allocate(1, "api");
}

TEST(DeviceMemory, ReleasesEverything) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  MemoryMap& map = MemoryMap::Get();
  void* block = memory->Allocate(1000, "maker");
  void* managed = map.managed.Allocate(*memory, 1000, "maker");
  void* handle = map.virtual_memory.AllocatePages(*memory, kHugePage, {}, "maker");
  void* range = map.virtual_memory.Reserve(kHugePage, 0, nullptr, "maker");
  map.virtual_memory.Map(range, kHugePage, handle, true, "maker");
  EXPECT_EQ(memory->used(), 1024u + 2 * kHugePage);
  memory->ReleaseAll("aclrtResetDevice");
  EXPECT_EQ(memory->used(), 0u);
  EXPECT_FALSE(map.Find(block).alive());
  EXPECT_FALSE(map.Find(managed).alive());
  EXPECT_EQ(map.Find(range).kind, MemoryKind::kReserved);
  EXPECT_THAT(map.Describe(block), AllOf(HasSubstr("maker made"), HasSubstr("aclrtResetDevice freed it")));
  map.virtual_memory.Release(range);
}

TEST(DeviceMemory, CountsModulesApart) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  void* mine = memory->Allocate(640, "api", 3);
  memory->Allocate(64, "api");
  memory->Free(mine, "api");
  const auto usage = memory->usage();
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0].module, 3);
  EXPECT_EQ(usage[0].current, 0u);
  EXPECT_EQ(usage[0].peak, 640u);
  EXPECT_EQ(usage[1].module, 0);
  EXPECT_EQ(usage[1].current, 64u);
}

TEST(DeviceMemory, NeverHandsOutMoreThanItHas) {
  const auto memory = MakeDeviceMemory(7, kCapacity);
  std::vector<std::thread> threads;
  std::atomic<std::uint64_t> got{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      try {
        for (;;) {
          memory->Allocate(64 << 10, "api");
          got += 64 << 10;
        }
      } catch (const Error&) {
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(got, kCapacity);
  EXPECT_EQ(memory->used(), kCapacity);
}

TEST(DeviceMemory, DevicesShareMostOfTheMachine) {
  EXPECT_LE(DefaultDeviceMemory(1), UsableMemory());
  EXPECT_GE(DefaultDeviceMemory(1), UsableMemory() / 2);
  EXPECT_LE(DefaultDeviceMemory(4) * 4, DefaultDeviceMemory(1));
}

TEST(FreeDevicePointer, FindsTheOwner) {
  const auto first = MakeDeviceMemory(7, kCapacity);
  const auto second = MakeDeviceMemory(8, kCapacity);
  void* block = second->Allocate(100, "api");
  EXPECT_EQ(FailureOf([&] { first->Free(block, "api"); }).code(), kRtParamInvalid);
  FreeDevicePointer(block, "api");
  EXPECT_EQ(second->used(), 0u);
  EXPECT_EQ(FailureOf([&] { FreeDevicePointer(block, "api"); }).code(), kRtParamInvalid);
}

}  // namespace
}  // namespace foothold
