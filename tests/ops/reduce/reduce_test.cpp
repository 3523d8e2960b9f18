// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;
using Row = std::vector<double>;
using Plain = double (*)(const Row&);

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double Sum(const Row& row) {
  double sum = 0;
  for (const double value : row)
    sum += value;
  return sum;
}
double Mean(const Row& row) {
  return Sum(row) / static_cast<double>(row.size());
}
double Max(const Row& row) {
  return *std::max_element(row.begin(), row.end());
}
double Min(const Row& row) {
  return *std::min_element(row.begin(), row.end());
}
double Product(const Row& row) {
  double product = 1;
  for (const double value : row)
    product *= value;
  return product;
}
double SumOfSquares(const Row& row) {
  double sum = 0;
  for (const double value : row)
    sum += value * value;
  return sum;
}
double Root(const Row& row) {
  return std::sqrt(SumOfSquares(row));
}
double LogSum(const Row& row) {
  return std::log(Sum(row));
}
double LogSumExp(const Row& row) {
  double sum = 0;
  for (const double value : row)
    sum += std::exp(value);
  return std::log(sum);
}

const std::map<std::string, Plain> kByTensor = {
    {"ReduceSum", Sum},      {"ReduceMean", Mean},           {"ReduceMax", Max},
    {"ReduceMin", Min},      {"ReduceProd", Product},        {"ReduceLogSum", LogSum},
    {"EuclideanNorm", Root}, {"ReduceLogSumExp", LogSumExp},
};
const std::map<std::string, Plain> kByAttribute = {
    {"ReduceSumD", Sum}, {"ReduceMeanD", Mean},    {"ReduceMaxD", Max},
    {"ReduceMinD", Min}, {"ReduceProdD", Product}, {"EuclideanNormD", Root},
};

struct AxesCase {
  Dims dims;
  Ints axes;
};

const AxesCase kCases[] = {
    {{5}, {0}},
    {{3, 4}, {1}},
    {{3, 4}, {-2}},
    {{3, 70}, {0, 1}},
    {{2, 3, 40, 5}, {2, 3}},
    {{2, 3, 4, 5}, {1}},
    {{2, 3, 4, 5}, {0, 2}},
    {{2, 3, 4, 5}, {0, 3, 1}},
    {{3, 1, 4}, {1}},
    {{1, 1}, {0}},
    {{2, 130, 600}, {1}},
    {{2, 3000}, {1}},
    {{7, 9, 3}, {0, 1}},
};

// Every result element collects the elements that become it.
Row Expected(const TensorValue& x, const Ints& axes, Plain plain) {
  const Dims& dims = x.dims();
  std::vector<bool> reduced(dims.size());
  for (const Int axis : axes)
    reduced[static_cast<std::size_t>(axis < 0 ? axis + static_cast<Int>(dims.size()) : axis)] = true;
  std::map<Index, Row> rows;
  const Row numbers = Numbers(x);
  ForIndices(dims, [&](Index index) {
    const double value = numbers[Offset(dims, index)];
    for (std::size_t i = 0; i < index.size(); ++i)
      if (reduced[i]) index[i] = 0;
    rows[index].push_back(value);
  });
  Row expected;
  for (const auto& [index, row] : rows)
    expected.push_back(plain(row));
  return expected;
}

// Positive and near one, so that logarithms and products have a meaning.
TensorValue NearOne(DataType type, const Dims& dims) {
  Row values = Numbers(Random(DataType::kDouble, dims, 7));
  for (double& value : values)
    value = 1.0 + 0.01 * value;
  return Tensor(type, dims, values);
}

TEST(Reduce, AgreesWithPlainLoops) {
  const std::map<DataType, double> tolerances = {{DataType::kFloat, 1e-5},
                                                 {DataType::kDouble, 1e-12},
                                                 {DataType::kFloat16, 2e-3},
                                                 {DataType::kBfloat16, 1e-2}};
  for (const auto& [type, tolerance] : tolerances) {
    for (const AxesCase& each : kCases) {
      const TensorValue x = NearOne(type, each.dims);
      for (const auto& [name, plain] : kByTensor) {
        SCOPED_TRACE(name + " of " + ToString(x.type()) + " over " + ToString(each.axes));
        ExpectNear(OpRun(name).Late("x", x).In("axes", List(each.axes)).Out("y").Run(),
                   Expected(x, each.axes, plain), tolerance);
      }
      for (const auto& [name, plain] : kByAttribute) {
        SCOPED_TRACE(name + " of " + ToString(x.type()) + " over " + ToString(each.axes));
        ExpectNear(OpRun(name).Late("x", x).Attr("axes", each.axes).Out("y").Run(),
                   Expected(x, each.axes, plain), tolerance);
      }
    }
  }
}

