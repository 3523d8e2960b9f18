// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TensorValue SumOf(const TensorValue& x, const std::string& data_format) {
  OpRun run("BiasAddGrad");
  run.Late("x", x);
  if (!data_format.empty()) run.Attr("data_format", data_format);
  return run.Out("y").Run();
}

TEST(BiasAddGrad, SumsAllButTheChannels) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
  ExpectNear(SumOf(Floats({2, 2, 1, 2}, x, Format::kNchw), ""), {14, 22});
  ExpectNear(SumOf(Floats({2, 1, 2, 2}, x, Format::kNhwc), ""), {16, 20});
  ExpectNear(SumOf(Floats({2, 2, 2}, x), "NCHW"), {14, 22});
  ExpectNear(SumOf(Floats({4, 2}, x), ""), {16, 20});
  ExpectNear(SumOf(Floats({8}, x), ""), x);
}

TEST(BiasAddGrad, KnowsAllNumbers) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble, DataType::kInt8,
                              DataType::kUint16, DataType::kInt64})
    ExpectNear(SumOf(Tensor(type, {2, 2}, {1, 2, 3, 4}), ""), {4, 6});
}

TEST(BiasAddGrad, StaysExactOverManyTerms) {
  ExpectNear(SumOf(Floats({1 << 20, 1}, std::vector<double>(1 << 20, 0.1)), ""), {0.1f * double(1 << 20)},
             1e-7);
}

TEST(BiasAddGrad, RefusesScalarsAndTruthValues) {
  EXPECT_THROW(SumOf(Floats({}, {1}), ""), Error);
  EXPECT_THROW(SumOf(Tensor(DataType::kBool, {1, 1}, {1}), ""), Error);
}

}  // namespace
}  // namespace foothold
