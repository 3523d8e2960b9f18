// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

std::unique_ptr<OpRun> Mel(double bands, double length, double rate, double low, double high) {
  auto run = std::make_unique<OpRun>("OnnxMelWeightMatrix");
  int port = 0;
  for (const double whole : {bands, length, rate})
    run->In("x" + std::to_string(port++), Tensor(DataType::kInt32, {}, {whole}));
  for (const double edge : {low, high})
    run->In("x" + std::to_string(port++), Floats({}, {edge}));
  run->Out("y");
  return run;
}

TEST(OnnxMelWeightMatrix, HasOneTriangleForEachBand) {
  const auto y = Mel(8, 16, 8192, 0, 4096)->Run();
  ASSERT_EQ(y.dims(), (Dims{9, 8}));
  std::vector<double> sums(8, 0);
  const std::vector<double> weights = Numbers(y);
  for (std::size_t i = 0; i < weights.size(); ++i)
    sums[i % 8] += weights[i];
  for (const double sum : sums)
    EXPECT_GE(sum, 1.0);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_EQ(weights[8 * 8 + 7], 0.0);
}

TEST(OnnxMelWeightMatrix, RefusesEdgesOutsideTheSpectrum) {
  EXPECT_THROW(Mel(8, 16, 8192, 0, 40960)->Run(), Error);
  EXPECT_THROW(Mel(0, 16, 8192, 0, 4096)->Run(), Error);
}

}  // namespace
}  // namespace foothold