TEST(Reduce, WorksOnIntegers) {
  for (const DataType type : {DataType::kInt8, DataType::kUint8, DataType::kInt32, DataType::kInt64}) {
    const TensorValue x = Tensor(type, {2, 3}, {1, 2, 3, 4, 5, 7});
    const auto run = [&](const char* name) {
      return OpRun(name).Late("x", x).In("axes", List({1})).Out("y").Run();
    };
    ExpectNear(run("ReduceSum"), {6, 16});
    ExpectNear(run("ReduceMean"), {2, 5});
    ExpectNear(run("ReduceMax"), {3, 7});
    ExpectNear(run("ReduceMin"), {1, 4});
    ExpectNear(run("ReduceProd"), {6, type == DataType::kInt8 ? -116.0 : 140.0});
  }
  ExpectNear(OpRun("ReduceMeanD")
                 .In("x", Tensor(DataType::kInt8, {4}, {-100, -100, -100, -101}))
                 .Attr("axes", Ints{0})
                 .Out("y")
                 .Run(),
             {-100});
}

TEST(Reduce, KeepsDimensionsWhenAsked) {
  OpRun keeping("ReduceSum"), dropping("ReduceSum");
  for (OpRun* run : {&keeping, &dropping})
    run->Late("x", Counted({2, 3, 4})).In("axes", Tensor(DataType::kInt32, {}, {1})).Out("y");
  EXPECT_EQ(keeping.Attr("keep_dims", true).Run().dims(), (Dims{2, 1, 4}));
  EXPECT_EQ(dropping.Run().dims(), (Dims{2, 4}));
}

TEST(Reduce, TreatsNoAxesAsEachFormDoes) {
  const TensorValue x = Floats({2, 2}, {1, 2, 3, 4});
  const auto tensor = [&](const char* type, Attributes attributes) {
    OpRun run(type);
    run.Late("x", x).In("axes", List({})).Out("y");
    for (const auto& [name, value] : attributes)
      run.Attr(name, value);
    return run.Run();
  };
  const auto attribute = [&](const char* type, bool noop) {
    return OpRun(type).Late("x", x).Attr("axes", Ints{}).Attr("noop_with_empty_axes", noop).Out("y").Run();
  };
  ExpectNear(tensor("ReduceSum", {}), {1, 2, 3, 4});
  ExpectNear(tensor("ReduceMean", {}), {1, 2, 3, 4});
  ExpectNear(tensor("ReduceMean", {{"noop_with_empty_axes", false}}), {2.5});
  ExpectNear(OpRun("ReduceSumD").Late("x", x).Attr("axes", Ints{}).Out("y").Run(), {10});
  ExpectNear(attribute("ReduceMeanD", false), {2.5});
  ExpectNear(attribute("ReduceMeanD", true), {1, 2, 3, 4});
}

TEST(Reduce, HandsNanOn) {
  for (const Dims& dims : {Dims{1, 40}, Dims{40, 1}, Dims{20, 2}}) {
    for (const char* type : {"ReduceMax", "ReduceMin", "ReduceSum", "ReduceMean", "ReduceLogSumExp"}) {
      Row values(40, 1.0);
      values[16] = kNan;
      const auto y = OpRun(type).Late("x", Floats(dims, values)).In("axes", List({0})).Out("y").Run();
      const auto all = OpRun(type).Late("x", Floats(dims, values)).In("axes", List({0, 1})).Out("y").Run();
      EXPECT_TRUE(std::isnan(Numbers(all)[0])) << type;
      EXPECT_TRUE(std::isnan(Numbers(y)[dims[0] == 1 ? 16 : 0])) << type;
    }
  }
}

TEST(Reduce, SumsManyNumbersAccurately) {
  constexpr Int kMany = 1 << 22;
  const TensorValue x = Floats({kMany}, Row(kMany, 0.1));
  const double exact = static_cast<double>(kMany) * static_cast<double>(0.1f);
  ExpectNear(OpRun("ReduceSumD").Late("x", x).Attr("axes", Ints{0}).Out("y").Run(), {exact}, 1e-6);
  TensorValue columns = x;
  columns.set_type({DataType::kFloat, Format::kNd, {kMany / 2, 2}});
  ExpectNear(OpRun("ReduceSumD").Late("x", columns).Attr("axes", Ints{0}).Out("y").Run(),
             {exact / 2, exact / 2}, 1e-6);
}

