// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dimensions that become one number.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/places.h"
#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_aminmax_all.h"
#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_min_dim.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"

namespace nn {
namespace {

const Dims kDims{2, 3, 4, 5};

double SumOf(const Values& line) {
  return std::accumulate(line.begin(), line.end(), 0.0);
}

TEST_F(Nn, ReduceSumTakesRowsOfEveryLayoutAndType) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kAllLayouts) {
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
  for (const Layout layout : kAllLayouts) {
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

TEST_F(Nn, ExtremesOfADimensionTellTheirPlaces) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64}) {
    const Tensor self = In(type, {2, 3}, {3, 7, 7, -1, -5, 0}, Layout::kTransposed), most = Out(type, {2, 1}),
                 least = Out(type, {2}, Layout::kEveryOther), places = Out(ACL_INT64, {2, 1}),
                 others = Out(ACL_INT64, {2});
    Run(NN(MaxDim), self, -1, true, most, places);
    EXPECT_EQ(most.Read(), (Values{7, 0})) << type;
    EXPECT_EQ(places.Read(), (Values{1, 2})) << type;
    Run(NN(MinDim), self, 1, false, least, others);
    EXPECT_EQ(least.Read(), (Values{3, -5})) << type;
    EXPECT_EQ(others.Read(), (Values{0, 1})) << type;
  }
  const Tensor one = Out(ACL_FLOAT, {}), place = Out(ACL_INT64, {});
  Run(NN(MaxDim), In(ACL_FLOAT, {}, {4}), 0, false, one, place);
  EXPECT_EQ(one.Read(), (Values{4}));
  EXPECT_EQ(place.Read(), (Values{0}));
}

TEST_F(Nn, VectorNormIsComputedInTheTypeThatIsSaid) {
  const Tensor self = In(ACL_FLOAT16, {2, 2}, {300, 400, 0, -2}), out = Out(ACL_FLOAT, {2, 1});
  Run(NN(LinalgVectorNorm), self, Scalar(2.0f), Ints{-1}, true, ACL_FLOAT, out);
  ExpectClose(out.Read(), {500, 2}, 1e-6);
  const Tensor all = Out(ACL_FLOAT, {});
  Run(NN(LinalgVectorNorm), self, Scalar(1.0f), Ints{}, false, ACL_FLOAT, all);
  ExpectClose(all.Read(), {702}, 1e-6);
}

TEST_F(Nn, AminmaxGivesBothExtremes) {
  const Tensor self = In(ACL_FLOAT16, {2, 3}, {3, 7, 1, -1, -5, 0}, Layout::kTransposed),
               low = Out(ACL_FLOAT16, {2, 1}), high = Out(ACL_FLOAT16, {2, 1}), least = Out(ACL_FLOAT16, {}),
               most = Out(ACL_FLOAT16, {});
  Run(NN(Aminmax), self, Ints{1}, true, low, high);
  EXPECT_EQ(low.Read(), (Values{1, -5}));
  EXPECT_EQ(high.Read(), (Values{7, 0}));
  Run(NN(AminmaxDim), self, -1, true, low, high);
  EXPECT_EQ(low.Read(), (Values{1, -5}));
  Run(NN(AminmaxAll), self, least, most);
  EXPECT_EQ(least.Read(), (Values{-5}));
  EXPECT_EQ(most.Read(), (Values{7}));
}

TEST_F(Nn, VariancesDivideByTheCorrectedNumber) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor self = In(type, {2, 4}, Spread(8), Layout::kPaddedRows), var = Out(type, {2}),
                 mean = Out(type, {2}), deviation = Out(type, {2, 1});
    const Values means = Each(self, 1, [](const Values& line) { return SumOf(line) / 4; });
    const auto variances = [&](double divisor) {
      return Each(self, 1, [&](const Values& line) {
        double sum = 0;
        for (const double value : line)
          sum += (value - SumOf(line) / 4) * (value - SumOf(line) / 4);
        return sum / divisor;
      });
    };
    const auto root = [](double x) { return std::sqrt(x); };
    Run(NN(VarMean), self, Ints{1}, 1, false, var, mean);
    ExpectClose(var.Read(), variances(3), Tolerance(type));
    ExpectClose(mean.Read(), means, Tolerance(type));
    Run(NN(VarCorrection), self, Ints{-1}, 0, false, var);
    ExpectClose(var.Read(), variances(4), Tolerance(type));
    Run(NN(Std), self, Ints{1}, 2, true, deviation);
    ExpectClose(deviation.Read(), Applied(variances(2), root), Tolerance(type));
    Run(NN(StdMeanCorrection), self, Ints{1}, 1, true, deviation, mean);
    ExpectClose(deviation.Read(), Applied(variances(3), root), Tolerance(type));
  }
}

TEST_F(Nn, LogSumExpDoesNotOverflow) {
  const Tensor self = In(ACL_FLOAT, {2, 2}, {1000, 1000, 0, -INFINITY}), out = Out(ACL_FLOAT, {2});
  Run(NN(LogSumExp), self, Ints{1}, false, out);
  ExpectClose(out.Read(), {1000 + std::log(2.0), 0}, 1e-6);
}

}  // namespace
}  // namespace nn
