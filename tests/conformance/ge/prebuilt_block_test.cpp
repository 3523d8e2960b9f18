// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks as prebuilt programs store them: their constructor of MemBlock is inline code, and so are the
// library's accessors.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ge/ge_allocator.h"

namespace {

class Returns : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t) override { return nullptr; }
  void Free(ge::MemBlock* block) override { returned.push_back(block); }
  std::vector<ge::MemBlock*> returned;
};

template <typename Value>
void Store(ge::MemBlock& block, size_t offset, Value value) {
  std::memcpy(reinterpret_cast<char*>(&block) + offset, &value, sizeof(value));
}

TEST(GePrebuiltBlock, IsReadWhereProgramsStoreIt) {
  Returns allocator, other;
  ge::MemBlock block(other, nullptr, 1);
  Store(block, 0x08, static_cast<ge::Allocator*>(&allocator));
  Store(block, 0x10, reinterpret_cast<void*>(0x2000));
  Store(block, 0x18, size_t{1});
  Store(block, 0x20, size_t{777});
  EXPECT_EQ(block.GetAddr(), reinterpret_cast<void*>(0x2000));
  EXPECT_EQ(block.GetCount(), 1U);
  EXPECT_EQ(block.GetSize(), 777U);
  block.Free();
  EXPECT_EQ(allocator.returned, std::vector<ge::MemBlock*>{&block});
  EXPECT_TRUE(other.returned.empty());
}

TEST(GePrebuiltBlock, GoesBackWithItsLastUser) {
  Returns allocator;
  ge::MemBlock block(allocator, nullptr, 777);
  Store(block, 0x18, size_t{2});
  block.Free();
  EXPECT_TRUE(allocator.returned.empty());
  block.Free();
  EXPECT_EQ(allocator.returned.size(), 1U);
}

}  // namespace
