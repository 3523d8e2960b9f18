// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/plan_memory.h"

#include <gtest/gtest.h>

#include <random>

namespace foothold {
namespace {

MemoryStep Step(std::vector<int> reads, std::vector<int> writes, std::size_t workspace = 0) {
  MemoryStep step;
  step.reads = std::move(reads);
  step.writes = std::move(writes);
  step.workspace = workspace;
  return step;
}

TEST(PlanMemory, GivesTheMemoryOfEndedValuesToLaterOnes) {
  const MemoryPlan plan = PlanMemory({64, 64, 64}, {Step({}, {0}), Step({0}, {1}), Step({1}, {2})});
  EXPECT_EQ(plan.bytes, 128u);
  EXPECT_NE(plan.buffers[0], plan.buffers[1]);
  EXPECT_EQ(plan.buffers[0], plan.buffers[2]);
}

TEST(PlanMemory, WorksInPlaceWhereTheInputEnds) {
  MemoryStep in_place = Step({0}, {1});
  in_place.in_place = {{0, 1}};
  const MemoryPlan plan = PlanMemory({64, 64}, {Step({}, {0}), in_place});
  EXPECT_EQ(plan.buffers[0], plan.buffers[1]);
  EXPECT_EQ(plan.bytes, 64u);
}

TEST(PlanMemory, DoesNotWorkInPlaceWhereTheInputIsReadLater) {
  MemoryStep in_place = Step({0}, {1});
  in_place.in_place = {{0, 1}};
  const MemoryPlan plan = PlanMemory({64, 64}, {Step({}, {0}), in_place, Step({0, 1}, {})});
  EXPECT_NE(plan.buffers[0], plan.buffers[1]);
}

// A scalar that is repeated over the output would be gone after its first element.
TEST(PlanMemory, DoesNotWorkInPlaceOfASmallerInput) {
  MemoryStep in_place = Step({0}, {1});
  in_place.in_place = {{0, 1}};
  const MemoryPlan plan = PlanMemory({4, 40}, {Step({}, {0}), in_place});
  EXPECT_NE(plan.buffers[0], plan.buffers[1]);
}

TEST(PlanMemory, KeepsTheWorkspaceApartFromInputsAndOutputs) {
  const MemoryPlan plan = PlanMemory({64, 64}, {Step({}, {0}), Step({0}, {1}, 100)});
  EXPECT_EQ(plan.bytes, 64u + 64u + 128u);
}

// Two buffers whose lives overlap never share a byte.
TEST(PlanMemory, SeparatesWhateverLivesAtOnce) {
  std::mt19937 random(7);
  const int count = 200;
  std::vector<std::size_t> sizes;
  std::vector<MemoryStep> steps;
  for (int i = 0; i < count; ++i) {
    sizes.push_back(random() % 1000);
    MemoryStep step = Step({}, {i}, random() % 300);
    for (int k = 0; k < 2 && i > 0; ++k)
      step.reads.push_back(static_cast<int>(random() % static_cast<unsigned>(i)));
    steps.push_back(step);
  }
  const MemoryPlan plan = PlanMemory(sizes, steps);
  std::vector<int> last(count, 0);
  for (int s = 0; s < count; ++s) {
    last[static_cast<std::size_t>(s)] = std::max(last[static_cast<std::size_t>(s)], s);
    for (const int read : steps[static_cast<std::size_t>(s)].reads)
      last[static_cast<std::size_t>(read)] = s;
  }
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    EXPECT_LE(plan.buffers[a] + sizes[a], plan.bytes);
    for (std::size_t b = a + 1; b < sizes.size() && static_cast<int>(b) <= last[a]; ++b) {
      const bool apart =
          plan.buffers[a] + sizes[a] <= plan.buffers[b] || plan.buffers[b] + sizes[b] <= plan.buffers[a];
      EXPECT_TRUE(apart || sizes[a] == 0 || sizes[b] == 0) << a << " and " << b;
    }
  }
}

// The large one is made last, where the small ones before it were.
TEST(PlanMemory, LeavesNoHolesThatAreTooSmall) {
  const MemoryPlan plan = PlanMemory(
      {64, 128, 256, 192}, {Step({}, {0}), Step({0}, {1}), Step({1}, {2}), Step({2}, {3}), Step({3}, {})});
  EXPECT_EQ(plan.bytes, 256u + 192u);
}

std::vector<BufferPart> Parts(int count, int whole, const std::vector<std::size_t>& offsets) {
  std::vector<BufferPart> parts(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < offsets.size(); ++i)
    parts[i] = {whole, offsets[i]};
  return parts;
}

TEST(PlanMemory, PutsPartsWhereTheyBelong) {
  const MemoryPlan plan = PlanMemory(
      {64, 192, 256}, {Step({}, {0}), Step({}, {1}), Step({0, 1}, {2}), Step({2}, {})}, Parts(3, 2, {0, 64}));
  EXPECT_EQ(plan.buffers[0], plan.buffers[2]);
  EXPECT_EQ(plan.buffers[1], plan.buffers[2] + 64);
  EXPECT_EQ(plan.bytes, 256u);
}

// As in a network that joins an early value with one that comes much later.
TEST(PlanMemory, LendsTheRoomOfAPartThatIsNotMadeYet) {
  const std::vector<MemoryStep> steps = {Step({}, {0}),  Step({0}, {3}),    Step({3}, {4}),
                                         Step({4}, {1}), Step({0, 1}, {2}), Step({2}, {})};
  const std::vector<std::size_t> sizes = {512, 512, 1024, 512, 64};
  const MemoryPlan plan = PlanMemory(sizes, steps, Parts(5, 2, {0, 512}));
  EXPECT_EQ(plan.buffers[1], plan.buffers[0] + 512);
  EXPECT_EQ(plan.buffers[3], plan.buffers[0] + 512);
  EXPECT_EQ(plan.bytes, 1024u + 64u);
}

TEST(PlanMemory, LetsAWholeBeWorkedOnInPlaceButNotItsMaker) {
  MemoryStep join = Step({0, 1}, {2}), after = Step({2}, {3});
  join.in_place = {{1, 2}};
  after.in_place = {{2, 3}};
  const MemoryPlan plan = PlanMemory(
      {64, 128, 128, 128}, {Step({}, {0}), Step({}, {1}), join, after, Step({3}, {})}, Parts(4, 2, {64}));
  EXPECT_EQ(plan.buffers[0], plan.buffers[2] + 64);
  EXPECT_EQ(plan.buffers[3], plan.buffers[2]);
  EXPECT_NE(plan.buffers[1], plan.buffers[2]);
}

// Every second value ends at once and leaves a hole that is too small for all that follow.
TEST(PlanMemory, ComesToAnEndWithVeryManyHoles) {
  const int count = 200000;
  std::vector<std::size_t> sizes;
  std::vector<MemoryStep> steps;
  std::vector<int> kept;
  for (int i = 0; i < count; ++i) {
    sizes.push_back(i % 2 == 0 ? 64 : 128);
    steps.push_back(Step({}, {i}));
    if (i % 2 != 0) kept.push_back(i);
  }
  for (int i = 0; i < count; i += 2)
    steps.push_back(Step({i}, {}));
  for (int i = 0; i < count / 2; ++i) {
    sizes.push_back(128);
    steps.push_back(Step({}, {count + i}));
  }
  steps.push_back(Step(kept, {}));
  EXPECT_EQ(PlanMemory(sizes, steps).bytes, static_cast<std::size_t>(count) * 96 + 128);
}

}  // namespace
}  // namespace foothold
