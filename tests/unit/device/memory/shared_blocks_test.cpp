// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks of a heap whose pages are in files.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "base/error.h"
#include "device/memory/block_heap.h"

namespace foothold {
namespace {

class SharedBlocks : public testing::TestWithParam<std::size_t> {
 protected:
  // Programs hold other addresses than those of the bytes.
  static constexpr std::uintptr_t kOffset = std::uintptr_t{1} << 53;

  std::uintptr_t Allocate() { return reinterpret_cast<std::uintptr_t>(heap.Allocate(GetParam(), "test")); }
  static unsigned char* Bytes(std::uintptr_t block) {
    return reinterpret_cast<unsigned char*>(block - kOffset);
  }
  SharedPages Share(std::uintptr_t block) { return heap.Share(block, heap.Find(block).serial); }
  unsigned char InFile(const SharedPages& pages, std::size_t byte) {
    const std::uint64_t at = pages.offset + byte;
    const std::uintptr_t mapped = pages.file->Map(0, at / 4096 * 4096, 4096, PROT_READ);
    const unsigned char value = *reinterpret_cast<unsigned char*>(mapped + at % 4096);
    munmap(reinterpret_cast<void*>(mapped), 4096);
    return value;
  }

  BlockHeap heap{{MemoryKind::kDevice, 0, std::size_t{1} << 30, 0, kOffset}};
};
INSTANTIATE_TEST_SUITE_P(Sizes, SharedBlocks, testing::Values(100, 5000, 40'000, 3'000'000));

TEST_P(SharedBlocks, KeepAddressAndContent) {
  const std::uintptr_t block = Allocate();
  std::memset(Bytes(block), 4, GetParam());
  const SharedPages pages = Share(block);
  EXPECT_EQ(Bytes(block)[GetParam() - 1], 4);
  Bytes(block)[GetParam() / 2] = 9;
  EXPECT_EQ(InFile(pages, GetParam() / 2), 9);
  EXPECT_EQ(InFile(pages, 0), 4);
}

TEST_P(SharedBlocks, MoveOnce) {
  const std::uintptr_t block = Allocate();
  const SharedPages first = Share(block), second = Share(block);
  EXPECT_EQ(first.file, second.file);
  EXPECT_EQ(first.offset, second.offset);
  EXPECT_TRUE(heap.FindShared(block + GetParam() - 1, heap.Find(block).serial));
}

TEST_P(SharedBlocks, AreTheProcessesOwnAfterwards) {
  const std::uintptr_t neighbour = Allocate(), block = Allocate();
  std::memset(Bytes(neighbour), 2, GetParam());
  const std::uint64_t serial = heap.Find(block).serial;
  const SharedPages pages = Share(block);
  Bytes(block)[0] = 7;
  ASSERT_TRUE(heap.Free(reinterpret_cast<void*>(block), "test"));
  EXPECT_FALSE(heap.FindShared(block, serial));
  EXPECT_THROW(heap.Share(block, serial), Error);
  EXPECT_EQ(Bytes(neighbour)[GetParam() - 1], 2);
  const std::uintptr_t next = Allocate();
  std::memset(Bytes(next), 8, GetParam());
  EXPECT_NE(InFile(pages, 0), 8);
  EXPECT_FALSE(heap.FindShared(next, heap.Find(next).serial));
}

TEST_P(SharedBlocks, EndWithAllOthers) {
  const std::uintptr_t block = Allocate();
  Share(block);
  Allocate();
  int freed = 0;
  heap.FreeAll("test", [&](const BlockHeap::Freed&) { ++freed; });
  EXPECT_EQ(freed, 2);
  const std::uintptr_t next = Allocate();
  std::memset(Bytes(next), 1, GetParam());
}

TEST_P(SharedBlocks, MayBeInAFileFromTheStart) {
  const std::uintptr_t block = Allocate();
  const SharedPages pages = heap.Share(block, heap.Find(block).serial, true);
  Bytes(block)[1] = 3;
  EXPECT_EQ(InFile(pages, 1), 3);
}

}  // namespace
}  // namespace foothold
