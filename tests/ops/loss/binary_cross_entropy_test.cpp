// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Values = std::vector<double>;

const Values kX = {0.5, 0.25, 0.75, 0.125, 0.5, 0.875}, kY = {1, 0, 0.5, 1, 0, 1}, kWeight = {1, 2, 0.5};

double Loss(std::size_t i, double x, bool weighted) {
  const double weight = weighted ? kWeight[i % 3] : 1;
  return -weight * (kY[i] * std::log(x) + (1 - kY[i]) * std::log(1 - x));
}

OpRun& Describe(OpRun& run, DataType type, bool weighted, const char* reduction) {
  weighted ? run.Late("weight", Tensor(type, {3}, kWeight)) : run.NoInput("weight");
  return run.Attr("reduction", std::string(reduction)).Out("output");
}

TEST(BinaryCrossEntropy, IsReducedAsAsked) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const bool weighted : {false, true})
      for (const std::string reduction : {"none", "sum", "mean"}) {
        Values losses;
        for (std::size_t i = 0; i < 6; ++i)
          losses.push_back(Loss(i, kX[i], weighted));
        const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
        OpRun run("BinaryCrossEntropy");
        run.Late("x", Tensor(type, {2, 3}, kX)).Late("y", Tensor(type, {2, 3}, kY));
        const TensorValue found = Describe(run, type, weighted, reduction.c_str()).Run();
        EXPECT_EQ(found.dims(), reduction == "none" ? (Dims{2, 3}) : Dims{});
        ExpectNear(found, reduction == "none" ? losses : Values{reduction == "sum" ? sum : sum / 6},
                   type == DataType::kFloat ? 1e-6 : 1e-2);
      }
}

TEST(BinaryCrossEntropy, IsFiniteAtTheEnds) {
  OpRun run("BinaryCrossEntropy");
  run.Late("x", Floats({3}, {0, 1, 1})).Late("y", Floats({3}, {1, 0, 1}));
  ExpectNear(Describe(run, DataType::kFloat, false, "none").Run(), {100, 100, 0});
}

TEST(BinaryCrossEntropyGrad, IsTheSlopeOfTheLoss) {
  for (const DataType type : {DataType::kFloat, DataType::kBfloat16})
    for (const bool weighted : {false, true})
      for (const std::string reduction : {"none", "sum", "mean"}) {
        Values slopes;
        for (std::size_t i = 0; i < 6; ++i)
          slopes.push_back((Loss(i, kX[i] + 1e-6, weighted) - Loss(i, kX[i] - 1e-6, weighted)) / 2e-6 * 2 /
                           (reduction == "mean" ? 6 : 1));
        OpRun run("BinaryCrossEntropyGrad");
        run.Late("x", Tensor(type, {2, 3}, kX)).Late("y", Tensor(type, {2, 3}, kY));
        run.Late("grad_output",
                 reduction == "none" ? Tensor(type, {2, 3}, Values(6, 2)) : Tensor(type, {}, {2}));
        ExpectNear(Describe(run, type, weighted, reduction.c_str()).Run(), slopes,
                   type == DataType::kFloat ? 1e-5 : 1e-2);
      }
}

TEST(BinaryCrossEntropy, RefusesOtherShapes) {
  const auto run = [](const Dims& y, const char* reduction) {
    OpRun loss("BinaryCrossEntropy");
    loss.Late("x", Floats({2}, {0.5, 0.5})).Late("y", Random(DataType::kFloat, y, 1));
    return Describe(loss, DataType::kFloat, false, reduction).Run();
  };
  EXPECT_NO_THROW(run({2}, "mean"));
  EXPECT_THROW(run({1}, "mean"), Error);
  EXPECT_THROW(run({2}, "average"), Error);
  OpRun gradient("BinaryCrossEntropyGrad");
  gradient.Late("x", Floats({2}, {0.5, 0.5}))
      .Late("y", Floats({2}, {1, 0}))
      .Late("grad_output", Floats({3}, {1, 1, 1}));
  EXPECT_THROW(Describe(gradient, DataType::kFloat, false, "none").Run(), Error);
}

}  // namespace
}  // namespace foothold
