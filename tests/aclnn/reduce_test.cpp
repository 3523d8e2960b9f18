// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dimensions that become one number, and orders along one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/places.h"
#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"

namespace nn {
namespace {

const Dims kDims{2, 3, 4, 5};

double SumOf(const Values& line) {
  return std::accumulate(line.begin(), line.end(), 0.0);
}

// One number for each line of an axis.
template <typename Function>
Values Each(const Tensor& tensor, std::size_t axis, Function function) {
  Values out;
  for (const Values& line : Lines(tensor.Read(), tensor.dims(), axis))
    out.push_back(function(line));
  return out;
}

// As many numbers for each line.
template <typename Function>
Values Along(const Tensor& tensor, std::size_t axis, Function function) {
  std::vector<Values> lines = Lines(tensor.Read(), tensor.dims(), axis);
  for (Values& line : lines)
    line = function(line);
  return FromLines(lines, tensor.dims(), axis);
}

TEST_F(Nn, ReduceSumTakesRowsOfEveryLayoutAndType) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kLayouts) {
      const Tensor self = In(type, kDims, Spread(120), layout), out = Out(type, {2, 3, 4, 1}, layout);
      Run(NN(ReduceSum), self, Ints{3}, true, type, out);
      ExpectClose(out.Read(), Each(self, 3, SumOf), Tolerance(type));
    }
}

TEST_F(Nn, ReduceSumOfAllIsOneNumberOfAnyRank) {
  const Tensor self = In(ACL_FLOAT, kDims, Spread(120), Layout::kTransposed);
  const double sum = SumOf(self.Read());
  for (const Dims& dims : {Dims{}, Dims{1}, Dims{1, 1, 1, 1}})
    for (const Ints& axes : {Ints{0, 1, 2, 3}, Ints{}}) {
      const Tensor out = Out(ACL_FLOAT, dims);
      Run(NN(ReduceSum), self, axes, dims.size() == 4, ACL_FLOAT, out);
      ExpectClose(out.Read(), {sum}, 1e-6);
    }
}

TEST_F(Nn, ReduceSumConvertsFirst) {
  const Tensor equal = In(ACL_INT32, {1, 1, 2, 3}, {1, 0, 1, 1, 0, 1}), count = Out(ACL_INT64, {1});
  Run(NN(ReduceSum), equal, Ints{0, 1, 2, 3}, false, ACL_INT64, count);
  EXPECT_EQ(count.Read(), (Values{4}));
  const Tensor large = In(ACL_FLOAT16, {2}, {60000, 60000}), sum = Out(ACL_FLOAT, {});
  Run(NN(ReduceSum), large, Ints{0}, false, ACL_FLOAT, sum);
  ExpectClose(sum.Read(), {2 * large.Read()[0]}, 0);
  const Tensor bits = In(ACL_BOOL, {3}, {1, 1, 0}), ones = Out(ACL_INT64, {1});
  Run(NN(ReduceSum), bits, Ints{0}, true, ACL_INT64, ones);
  EXPECT_EQ(ones.Read(), (Values{2}));
}

TEST_F(Nn, ReduceSumTakesNothingAndRefusesOtherSizes) {
  const Tensor nothing = In(ACL_FLOAT, {0, 3}, {}), zeros = Out(ACL_FLOAT, {3});
  Run(NN(ReduceSum), nothing, Ints{0}, false, ACL_FLOAT, zeros);
  EXPECT_EQ(zeros.Read(), (Values{0, 0, 0}));
  const Tensor number = In(ACL_FLOAT, {}, {5}), same = Out(ACL_FLOAT, {});
  Run(NN(ReduceSum), number, Ints{}, false, ACL_FLOAT, same);
  EXPECT_EQ(same.Read(), (Values{5}));
  const Tensor self = In(ACL_FLOAT, {2, 3}, Spread(6));
  ExpectRefused(161002, "'out'", NN(ReduceSum), self, Ints{0}, false, ACL_FLOAT, Out(ACL_FLOAT, {2}));
  ExpectRefused(161002, "dims", NN(ReduceSum), self, Ints{2}, false, ACL_FLOAT, Out(ACL_FLOAT, {2}));
}

TEST_F(Nn, MeanDividesByTheNumber) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}) {
    const Tensor self = In(type, kDims, Whole(120), Layout::kPaddedRows), out = Out(ACL_FLOAT, {2, 3, 4, 1});
    Run(NN(Mean), self, Ints{-1}, true, ACL_FLOAT, out);
    ExpectClose(out.Read(), Each(self, 3, [](const Values& line) { return SumOf(line) / 5; }), 1e-6);
  }
  ExpectRefused(161002, "'dtype' is", NN(Mean), In(ACL_INT32, {2}, {1, 2}), Ints{0}, false, ACL_INT32,
                Out(ACL_INT32, {}));
}

