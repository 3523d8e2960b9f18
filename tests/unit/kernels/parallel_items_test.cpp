// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/parallel_items.h"

#include <gtest/gtest.h>

#include <mutex>
#include <tuple>
#include <vector>

namespace foothold {
namespace {

// Items in the order they came in, by slot.
std::vector<std::vector<std::size_t>> ItemsOf(std::size_t items, std::size_t slots, bool backwards) {
  std::vector<std::vector<std::size_t>> found(slots);
  std::mutex mutex;
  ForEachOwnItem(items, slots, backwards, [&](std::size_t slot, std::size_t item) {
    const std::lock_guard<std::mutex> hold(mutex);
    found.at(slot).push_back(item);
  });
  return found;
}

using OwnCase = std::tuple<std::size_t, std::size_t, bool>;
class OwnItems : public testing::TestWithParam<OwnCase> {};

TEST_P(OwnItems, AreEachDoneOnce) {
  const auto [items, slots, backwards] = GetParam();
  std::vector<int> times(items);
  for (const auto& of_slot : ItemsOf(items, slots, backwards))
    for (const std::size_t item : of_slot)
      ++times.at(item);
  EXPECT_EQ(times, std::vector<int>(items, 1));
}

INSTANTIATE_TEST_SUITE_P(Sizes, OwnItems,
                         testing::Combine(testing::Values(0, 1, 2, 3, 5, 63, 64, 65, 200),
                                          testing::Values(1, 2, 3, 7), testing::Bool()));

TEST(OwnItems, OfASingleSlotComeInOrderOrBackwards) {
  EXPECT_EQ(ItemsOf(4, 1, false).at(0), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(ItemsOf(4, 1, true).at(0), (std::vector<std::size_t>{3, 2, 1, 0}));
}

// Nobody else is there: the loop is inside another one, and slots follow each other on one thread.
TEST(OwnItems, ThatNobodyHasBegunAreTakenOver) {
  std::vector<std::vector<std::size_t>> forwards, backwards;
  ParallelFor(2, 1, [&](std::size_t begin, std::size_t) {
    if (begin == 0) forwards = ItemsOf(6, 3, false), backwards = ItemsOf(6, 3, true);
  });
  EXPECT_EQ(forwards.at(0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(backwards.at(0), (std::vector<std::size_t>{1, 0, 5, 4, 3, 2}));
}

}  // namespace
}  // namespace foothold
