// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/call_cache.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

struct Number {
  explicit Number(int number) : number(number) {}
  int number;
  LastUse used = {};
};

// All calls have the same hash.
struct Same {
  int number;
};
std::uint64_t HashOf(const Same&) {
  return 7;
}
template <typename Sink>
void AppendKey(Sink& sink, const Same& call) {
  AppendPlain(sink, call.number);
}

using Cache = CallCache<Number, Same>;

std::size_t SizeOf(Cache& cache) {
  std::size_t size = 0;
  cache.ForEach([&](const auto&) { ++size; });
  return size;
}

TEST(CallCache, TellsCallsOfEqualHashApart) {
  Cache cache;
  for (int i = 0; i < 20; ++i)
    cache.Put({i}, std::make_shared<Number>(i), 100);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(cache.Find({i})->number, i);
  EXPECT_EQ(cache.Find({20}), nullptr);
}

TEST(CallCache, DropsTheOneNotUsedForLongest) {
  Cache cache;
  for (int i = 0; i < 3; ++i)
    cache.Put({i}, std::make_shared<Number>(i), 3);
  EXPECT_NE(cache.Find({0}), nullptr);
  const auto gone = cache.Put({3}, std::make_shared<Number>(3), 3);
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0]->number, 1);
  EXPECT_EQ(SizeOf(cache), 3u);
}

TEST(CallCache, DropsSeveralWhereThereAreMany) {
  constexpr int kLimit = 160;
  Cache cache;
  std::size_t most = 0, drops = 0;
  for (int i = 0; i < 3 * kLimit; ++i) {
    drops += cache.Put({i}, std::make_shared<Number>(i), kLimit).empty() ? 0 : 1;
    EXPECT_NE(cache.Find({0}), nullptr) << i;  // used all the time
    most = std::max(most, SizeOf(cache));
  }
  EXPECT_EQ(most, std::size_t{kLimit});
  EXPECT_LE(drops, 2u * kLimit / 8);
  EXPECT_NE(cache.Find({3 * kLimit - 1}), nullptr);
  cache.Shrink(0);
  EXPECT_EQ(SizeOf(cache), 0u);
}

}  // namespace
}  // namespace foothold
