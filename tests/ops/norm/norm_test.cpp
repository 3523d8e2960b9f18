// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double Tolerance(DataType type) {
  return type == DataType::kBfloat16 ? 2e-2 : type == DataType::kFloat16 ? 4e-3 : 2e-5;
}

const DataType kFloatTypes[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

// Mean and variance of the elements that have the same key.
struct Joint {
  double count = 0, sum = 0, squares = 0;
  void Add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
  double Mean() const { return sum / count; }
  double Variance() const { return squares / count - Mean() * Mean(); }
};

template <typename Key>
std::map<Index, Joint> JointsOf(const TensorValue& x, Key&& key) {
  std::map<Index, Joint> joints;
  const std::vector<double> numbers = Numbers(x);
  ForIndices(x.dims(), [&](const Index& i) { joints[key(i)].Add(numbers[Offset(x.dims(), i)]); });
  return joints;
}

struct GroupCase {
  Dims dims;
  Format format;
  std::string data_format;
  std::size_t channel_axis;
  std::int64_t groups;
};

class GroupNorm : public testing::TestWithParam<GroupCase> {};

TEST_P(GroupNorm, NormalisesGroupsOfChannels) {
  const GroupCase& c = GetParam();
  for (const DataType type : kFloatTypes) {
    const TensorValue x = Random(type, c.dims, 1, c.format);
    const std::int64_t channels = c.dims[c.channel_axis];
    const TensorValue gamma = Random(type, {channels}, 2), beta = Random(type, {channels}, 3);
    const auto key = [&](const Index& i) { return Index{i[0], i[c.channel_axis] / (channels / c.groups)}; };
    const auto joints = JointsOf(x, key);
    std::vector<double> expected, means, variances, inverses;
    ForIndices(c.dims, [&](const Index& i) {
      const Joint& joint = joints.at(key(i));
      const auto channel = static_cast<std::size_t>(i[c.channel_axis]);
      expected.push_back((Numbers(x)[Offset(c.dims, i)] - joint.Mean()) / std::sqrt(joint.Variance() + 1e-3) *
                             Numbers(gamma)[channel] +
                         Numbers(beta)[channel]);
    });
    for (const auto& [at, joint] : joints) {
      means.push_back(joint.Mean());
      variances.push_back(joint.Variance());
      inverses.push_back(1 / std::sqrt(joint.Variance() + 1e-3));
    }
    for (const char* op : {"GroupNorm", "GroupNormV2"}) {
      OpRun run(op);
      run.Late("x", x).Late("gamma", gamma).Late("beta", beta).Attr("num_groups", c.groups);
      run.Attr("data_format", c.data_format).Attr("eps", 1e-3f).Out("y").Out("mean").Out("third");
      const auto out = run.RunAll();
      EXPECT_EQ(out[1].dims(), (Dims{c.dims[0] * c.groups}));
      ExpectNear(out[0], expected, Tolerance(type));
      ExpectNear(out[1], means, Tolerance(type));
      ExpectNear(out[2], std::string(op) == "GroupNorm" ? variances : inverses, Tolerance(type));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, GroupNorm,
                         testing::Values(GroupCase{{2, 4, 3, 5}, Format::kNchw, "NHWC", 1, 2},
                                         GroupCase{{2, 3, 5, 4}, Format::kNhwc, "NCHW", 3, 2},
                                         GroupCase{{2, 6, 3}, Format::kNd, "NCHW", 1, 3},
                                         GroupCase{{1, 3, 2, 6}, Format::kNd, "NHWC", 3, 6},
                                         GroupCase{{3, 4}, Format::kNd, "NCHW", 1, 1}));

TEST(GroupNormSilu, ActivatesAndDoesWithoutParameters) {
  const TensorValue x = Floats({1, 2, 2}, {1, 3, -1, 1});
  for (const bool activate : {true, false}) {
    OpRun run("GroupNormSilu");
    run.Late("x", x).NoInput("gamma").NoInput("beta").Attr("num_groups", std::int64_t{2});
    run.Attr("eps", 0.0f).Attr("activate_silu", activate).Out("y").Out("mean").Out("rstd");
    const auto out = run.RunAll();
    const double minus = activate ? -1 / (1 + std::exp(1.0)) : -1,
                 plus = activate ? 1 / (1 + std::exp(-1.0)) : 1;
    ExpectNear(out[0], {minus, plus, minus, plus}, 1e-5);
    EXPECT_EQ(out[1].dims(), (Dims{1, 2}));
    ExpectNear(out[1], {2, 0});
    ExpectNear(out[2], {1, 1});
  }
}

TEST(GroupNormOp, RefusesGroupsThatDoNotFit) {
  for (const std::int64_t groups : {0, 3, -1}) {
    OpRun run("GroupNormSilu");
    run.Late("x", Random(DataType::kFloat, {1, 4, 2}, 1)).Attr("num_groups", groups).Out("y");
    EXPECT_THROW(run.RunAll(), Error);
  }
}

TEST(RmsNorm, DividesByTheRootOfTheMeanSquare) {
  for (const DataType type : kFloatTypes)
    for (const Dims& gamma_dims : {Dims{5}, Dims{3, 5}}) {
      const TensorValue x = Random(type, {2, 3, 5}, 1), gamma = Random(type, gamma_dims, 2);
      const auto key = [&](const Index& i) {
        return gamma_dims.size() == 1 ? Index{i[0], i[1]} : Index{i[0]};
      };
      const auto joints = JointsOf(x, key);
      std::vector<double> expected, inverses;
      const std::vector<double> gammas = Numbers(gamma);
      ForIndices(x.dims(), [&](const Index& i) {
        const Joint& joint = joints.at(key(i));
        expected.push_back(Numbers(x)[Offset(x.dims(), i)] / std::sqrt(joint.squares / joint.count + 1e-2) *
                           gammas[Offset(x.dims(), i) % gammas.size()]);
      });
      for (const auto& [at, joint] : joints)
        inverses.push_back(1 / std::sqrt(joint.squares / joint.count + 1e-2));
      OpRun run("RmsNorm");
      run.Late("x", x).Late("gamma", gamma).Attr("epsilon", 1e-2f).Out("y").Out("rstd");
      const auto out = run.RunAll();
      ExpectNear(out[0], expected, Tolerance(type));
      EXPECT_EQ(out[1].type().type, DataType::kFloat);
      EXPECT_EQ(out[1].dims(), gamma_dims.size() == 1 ? (Dims{2, 3, 1}) : (Dims{2, 1, 1}));
      ExpectNear(out[1], inverses, 1e-5);
    }
  EXPECT_THROW(
      OpRun("RmsNorm").Late("x", Floats({2}, {1, 2})).Late("gamma", Floats({3}, {1, 1, 1})).Out("y").RunAll(),
      Error);
}

TEST(AddRmsNorm, NormalisesTheSumAndReturnsIt) {
  OpRun run("AddRmsNorm");
  run.Late("x1", Floats({1, 2}, {1, 2}))
      .Late("x2", Floats({1, 2}, {2, 2}))
      .Late("gamma", Floats({2}, {1, 10}));
  const auto out = run.Attr("epsilon", 0.0f).Out("y").Out("rstd").Out("x").RunAll();
  const double root = std::sqrt(12.5);
  ExpectNear(out[0], {3 / root, 40 / root}, 1e-5);
  ExpectNear(out[1], {1 / root}, 1e-5);
  ExpectNear(out[2], {3, 4});
}

TEST(AddLayerNorm, AddsABiasOfARowOrOfAll) {
  for (const TensorValue& bias : {Floats({2}, {1, 1}), Floats({2, 2}, {1, 1, 1, 1})}) {
    OpRun run("AddLayerNorm");
    run.Late("x1", Floats({2, 2}, {1, 2, 5, 0})).Late("x2", Floats({2, 2}, {0, 1, 0, 1}));
    run.Late("gamma", Floats({2}, {2, 3})).Late("beta", Floats({2}, {10, 20})).Late("bias", bias);
    run.Attr("epsilon", 0.0f).Out("y").Out("mean").Out("rstd").Out("x");
    const auto out = run.RunAll();
    ExpectNear(out[3], {2, 4, 6, 2});
    ExpectNear(out[1], {3, 4});
    ExpectNear(out[2], {1, 0.5});
    ExpectNear(out[0], {8, 23, 12, 17}, 1e-5);
  }
}

TEST(L2Normalize, DividesByTheNormOverAxes) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
    const auto run = [&](const Ints& axes, std::vector<double> x) {
      return OpRun("L2Normalize")
          .Late("x", Tensor(type, {2, 2}, x))
          .Attr("axis", axes)
          .Attr("eps", 1e-2f)
          .Out("y")
          .Run();
    };
    ExpectNear(run({1}, {3, 4, 0, 0.05}), {0.6, 0.8, 0, 0.5}, 2e-3);
    ExpectNear(run({0}, {3, 4, 4, 3}), {0.6, 0.8, 0.8, 0.6}, 2e-3);
    ExpectNear(run({}, {1, 1, 1, 1}), {0.5, 0.5, 0.5, 0.5}, 2e-3);
  }
}

struct NormCase {
  Attribute p;
  Ints axes;
  bool keep;
  Dims dims;
  std::vector<double> expected;
};

class LpNorm : public testing::TestWithParam<NormCase> {};

TEST_P(LpNorm, EqualsItsDefinition) {
  const NormCase& c = GetParam();
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
    const bool whole = std::holds_alternative<std::int64_t>(c.p);
    OpRun run(whole ? "LpNorm" : "LpNormV2");
    run.Late("x", Tensor(type, {2, 2, 2}, {1, -2, 0, 4, -3, 0, 2, 2})).Attr("p", c.p).Attr("axes", c.axes);
    const TensorValue y = run.Attr("keepdim", c.keep).Attr("epsilon", 0.5f).Out("y").Run();
    EXPECT_EQ(y.dims(), c.dims);
    ExpectNear(y, c.expected, 2e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Powers, LpNorm,
    testing::Values(
        NormCase{std::int64_t{2}, {}, false, {}, {std::sqrt(38.0)}},
        NormCase{std::int64_t{1}, {-1}, true, {2, 2, 1}, {3, 4, 3, 4}},
        NormCase{std::int64_t{0}, {2}, false, {2, 2}, {2, 1, 1, 2}},
        NormCase{std::int64_t{2147483647}, {0, 2}, false, {2}, {3, 4}},
        NormCase{std::int64_t{-2147483648}, {0, 2}, false, {2}, {0.5, 0.5}},
        NormCase{std::int64_t{3}, {1}, false, {2, 2}, {1, std::cbrt(72.0), std::cbrt(35.0), 2}},
        NormCase{0.5f, {0}, false, {2, 2}, {std::pow(1 + std::sqrt(3.0), 2), 2, 2, 6 + 4 * std::sqrt(2.0)}}));

TEST(LpNorm, HasTwoHalves) {
  const auto halves = [](float p, const std::vector<double>& x) {
    const TensorValue sums = OpRun("LpNormReduceV2")
                                 .Late("x", Floats({2, 2}, x))
                                 .Attr("p", p)
                                 .Attr("axes", Ints{1})
                                 .Attr("epsilon", 0.0f)
                                 .Out("y")
                                 .Run();
    const TensorValue norms =
        OpRun("LpNormUpdateV2").Late("x", sums).Attr("p", p).Attr("epsilon", 2.5f).Out("y").Run();
    return std::pair(sums, norms);
  };
  const auto [sums, norms] = halves(3, {1, -2, 0, 4});
  ExpectNear(sums, {9, 64}, 1e-5);
  ExpectNear(norms, {2.5, 4}, 1e-5);
  const auto [counts, same] = halves(0, {kNaN, 0, 3, 4});
  ExpectNear(counts, {1, 2});
  ExpectNear(same, {2.5, 2.5});
}

TEST(LpNorm, OfANumberIsAlongItsOnlyElement) {
  for (const Ints& axes : {Ints{}, Ints{0}, Ints{-1}}) {
    const TensorValue sum =
        OpRun("LpNormReduceV2").Late("x", Floats({}, {-3})).Attr("p", 3.0f).Attr("axes", axes).Out("y").Run();
    EXPECT_EQ(sum.dims(), Dims{});
    ExpectNear(sum, {27}, 1e-5);
  }
}

TEST(GlobalLpPool, TakesTheNormOfEveryPlane) {
  const TensorValue x = Floats({1, 2, 2, 1}, {3, -4, 1, 1});
  const TensorValue y = OpRun("GlobalLpPool").Late("x", x).Attr("p", 2.0f).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 2, 1, 1}));
  ExpectNear(y, {5, std::sqrt(2.0)});
  ExpectNear(OpRun("GlobalLpPool").Late("x", x).Attr("p", 1.0f).Out("y").Run(), {7, 2});
  ExpectNear(OpRun("GlobalLpPool").Late("x", Floats({1, 1, 2}, {kNaN, 1})).Out("y").Run(), {kNaN});
}

