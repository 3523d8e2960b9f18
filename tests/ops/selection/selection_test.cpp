// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

TensorValue Int64s(const Dims& dims, const List& values) {
  return Tensor(DataType::kInt64, dims, values);
}

TEST(ReverseSequence, TurnsTheBeginningOfEachSequence) {
  const List x{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const auto run = [&](std::int64_t time, std::int64_t batch, const List& lengths) {
    return Numbers(OpRun("ReverseSequence")
                       .In("x", Floats({4, 4}, x))
                       .Late("seq_lengths", Int64s({4}, lengths))
                       .Attr("seq_dim", time)
                       .Attr("batch_dim", batch)
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run(1, 0, {1, 2, 3, 4}), (List{0, 1, 2, 3, 5, 4, 6, 7, 10, 9, 8, 11, 15, 14, 13, 12}));
  EXPECT_EQ(run(0, -1, {4, 3, 2, 1}), (List{12, 9, 6, 3, 8, 5, 2, 7, 4, 1, 10, 11, 0, 13, 14, 15}));
  EXPECT_EQ(run(1, 0, {0, 0, 0, 0}), x);
  EXPECT_THROW(run(1, 0, {0, 5, 0, 0}), Error);
  EXPECT_THROW(run(1, 1, {1, 1, 1, 1}), Error);
}

TEST(ReverseSequence, MovesBlocksBehindBothAxes) {
  const TensorValue y = OpRun("ReverseSequence")
                            .In("x", Tensor(DataType::kInt8, {1, 2, 1, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}))
                            .In("seq_lengths", Int32s({2}, {2, 1}))
                            .Attr("seq_dim", std::int64_t{3})
                            .Attr("batch_dim", std::int64_t{1})
                            .Out("y")
                            .Run();
  EXPECT_EQ(Numbers(y), (List{2, 3, 0, 1, 4, 5, 6, 7}));
}

TEST(UniqueAlongAxis, SortsOrKeepsTheOrder) {
  const auto run = [](std::int64_t sorted) {
    return OpRun("UniqueAlongAxis")
        .In("x", Floats({6}, {2, 1, 1, 3, 4, 3}))
        .Attr("sorted", sorted)
        .Out("y")
        .Out("indices")
        .Out("inverse_indices")
        .Out("counts")
        .RunAll();
  };
  const auto sorted = run(1), plain = run(0);
  EXPECT_EQ(Numbers(sorted[0]), (List{1, 2, 3, 4}));
  EXPECT_EQ(Numbers(sorted[1]), (List{1, 0, 3, 4}));
  EXPECT_EQ(Numbers(sorted[2]), (List{1, 0, 0, 2, 3, 2}));
  EXPECT_EQ(Numbers(sorted[3]), (List{2, 1, 2, 1}));
  EXPECT_EQ(Numbers(plain[0]), (List{2, 1, 3, 4}));
  EXPECT_EQ(Numbers(plain[1]), (List{0, 1, 3, 4}));
  EXPECT_EQ(Numbers(plain[2]), (List{0, 1, 1, 2, 3, 2}));
}

TEST(UniqueAlongAxis, ComparesWholeSlices) {
  const auto found = OpRun("UniqueAlongAxis")
                         .In("x", Floats({2, 4, 2}, {1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}))
                         .Attr("axis", std::int64_t{-2})
                         .Out("y")
                         .Out("indices")
                         .Out("inverse_indices")
                         .Out("counts")
                         .RunAll();
  EXPECT_EQ(found[0].dims(), (Dims{2, 3, 2}));
  EXPECT_EQ(Numbers(found[0]), (List{0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}));
  EXPECT_EQ(Numbers(found[1]), (List{1, 0, 2}));
  EXPECT_EQ(Numbers(found[2]), (List{1, 0, 2, 0}));
  EXPECT_EQ(Numbers(found[3]), (List{2, 1, 1}));
}

TEST(UniqueWithCounts, CountsInOrderOfAppearance) {
  const auto found = OpRun("UniqueWithCounts")
                         .In("x", Int32s({5}, {7, 3, 7, 7, 1}))
                         .Attr("out_idx", DataType::kInt64)
                         .Out("y")
                         .Out("idx")
                         .Out("count")
                         .RunAll();
  EXPECT_EQ(Numbers(found[0]), (List{7, 3, 1}));
  EXPECT_EQ(Numbers(found[1]), (List{0, 1, 0, 0, 2}));
  EXPECT_EQ(Numbers(found[2]), (List{3, 1, 1}));
  EXPECT_EQ(found[1].type().type, DataType::kInt64);
}

TEST(UniqueExt2, GoesAlongTheAxisOfAnInput) {
  const auto found = OpRun("UniqueExt2")
                         .In("x", Int32s({3, 2}, {1, 2, 0, 5, 1, 2}))
                         .In("axis", Int32s({1}, {0}))
                         .Out("y")
                         .Out("idx")
                         .RunAll();
  EXPECT_EQ(Numbers(found[0]), (List{1, 2, 0, 5}));
  EXPECT_EQ(Numbers(found[1]), (List{0, 1, 0}));
}

TEST(UniqueWithCountsExt2, SortsWhenAsked) {
  const auto found = OpRun("UniqueWithCountsExt2")
                         .In("x", Int32s({4}, {5, 1, 5, 3}))
                         .In("axis", Int32s({0}, {}))
                         .Attr("sorted", true)
                         .Attr("return_inverse", true)
                         .Out("y")
                         .Out("idx")
                         .Out("count")
                         .Out("inverse_idx")
                         .RunAll();
  EXPECT_EQ(Numbers(found[0]), (List{1, 3, 5}));
  EXPECT_EQ(Numbers(found[1]), (List{2, 0, 2, 1}));
  EXPECT_EQ(Numbers(found[2]), (List{1, 1, 2}));
  EXPECT_EQ(Numbers(found[3]), (List{2, 0, 2, 1}));
}

TEST(UniqueConsecutive, ComparesNeighboursOnly) {
  const auto found = OpRun("UniqueConsecutive")
                         .In("x", Floats({2, 3}, {1, 1, 2, 2, 1, NAN}))
                         .Attr("return_idx", true)
                         .Attr("return_counts", true)
                         .Out("y")
                         .Out("idx")
                         .Out("count")
                         .RunAll();
  ExpectNear(found[0], {1, 2, 1, NAN});
  EXPECT_EQ(found[1].dims(), (Dims{2, 3}));
  EXPECT_EQ(Numbers(found[1]), (List{0, 0, 1, 1, 2, 3}));
  EXPECT_EQ(Numbers(found[2]), (List{2, 2, 1, 1}));
  const auto bare = OpRun("UniqueConsecutive")
                        .In("x", Floats({3, 1}, {4, 4, 5}))
                        .Attr("axis", std::int64_t{0})
                        .Out("y")
                        .Out("idx")
                        .Out("count")
                        .RunAll();
  EXPECT_EQ(bare[0].dims(), (Dims{2, 1}));
  EXPECT_EQ(bare[1].dims(), (Dims{0}));
}

TEST(SearchSorted, FindsPlacesFromEitherSide) {
  const auto run = [](bool right, DataType type) {
    return OpRun("SearchSorted")
        .In("sorted_sequence", Tensor(type, {2, 4}, {1, 3, 3, 7, 0, 2, 4, 6}))
        .Late("values", Tensor(type, {2, 3}, {3, 0, 9, 3, 2, 6}))
        .Attr("right", right)
        .Attr("dtype", DataType::kInt32)
        .Out("out")
        .Run();
  };
  for (const DataType type : {DataType::kFloat, DataType::kInt64, DataType::kFloat16}) {
    EXPECT_EQ(Numbers(run(false, type)), (List{1, 0, 4, 2, 1, 3}));
    EXPECT_EQ(Numbers(run(true, type)), (List{3, 0, 4, 2, 2, 4}));
  }
}

TEST(SearchSorted, GoesThroughASorter) {
  const auto run = [](double last) {
    return OpRun("SearchSorted")
        .In("sorted_sequence", Int32s({3}, {5, 1, 3}))
        .In("values", Int32s({2, 1}, {4, 1}))
        .Late("sorter", Int64s({3}, {1, 2, last}))
        .Out("out")
        .Run();
  };
  EXPECT_EQ(Numbers(run(0)), (List{2, 0}));
  EXPECT_EQ(run(0).dims(), (Dims{2, 1}));
  EXPECT_THROW(Numbers(OpRun("SearchSorted")
                           .In("sorted_sequence", Int32s({3}, {5, 1, 3}))
                           .In("values", Int32s({1}, {4}))
                           .Late("sorter", Int64s({3}, {9, 9, 9}))
                           .Out("out")
                           .Run()),
               Error);
}

TEST(Bucketize, NumbersTheIntervals) {
  const auto run = [](bool right) {
    return Numbers(OpRun("Bucketize")
                       .In("x", Int32s({4}, {-5, 10, 150, 10000}))
                       .Attr("boundaries", std::vector<float>{0, 10, 100})
                       .Attr("right", right)
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run(true), (List{0, 2, 3, 3}));
  EXPECT_EQ(run(false), (List{0, 1, 3, 3}));
  EXPECT_THROW(OpRun("Bucketize")
                   .In("x", Int32s({1}, {1}))
                   .Attr("boundaries", std::vector<float>{2, 1})
                   .Out("y")
                   .Run(),
               Error);
}

TEST(HistogramFixedWidth, CountsTheOutsideAtTheEnds) {
  const auto run = [](double high) {
    return Numbers(OpRun("HistogramFixedWidth")
                       .In("x", Floats({8}, {-1, 0, 1.5, 2, 5, 15, 2.5, NAN}))
                       .Late("range", Floats({2}, {0, high}))
                       .In("nbins", Int32s({}, {5}))
                       .Out("y")
                       .Run());
  };
  EXPECT_EQ(run(5), (List{2, 1, 2, 0, 2}));
  EXPECT_THROW(run(0), Error);
}

TEST(DynamicPartition, DealsSlicesToOutputs) {
  OpRun op("DynamicPartition");
  op.In("x", Floats({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7})).In("partitions", Int32s({4}, {1, 0, 1, 1}));
  const auto found = op.Attr("num_partitions", std::int64_t{3}).Out("y0").Out("y1").Out("y2").RunAll();
  EXPECT_EQ(Numbers(found[0]), (List{2, 3}));
  EXPECT_EQ(Numbers(found[1]), (List{0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(found[2].dims(), (Dims{0, 2}));
  OpRun outside("DynamicPartition");
  outside.In("x", Floats({1}, {0})).In("partitions", Int32s({1}, {1})).Out("y0");
  EXPECT_THROW(outside.Run(), Error);
}

TEST(DynamicStitch, PutsSlicesTogetherByIndex) {
  OpRun op("DynamicStitch");
  op.In("indices0", Int32s({}, {1})).In("indices1", Int32s({2}, {0, 3})).In("x0", Floats({2}, {10, 11}));
  op.In("x1", Floats({2, 2}, {0, 1, 30, 31})).Out("y");
  const TensorValue y = op.Run();
  EXPECT_EQ(y.dims(), (Dims{4, 2}));
  EXPECT_EQ(Numbers(y), (List{0, 1, 10, 11, 0, 0, 30, 31}));
}

}  // namespace
}  // namespace foothold
