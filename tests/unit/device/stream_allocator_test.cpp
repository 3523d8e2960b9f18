// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_allocator.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace foothold {
namespace {

struct Arena {
  char memory[64];
  bool empty = false;
  void* freed = nullptr;
};

StreamAllocator MakeAllocator(Arena& arena) {
  StreamAllocator allocator;
  allocator.object = &arena;
  allocator.allocate = [](void* object, std::size_t) -> void* {
    return static_cast<Arena*>(object)->empty ? nullptr : object;
  };
  allocator.free = [](void* object, void* block) { static_cast<Arena*>(object)->freed = block; };
  allocator.address_of = [](void* block) -> void* { return static_cast<Arena*>(block)->memory; };
  return allocator;
}

TEST(StreamAllocator, KeepsBlockAndAddressApart) {
  Arena arena;
  const StreamAllocator allocator = MakeAllocator(arena);
  const auto block = allocator.Allocate(10);
  EXPECT_EQ(block.block, &arena);
  EXPECT_EQ(block.address, arena.memory);
  allocator.Free(block);
  EXPECT_EQ(arena.freed, &arena);
}

TEST(StreamAllocator, SaysWhenTheProgramGivesNothing) {
  Arena arena;
  arena.empty = true;
  try {
    MakeAllocator(arena).Allocate(10);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtMemoryAllocation);
  }
}

TEST(StreamAllocator, GivesABlockWithoutAnAddressBackAndSaysSo) {
  Arena arena;
  StreamAllocator allocator = MakeAllocator(arena);
  allocator.address_of = [](void*) -> void* { return nullptr; };
  try {
    allocator.Allocate(10);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtMemoryAllocation);
    EXPECT_NE(error.message().find("10 bytes that has no address"), std::string::npos) << error.message();
  }
  EXPECT_EQ(arena.freed, &arena);
}

}  // namespace
}  // namespace foothold