TEST(Mvn, StandardisesEverySampleByChannelOrAsAWhole) {
  const auto run = [](bool across, bool variance, Format format, const Dims& dims) {
    OpRun op("MVN");
    op.Late("x", Floats(dims, {1, 3, 10, 30}, format)).Attr("across_channels", across);
    return op.Attr("normalize_variance", variance).Attr("eps", 1.0f).Out("y").Run();
  };
  ExpectNear(run(false, true, Format::kNchw, {1, 2, 1, 2}), {-0.5, 0.5, -10 / 11.0, 10 / 11.0}, 1e-5);
  ExpectNear(run(false, false, Format::kNchw, {1, 2, 1, 2}), {-1, 1, -10, 10}, 1e-5);
  ExpectNear(run(true, false, Format::kNchw, {1, 2, 1, 2}), {-10, -8, -1, 19}, 1e-5);
  ExpectNear(run(false, false, Format::kNhwc, {1, 1, 2, 2}), {-4.5, -13.5, 4.5, 13.5}, 1e-5);
}

TEST(MvnV2, StandardisesOverTheAxesGiven) {
  for (const Ints& axes : {Ints{0, 2, 3}, Ints{1}, Ints{-1, 0}}) {
    const TensorValue x = Random(DataType::kFloat, {3, 2, 4, 2}, 4);
    const auto key = [&](Index i) {
      for (const std::int64_t axis : axes)
        i[static_cast<std::size_t>(axis < 0 ? axis + 4 : axis)] = 0;
      return i;
    };
    const auto joints = JointsOf(x, key);
    std::vector<double> expected;
    ForIndices(x.dims(), [&](const Index& i) {
      const Joint& joint = joints.at(key(i));
      expected.push_back((Numbers(x)[Offset(x.dims(), i)] - joint.Mean()) / std::sqrt(joint.Variance()));
    });
    ExpectNear(OpRun("MVNV2").Late("x", x).Attr("axes", axes).Out("y").Run(), expected, 1e-4);
  }
}

