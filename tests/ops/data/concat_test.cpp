// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

void Feed(OpRun& run, const std::vector<TensorValue>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    run.Late("x" + std::to_string(i), parts[i]);
}

TensorValue Concat(const std::string& type, const std::vector<TensorValue>& parts, Int axis) {
  OpRun run(type);
  if (type == "Concat") run.In("concat_dim", List({axis}));
  Feed(run, parts);
  if (type == "ConcatV2") run.In("concat_dim", Tensor(DataType::kInt32, {}, {static_cast<double>(axis)}));
  if (type.back() == 'D') run.Attr("concat_dim", axis);
  return run.Attr("N", static_cast<Int>(parts.size())).Out("y").Run();
}

// Element by element: find the part an index falls into.
std::vector<double> Joined(const std::vector<TensorValue>& parts, const Dims& dims, std::size_t axis) {
  std::vector<double> all;
  ForIndices(dims, [&](Index index) {
    std::size_t part = 0;
    while (index[axis] >= parts[part].dims()[axis])
      index[axis] -= parts[part++].dims()[axis];
    all.push_back(Numbers(parts[part])[Offset(parts[part].dims(), index)]);
  });
  return all;
}

TEST(Concat, PutsTensorsSideBySide) {
  for (const std::string type : {"Concat", "ConcatD", "ConcatV2", "ConcatV2D"}) {
    for (const DataType element : kOneTypePerSize) {
      for (const Int axis : {0, 1, 2, -1}) {
        const auto at = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
        std::vector<TensorValue> parts;
        Dims dims = {2, 3, 4};
        for (const Int length : {1, 3, 0, 2}) {
          dims[at] = length;
          parts.push_back(Random(element, dims, static_cast<unsigned>(length)));
        }
        dims[at] = 6;
        const TensorValue y = Concat(type, parts, axis);
        ASSERT_EQ(y.dims(), dims) << type;
        ExpectNear(y, Joined(parts, dims, at));
      }
    }
  }
}

TEST(Concat, TakesOneTensor) {
  ExpectNear(Concat("ConcatD", {Counted({2, 2})}, 1), {0, 1, 2, 3});
}

TEST(Concat, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Concat("ConcatD", {Counted({2, 2}), Counted({3, 3})}, 0), Error);
  EXPECT_THROW(Concat("ConcatD", {Counted({2, 2}), Counted({2})}, 0), Error);
  EXPECT_THROW(Concat("ConcatD", {Counted({2}), Counted({2}, DataType::kInt32)}, 0), Error);
  EXPECT_THROW(Concat("ConcatD", {Counted({2}), Counted({2})}, 1), Error);
  EXPECT_THROW(Concat("ConcatD", {Counted({}), Counted({})}, 0), Error);
  EXPECT_THROW(OpRun("ConcatD").Attr("concat_dim", Int{0}).Out("y").Run(), Error);
  OpRun wrong_count("ConcatD");
  Feed(wrong_count, {Counted({2}), Counted({2})});
  EXPECT_THROW(wrong_count.Attr("concat_dim", Int{0}).Attr("N", Int{3}).Out("y").Run(), Error);
}

TEST(Pack, StacksOnANewAxis) {
  const auto pack = [](Int axis) {
    return OpRun("Pack")
        .Late("x0", Floats({2, 2}, {1, 2, 3, 4}))
        .Late("x1", Floats({2, 2}, {5, 6, 7, 8}))
        .Attr("axis", axis)
        .Out("y")
        .Run();
  };
  ExpectNear(pack(0), {1, 2, 3, 4, 5, 6, 7, 8});
  ExpectNear(pack(1), {1, 2, 5, 6, 3, 4, 7, 8});
  ExpectNear(pack(-1), {1, 5, 2, 6, 3, 7, 4, 8});
  EXPECT_EQ(pack(-1).dims(), (Dims{2, 2, 2}));
  EXPECT_THROW(pack(3), Error);
  const auto scalars = OpRun("Pack").In("x0", Floats({}, {1})).In("x1", Floats({}, {2})).Out("y").Run();
  EXPECT_EQ(scalars.dims(), Dims{2});
  ExpectNear(scalars, {1, 2});
}

