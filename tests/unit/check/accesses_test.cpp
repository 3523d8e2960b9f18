// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/accesses.h"

#include <gtest/gtest.h>

namespace foothold::check {
namespace {

DeedPtr By(Agent agent, Epoch epoch, const Clock& clock = {}) {
  static std::uint64_t sequence = 0;
  Deed deed;
  deed.agent = agent;
  deed.epoch = epoch;
  deed.clock = clock;
  deed.sequence = ++sequence;
  return DeedPtr::Make(deed);
}

Touch Bytes(std::uintptr_t begin, std::uintptr_t end, bool write, bool exact = true) {
  return {.address = begin, .bytes = end - begin, .serial = 1, .write = write, .exact = exact};
}
Touch Write(std::uintptr_t begin, std::uintptr_t end) {
  return Bytes(begin, end, true);
}
Touch Read(std::uintptr_t begin, std::uintptr_t end) {
  return Bytes(begin, end, false);
}

struct State {
  Accesses accesses;
  std::size_t Add(const DeedPtr& deed, const Touch& touch) {
    std::vector<Hazard> hazards;
    accesses.Add(deed, touch, hazards);
    return hazards.size();
  }
};

Clock Knowing(Agent agent, Epoch epoch) {
  Clock clock;
  clock.Raise(agent, epoch);
  return clock;
}

TEST(Clocks, LearnAndCompare) {
  Clock a, b;
  a.Raise(1, 5);
  b.Raise(2, 3);
  b.Raise(1, 4);
  b.Raise(kHost, 7);
  a.Join(b);
  EXPECT_EQ(a.Of(1), 5u);
  EXPECT_EQ(a.Of(2), 3u);
  EXPECT_EQ(a.Of(kHost), 7u);
  EXPECT_EQ(a.Of(9), 0u);
  EXPECT_TRUE(a.Knows(2, 3));
  EXPECT_FALSE(a.Knows(2, 4));
  EXPECT_EQ(b.Of(1), 4u) << "copies do not change one another";
}

TEST(Clocks, ForgetThoseThatAreOver) {
  Clock clock;
  for (Agent agent = 1; agent < 5; ++agent)
    clock.Raise(agent, agent);
  clock.Forget([](Agent agent) { return agent % 2 == 0; });
  EXPECT_EQ(clock.Of(2), 0u);
  EXPECT_EQ(clock.Of(3), 3u);
}

TEST(Accesses, WriteAndReadWithoutOrderMeet) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Write(0, 100)), 0u);
  EXPECT_EQ(state.Add(By(2, 1), Read(50, 60)), 1u);
  EXPECT_EQ(state.Add(By(3, 1, Knowing(1, 1)), Read(50, 60)), 0u);
}

TEST(Accesses, ReadsDoNotMeet) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Read(0, 100)), 0u);
  EXPECT_EQ(state.Add(By(2, 1), Read(0, 100)), 0u);
  EXPECT_EQ(state.Add(By(3, 1), Write(99, 100)), 2u) << "both reads";
}

TEST(Accesses, NeighboursDoNotMeet) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Write(0, 50)), 0u);
  EXPECT_EQ(state.Add(By(2, 1), Write(50, 100)), 0u);
  EXPECT_EQ(state.Add(By(3, 1), Write(49, 51)), 2u);
}

TEST(Accesses, OneAgentIsInOrderWithItself) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Write(0, 50)), 0u);
  EXPECT_EQ(state.Add(By(1, 2), Write(0, 50)), 0u);
}

TEST(Accesses, OnlyTheLastWriteCounts) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Write(0, 50)), 0u);
  EXPECT_EQ(state.Add(By(2, 1, Knowing(1, 1)), Write(0, 50)), 0u);
  EXPECT_EQ(state.Add(By(3, 1, Knowing(2, 1)), Read(0, 50)), 0u) << "who knows the second knows the first";
}

