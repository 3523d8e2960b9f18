// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Odd arguments of functions that move, index and reduce.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_topk.h"

namespace nn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

// Both phases answer well, and the synchronisation says what went wrong.
template <typename FirstPhase, typename... Args>
void ExpectFailedRun(const std::string& word, const char* name, FirstPhase first, SecondPhase second,
                     const Args&... args) {
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  RecentError();
  ASSERT_OK(first(objects.Of(args)..., &workspace, &executor)) << name;
  ASSERT_OK(second(nullptr, 0, executor, Nn::stream()));
  EXPECT_NE(aclrtSynchronizeStream(Nn::stream()), 0) << name;
  const std::string text = RecentError();
  EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST_F(Nn, ReduceSumOfOddArguments) {
  const Tensor x = In(ACL_FLOAT16, {2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed);
  const Tensor one = Out(ACL_FLOAT, {1, 1}), none = Out(ACL_FLOAT, {}), wide = Out(ACL_INT64, {3});
  Run(NN(ReduceSum), x, Ints{}, true, ACL_FLOAT, one);
  EXPECT_EQ(one.Read(), (Values{21}));
  Run(NN(ReduceSum), x, Ints{}, false, ACL_FLOAT, none);
  EXPECT_EQ(none.Read(), (Values{21}));
  Run(NN(ReduceSum), x, Ints{-2}, false, ACL_INT64, wide);
  EXPECT_EQ(wide.Read(), (Values{5, 7, 9}));
  const Tensor truths = In(ACL_BOOL, {4}, {1, 1, 0, 1}), count = Out(ACL_INT64, {});
  Run(NN(ReduceSum), truths, Ints{0}, false, ACL_INT64, count);
  EXPECT_EQ(count.Read(), (Values{3}));
  const Tensor half = Out(ACL_FLOAT16, {});
  Run(NN(ReduceSum), In(ACL_FLOAT16, {4096}, Values(4096, 1)), Ints{0}, false, ACL_FLOAT16, half);
  EXPECT_EQ(half.Read(), (Values{4096}));
  const Tensor nothing = Out(ACL_FLOAT, {3});
  Run(NN(ReduceSum), In(ACL_FLOAT, {0, 3}, {}), Ints{0}, false, ACL_FLOAT, nothing);
  EXPECT_EQ(nothing.Read(), (Values{0, 0, 0}));
  Run(NN(ReduceSum), In(ACL_FLOAT, {}, {5}), Ints{}, false, ACL_FLOAT, none);
  EXPECT_EQ(none.Read(), (Values{5}));
  Run(NN(Mean), In(ACL_INT32, {4}, {1, 2, 3, 5}), Ints{0}, false, ACL_FLOAT, none);
  EXPECT_EQ(none.Read(), (Values{2.75}));
}

TEST_F(Nn, NormsOfEveryPower) {
  const Tensor x = In(ACL_FLOAT, {2, 3}, {3, -4, 0, 1, 2, -2}), out = Out(ACL_FLOAT, {2, 1});
  const auto norm = [&](const Scalar& p, const Values& expected) {
    Run(NN(Norm), x, p, Ints{-1}, true, out);
    ExpectClose(out.Read(), expected, 1e-6);
  };
  norm(Scalar(2.0f), {5, 3});
  norm(Scalar(1.0f), {7, 5});
  norm(Scalar(0.0f), {2, 3});
  norm(Scalar(static_cast<float>(kInf)), {4, 2});
  norm(Scalar(static_cast<float>(-kInf)), {0, 1});
  norm(Scalar(3.0f), {std::cbrt(91.0), std::cbrt(17.0)});
  norm(Scalar(2), {5, 3});
  const Tensor all = Out(ACL_FLOAT16, {});
  Run(NN(Norm), In(ACL_FLOAT16, {2, 2}, {100, 200, 200, 100}), Scalar(2.0f), Ints{}, false, all);
  ExpectClose(all.Read(), {std::sqrt(100000.0)}, 1e-3);
  const Tensor zeros = Out(ACL_FLOAT, {2});
  Run(NN(Norm), In(ACL_FLOAT, {2, 0}, {}), Scalar(2.0f), Ints{1}, false, zeros);
  EXPECT_EQ(zeros.Read(), (Values{0, 0}));
}

TEST_F(Nn, ArgMaxTakesNanAndTheFirstOfEquals) {
  const Tensor x = In(ACL_FLOAT, {3, 3}, {1, 5, 5, 2, kNan, 3, -kInf, -kInf, -kInf}),
               out = Out(ACL_INT32, {3});
  Run(NN(ArgMax), x, std::int64_t{1}, false, out);
  EXPECT_EQ(out.Read(), (Values{1, 1, 0}));
  const Tensor wide = Out(ACL_INT64, {1, 3});
  Run(NN(ArgMax), x, std::int64_t{0}, true, wide);
  EXPECT_EQ(wide.Read()[0], 1);
  const Tensor bf = In(ACL_BF16, {2, 2}, {1, 2, 4, 3}, Layout::kTransposed), two = Out(ACL_INT64, {2});
  Run(NN(ArgMax), bf, std::int64_t{-1}, false, two);
  EXPECT_EQ(two.Read(), (Values{1, 0}));
}

TEST_F(Nn, TopkKeepsTheOrderOfEquals) {
  const Tensor x = In(ACL_FLOAT, {5}, {2, 7, 7, 1, 7}), values = Out(ACL_FLOAT, {3}),
               at = Out(ACL_INT64, {3});
  Run(NN(Topk), x, std::int64_t{3}, std::int64_t{0}, true, true, values, at);
  EXPECT_EQ(values.Read(), (Values{7, 7, 7}));
  EXPECT_EQ(at.Read(), (Values{1, 2, 4}));
  const Tensor none = Out(ACL_FLOAT, {0}), nowhere = Out(ACL_INT64, {0});
  Run(NN(Topk), x, std::int64_t{0}, std::int64_t{0}, true, true, none, nowhere);
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_INT8}) {
    const Tensor y = In(type, {2, 3}, {3, 1, 2, 9, 8, 7}, Layout::kTransposed), best = Out(type, {2, 2});
    const Tensor places = Out(ACL_INT64, {2, 2}, Layout::kPaddedRows);
    Run(NN(Topk), y, std::int64_t{2}, std::int64_t{-1}, false, true, best, places);
    EXPECT_EQ(best.Read(), (Values{1, 2, 7, 8})) << type;
    EXPECT_EQ(places.Read(), (Values{1, 2, 2, 1})) << type;
  }
  ExpectRefused(161002, "'k' is 6", NN(Topk), x, std::int64_t{6}, std::int64_t{0}, true, true, values, at);
}

