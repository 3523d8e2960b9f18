// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TensorValue Summed(const TensorValue& grad, const TensorValue& indices, std::int64_t padding,
                   bool by_frequency) {
  OpRun run("EmbeddingDenseGrad");
  run.Late("grad", grad).Late("indices", indices).Attr("num_weights", std::int64_t{4});
  return run.Attr("padding_idx", padding).Attr("scale_grad_by_freq", by_frequency).Out("y").Run();
}

TEST(EmbeddingDenseGrad, AddsUpTheRowsOfEachIndex) {
  const std::vector<double> indices = {2, 0, 2, 1, 2, 1};
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const DataType index : {DataType::kInt32, DataType::kInt64})
      for (const bool by_frequency : {false, true}) {
        const TensorValue grad = Random(type, {2, 3, 100}, 1);
        std::vector<double> expected(400, 0), counts = {1, 2, 3, 0};
        for (std::size_t i = 0; i < 6; ++i)
          for (std::size_t c = 0; c < 100 && indices[i] != 0; ++c) {
            const auto row = static_cast<std::size_t>(indices[i]);
            expected[row * 100 + c] += Numbers(grad)[i * 100 + c] / (by_frequency ? counts[row] : 1);
          }
        const TensorValue found = Summed(grad, Tensor(index, {2, 3}, indices), 0, by_frequency);
        EXPECT_EQ(found.dims(), (Dims{4, 100}));
        ExpectNear(found, expected, type == DataType::kFloat ? 1e-6 : 1e-2);
      }
}

TEST(EmbeddingDenseGrad, RefusesIndicesOutsideAndOtherShapes) {
  const TensorValue grad = Floats({2, 1}, {1, 2});
  ExpectNear(Summed(grad, Int32s({2}, {3, 3}), -1, false), {0, 0, 0, 3});
  EXPECT_THROW(Summed(grad, Int32s({2}, {4, 3}), -1, false), Error);
  EXPECT_THROW(Summed(grad, Int32s({3}, {1, 2, 3}), -1, false), Error);
  EXPECT_THROW(Summed(grad, Floats({2}, {1, 2}), -1, false), Error);
  ExpectNear(Summed(Floats({0, 2}, {}), Int32s({0}, {}), -1, false), std::vector<double>(8, 0));
}

}  // namespace
}  // namespace foothold