void AddOutputs(OpRun& run, int count) {
  for (int i = 0; i < count; ++i)
    run.Out("y" + std::to_string(i));
}

void ExpectPieces(const TensorValue& x, const std::vector<TensorValue>& pieces, std::size_t axis,
                  const Ints& lengths) {
  ASSERT_EQ(pieces.size(), lengths.size());
  Int start = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Dims dims = x.dims();
    dims[axis] = lengths[i];
    ASSERT_EQ(pieces[i].dims(), dims);
    ExpectNear(pieces[i], Picked(x, dims, [&](Index index) {
                 index[axis] += start;
                 return index;
               }));
    start += lengths[i];
  }
}

TEST(Split, CutsIntoEqualParts) {
  for (const DataType type : kOneTypePerSize) {
    for (const std::size_t axis : {0, 1, 2}) {
      const TensorValue x = Counted({6, 3, 9}, type);
      OpRun base("Split"), attribute("SplitD");
      base.In("split_dim", List({static_cast<Int>(axis)})).Late("x", x).Attr("num_split", Int{3});
      attribute.Late("x", x).Attr("split_dim", static_cast<Int>(axis) - 3).Attr("num_split", Int{3});
      AddOutputs(base, 3);
      AddOutputs(attribute, 3);
      const Int length = x.dims()[axis] / 3;
      ExpectPieces(x, base.RunAll(), axis, {length, length, length});
      ExpectPieces(x, attribute.RunAll(), axis, {length, length, length});
    }
  }
}

std::vector<TensorValue> SplitV(const Dims& dims, const Ints& lengths, Int axis, int outputs) {
  OpRun run("SplitV");
  run.Late("x", Counted(dims)).In("size_splits", List(lengths)).In("split_dim", List({axis}));
  run.Attr("num_split", Int{outputs});
  AddOutputs(run, outputs);
  return run.RunAll();
}

TEST(Split, CutsIntoGivenParts) {
  ExpectPieces(Counted({2, 7}), SplitV({2, 7}, {1, 4, 2}, 1, 3), 1, {1, 4, 2});
  ExpectPieces(Counted({2, 7}), SplitV({2, 7}, {1, -1, 2}, -1, 3), 1, {1, 4, 2});
  ExpectPieces(Counted({5, 2}), SplitV({5, 2}, {0, 5}, 0, 2), 0, {0, 5});
  OpRun run("SplitVD");
  run.Late("x", Counted({3, 2})).Attr("size_splits", Ints{1, 2}).Attr("split_dim", Int{0});
  AddOutputs(run, 2);
  ExpectPieces(Counted({3, 2}), run.RunAll(), 0, {1, 2});
}

TEST(Split, RefusesPartsThatDoNotAddUp) {
  EXPECT_THROW(SplitV({2, 7}, {1, 4}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {5, 5}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {-1, -1}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {-2, 9}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {INT64_MAX, INT64_MAX}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {7}, 1, 2), Error);
  EXPECT_THROW(SplitV({2, 7}, {3, 4}, 2, 2), Error);
  OpRun uneven("SplitD");
  uneven.In("x", Counted({5})).Attr("split_dim", Int{0}).Attr("num_split", Int{2});
  AddOutputs(uneven, 2);
  EXPECT_THROW(uneven.RunAll(), Error);
}

TEST(Unpack, UndoesPack) {
  OpRun run("Unpack");
  run.Late("x", Floats({2, 3}, {1, 2, 3, 4, 5, 6})).Attr("num", Int{3}).Attr("axis", Int{-1});
  AddOutputs(run, 3);
  const auto rows = run.RunAll();
  EXPECT_EQ(rows[0].dims(), Dims{2});
  ExpectNear(rows[0], {1, 4});
  ExpectNear(rows[2], {3, 6});
  OpRun wrong("Unpack");
  wrong.In("x", Counted({2, 3})).Attr("num", Int{3});
  AddOutputs(wrong, 3);
  EXPECT_THROW(wrong.RunAll(), Error);
}

}  // namespace
}  // namespace foothold