TEST_F(Nn, ArgsortTakesTypesAndPutsNanLast) {
  const Tensor x = In(ACL_FLOAT, {4}, {3, kNan, -1, 2}), at = Out(ACL_INT64, {4});
  Run(NN(Argsort), x, std::int64_t{-1}, false, at);
  EXPECT_EQ(at.Read(), (Values{2, 3, 0, 1}));
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64}) {
    Run(NN(Argsort), In(type, {4}, {3, 9, -1, 2}), std::int64_t{0}, true, at);
    EXPECT_EQ(at.Read(), (Values{1, 0, 3, 2})) << type;
  }
}

TEST_F(Nn, SlicesAreClipped) {
  const Tensor x = In(ACL_INT32, {2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto slice = [&](std::int64_t start, std::int64_t end, std::int64_t step, const Values& expected) {
    const Tensor out = Out(ACL_INT32, {2, static_cast<std::int64_t>(expected.size()) / 2});
    Run(NN(Slice), x, std::int64_t{-1}, start, end, step, out);
    EXPECT_EQ(out.Read(), expected);
  };
  slice(-3, -1, 1, {2, 3, 7, 8});
  slice(-99, 2, 1, {0, 1, 5, 6});
  slice(3, INT64_MAX, 1, {3, 4, 8, 9});
  slice(0, 5, 2, {0, 2, 4, 5, 7, 9});
  slice(1, 100, 3, {1, 4, 6, 9});
  slice(4, 2, 1, {});
  slice(7, 9, 1, {});
  slice(0, 5, 100, {0, 5});
  ExpectRefused(161002, "step", NN(Slice), x, std::int64_t{1}, std::int64_t{0}, std::int64_t{5},
                std::int64_t{0}, Out(ACL_INT32, {2, 5}));
}

TEST_F(Nn, PadsOfIntegersTakeWholeNumbers) {
  for (const aclDataType type : {ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_INT16}) {
    const Tensor x = In(type, {2, 2}, {1, 2, 3, 4}, Layout::kTransposed),
                 out = Out(type, {3, 3}, Layout::kPaddedRows);
    Run(NN(ConstantPadNd), x, Ints{1, 0, 0, 1}, Scalar(7.0f), out);
    EXPECT_EQ(out.Read(), (Values{7, 1, 2, 7, 3, 4, 7, 7, 7})) << type;
  }
  const Tensor wide = In(ACL_INT64, {1}, {1}), out = Out(ACL_INT64, {2});
  Run(NN(ConstantPadNd), wide, Ints{0, 1}, Scalar(ACL_INT64, 9007199254740991.0), out);
  EXPECT_EQ(out.Read(), (Values{1, 9007199254740991.0}));
  const Tensor truths = In(ACL_BOOL, {1}, {1}), more = Out(ACL_BOOL, {3});
  Run(NN(ConstantPadNd), truths, Ints{1, 1}, Scalar(0.0f), more);
  EXPECT_EQ(more.Read(), (Values{0, 1, 0}));
  const Tensor empty = Out(ACL_FLOAT, {2, 2});
  Run(NN(ConstantPadNd), In(ACL_FLOAT, {0, 2}, {}), Ints{0, 0, 1, 1}, Scalar(5.0f), empty);
  EXPECT_EQ(empty.Read(), (Values{5, 5, 5, 5}));
  const Tensor mixed = Out(ACL_FLOAT, {2});
  Run(NN(ConstantPadNd), In(ACL_FLOAT, {4}, {1, 2, 3, 4}), Ints{-3, 1}, Scalar(-kInf), mixed);
  EXPECT_EQ(mixed.Read(), (Values{4, -kInf}));
  Run(NN(ConstantPadNd), In(ACL_FLOAT, {2}, {1, 2}), Ints{}, Scalar(0.0f), mixed);
  EXPECT_EQ(mixed.Read(), (Values{1, 2}));
}

TEST_F(Nn, RepeatsOfNothing) {
  const Tensor x = In(ACL_FLOAT, {2}, {1, 2}), out = Out(ACL_FLOAT, {0}), none = Out(ACL_FLOAT, {3, 0});
  Run(NN(Repeat), x, Ints{0}, out);
  Run(NN(Repeat), x, Ints{3, 0}, none);
  const Tensor number = In(ACL_FLOAT, {}, {4}), same = Out(ACL_FLOAT, {}), many = Out(ACL_FLOAT, {2, 2});
  Run(NN(Repeat), number, Ints{}, same);
  EXPECT_EQ(same.Read(), (Values{4}));
  Run(NN(Repeat), number, Ints{2, 2}, many);
  EXPECT_EQ(many.Read(), (Values{4, 4, 4, 4}));
  Run(NN(Repeat), In(ACL_FLOAT, {0, 2}, {}), Ints{2, 2}, Out(ACL_FLOAT, {0, 4}));
  Run(NN(RepeatInterleaveIntWithDim), x, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, out);
}

TEST_F(Nn, CatOfMixturesAndNothing) {
  const Tensor a = In(ACL_INT32, {1, 2}, {1, 2}), b = In(ACL_FLOAT16, {1, 2}, {3.5, 4}),
               c = In(ACL_BOOL, {1, 2}, {1, 0});
  const Tensor nothing = In(ACL_FLOAT, {0}, {}), empty = In(ACL_FLOAT16, {0, 2}, {});
  const Tensor out = Out(ACL_FLOAT, {3, 2});
  Run(NN(Cat), List{&a, &nothing, &b, &empty, &c}, std::int64_t{0}, out);
  EXPECT_EQ(out.Read(), (Values{1, 2, 3.5, 4, 1, 0}));
  const Tensor whole = Out(ACL_INT32, {2, 2});
  Run(NN(Cat), List{&a, &c}, std::int64_t{-2}, whole);
  EXPECT_EQ(whole.Read(), (Values{1, 2, 1, 0}));
  Run(NN(Cat), List{&empty, &empty}, std::int64_t{0}, Out(ACL_FLOAT16, {0, 2}));
}

TEST_F(Nn, IndicesCountFromTheEndAndStayInside) {
  const Tensor x = In(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6}), out = Out(ACL_FLOAT, {2, 2});
  Run(NN(GatherV2), x, std::int64_t{0}, In(ACL_INT64, {2}, {-1, 0}), out);
  EXPECT_EQ(out.Read(), (Values{5, 6, 1, 2}));
  const Tensor row = Out(ACL_FLOAT, {2});
  Run(NN(GatherV2), x, std::int64_t{-2}, In(ACL_INT32, {}, {1}), row);
  EXPECT_EQ(row.Read(), (Values{3, 4}));
  Run(NN(GatherV2), x, std::int64_t{0}, In(ACL_INT32, {0}, {}), Out(ACL_FLOAT, {0, 2}));
  ExpectFailedRun("7", NN(GatherV2), x, std::int64_t{0}, In(ACL_INT32, {2}, {0, 7}), out);
}

TEST_F(Nn, IndexSelectOfOddIndices) {
  const Tensor x = In(ACL_FLOAT, {3, 2}, {1, 2, 3, 4, 5, 6}), out = Out(ACL_FLOAT, {1, 2});
  Run(NN(IndexSelect), x, std::int64_t{0}, In(ACL_INT32, {}, {2}), out);
  EXPECT_EQ(out.Read(), (Values{5, 6}));
  ExpectFailedRun("3", NN(IndexSelect), x, std::int64_t{0}, In(ACL_INT32, {1}, {3}), out);
}

TEST_F(Nn, IndexCopyTakesDuplicatesViewsAndRefusesWhatIsOutside) {
  const Tensor x = Ref(ACL_FLOAT, {3, 2}, {0, 0, 0, 0, 0, 0}, Layout::kPaddedRows);
  const Tensor source = In(ACL_FLOAT, {2, 2}, {1, 1, 2, 2});
  Run(NN(InplaceIndexCopy), x, std::int64_t{0}, In(ACL_INT64, {2}, {1, 1}), source);
  const double kept = x.Read()[2];
  EXPECT_TRUE(kept == 1 || kept == 2);
  EXPECT_EQ(x.Read()[3], kept);
  Run(NN(InplaceIndexCopy), x, std::int64_t{0}, In(ACL_INT32, {2}, {2, 0}),
      In(ACL_FLOAT16, {2, 2}, {3, 4, 5, 6}));
  EXPECT_EQ(x.Read(), (Values{5, 6, kept, kept, 3, 4}));
  ExpectFailedRun("5", NN(InplaceIndexCopy), x, std::int64_t{0}, In(ACL_INT64, {2}, {1, 5}), source);
}

TEST_F(Nn, IndexFillTakesDuplicatesAndNegatives) {
  const Tensor x = Ref(ACL_FLOAT, {2, 4}, Values(8, 1), Layout::kTransposed);
  Run(NN(InplaceIndexFillTensor), x, std::int64_t{-1}, Ints{0, 3, 3}, Scalar(-2.0f));
  EXPECT_EQ(x.Read(), (Values{-2, 1, 1, -2, -2, 1, 1, -2}));
  Run(NN(InplaceIndexFillTensor), x, std::int64_t{1}, Ints{-3}, Scalar(5.0f));
  EXPECT_EQ(x.Read(), (Values{-2, 5, 1, -2, -2, 5, 1, -2}));
}

TEST_F(Nn, SoftmaxOfANumberIsOne) {
  const Tensor out = Out(ACL_FLOAT, {});
  Run(NN(Softmax), In(ACL_FLOAT, {}, {3}), std::int64_t{0}, out);
  EXPECT_EQ(out.Read(), (Values{1}));
}

TEST_F(Nn, CumsumOfHalvesIsRoundedOnce) {
  const Tensor out = Out(ACL_FLOAT16, {1, 3000});
  Run(NN(Cumsum), In(ACL_FLOAT16, {1, 3000}, Values(3000, 1)), std::int64_t{1}, ACL_FLOAT16, out);
  EXPECT_EQ(out.Read()[2999], 3000);
  const Tensor wide = Out(ACL_INT64, {3});
  Run(NN(Cumsum), In(ACL_FLOAT, {3}, {1.9, 1.9, 1.9}), std::int64_t{0}, ACL_INT64, wide);
  EXPECT_EQ(wide.Read(), (Values{1, 2, 3}));
}

TEST_F(Nn, RollWithoutDimensionsGoesThroughAll) {
  const Tensor x = In(ACL_FLOAT, {2, 3}, {1, 2, 3, 4, 5, 6}), out = Out(ACL_FLOAT, {2, 3});
  Run(NN(Roll), x, Ints{1}, Ints{}, out);
  EXPECT_EQ(out.Read(), (Values{6, 1, 2, 3, 4, 5}));
  Run(NN(Roll), x, Ints{-1, 4}, Ints{-1, 0}, out);
  EXPECT_EQ(out.Read(), (Values{2, 3, 1, 5, 6, 4}));
}

}  // namespace
}  // namespace nn
