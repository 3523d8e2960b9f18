// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// Integers to index with and the axis they stand for.
struct Entry {
  std::int64_t axis;
  Dims dims;
  std::vector<double> numbers;
  DataType type = DataType::kInt64;
};

void Describe(OpRun& run, const std::vector<Entry>& entries, bool known = false) {
  Ints axes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TensorValue value = Tensor(entries[i].type, entries[i].dims, entries[i].numbers);
    const std::string port = "indices" + std::to_string(i);
    known || entries[i].type == DataType::kBool ? run.In(port, value) : run.Late(port, value);
    axes.push_back(entries[i].axis);
  }
  run.Attr("axes", axes);
}

TensorValue Indexed(const TensorValue& x, const std::vector<Entry>& entries) {
  OpRun run("AclnnIndex");
  run.Late("x", x);
  Describe(run, entries);
  return run.Out("y").Run();
}

double At(const TensorValue& x, const Index& index) {
  return Numbers(x)[Offset(x.dims(), index)];
}

TEST(AclnnIndex, PutsNeighboursWhereTheyStood) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted({3, 4, 5, 2}, type);
    const TensorValue y = Indexed(x, {{1, {2, 1}, {3, -4}}, {2, {3}, {0, 4, 1}, DataType::kInt32}});
    EXPECT_EQ(y.dims(), (Dims{3, 2, 3, 2}));
    const Index first{3, 0}, second{0, 4, 1};
    std::vector<double> expected;
    ForIndices({3, 2, 3, 2}, [&](const Index& i) {
      expected.push_back(
          At(x, {i[0], first[static_cast<std::size_t>(i[1])], second[static_cast<std::size_t>(i[2])], i[3]}));
    });
    ExpectNear(y, expected);
  }
}

TEST(AclnnIndex, PutsOthersInFront) {
  const TensorValue x = Counted({3, 4, 5, 2});
  const TensorValue y = Indexed(x, {{0, {2}, {2, 0}}, {2, {2}, {-1, 3}}});
  EXPECT_EQ(y.dims(), (Dims{2, 4, 2}));
  std::vector<double> expected;
  ForIndices({2, 4, 2}, [&](const Index& i) {
    expected.push_back(i[0] == 0 ? At(x, {2, i[1], 4, i[2]}) : At(x, {0, i[1], 3, i[2]}));
  });
  ExpectNear(y, expected);
}

TEST(AclnnIndex, TakesMasks) {
  const TensorValue x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const TensorValue whole = Indexed(x, {{0, {2, 3}, {1, 0, 0, 0, 1, 1}, DataType::kBool}});
  EXPECT_EQ(whole.dims(), (Dims{3}));
  ExpectNear(whole, {1, 5, 6});
  ExpectNear(Indexed(x, {{1, {3}, {1, 0, 1}, DataType::kBool}}), {1, 3, 4, 6});
  EXPECT_EQ(Indexed(x, {{1, {3}, {0, 0, 0}, DataType::kBool}}).dims(), (Dims{2, 0}));
}

TEST(AclnnMaskedIndex, FindsItsShapeWhenItRuns) {
  const TensorValue x = Floats({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  OpRun run("AclnnMaskedIndex");
  run.In("x", x);
  Describe(run, {{0, {2, 3}, {0, 1, 0, 1, 0, 0}, DataType::kBool}, {2, {2}, {1, 0}}}, true);
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{2}));
  ExpectNear(y, {4, 7});
  OpRun none("AclnnMaskedIndex");
  none.In("x", x);
  Describe(none, {{0, {2}, {0, 0}, DataType::kBool}});
  EXPECT_EQ(none.Out("y").Run().dims(), (Dims{0, 3, 2}));
}

TEST(AclnnIndex, TakesManyAndNone) {
  const TensorValue x = Counted({100, 3});
  std::vector<double> many;
  for (int i = 0; i < 50000; ++i)
    many.push_back(i * 7 % 100);
  const TensorValue y = Indexed(x, {{0, {50000}, many}});
  for (const std::size_t i : {0, 1, 777, 49999})
    EXPECT_EQ(Numbers(y)[i * 3 + 2], Numbers(x)[static_cast<std::size_t>(many[i]) * 3 + 2]);
  EXPECT_EQ(Indexed(x, {{0, {0}, {}}}).dims(), (Dims{0, 3}));
  EXPECT_EQ(Indexed(Counted({2, 0}), {{0, {3}, {1, 1, 0}}}).dims(), (Dims{3, 0}));
}

TEST(AclnnIndex, RefusesWhatDoesNotFit) {
  const TensorValue x = Counted({2, 3});
  EXPECT_THROW(Indexed(x, {{0, {1}, {2}}}), Error);
  EXPECT_THROW(Indexed(x, {{2, {1}, {0}}}), Error);
  EXPECT_THROW(Indexed(x, {{1, {1}, {0}}, {0, {1}, {0}}}), Error);
  EXPECT_THROW(Indexed(x, {{0, {2}, {0, 0}}, {1, {3}, {0, 0, 0}}}), Error);
  EXPECT_THROW(Indexed(x, {{0, {3}, {1, 1, 1}, DataType::kBool}}), Error);
  EXPECT_THROW(Indexed(x, {{0, {1}, {0}, DataType::kFloat}}), Error);
}

TensorValue Put(const TensorValue& x, const std::vector<Entry>& entries, const TensorValue& value,
                bool adds) {
  OpRun run("AclnnIndexPut");
  run.Late("x", x).Late("value", value);
  Describe(run, entries);
  return run.Attr("accumulate", adds).Out("y").Run();
}

TEST(AclnnIndexPut, WritesOrAdds) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt64}) {
    const TensorValue x = Tensor(type, {2, 3}, {1, 2, 3, 4, 5, 6});
    const std::vector<Entry> places{{0, {3}, {1, 0, 1}}, {1, {3}, {2, 0, 2}, DataType::kInt32}};
    const TensorValue value = Tensor(type, {3}, {10, 20, 30});
    ExpectNear(Put(x, places, value, false), {20, 2, 3, 4, 5, 30});
    ExpectNear(Put(x, places, value, true), {21, 2, 3, 4, 5, 46});
  }
}

TEST(AclnnIndexPut, RepeatsTheValue) {
  const TensorValue x = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  ExpectNear(Put(x, {{0, {2}, {2, 0}}}, Floats({}, {9}), false), {9, 9, 3, 4, 9, 9});
  ExpectNear(Put(x, {{0, {2}, {2, 0}}}, Floats({2, 1}, {7, 8}), true), {9, 10, 3, 4, 12, 13});
  ExpectNear(Put(x, {{1, {2}, {0, 1}, DataType::kBool}}, Floats({3, 1}, {7, 8, 9}), false),
             {1, 7, 3, 8, 5, 9});
  EXPECT_THROW(Put(x, {{0, {2}, {2, 0}}}, Floats({3}, {1, 2, 3}), false), Error);
  EXPECT_THROW(Put(x, {{0, {1}, {0}}}, Int32s({}, {1}), false), Error);
}

}  // namespace
}  // namespace foothold
