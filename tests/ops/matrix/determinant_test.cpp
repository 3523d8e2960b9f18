// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// By the first row.
double Laplace(const std::vector<double>& a, std::size_t n) {
  if (n == 0) return 1;
  double sum = 0;
  for (std::size_t skip = 0; skip < n; ++skip) {
    std::vector<double> rest;
    for (std::size_t i = n; i < n * n; ++i)
      if (i % n != skip) rest.push_back(a[i]);
    sum += (skip % 2 == 0 ? 1 : -1) * a[skip] * Laplace(rest, n - 1);
  }
  return sum;
}

TEST(MatrixDeterminant, AgreesWithLaplace) {
  for (const DataType type : {DataType::kFloat, DataType::kDouble}) {
    const TensorValue x = Random(type, {2, 3, 5, 5}, 3);
    const std::vector<double> all = Numbers(x);
    std::vector<double> expected, signs, logs;
    for (std::size_t i = 0; i < 6; ++i) {
      expected.push_back(Laplace({all.begin() + static_cast<std::ptrdiff_t>(i * 25),
                                  all.begin() + static_cast<std::ptrdiff_t>(i * 25 + 25)},
                                 5));
      signs.push_back(expected.back() < 0 ? -1 : 1);
      logs.push_back(std::log(std::abs(expected.back())));
    }
    const TensorValue y = OpRun("MatrixDeterminant").In("x", x).Out("y").Run();
    EXPECT_EQ(y.dims(), (Dims{2, 3}));
    ExpectNear(y, expected, 1e-5);
    const auto both = OpRun("LogMatrixDeterminant").In("x", x).Out("sign").Out("y").RunAll();
    ExpectNear(both[0], signs);
    ExpectNear(both[1], logs, 1e-5);
  }
}

TEST(MatrixDeterminant, KnowsSingularAndEmptyMatrices) {
  ExpectNear(OpRun("MatrixDeterminant").In("x", Floats({2, 2}, {1, 2, 2, 4})).Out("y").Run(), {0});
  ExpectNear(OpRun("MatrixDeterminant").In("x", Floats({0, 0}, {})).Out("y").Run(), {1});
  const auto both = OpRun("LogMatrixDeterminant").In("x", Floats({1, 1}, {0})).Out("sign").Out("y").RunAll();
  ExpectNear(both[0], {0});
  ExpectNear(both[1], {-INFINITY});
  EXPECT_THROW(OpRun("MatrixDeterminant").In("x", Floats({2, 3}, {1, 2, 3, 4, 5, 6})).Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
