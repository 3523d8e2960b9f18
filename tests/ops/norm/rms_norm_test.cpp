// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/strided_input.h"

namespace foothold {
namespace {

const std::vector<DataType> kTypes = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

double ToleranceOf(DataType type) {
  return type == DataType::kFloat ? 1e-5 : type == DataType::kFloat16 ? 2e-3 : 2e-2;
}

// Rows of [rows, length].
std::vector<double> Normalized(const std::vector<double>& x, std::size_t length,
                               const std::vector<double>& gamma) {
  std::vector<double> y;
  for (std::size_t row = 0; row < x.size(); row += length) {
    double squares = 0;
    for (std::size_t i = 0; i < length; ++i)
      squares += x[row + i] * x[row + i];
    for (std::size_t i = 0; i < length; ++i)
      y.push_back(x[row + i] / std::sqrt(squares / static_cast<double>(length) + 1e-6) * gamma[i]);
  }
  return y;
}

TEST(RmsNorm, NormalisesLongRowsThatLieApart) {
  for (const DataType type : kTypes)
    for (const std::int64_t length : {1, 17, 64, 333, 9001}) {
      const StridedInput x(type, {2, 3, length}, {4 * length + 5, length + 1, 1}, 1);
      const TensorValue gamma = Random(DataType::kFloat, {length}, 2);
      OpRun run("RmsNorm");
      x.Connect(run, "x");
      const auto out = run.Late("gamma", gamma).Out("y").Out("rstd").RunAll();
      EXPECT_EQ(out[0].dims(), x.dims());
      EXPECT_EQ(out[1].dims(), (Dims{2, 3, 1}));
      ExpectNear(out[0], Normalized(x.Elements(), static_cast<std::size_t>(length), Numbers(gamma)),
                 ToleranceOf(type));
    }
}

TEST(AddRmsNorm, AddsBeforeItRounds) {
  for (const DataType type : kTypes) {
    const StridedInput x(type, {3, 100}, {128, 1}, 1);
    const TensorValue other = Random(type, {3, 100}, 2), gamma = Random(type, {100}, 3);
    OpRun run("AddRmsNorm");
    x.Connect(run, "x1");
    const auto out = run.Late("x2", other).Late("gamma", gamma).Out("y").Out("rstd").Out("x").RunAll();
    std::vector<double> sum = x.Elements();
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += Numbers(other)[i];
    ExpectNear(out[2], sum, ToleranceOf(type));
    ExpectNear(out[0], Normalized(sum, 100, Numbers(gamma)), ToleranceOf(type));
  }
}

TEST(RmsNorm, RefusesRowsThatAreNotDense) {
  OpRun run("RmsNorm");
  StridedInput(DataType::kFloat, {2, 3}, {1, 2}, 1).Connect(run, "x");
  EXPECT_THROW(run.Late("gamma", Floats({3}, {1, 1, 1})).Out("y").RunAll(), Error);
}

}  // namespace
}  // namespace foothold