TEST(ReduceStd, GivesDeviationAndMean) {
  const TensorValue x = Floats({2, 2}, {1, 3, 5, 9});
  const auto run = [&](const Ints& dim, bool unbiased, bool keep) {
    OpRun op("ReduceStd");
    op.Late("x", x).Attr("dim", dim).Attr("unbiased", unbiased).Attr("keepdim", keep);
    return op.Out("y1").Out("y2").RunAll();
  };
  const auto rows = run({1}, true, true);
  EXPECT_EQ(rows[0].dims(), (Dims{2, 1}));
  ExpectNear(rows[0], {std::sqrt(2.0), std::sqrt(8.0)}, 1e-5);
  ExpectNear(rows[1], {2, 7});
  const auto columns = run({0}, false, false);
  EXPECT_EQ(columns[0].dims(), (Dims{2}));
  ExpectNear(columns[0], {2, 3});
  ExpectNear(run({}, false, false)[1], {4.5});
  const auto none =
      OpRun("ReduceStd").Late("x", Floats({2, 0}, {})).Attr("dim", Ints{1}).Out("y1").Out("y2").RunAll();
  ExpectNear(none[0], {kNaN, kNaN});
}

TEST(ReduceMeanVariance, KeepsDimensionsUnlessToldOtherwise) {
  const TensorValue x = Tensor(DataType::kFloat16, {2, 2}, {1, 3, 5, 9});
  const auto out =
      OpRun("ReduceMeanVariance").Late("x", x).Attr("axes", Ints{-1}).Out("mean").Out("variance").RunAll();
  EXPECT_EQ(out[1].dims(), (Dims{2, 1}));
  ExpectNear(out[0], {2, 7});
  ExpectNear(out[1], {1, 4});
}

