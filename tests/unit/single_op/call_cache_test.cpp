// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/call_key.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace foothold {
namespace {

struct Served {
  explicit Served(int which) : number(which) {}
  int number;
  LastUse used;
};

// A call of "Add" with one input of this size.
class Call {
 public:
  explicit Call(std::int64_t size, const char* type = "Add")
      : desc_(DataType::kFloat, Format::kNd, Shape(1, &size)) {
    call_.type = type;
    call_.inputs.push_back(&desc_);
  }
  operator const OpCall&() const { return call_; }

 private:
  TensorDesc desc_;
  OpCall call_;
};

int NumberOf(OpCache<Served>& cache, const OpCall& call) {
  const auto found = cache.Find(call);
  return found ? found->number : -1;
}

TEST(CallCache, FindsWhatServesTheSameCall) {
  OpCache<Served> cache;
  cache.Put(Call(4), std::make_shared<Served>(1), 10);
  cache.Put(Call(4, "Mul"), std::make_shared<Served>(2), 10);
  EXPECT_EQ(NumberOf(cache, Call(4)), 1);
  EXPECT_EQ(NumberOf(cache, Call(4, "Mul")), 2);
  EXPECT_EQ(NumberOf(cache, Call(5)), -1);
}

TEST(CallCache, DropsWhatWasNotUsedForLongest) {
  OpCache<Served> cache;
  for (int size : {1, 2, 3})
    EXPECT_TRUE(cache.Put(Call(size), std::make_shared<Served>(size), 3).empty());
  EXPECT_EQ(NumberOf(cache, Call(2)), 2);
  EXPECT_EQ(NumberOf(cache, Call(1)), 1);
  const auto gone = cache.Put(Call(4), std::make_shared<Served>(4), 3);
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_EQ(gone[0]->number, 3);
  EXPECT_EQ(NumberOf(cache, Call(3)), -1);
  EXPECT_EQ(cache.Shrink(1).size(), 2U);
  EXPECT_EQ(NumberOf(cache, Call(4)), 4);
}

TEST(CallCache, ReplacesAValueWithoutDroppingOthers) {
  OpCache<Served> cache;
  cache.Put(Call(1), std::make_shared<Served>(1), 2);
  cache.Put(Call(2), std::make_shared<Served>(2), 2);
  EXPECT_TRUE(cache.Put(Call(1), std::make_shared<Served>(3), 2).empty());
  EXPECT_EQ(NumberOf(cache, Call(1)), 3);
  EXPECT_EQ(NumberOf(cache, Call(2)), 2);
}

TEST(CallCache, ListsWhatIsWantedTheLatestFirst) {
  OpCache<Served> cache;
  for (int size : {1, 2, 3, 4})
    cache.Put(Call(size), std::make_shared<Served>(size), 10);
  cache.Find(Call(2));
  std::vector<int> numbers;
  for (const auto& value : cache.LatestFirst([](const Served& served) { return served.number != 3; }))
    numbers.push_back(value->number);
  EXPECT_EQ(numbers, (std::vector<int>{2, 4, 1}));
}

// Used by another thread whenever somebody asks when that was.
struct AlwaysInUse {
  void Touch() const {}
  std::uint64_t time() const { return ++asked; }
  mutable std::uint64_t asked = 0;
};
struct ServedAllTheTime {
  AlwaysInUse used;
};

TEST(CallCache, PutsInOrderWhatIsUsedMeanwhileByOneTimeOfEach) {
  OpCache<ServedAllTheTime> cache;
  for (int size = 1; size <= 20; ++size)
    cache.Put(Call(size), std::make_shared<ServedAllTheTime>(), 20);
  const auto values = cache.LatestFirst([](const ServedAllTheTime&) { return true; });
  ASSERT_EQ(values.size(), 20U);
  for (const auto& value : values)
    EXPECT_EQ(value->used.asked, 1U);
}

TEST(CallCache, IsUsedByManyThreads) {
  OpCache<Served> cache;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const int size = (i * 7 + t) % 20 + 1;
        if (!cache.Find(Call(size))) cache.Put(Call(size), std::make_shared<Served>(size), 8);
        const int found = NumberOf(cache, Call(size));
        EXPECT_TRUE(found == size || found == -1) << found;  // another thread may have dropped it
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_TRUE(cache.Shrink(8).empty());
}

// Two that are over the limit at once drop two, and never one that is within it.
TEST(CallCache, NeverDropsMoreThanItHasTo) {
  constexpr int kLimit = 8;
  OpCache<Served> cache;
  for (int size = 1; size <= kLimit; ++size)
    cache.Put(Call(size), std::make_shared<Served>(size), kLimit);
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> ready{0};
    const auto put = [&](int size) {
      ++ready;
      while (ready < 2)
        std::this_thread::yield();
      cache.Put(Call(size), std::make_shared<Served>(size), kLimit);
    };
    std::thread other(put, 100 + 2 * round);
    put(101 + 2 * round);
    other.join();
    int count = 0;
    cache.ForEach([&](const auto&) { ++count; });
    ASSERT_EQ(count, kLimit) << "round " << round;
  }
}

TEST(KeyComparison, TellsPartsFromWholes) {
  KeyComparison shorter("abcd"), longer("ab"), same("abcd");
  shorter.append("ab", 2);
  longer.append("abcd", 4);
  same.append("ab", 2);
  same.append("cd", 2);
  EXPECT_FALSE(shorter.same());
  EXPECT_FALSE(longer.same());
  EXPECT_TRUE(same.same());
}

}  // namespace
}  // namespace foothold
