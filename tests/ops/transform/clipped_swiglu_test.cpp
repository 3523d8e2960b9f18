// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using testing::HasSubstr;

double Clipped(double gate, double factor, double alpha, double limit, double bias) {
  gate = std::min(gate, limit), factor = std::clamp(factor, -limit, limit);
  return gate / (1 + std::exp(-alpha * gate)) * (factor + bias);
}

TensorValue RunOf(const TensorValue& x, bool interleaved, std::int64_t dim = -1) {
  OpRun run("ClippedSwiglu");
  run.Late("x", x).Attr("interleaved", interleaved).Out("y");
  run.Attr("alpha", 0.75f).Attr("limit", 0.5f).Attr("bias", 1.25f).Attr("dim", dim);
  return run.Run();
}

TEST(ClippedSwiglu, TakesPairsOrHalves) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const bool interleaved : {true, false}) {
      const TensorValue x = Random(type, {3, 2, 8}, 1);
      const List from = Numbers(x);
      List expected;
      for (std::size_t row = 0; row < 48; row += 8)
        for (std::size_t i = 0; i < 4; ++i)
          expected.push_back(Clipped(from[row + (interleaved ? 2 * i : i)],
                                     from[row + (interleaved ? 2 * i + 1 : i + 4)], 0.75, 0.5, 1.25));
      const TensorValue y = RunOf(x, interleaved);
      EXPECT_EQ(y.dims(), (Dims{3, 2, 4}));
      ExpectNear(y, expected, type == DataType::kFloat ? 1e-6 : 8e-3);
    }
}

TEST(ClippedSwiglu, CutsAnyDimensionInHalves) {
  const TensorValue x = Random(DataType::kFloat, {2, 4, 3}, 2);
  const List from = Numbers(x);
  List expected;
  for (std::size_t row = 0; row < 24; row += 12)
    for (std::size_t i = 0; i < 6; ++i)
      expected.push_back(Clipped(from[row + i], from[row + i + 6], 0.75, 0.5, 1.25));
  const TensorValue y = RunOf(x, false, 1);
  EXPECT_EQ(y.dims(), (Dims{2, 2, 3}));
  ExpectNear(y, expected);
}

TEST(ClippedSwiglu, HasNothingAfterTheLastGroup) {
  const TensorValue x = Floats({4, 2}, {0.25, 0.25, 9, 9, -9, -9, 1, 1});
  const auto run = [&](const List& counts) {
    OpRun run("ClippedSwiglu");
    run.Late("x", x).Late("group_index", Tensor(DataType::kInt64, {2}, counts)).Out("y");
    return run.Run();
  };
  const double first = Clipped(0.25, 0.25, 1.702, 7, 1), second = Clipped(9, 9, 1.702, 7, 1);
  ExpectNear(run({1, 1}), {first, second, 0, 0});
  EXPECT_THAT(MessageOf([&] { run({3, 2}); }), HasSubstr("there are 4"));
  EXPECT_THAT(MessageOf([&] { run({-1, 2}); }), HasSubstr("-1 rows"));
}

TEST(ClippedSwiglu, KeepsNanAndRefusesOddRows) {
  EXPECT_TRUE(std::isnan(Numbers(RunOf(Floats({1, 2}, {NAN, 1}), true))[0]));
  EXPECT_TRUE(std::isnan(Numbers(RunOf(Floats({1, 2}, {1, NAN}), true))[0]));
  EXPECT_THAT(MessageOf([] { RunOf(Floats({1, 3}, {1, 2, 3}), true); }), HasSubstr("must be even"));
  EXPECT_THAT(MessageOf([] { RunOf(Int32s({1, 2}, {1, 2}), true); }), HasSubstr("int32"));
}

}  // namespace
}  // namespace foothold