TEST(BatchNormV3, KeepsRunningAverages) {
  for (const bool training : {true, false}) {
    OpRun run("BatchNormV3");
    run.Late("x", Floats({2, 1, 2}, {1, 2, 3, 6}))
        .Late("weight", Floats({1}, {2}))
        .Late("bias", Floats({1}, {10}));
    run.Late("running_mean", Floats({1}, {1})).Late("running_var", Floats({1}, {4}));
    run.Attr("epsilon", 0.0f).Attr("momentum", 0.25f).Attr("is_training", training);
    run.Out("y").Out("running_mean").Out("running_var").Out("save_mean").Out("save_rstd");
    const auto out = run.RunAll();
    const double mean = training ? 3 : 1, deviation = training ? std::sqrt(3.5) : 2;
    std::vector<double> expected;
    for (const double x : {1, 2, 3, 6})
      expected.push_back((x - mean) / deviation * 2 + 10);
    ExpectNear(out[0], expected, 1e-5);
    ExpectNear(out[1], {training ? 1.5 : 1});
    ExpectNear(out[2], {training ? 0.75 * 4 + 0.25 * 14 / 3 : 4}, 1e-5);
    ExpectNear(out[3], {mean});
    ExpectNear(out[4], {1 / deviation}, 1e-5);
  }
}

