// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/object_records.h"

#include <gtest/gtest.h>

namespace foothold::check {
namespace {

// As pools make them: the kind, a generation and a place.
std::uint64_t Handle(std::uint64_t generation, std::uint64_t index) {
  return handle_detail::KindBits(HandleKind::kEvent) << handle_detail::kKindShift |
         generation << (handle_detail::kIndexBits + 4) | index << 4;
}

ObjectRecord Record(std::uint64_t handle) {
  ObjectRecord record;
  record.handle = handle;
  record.kind = HandleKind::kEvent;
  return record;
}

void End(ObjectRecords& records, std::uint64_t handle) {
  ObjectRecord* const live = records.FindLive(HandleKind::kEvent, handle);
  ASSERT_NE(live, nullptr);
  live->destroyed.call = "end";
  records.End(*live);
}

TEST(ObjectRecords, TellGenerationsOfOnePlaceApart) {
  ObjectRecords records(8);
  records.Add(Record(Handle(1, 3)));
  EXPECT_EQ(records.Find(Handle(2, 3)), nullptr);
  End(records, Handle(1, 3));
  EXPECT_EQ(records.FindLive(HandleKind::kEvent, Handle(1, 3)), nullptr);
  records.Add(Record(Handle(2, 3)));
  ASSERT_NE(records.Find(Handle(1, 3)), nullptr);
  EXPECT_TRUE(records.Find(Handle(1, 3))->destroyed);
  ASSERT_NE(records.Find(Handle(2, 3)), nullptr);
  EXPECT_FALSE(records.Find(Handle(2, 3))->destroyed);
}

TEST(ObjectRecords, ForgetTheOldestThatHaveEnded) {
  ObjectRecords records(4);
  for (std::uint64_t generation = 1; generation <= 6; ++generation) {
    records.Add(Record(Handle(generation, generation % 2)));
    End(records, Handle(generation, generation % 2));
  }
  for (std::uint64_t generation = 1; generation <= 6; ++generation)
    EXPECT_EQ(records.Find(Handle(generation, generation % 2)) != nullptr, generation > 2) << generation;
}

TEST(ObjectRecords, ListThoseThatLive) {
  ObjectRecords records(4);
  for (const std::uint64_t index : {0, 5, 9})
    records.Add(Record(Handle(1, index)));
  End(records, Handle(1, 5));
  std::uint64_t seen = 0;
  records.ForEachLive([&](const ObjectRecord& record) { seen += record.handle == Handle(1, 5) ? 100 : 1; });
  EXPECT_EQ(seen, 2u);
}

TEST(ObjectRecords, CountThoseOfAPlaceUntilTheyEnd) {
  ObjectRecords records(4);
  PlaceCounts counts;
  PlaceCount& here = counts.Of(HandleKind::kEvent, {"aclrtCreateEvent", 7, 1});
  EXPECT_EQ(&counts.Of(HandleKind::kEvent, {"aclrtCreateEvent", 7, 2}), &here);
  EXPECT_NE(&counts.Of(HandleKind::kStream, {"aclrtCreateStream", 7, 1}), &here);
  for (const std::uint64_t index : {0, 1}) {
    EXPECT_EQ(CountMade(here), 0u);
    records.Add(Record(Handle(1, index)), &here);
  }
  End(records, Handle(1, 0));
  EXPECT_EQ(here.live, 1u);
  records.Add(Record(Handle(2, 1)));
  EXPECT_EQ(here.live, 0u) << "the end of the other was not told";
}

TEST(PlaceCounts, AreToldWhenTheyHaveDoubled) {
  PlaceCount here;
  std::vector<std::uint64_t> told;
  for (int i = 0; i < 4000; ++i)
    if (const std::uint64_t live = CountMade(here)) told.push_back(live);
  EXPECT_EQ(told, (std::vector<std::uint64_t>{1000, 2000, 4000}));
}

}  // namespace
}  // namespace foothold::check
