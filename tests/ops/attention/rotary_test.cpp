// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/strided_input.h"

namespace foothold {
namespace {

using Int = std::int64_t;

// x [batch, rows, heads, depth], angles by row.
std::vector<double> Turned(const StridedInput& x, const TensorValue& cosine, const TensorValue& sine,
                           Int mode) {
  const std::vector<double> cosines = Numbers(cosine), sines = Numbers(sine);
  const Int depth = x.dims()[3];
  std::vector<double> expected;
  ForIndices(x.dims(), [&](const Index& i) {
    const Int half = depth / 2;
    const bool first = mode == 0 ? i[3] < half : i[3] % 2 == 0;
    const Int other = mode == 0 ? (i[3] + half) % depth : i[3] ^ 1;
    const auto angle = static_cast<std::size_t>(i[1] * depth + i[3]);
    const double turned = x.At({i[0], i[1], i[2], other}) * (first ? -1 : 1);
    expected.push_back(x.At(i) * cosines[angle] + turned * sines[angle]);
  });
  return expected;
}

TEST(RotaryPositionEmbedding, TurnsRowsThatLieApart) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const Int mode : {0, 1})
      for (const Int depth : {2, 40, 64, 70, 128}) {
        const StridedInput x(type, {2, 3, 5, depth}, {20 * depth, depth, 3 * depth + 1, 1}, 1);
        const TensorValue cosine = Random(type, {1, 3, 1, depth}, 2),
                          sine = Random(type, {1, 3, 1, depth}, 3);
        OpRun run("RotaryPositionEmbedding");
        x.Connect(run, "x");
        const TensorValue y = run.Late("cos", cosine).Late("sin", sine).Attr("mode", mode).Out("y").Run();
        EXPECT_EQ(y.dims(), x.dims());
        ExpectNear(y, Turned(x, cosine, sine, mode), type == DataType::kFloat ? 1e-6 : 1e-2);
      }
}

TEST(RotaryPositionEmbedding, TakesAnglesOfAnotherType) {
  const StridedInput x(DataType::kFloat16, {1, 3, 2, 8}, {48, 16, 8, 1}, 1);
  const TensorValue cosine = Random(DataType::kFloat, {3, 1, 8}, 2),
                    sine = Random(DataType::kFloat, {3, 1, 8}, 3);
  OpRun run("RotaryPositionEmbedding");
  x.Connect(run, "x");
  ExpectNear(run.Late("cos", cosine).Late("sin", sine).Out("y").Run(), Turned(x, cosine, sine, 0), 1e-3);
}

TEST(RotaryPositionEmbedding, RefusesWhatCannotBe) {
  const auto run = [](const StridedInput& x, const Dims& angles, Int mode) {
    OpRun op("RotaryPositionEmbedding");
    x.Connect(op, "x");
    op.Late("cos", Random(DataType::kFloat, angles, 2)).Late("sin", Random(DataType::kFloat, angles, 3));
    return op.Attr("mode", mode).Out("y").Run();
  };
  const StridedInput x(DataType::kFloat, {1, 3, 2, 8}, {48, 16, 8, 1}, 1);
  EXPECT_NO_THROW(run(x, {3, 1, 8}, 1));
  EXPECT_THROW(run(x, {3, 1, 8}, 2), Error);
  EXPECT_THROW(run(x, {3, 1, 4}, 0), Error);
  EXPECT_THROW(run(StridedInput(DataType::kFloat, {1, 3, 2, 7}, {48, 16, 8, 1}, 1), {3, 1, 7}, 0), Error);
  EXPECT_THROW(run(StridedInput(DataType::kFloat, {1, 3, 2, 8}, {48, 16, 1, 2}, 1), {3, 1, 8}, 0), Error);
}

}  // namespace
}  // namespace foothold