TEST_F(Nn, ProductsAreComputedInTheTypeThatIsSaid) {
  const Tensor self = In(ACL_INT32, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
               out = Out(ACL_INT64, {2, 1}), all = Out(ACL_FLOAT, {});
  Run(NN(ProdDim), self, -1, true, ACL_INT64, out);
  EXPECT_EQ(out.Read(), (Values{6, 120}));
  Run(NN(Prod), self, ACL_FLOAT, all);
  EXPECT_EQ(all.Read(), (Values{720}));
}

TEST_F(Nn, ExtremesOfSeveralDimensions) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64}) {
    const Tensor self = In(type, {2, 3, 4}, Whole(24), Layout::kPaddedRows), least = Out(type, {3}),
                 most = Out(type, {1, 3, 1});
    Run(NN(Amax), self, Ints{0, -1}, true, most);
    Run(NN(Amin), self, Ints{0, 2}, false, least);
    Values high(3, -1000), low(3, 1000);
    const Values values = self.Read();
    for (std::size_t i = 0; i < 24; ++i) {
      high[i / 4 % 3] = std::max(high[i / 4 % 3], values[i]);
      low[i / 4 % 3] = std::min(low[i / 4 % 3], values[i]);
    }
    EXPECT_EQ(most.Read(), high) << type;
    EXPECT_EQ(least.Read(), low) << type;
    const Tensor one = Out(type, {});
    Run(NN(Max), self, one);
    EXPECT_EQ(one.Read(), (Values{*std::max_element(high.begin(), high.end())}));
    Run(NN(Min), self, one);
    EXPECT_EQ(one.Read(), (Values{*std::min_element(low.begin(), low.end())}));
  }
}

TEST_F(Nn, TruthTakesNumbersAndBytes) {
  const Tensor self = In(ACL_FLOAT, {2, 2}, {0.5, 0, -1, 2}), all = Out(ACL_BOOL, {2}),
               any = Out(ACL_UINT8, {1});
  Run(NN(All), self, Ints{1}, false, all);
  EXPECT_EQ(all.Read(), (Values{0, 1}));
  Run(NN(Any), self, Ints{0, 1}, false, any);
  EXPECT_EQ(any.Read(), (Values{1}));
  Run(NN(All), In(ACL_BOOL, {0}, {}), Ints{0}, true, any);
  EXPECT_EQ(any.Read(), (Values{1}));
}

TEST_F(Nn, NormIsTheRootOfSquares) {
  for (const Layout layout : kLayouts) {
    const Tensor self = In(ACL_FLOAT, kDims, Spread(120), layout), out = Out(ACL_FLOAT, {2, 3, 4, 1}, layout);
    Run(NN(Norm), self, Scalar(2.0f), Ints{3}, true, out);
    ExpectClose(out.Read(),
                Each(self, 3,
                     [](const Values& line) {
                       return std::sqrt(std::inner_product(line.begin(), line.end(), line.begin(), 0.0));
                     }),
                1e-6);
  }
}

TEST_F(Nn, NormTakesOtherPowers) {
  const Tensor self = In(ACL_FLOAT16, {4}, {3, 0, -4, 1}), out = Out(ACL_FLOAT16, {1});
  const std::pair<float, double> cases[] = {
      {1, 8}, {0, 3}, {INFINITY, 4}, {-INFINITY, 0}, {3, std::cbrt(92)}};
  for (const auto& [p, expected] : cases) {
    Run(NN(Norm), self, Scalar(p), Ints{0}, false, out);
    ExpectClose(out.Read(), {expected}, Tolerance(ACL_FLOAT16));
  }
}

TEST_F(Nn, ArgMaxTakesTheFirst) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32})
    for (const aclDataType out_type : {ACL_INT32, ACL_INT64})
      for (const Layout layout : kLayouts) {
        const Tensor self = In(type, kDims, SpreadInts(120, 0, 2), layout),
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
      for (const Layout layout : kLayouts) {
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
      for (const Layout layout : kLayouts) {
        const Tensor self = In(type, kDims, Whole(120), layout), out = Out(ACL_FLOAT, kDims, layout);
        Run(NN(Cumsum), self, dim, ACL_FLOAT, out);
        ExpectClose(out.Read(), Along(self, dim == 3 ? 3 : 2, sums), 1e-6);
      }
  const Tensor whole = In(ACL_INT32, {3}, {2000000000, 2000000000, 1}), wide = Out(ACL_INT64, {3});
  Run(NN(Cumsum), whole, 0, ACL_INT64, wide);
  EXPECT_EQ(wide.Read(), (Values{2e9, 4e9, 4000000001.0}));
}

}  // namespace
}  // namespace nn
