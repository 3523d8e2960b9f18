// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Orders, places and partial sums along one dimension.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/places.h"
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"

namespace nn {
namespace {

TEST_F(Nn, ArgMaxTakesTheFirst) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
    for (const aclDataType out_type : {ACL_INT32, ACL_INT64})
      for (const Layout layout : kAllLayouts) {
        const Tensor self = In(type, Dims{2, 3, 4, 5}, SpreadInts(120, 0, 2), layout),
                     out = Out(out_type, {2, 3, 4}, layout);
        Run(NN(ArgMax), self, 3, false, out);
        EXPECT_EQ(out.Read(), Each(self, 3, [](const Values& line) {
                    return static_cast<double>(std::max_element(line.begin(), line.end()) - line.begin());
                  }));
      }
  const Tensor kept = Out(ACL_INT64, {1, 2});
  Run(NN(ArgMax), In(ACL_FLOAT, {3, 2}, {1, 5, 2, 4, 0, 6}), -2, true, kept);
  EXPECT_EQ(kept.Read(), (Values{1, 2}));
}

Values Order(const Values& line, bool descending) {
  std::vector<std::size_t> order(line.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return descending ? line[a] > line[b] : line[a] < line[b];
  });
  return {order.begin(), order.end()};
}

TEST_F(Nn, ArgsortOrdersRowsIntoWideIndices) {
  for (const bool descending : {false, true})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
      for (const Layout layout : kAllLayouts) {
        const Tensor self = In(type, {3, 2, 9}, Whole(54), layout), out = Out(ACL_INT64, {3, 2, 9}, layout);
        Run(NN(Argsort), self, -1, descending, out);
        EXPECT_EQ(out.Read(), Along(self, 2, [&](const Values& line) { return Order(line, descending); }));
      }
}

TEST_F(Nn, ArgsortTakesLongRowsAndOtherDimensions) {
  const Tensor self = In(ACL_FLOAT, {2, 3000}, Spread(6000)), out = Out(ACL_INT64, {2, 3000});
  Run(NN(Argsort), self, -1, true, out);
  EXPECT_EQ(out.Read(), Along(self, 1, [](const Values& line) { return Order(line, true); }));
  const Tensor columns = In(ACL_FLOAT, {4, 2}, Spread(8)), places = Out(ACL_INT64, {4, 2});
  Run(NN(Argsort), columns, 0, false, places);
  EXPECT_EQ(places.Read(), Along(columns, 0, [](const Values& line) { return Order(line, false); }));
}

TEST_F(Nn, SortGivesValuesAndIndices) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT64}) {
    const Tensor self = In(type, {2, 6}, SpreadInts(12, 0, 3), Layout::kTransposed),
                 values = Out(type, {2, 6}, Layout::kPaddedRows), indices = Out(ACL_INT64, {2, 6});
    Run(NN(Sort), self, true, 1, true, values, indices);
    EXPECT_EQ(indices.Read(), Along(self, 1, [](const Values& line) { return Order(line, true); }));
    EXPECT_EQ(values.Read(), Along(self, 1, [](Values line) {
                std::sort(line.rbegin(), line.rend());
                return line;
              }));
  }
}

TEST_F(Nn, TopkGivesTheLargestOrTheSmallest) {
  for (const bool largest : {true, false}) {
    const Tensor self = In(ACL_FLOAT16, {2, 8}, Whole(16), Layout::kPaddedRows),
                 values = Out(ACL_FLOAT16, {2, 3}), indices = Out(ACL_INT64, {2, 3}, Layout::kPaddedRows);
    Run(NN(Topk), self, 3, -1, largest, true, values, indices);
    const std::vector<Values> lines = Lines(self.Read(), self.dims(), 1);
    for (std::size_t i = 0; i < 6; ++i) {
      const double expected = Order(lines[i / 3], largest)[i % 3];
      EXPECT_EQ(indices.Read()[i], expected);
      EXPECT_EQ(values.Read()[i], lines[i / 3][static_cast<std::size_t>(expected)]);
    }
  }
  ExpectRefused(161002, "'k' is 9", NN(Topk), In(ACL_FLOAT, {8}, Spread(8)), 9, 0, true, true,
                Out(ACL_FLOAT, {9}), Out(ACL_INT64, {9}));
}

