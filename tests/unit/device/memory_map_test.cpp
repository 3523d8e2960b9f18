// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "base/error.h"
#include "device/device_memory.h"

namespace foothold {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kCapacity = std::uint64_t{64} << 20;

class MemoryMapTest : public testing::Test {
 protected:
  static std::string TextOf(const std::function<void()>& body, Code code = kRtParamInvalid) {
    try {
      body();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return error.message();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }

  MemoryMap& map_ = MemoryMap::Get();
  std::unique_ptr<DeviceMemory> memory_ = MakeDeviceMemory(5, kCapacity);
};

TEST_F(MemoryMapTest, TellsKindsApart) {
  int pageable = 0;
  EXPECT_EQ(map_.Find(&pageable).kind, MemoryKind::kPageable);
  void* device = memory_->Allocate(100, "api");
  EXPECT_EQ(map_.Find(device).kind, MemoryKind::kDevice);
  EXPECT_EQ(map_.Find(device).device, 5);
  void* pinned = map_.pinned.Allocate(100, "api");
  EXPECT_EQ(map_.Find(pinned).kind, MemoryKind::kPinned);
  EXPECT_EQ(map_.Find(pinned).device, -1);
  void* managed = map_.managed.Allocate(*memory_, 100, "api");
  EXPECT_EQ(map_.Find(managed).kind, MemoryKind::kManaged);
  EXPECT_EQ(map_.Find(managed).device, 5);
  void* range = map_.virtual_memory.Reserve(kHugePage, 0, nullptr, "api");
  EXPECT_EQ(map_.Find(range).kind, MemoryKind::kReserved);
  void* handle = map_.virtual_memory.AllocatePages(*memory_, kHugePage, {}, "api");
  map_.virtual_memory.Map(range, kHugePage, handle, true, "api");
  EXPECT_EQ(map_.Find(range).kind, MemoryKind::kMapped);
  EXPECT_EQ(map_.Find(range).device, 5);
  void* pages = std::aligned_alloc(4096, 4096);
  map_.registered.Register(pages, 4096, true, "api");
  EXPECT_EQ(map_.Find(pages).kind, MemoryKind::kRegistered);
  map_.registered.Unregister(pages);
  EXPECT_EQ(map_.Find(pages).kind, MemoryKind::kPageable);
  std::free(pages);
  memory_->ReleaseAll();
  map_.virtual_memory.Release(range);
  map_.pinned.Free(pinned, "api");
}

TEST_F(MemoryMapTest, ForgetsADeviceThatIsGone) {
  void* device = memory_->Allocate(100, "api");
  memory_.reset();
  EXPECT_EQ(map_.Find(device).kind, MemoryKind::kPageable);
}

TEST_F(MemoryMapTest, DescribesAddresses) {
  int pageable = 0;
  EXPECT_THAT(map_.Describe(nullptr), HasSubstr("null"));
  EXPECT_THAT(map_.Describe(&pageable), HasSubstr("knows nothing of"));
  EXPECT_THAT(map_.Describe(reinterpret_cast<void*>(0xF200000000000010)), HasSubstr("stream"));
  char* device = static_cast<char*>(memory_->Allocate(1000, "aclrtMalloc"));
  EXPECT_THAT(map_.Describe(device + 10), AllOf(HasSubstr("byte 10 of 1000 bytes"), HasSubstr("device 5"),
                                                HasSubstr("aclrtMalloc made")));
  memory_->Free(device, "aclrtFree");
  EXPECT_THAT(map_.Describe(device + 10), AllOf(HasSubstr("was byte 10"), HasSubstr("aclrtFree freed it")));
  EXPECT_THAT(map_.Describe(device + (1 << 20)), HasSubstr("nothing is allocated"));
}

TEST_F(MemoryMapTest, ChecksTheEndOfARange) {
  char* device = static_cast<char*>(memory_->Allocate(1000, "api"));
  EXPECT_EQ(CheckRange(device, 1000, Use::kWrite, "dst").device, 5);
  EXPECT_NO_THROW(CheckRange(device + 1000, 0, Use::kWrite, "dst"));
  EXPECT_THAT(TextOf([&] { CheckRange(device, 1001, Use::kWrite, "dst"); }),
              AllOf(HasSubstr("1001 bytes"), HasSubstr("dst"), HasSubstr("leave their allocation")));
  TextOf([&] { CheckRange(device + 1, SIZE_MAX, Use::kRead, "src"); });
  TextOf([&] { CheckRange(device + 1000, 1, Use::kRead, "src"); });
}

TEST_F(MemoryMapTest, HostMemoryMustNotRunIntoADevice) {
  // A page right below the range of the device, so that a copy could run on into it.
  const auto start = reinterpret_cast<std::uintptr_t>(memory_->Allocate(100, "api")) / kHugePage * kHugePage;
  void* below = mmap(reinterpret_cast<void*>(start - 4096), 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (below == MAP_FAILED) GTEST_SKIP() << "the page below is in use";
  EXPECT_TRUE(CheckRange(below, 4096, Use::kRead, "src").pageable());
  EXPECT_THAT(TextOf([&] { CheckRange(below, 4097, Use::kRead, "src"); }), HasSubstr("run into"));
  munmap(below, 4096);
}

TEST_F(MemoryMapTest, DeviceRangesAreNoHostMemory) {
  int pageable = 0;
  EXPECT_THAT(TextOf([&] { CheckDeviceRange(&pageable, 4, kRtSysDma); }, kRtSysDma),
              HasSubstr("must be device memory"));
  void* pinned = map_.pinned.Allocate(100, "api");
  TextOf([&] { CheckDeviceRange(pinned, 4); });
  map_.pinned.Free(pinned, "api");
}

TEST_F(MemoryMapTest, ARecheckNoticesAnotherOwner) {
  void* first = memory_->Allocate(100, "first");
  const std::uint64_t serial = map_.Find(first).serial;
  EXPECT_NO_THROW(RecheckRange(first, 100, Use::kWrite, serial, "dst"));
  memory_->Free(first, "aclrtFree");
  EXPECT_THAT(TextOf([&] { RecheckRange(first, 100, Use::kWrite, serial, "dst"); }, kRtSysDma),
              HasSubstr("aclrtFree freed it"));
  void* second = memory_->Allocate(100, "second");
  ASSERT_EQ(first, second);
  EXPECT_THAT(TextOf([&] { RecheckRange(first, 100, Use::kWrite, serial, "dst"); }, kRtSysDma),
              AllOf(HasSubstr("when this task was queued"), HasSubstr("second made")));
}

TEST_F(MemoryMapTest, MappingsSideBySideAreOnePiece) {
  VirtualMemory& virtual_memory = map_.virtual_memory;
  char* range = static_cast<char*>(virtual_memory.Reserve(4 * kHugePage, 0, nullptr, "api"));
  void* a = virtual_memory.AllocatePages(*memory_, kHugePage, {}, "api");
  void* b = virtual_memory.AllocatePages(*memory_, kHugePage, {}, "api");
  virtual_memory.Map(range, kHugePage, a, true, "api");
  virtual_memory.Map(range + kHugePage, kHugePage, b, true, "api");
  const std::uint64_t serial = CheckRange(range, 2 * kHugePage, Use::kWrite, "dst").serial;
  EXPECT_NO_THROW(RecheckRange(range, 2 * kHugePage, Use::kWrite, serial, "dst"));
  TextOf([&] { CheckRange(range, 2 * kHugePage + 1, Use::kWrite, "dst"); });
  virtual_memory.Unmap(range);
  TextOf([&] { CheckRange(range, 2 * kHugePage, Use::kWrite, "dst"); });
  virtual_memory.Map(range, kHugePage, a, true, "api");
  TextOf([&] { RecheckRange(range, 2 * kHugePage, Use::kWrite, serial, "dst"); }, kRtSysDma);
  memory_->ReleaseAll();
  virtual_memory.Release(range);
}

TEST_F(MemoryMapTest, ACopyMayLeaveRegisteredMemoryForOtherHostMemory) {
  char* pages = static_cast<char*>(std::aligned_alloc(4096, 8192));
  map_.registered.Register(pages, 4096, true, "api");
  EXPECT_FALSE(CheckRange(pages, 4096, Use::kRead, "src").pageable());
  EXPECT_TRUE(CheckRange(pages, 8192, Use::kRead, "src").pageable());
  map_.registered.Unregister(pages);
  std::free(pages);
}

}  // namespace
}  // namespace foothold
