// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;

TEST(InterleaveRope, TurnsPairsAndWritesHalves) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}) {
    const TensorValue x = Random(type, {2, 3, 1, 8}, 1);
    const TensorValue cosine = Random(type, {2, 1, 1, 8}, 2), sine = Random(type, {2, 1, 1, 8}, 3);
    const List from = Numbers(x), cos = Numbers(cosine), sin = Numbers(sine);
    List expected(48);
    for (std::size_t row = 0; row < 6; ++row)
      for (std::size_t i = 0; i < 4; ++i) {
        const double a = from[row * 8 + 2 * i], b = from[row * 8 + 2 * i + 1];
        const std::size_t angle = row / 3 * 8 + i;
        expected[row * 8 + i] = a * cos[angle] - b * sin[angle];
        expected[row * 8 + i + 4] = b * cos[angle + 4] + a * sin[angle + 4];
      }
    const TensorValue y =
        OpRun("InterleaveRope").Late("x", x).In("cos", cosine).In("sin", sine).Out("y").Run();
    EXPECT_EQ(y.type().type, type);
    ExpectNear(y, expected, type == DataType::kFloat ? 1e-6 : 1e-2);
  }
}

TEST(InterleaveRope, RefusesAnglesThatDoNotFit) {
  const auto run = [](const Dims& angles) {
    const TensorValue some = Random(DataType::kFloat, angles, 1);
    OpRun("InterleaveRope")
        .In("x", Random(DataType::kFloat, {1, 1, 1, 4}, 1))
        .In("cos", some)
        .In("sin", some)
        .Out("y")
        .Run();
  };
  EXPECT_THAT(MessageOf([&] { run({1, 1, 1, 2}); }), testing::HasSubstr("do not go with"));
}

}  // namespace
}  // namespace foothold