TEST(DropoutV2, KeepsAShareAndScalesIt) {
  const auto run = [](float p, double seed) {
    OpRun op("DropoutV2");
    op.Late("x", Floats({1000}, std::vector<double>(1000, 3.0)))
        .Late("seed", Floats({1}, {seed}))
        .Attr("p", p);
    return op.Out("y").Out("mask").Out("seed").RunAll();
  };
  const auto out = run(0.25f, 5);
  const std::vector<double> y = Numbers(out[0]), mask = Numbers(out[1]);
  double kept = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    kept += mask[i];
    EXPECT_EQ(y[i], mask[i] * 4);
  }
  EXPECT_NEAR(kept, 750, 70);
  ExpectNear(out[2], {6});
  EXPECT_EQ(Numbers(run(0.25f, 5)[1]), mask);
  EXPECT_NE(Numbers(run(0.25f, 6)[1]), mask);
  ExpectNear(run(0.0f, 1)[0], std::vector<double>(1000, 3.0));
  ExpectNear(run(1.0f, 1)[0], std::vector<double>(1000, 0.0));
  EXPECT_THROW(run(1.5f, 1), Error);
}

TEST(DropOutDoMask, TakesBitsLowestFirst) {
  OpRun run("DropOutDoMask");
  run.Late("x", Floats({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}))
      .Late("mask", Tensor(DataType::kUint8, {16}, {5, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  run.Late("keep_prob", Floats({}, {0.5}));
  ExpectNear(run.Out("y").Run(), {2, 0, 6, 0, 0, 0, 0, 0, 0, 20});
  OpRun bytes("DropOutDoMaskV3");
  bytes.Late("x", Floats({2}, {1, 2}))
      .Late("mask", Tensor(DataType::kUint8, {2}, {0, 1}))
      .Late("keep_prob", Floats({1}, {0.5}));
  ExpectNear(bytes.Out("y").Run(), {0, 4});
  OpRun narrow("DropOutDoMask");
  narrow.Late("x", Floats({9}, std::vector<double>(9, 1.0)))
      .Late("mask", Tensor(DataType::kUint8, {1}, {5}))
      .Late("keep_prob", Floats({}, {0.5}));
  EXPECT_THROW(narrow.Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