TEST_F(Nn, CumsumAddsUpAlongADimension) {
  const auto sums = [](Values line) {
    std::partial_sum(line.begin(), line.end(), line.begin());
    return line;
  };
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
    for (const std::int64_t dim : {3, -2})
      for (const Layout layout : kAllLayouts) {
        const Tensor self = In(type, Dims{2, 3, 4, 5}, Whole(120), layout),
                     out = Out(ACL_FLOAT, Dims{2, 3, 4, 5}, layout);
        Run(NN(Cumsum), self, dim, ACL_FLOAT, out);
        ExpectClose(out.Read(), Along(self, dim == 3 ? 3 : 2, sums), 1e-6);
      }
  const Tensor whole = In(ACL_INT32, {3}, {2000000000, 2000000000, 1}), wide = Out(ACL_INT64, {3});
  Run(NN(Cumsum), whole, 0, ACL_INT64, wide);
  EXPECT_EQ(wide.Read(), (Values{2e9, 4e9, 4000000001.0}));
}

TEST_F(Nn, ApplyTopKTopPLeavesTheProbable) {
  const double none = -INFINITY;
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor logits = In(type, {2, 4}, {1, 4, 3, 2, 0, 0, 5, 1}, Layout::kPaddedRows),
                 p = In(type, {2}, {1, 0.5}), k = In(ACL_INT32, {2}, {2, 4}), out = Out(type, {2, 4});
    Run(NN(ApplyTopKTopP), logits, p, k, out);
    EXPECT_EQ(out.Read(), (Values{none, 4, 3, none, none, none, 5, none})) << type;
  }
}

TEST_F(Nn, ArgMinTakesTheFirst) {
  const Tensor self = In(ACL_FLOAT, {2, 3}, {3, 1, 1, -1, 5, 0}, Layout::kPaddedRows),
               out = Out(ACL_INT64, {2});
  Run(NN(ArgMin), self, 1, false, out);
  EXPECT_EQ(out.Read(), (Values{1, 0}));
}

TEST_F(Nn, PartialSumsAndProductsTakeOtherForms) {
  const Tensor self = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
               out = Out(ACL_FLOAT, {2, 3});
  Run(NN(CumsumV2), self, 1, true, false, out);
  EXPECT_EQ(out.Read(), (Values{0, 1, 3, 0, 4, 9}));
  Run(NN(CumsumV2), self, -1, false, true, out);
  EXPECT_EQ(out.Read(), (Values{6, 5, 3, 15, 11, 6}));
  Run(NN(Cumprod), self, Scalar(1), ACL_FLOAT, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 6, 4, 20, 120}));
  ExpectRefused(161002, "'dim' is 2", NN(Cumprod), self, Scalar(2), ACL_FLOAT, out);
}

TEST_F(Nn, SearchSortedFindsPlacesInRows) {
  const Tensor rows = In(ACL_FLOAT, {2, 4}, {1, 2, 2, 5, 0, 3, 4, 9}, Layout::kPaddedRows),
               values = In(ACL_FLOAT16, {2, 3}, {2, 0, 6, 2, 4, 9}), low = Out(ACL_INT64, {2, 3}),
               high = Out(ACL_INT32, {2, 3});
  Run(NN(SearchSorted), rows, values, false, false, nullptr, low);
  EXPECT_EQ(low.Read(), (Values{1, 0, 4, 1, 2, 3}));
  Run(NN(SearchSorted), rows, values, true, true, nullptr, high);
  EXPECT_EQ(high.Read(), (Values{3, 0, 4, 1, 3, 4}));
}

}  // namespace
}  // namespace nn