TEST(Accesses, PartsOnlyMeetWhatCoversThem) {
  State state;
  EXPECT_EQ(state.Add(By(1, 1), Bytes(0, 100, false, false)), 0u);
  EXPECT_EQ(state.Add(By(2, 1), Write(0, 50)), 0u) << "it may have read the other half";
  EXPECT_EQ(state.Add(By(3, 1, Knowing(2, 1)), Write(0, 100)), 1u);
  State other;
  EXPECT_EQ(other.Add(By(1, 1), Bytes(0, 100, true, false)), 0u);
  EXPECT_EQ(other.Add(By(2, 1), Bytes(0, 100, true, false)), 0u) << "columns side by side";
}

TEST(Accesses, ValuesTellAndDoNotRace) {
  State state;
  Touch value = Write(0, 8);
  value.tells = true;
  EXPECT_EQ(state.Add(By(1, 1), value), 0u);
  EXPECT_EQ(state.Add(By(2, 1), Read(0, 8)), 0u);
  ASSERT_NE(state.accesses.LastWrite(4), nullptr);
  EXPECT_EQ(state.accesses.LastWrite(4)->deed->agent, 1u);
  EXPECT_EQ(state.accesses.LastWrite(8), nullptr);
}

TEST(Accesses, TellWhatIsNotOver) {
  State state;
  state.Add(By(1, 3), Read(0, 10));
  state.Add(By(2, 1, Knowing(1, 3)), Write(20, 30));
  EXPECT_EQ(state.accesses.NotOver({})->deed->agent, 2u) << "the latest";
  Clock clock = Knowing(2, 1);
  EXPECT_EQ(state.accesses.NotOver(clock)->deed->agent, 1u);
  clock.Raise(1, 3);
  EXPECT_EQ(state.accesses.NotOver(clock), nullptr);
}

// Against a table of bytes that compares everything with everything.
TEST(Accesses, AgreeWithATableOfBytes) {
  std::uint32_t random = 12345;
  const auto draw = [&](std::uint32_t below) {
    random = random * 1664525 + 1013904223;
    return (random >> 8) % below;
  };
  for (int round = 0; round < 200; ++round) {
    State state;
    struct Byte {
      DeedPtr write;
      std::vector<DeedPtr> reads;
    };
    std::vector<Byte> bytes(32);
    Epoch epochs[4] = {};
    for (int step = 0; step < 30; ++step) {
      const Agent agent = 1 + draw(3);
      Clock clock;
      for (Agent other = 1; other <= 3; ++other)
        if (other != agent && draw(2) == 0) clock.Raise(other, epochs[other]);
      const DeedPtr deed = By(agent, ++epochs[agent], clock);
      const std::uintptr_t begin = draw(31), end = begin + 1 + draw(static_cast<std::uint32_t>(32 - begin));
      const bool write = draw(2) == 0;
      std::vector<DeedPtr> expected;
      const auto compare = [&](const DeedPtr& before) {
        if (!before || before->agent == agent || clock.Knows(before->agent, before->epoch)) return;
        if (std::find(expected.begin(), expected.end(), before) == expected.end()) expected.push_back(before);
      };
      for (std::uintptr_t at = begin; at < std::min<std::uintptr_t>(end, 32); ++at) {
        compare(bytes[at].write);
        if (!write) continue;
        for (const DeedPtr& read : bytes[at].reads)
          compare(read);
      }
      for (std::uintptr_t at = begin; at < std::min<std::uintptr_t>(end, 32); ++at) {
        if (write) {
          bytes[at] = {deed, {}};
        } else {
          std::erase_if(bytes[at].reads, [&](const DeedPtr& read) { return read->agent == agent; });
          bytes[at].reads.push_back(deed);
        }
      }
      ASSERT_EQ(state.Add(deed, Bytes(begin, std::min<std::uintptr_t>(end, 32), write)), expected.size());
    }
  }
}

TEST(Accesses, ForgetThoseThatAreOver) {
  State state;
  EXPECT_FALSE(state.accesses.crowded());
  for (Agent agent = 1; agent <= 100; ++agent)
    state.Add(By(agent, 1), Read(0, 10));
  EXPECT_TRUE(state.accesses.crowded());
  state.accesses.Forget([](const Deed& deed) { return deed.agent != 7; });
  EXPECT_FALSE(state.accesses.crowded());
  EXPECT_EQ(state.Add(By(101, 1), Write(0, 10)), 1u) << "one reader was left";
}

}  // namespace
}  // namespace foothold::check
