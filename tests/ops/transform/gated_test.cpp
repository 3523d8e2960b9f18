// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/strided_input.h"

namespace foothold {
namespace {

TEST(SwiGlu, GatesRowsThatLieApart) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const std::int64_t length : {1, 15, 64, 3001}) {
      const StridedInput x(type, {2, 3, 2 * length}, {9 * length, 2 * length + 3, 1}, 1);
      OpRun run("SwiGlu");
      x.Connect(run, "x");
      std::vector<double> expected;
      ForIndices({2, 3, length}, [&](const Index& i) {
        const double gate = x.At(i);
        expected.push_back(gate / (1 + std::exp(-gate)) * x.At({i[0], i[1], i[2] + length}));
      });
      const TensorValue y = run.Out("y").Run();
      EXPECT_EQ(y.dims(), (Dims{2, 3, length}));
      ExpectNear(y, expected, type == DataType::kFloat ? 1e-5 : 1e-2);
    }
}

TEST(SwiGlu, KnowsNumbersWithoutEnd) {
  const TensorValue x = Floats({10}, {-INFINITY, INFINITY, NAN, -1e30, 100, 2, 2, 2, 2, INFINITY});
  ExpectNear(OpRun("SwiGlu").Late("x", x).Out("y").Run(), {0, INFINITY, NAN, 0, INFINITY});
}

TEST(GeGluV2, GatesRowsThatLieApart) {
  const StridedInput x(DataType::kFloat16, {3, 10}, {12, 1}, 1);
  OpRun run("GeGluV2");
  x.Connect(run, "x");
  std::vector<double> gelu, expected;
  ForIndices({3, 5}, [&](const Index& i) {
    const double gate = x.At({i[0], i[1] + 5});
    gelu.push_back(gate / 2 * (1 + std::erf(gate / std::sqrt(2.0))));
    expected.push_back(gelu.back() * x.At(i));
  });
  const auto out = run.Attr("approximate", std::int64_t{0}).Out("y").Out("gelu").RunAll();
  ExpectNear(out[0], expected, 1e-3);
  ExpectNear(out[1], gelu, 1e-3);
}

TEST(SwiGlu, RefusesHalvesThatAreNotDense) {
  OpRun run("SwiGlu");
  StridedInput(DataType::kFloat, {2, 4}, {1, 2}, 1).Connect(run, "x");
  EXPECT_THROW(run.Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
