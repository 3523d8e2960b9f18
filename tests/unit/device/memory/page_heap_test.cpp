// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/page_heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace foothold {
namespace {

class PageHeapTest : public testing::Test {
 protected:
  std::uint32_t First(const Span* span) { return span->first.load(); }
  char* Bytes(const Span* span) {
    return reinterpret_cast<char*>(range_.base() + First(span) * PageHeap::kPage);
  }

  AddressRange range_{std::size_t{64} << 20, kHugePage};
  PageHeap heap_{range_};
};

TEST_F(PageHeapTest, HandsOutPagesThatCanBeUsed) {
  Span* span = heap_.Allocate(3, 1);
  ASSERT_NE(span, nullptr);
  std::memset(Bytes(span), 1, 3 * PageHeap::kPage);
  for (std::uint32_t page = 0; page < 3; ++page)
    EXPECT_EQ(heap_.Find(First(span) + page), span);
}

TEST_F(PageHeapTest, KeepsAlignment) {
  heap_.Allocate(1, 1);
  Span* aligned = heap_.Allocate(40, 32);
  ASSERT_NE(aligned, nullptr);
  EXPECT_EQ(First(aligned) % 32, 0u);
  Span* small = heap_.Allocate(2, 1);  // fits into the gap that alignment left
  EXPECT_LT(First(small), First(aligned));
}

TEST_F(PageHeapTest, TakesTheTightestHole) {
  Span* large = heap_.Allocate(10, 1);
  heap_.Allocate(1, 1);
  Span* small = heap_.Allocate(4, 1);
  heap_.Allocate(1, 1);
  const std::uint32_t hole = First(small);
  heap_.Free(*large);
  heap_.Free(*small);
  EXPECT_EQ(First(heap_.Allocate(3, 1)), hole);
}

TEST_F(PageHeapTest, JoinsNeighboursOnBothSides) {
  Span* a = heap_.Allocate(4, 1);
  Span* b = heap_.Allocate(4, 1);
  Span* c = heap_.Allocate(4, 1);
  heap_.Allocate(1, 1);
  const std::uint32_t start = First(a);
  heap_.Free(*a);
  heap_.Free(*c);
  heap_.Free(*b);
  EXPECT_EQ(First(heap_.Allocate(12, 1)), start);
}

TEST_F(PageHeapTest, WarmPagesKeepTheirContentAndTrimmedOnesLoseIt) {
  Span* span = heap_.Allocate(32, 32);
  Bytes(span)[0] = 7;
  heap_.Free(*span);
  EXPECT_EQ(heap_.warm_bytes(), 32 * PageHeap::kPage);
  span = heap_.Allocate(32, 32);
  EXPECT_EQ(Bytes(span)[0], 7);
  heap_.Free(*span);
  heap_.Trim(0);
  EXPECT_EQ(heap_.warm_bytes(), 0u);
  span = heap_.Allocate(32, 32);
  EXPECT_EQ(Bytes(span)[0], 0);
}

TEST_F(PageHeapTest, TrimsNoMoreThanItMust) {
  Span* span = heap_.Allocate(320, 32);
  heap_.Free(*span);
  heap_.Trim(100 * PageHeap::kPage);
  EXPECT_LE(heap_.warm_bytes(), 100 * PageHeap::kPage);
  EXPECT_GE(heap_.warm_bytes(), 64 * PageHeap::kPage);
}

TEST_F(PageHeapTest, SaysWhenTheRangeIsUsedUpAndRecovers) {
  std::vector<Span*> all;
  while (Span* span = heap_.Allocate(32, 1))
    all.push_back(span);
  EXPECT_EQ(all.size(), (std::size_t{64} << 20) / (32 * PageHeap::kPage));
  for (std::size_t i = 0; i < all.size(); i += 2)
    heap_.Free(*all[i]);
  EXPECT_EQ(heap_.Allocate(33, 1), nullptr);
  for (std::size_t i = 1; i < all.size(); i += 2)
    heap_.Free(*all[i]);
  EXPECT_NE(heap_.Allocate(static_cast<std::uint32_t>(all.size() * 32), 1), nullptr);
}

TEST_F(PageHeapTest, NeverHandsOutAPageTwice) {
  std::mt19937 random(5);
  std::vector<Span*> live;
  std::vector<bool> taken(range_.size() / PageHeap::kPage);
  const auto mark = [&](const Span& span, bool value) {
    for (std::uint32_t page = 0; page < span.pages; ++page) {
      ASSERT_NE(taken[First(&span) + page], value);
      taken[First(&span) + page] = value;
    }
  };
  for (int step = 0; step < 20000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      const std::uint32_t align = random() % 4 == 0 ? 32 : 1;
      Span* span = heap_.Allocate(1 + random() % 60, align);
      if (span == nullptr) continue;
      ASSERT_EQ(First(span) % align, 0u);
      mark(*span, true);
      live.push_back(span);
    } else {
      std::swap(live[random() % live.size()], live.back());
      mark(*live.back(), false);
      heap_.Free(*live.back());
      live.pop_back();
    }
    if (random() % 50 == 0) heap_.Trim(random() % range_.size());
  }
  for (Span* span : live)
    heap_.Free(*span);
  heap_.Trim(0);
  EXPECT_NE(heap_.Allocate(static_cast<std::uint32_t>(taken.size()), 1), nullptr) << "something was lost";
}

}  // namespace
}  // namespace foothold