TEST(Reduce, ReducesNothing) {
  const auto run = [](const char* type, const Dims& dims, const Ints& axes) {
    return OpRun(type).Late("x", Floats(dims, {})).In("axes", List(axes)).Out("y").Run();
  };
  ExpectNear(run("ReduceSum", {2, 0}, {1}), {0, 0});
  ExpectNear(run("ReduceProd", {0, 2}, {0}), {1, 1});
  ExpectNear(run("ReduceMax", {2, 0}, {1}), {-kInfinity, -kInfinity});
  ExpectNear(run("ReduceMin", {0, 2, 0}, {0, 2}), {kInfinity, kInfinity});
  ExpectNear(run("ReduceMean", {2, 0}, {1}), {kNan, kNan});
  ExpectNear(run("ReduceLogSumExp", {2, 0, 3}, {1}), Row(6, -kInfinity));
  EXPECT_EQ(run("ReduceSum", {0, 2}, {1}).dims(), Dims{0});
}

TEST(Reduce, TakesAScalar) {
  ExpectNear(OpRun("ReduceSumD").Late("x", Floats({}, {3})).Attr("axes", Ints{}).Out("y").Run(), {3});
  ExpectNear(OpRun("ReduceSum").Late("x", Floats({}, {3})).In("axes", List({})).Out("y").Run(), {3});
}

TEST(ReduceLogSumExp, DoesNotOverflow) {
  const auto run = [](const Row& values) {
    return OpRun("ReduceLogSumExp")
        .Late("x", Floats({static_cast<Int>(values.size())}, values))
        .In("axes", List({0}))
        .Out("y")
        .Run();
  };
  ExpectNear(run({1000, 1000}), {1000 + std::log(2.0)}, 1e-6);
  ExpectNear(run(Row(33, -1000)), {-1000 + std::log(33.0)}, 1e-6);
  ExpectNear(run({-kInfinity, -kInfinity}), {-kInfinity});
  ExpectNear(run({kInfinity, 1}), {kInfinity});
}

TEST(ReduceAll, CombinesTruth) {
  const TensorValue x = Tensor(DataType::kBool, {3, 2}, {1, 1, 0, 1, 0, 0});
  const auto run = [&](const char* type, const Ints& axes) {
    return OpRun(type).Late("x", x).In("axes", List(axes)).Out("y").Run();
  };
  ExpectNear(run("ReduceAll", {1}), {1, 0, 0});
  ExpectNear(run("ReduceAny", {1}), {1, 1, 0});
  ExpectNear(run("ReduceAll", {0}), {0, 0});
  ExpectNear(run("ReduceAny", {0}), {1, 1});
  EXPECT_EQ(run("ReduceAny", {0}).type().type, DataType::kBool);
  ExpectNear(OpRun("ReduceAllD").Late("x", x).Attr("axes", Ints{}).Out("y").Run(), {0});
  ExpectNear(OpRun("ReduceAnyD").Late("x", x).Attr("axes", Ints{-1, 0}).Out("y").Run(), {1});
}

TEST(SquareSumV1, AddsSquares) {
  ExpectNear(
      OpRun("SquareSumV1").Late("x", Floats({2, 2}, {1, 2, 3, -4})).Attr("axis", Ints{1}).Out("y").Run(),
      {5, 25});
}

TEST(Reduce, RefusesWhatCannotBe) {
  EXPECT_THROW(OpRun("ReduceSumD").In("x", Counted({2})).Attr("axes", Ints{1}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("ReduceSum").In("x", Counted({2})).In("axes", Floats({1}, {0})).Out("y").Run(), Error);
  EXPECT_THROW(
      OpRun("ReduceLogSum").In("x", Counted({2}, DataType::kInt32)).In("axes", List({0})).Out("y").Run(),
      Error);
  EXPECT_THROW(OpRun("ReduceAllD").In("x", Counted({2})).Attr("axes", Ints{0}).Out("y").Run(), Error);
  EXPECT_THROW(
      OpRun("ReduceSumD").In("x", Tensor(DataType::kBool, {1}, {1})).Attr("axes", Ints{0}).Out("y").Run(),
      Error);
}

}  // namespace
}  // namespace foothold
