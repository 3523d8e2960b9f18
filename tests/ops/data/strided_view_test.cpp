// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

struct ViewCase {
  Ints sizes, strides;
  std::int64_t offset = 0;
};

std::vector<double> Gathered(const std::vector<double>& x, const ViewCase& view) {
  std::vector<double> y;
  ForIndices(view.sizes, [&](const Index& index) {
    std::int64_t at = view.offset;
    for (std::size_t i = 0; i < index.size(); ++i)
      at += index[i] * view.strides[i];
    y.push_back(x[static_cast<std::size_t>(at)]);
  });
  return y;
}

TensorValue AsStrided(const TensorValue& x, const ViewCase& view) {
  return OpRun("AsStrided")
      .Late("x", x)
      .In("size", List(view.sizes))
      .In("stride", List(view.strides))
      .In("storage_offset", List({view.offset}))
      .Out("y")
      .Run();
}

const std::vector<ViewCase>& Views() {
  static const auto* views = new std::vector<ViewCase>{
      {{}, {}, 7},
      {{24}, {1}, 3},
      {{4, 5}, {1, 9}},                                       // transposed, with gaps
      {{3, 4, 5}, {20, 5, 1}, 11},                            // dense
      {{3, 4}, {0, 2}},                                       // one row for all
      {{4, 3}, {5, 0}, 2},                                    // one element for a row
      {{5, 4}, {1, 1}},                                       // windows that overlap
      {{1, 6, 1}, {-999, 2, 1L << 62}},                       // strides nobody walks
      {{2, 0, 3}, {100000, 1, 1}, 12345},                     // no elements
      {{2, 1, 2, 2, 1, 2, 2, 2}, {64, 1, 1, 2, 3, 4, 8, 16}}  // eight dimensions, reversed
  };
  return *views;
}

TEST(AsStrided, GathersAnyViewOfAnyElementSize) {
  for (const DataType type : kOneTypePerSize)
    for (const ViewCase& view : Views()) {
      const TensorValue x = Counted({4, 32}, type);
      const TensorValue y = AsStrided(x, view);
      EXPECT_EQ(y.dims(), view.sizes);
      ExpectNear(y, Gathered(Numbers(x), view));
    }
}

TEST(AsStrided, TransposesLargeMatrices) {
  const ViewCase view{{700, 600}, {1, 701}, 5};
  const TensorValue x = Counted({600 * 701 + 5}, DataType::kFloat16);
  ExpectNear(AsStrided(x, view), Gathered(Numbers(x), view));
}

TEST(AsStrided, RefusesViewsThatLeaveTheTensor) {
  const TensorValue x = Counted({10});
  EXPECT_THROW(AsStrided(x, {{2, 3}, {5, 3}}), Error);
  EXPECT_THROW(AsStrided(x, {{2}, {1}, -1}), Error);
  EXPECT_THROW(AsStrided(x, {{2}, {-1}, 5}), Error);
  EXPECT_THROW(AsStrided(x, {{2}, {1, 1}}), Error);
  EXPECT_THROW(AsStrided(x, {{1L << 40, 1L << 40}, {1L << 40, 1L << 40}}), Error);
  EXPECT_THROW(AsStrided(x, {{-1}, {1}}), Error);
}

void Describe(OpRun& run, const char* name, const TensorValue& data, const ViewCase& view) {
  const std::string port = name;
  run.Late(port, data).In(port + "_size", List(view.sizes)).In(port + "_stride", List(view.strides));
  run.In(port + "_storage_offset", List({view.offset}));
}

TensorValue Copied(const TensorValue& dst, const ViewCase& to, const TensorValue& src, const ViewCase& from) {
  OpRun run("ViewCopy");
  Describe(run, "dst", dst, to);
  Describe(run, "src", src, from);
  return run.Out("dst").Run();
}

struct CopyCase {
  ViewCase to, from;
};

TEST(ViewCopy, WritesTheViewAndNothingElse) {
  const std::vector<CopyCase> cases{
      {{{3, 4}, {1, 5}, 2}, {{3, 4}, {4, 1}}},         // into columns
      {{{3, 4}, {10, 2}}, {{3, 4}, {1, 3}}},           // with gaps, from a transposed matrix
      {{{4}, {5}}, {{4}, {1}, 9}},                     // a diagonal
      {{{2, 3, 4}, {24, 8, 2}, 1}, {{3, 1}, {7, 1}}},  // the source repeated
      {{{2, 3}, {3, 1}}, {{}, {}, 17}},                // one element everywhere
      {{{2, 0}, {0, 0}, 500}, {{2, 0}, {1, 1}}}};      // nothing
  for (const DataType type : kOneTypePerSize)
    for (const CopyCase& one : cases) {
      const TensorValue dst = Tensor(type, {50}, std::vector<double>(50, 99)), src = Counted({50}, type);
      std::vector<double> expected = Numbers(dst);
      ForIndices(one.to.sizes, [&](const Index& index) {
        std::int64_t at = one.to.offset, source = one.from.offset;
        const std::size_t missing = index.size() - one.from.sizes.size();
        for (std::size_t i = 0; i < index.size(); ++i)
          at += index[i] * one.to.strides[i];
        for (std::size_t i = missing; i < index.size(); ++i)
          if (one.from.sizes[i - missing] > 1) source += index[i] * one.from.strides[i - missing];
        expected[static_cast<std::size_t>(at)] = Numbers(src)[static_cast<std::size_t>(source)];
      });
      ExpectNear(Copied(dst, one.to, src, one.from), expected);
    }
}

TEST(ViewCopy, RefusesWhatDoesNotFit) {
  const TensorValue ten = Counted({10}), halves = Counted({10}, DataType::kFloat16);
  EXPECT_THROW(Copied(ten, {{2}, {1}}, ten, {{3}, {1}}), Error);
  EXPECT_THROW(Copied(ten, {{2}, {1}}, ten, {{1, 2}, {2, 1}}), Error);
  EXPECT_THROW(Copied(ten, {{2}, {0}}, ten, {{2}, {1}}), Error);
  EXPECT_THROW(Copied(ten, {{2}, {10}}, ten, {{2}, {1}}), Error);
  EXPECT_THROW(Copied(ten, {{2}, {1}}, ten, {{2}, {10}}), Error);
  EXPECT_THROW(Copied(ten, {{2}, {1}}, halves, {{2}, {1}}), Error);
}

}  // namespace
}  // namespace foothold
