// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory whose address is not that of its bytes, in every build: a heap and a virtual memory of the test's
// own, set far off, used through the calls that check before they touch.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/copy.h"
#include "device/device_memory.h"
#include "device/fill.h"
#include "device/memory_map.h"
#include "device/run_memory.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

using testing::HasSubstr;

constexpr std::uintptr_t kOffset = std::uintptr_t{1} << 54;
constexpr std::size_t kBytes = 4096;

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

class AddressOffset : public testing::Test {
 protected:
  AddressOffset() { MemoryMap::Get().Add(heap_, nullptr); }
  ~AddressOffset() override { MemoryMap::Get().Remove(heap_); }

  std::byte* Allocate() { return static_cast<std::byte*>(heap_.Allocate(kBytes, "api")); }

  BlockHeap heap_{{MemoryKind::kDevice, 0, std::size_t{64} << 20, 0, kOffset}};
};

TEST_F(AddressOffset, IsTakenAwayByTheCheckAndNowhereElse) {
  std::byte* const given = Allocate();
  EXPECT_GE(Number(given), kOffset);
  const MemoryUse use = CheckDeviceRange(given + 10, kBytes - 10);
  EXPECT_EQ(Number(use.kernel) + kOffset, Number(given) + 10);
  EXPECT_EQ(RecheckRange(given + 10, 5, Use::kRead, use.serial, "src"), use.kernel);
  const MemoryInfo info = MemoryMap::Get().Find(given + 10);
  EXPECT_EQ(info.base, Number(given));
  EXPECT_EQ(info.serial, use.serial);
}

TEST_F(AddressOffset, LeavesMemoryOfTheHostAlone) {
  int pageable = 0;
  EXPECT_EQ(CheckRange(&pageable, sizeof pageable, Use::kWrite, "dst").kernel, &pageable);
  void* const pinned = MemoryMap::Get().pinned.Allocate(64, "api");
  EXPECT_EQ(CheckRange(pinned, 64, Use::kWrite, "dst").kernel, pinned);
  MemoryMap::Get().pinned.Free(pinned, "api");
}

TEST_F(AddressOffset, IsNothingToCopiesAndFills) {
  std::byte* const given = Allocate();
  std::vector<char> in(kBytes, 'i'), out(kBytes, 'o');
  Copy(given, kBytes, in.data(), kBytes, CopyKind::kHostToDevice);
  SetBytes(given + 1, kBytes - 1, 'f', 2);
  Copy(out.data(), kBytes, given, kBytes, CopyKind::kDeviceToHost);
  in[1] = in[2] = 'f';
  EXPECT_EQ(out, in);
}

TEST_F(AddressOffset, IsNothingToTasks) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::byte* const from = Allocate();
  std::byte* const to = Allocate();
  SetBytes(from, kBytes, 7, kBytes);
  PushCopy(stream, "test", to, kBytes, from, kBytes, CopyKind::kDeviceToDevice);
  PushSetWords(stream, "test", to, kBytes, 0x01020304, 1);
  EXPECT_TRUE(stream->Synchronize(kForever));
  unsigned char out[5];
  Copy(out, sizeof out, to, sizeof out, CopyKind::kDeviceToHost);
  EXPECT_THAT(out, testing::ElementsAre(4, 3, 2, 1, 7));
}

TEST_F(AddressOffset, KeepsBothAddressesOfTheMemoryOfARun) {
  std::byte* const given = Allocate();
  const RunMemory memory(given, kBytes, Use::kWrite, RunMemory::Kind::kDevice, kRtParamInvalid,
                         [] { return std::string("output 0"); });
  EXPECT_EQ(memory.given(), given);
  EXPECT_EQ(Number(memory.data()) + kOffset, Number(given));
  EXPECT_EQ(memory.size(), kBytes);
  EXPECT_EQ(memory.use(), Use::kWrite);
  EXPECT_EQ(memory.serial(), MemoryMap::Get().Find(given).serial);
  std::memset(memory.data(), 1, memory.size());
  memory.CheckAlive([] { return std::string("output 0"); });
  ASSERT_TRUE(heap_.Free(given, "aclrtFree"));
  EXPECT_THROW(memory.CheckAlive([] { return std::string("output 0"); }), Error);
}

TEST_F(AddressOffset, IsPartOfWhatMessagesSay) {
  std::byte* const given = Allocate();
  EXPECT_THAT(MemoryMap::Get().Describe(given), HasSubstr(fmt::format("{:#x}", Number(given))));
  ASSERT_FALSE(heap_.Free(given - kOffset, "aclrtFree"))
      << "where its bytes are is no address of the program";
  ASSERT_TRUE(heap_.Free(given, "aclrtFree"));
  EXPECT_THAT(MemoryMap::Get().Describe(given), HasSubstr("aclrtFree freed it"));
  EXPECT_THROW(CheckDeviceRange(given, 1), Error);
}

TEST_F(AddressOffset, IsGivenToVirtualMemoryToo) {
  const auto owner = MakeDeviceMemory(3, std::uint64_t{64} << 20);
  VirtualMemory memory(kOffset);
  auto* const given = static_cast<std::byte*>(memory.Reserve(kHugePage, 0, nullptr, "api"));
  ASSERT_GE(Number(given), kOffset);
  void* const pages = memory.AllocatePages(*owner, kHugePage, {}, "api");
  memory.Map(given, kHugePage, pages, true, "api");
  const auto found = memory.FindRange(Number(given), kHugePage, true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->offset, kOffset);
  std::memset(reinterpret_cast<void*>(Number(given) - found->offset), 1, kHugePage);
  memory.SetAccess(given, kHugePage, 3, kReadAccess);
  EXPECT_FALSE(memory.FindRange(Number(given), kHugePage, true));
  EXPECT_EQ(memory.ReachOf(Number(given) + 100), kHugePage - 100);
  memory.Unmap(given);
  memory.FreePages(pages);
  memory.Release(given);
  EXPECT_FALSE(memory.Find(Number(given)));
  void* const again = memory.Reserve(kHugePage, 0, given, "api");
  EXPECT_EQ(again, given) << "the place a program would like is an address it holds";
  memory.Release(again);
}

}  // namespace
}  // namespace foothold
