// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "ops/op_run.h"

namespace foothold {
namespace {

TEST(OnnxScatterNdMul, MultipliesWhatTheIndicesName) {
  const auto y = OpRun("OnnxScatterNdMul")
                     .In("x", Floats({3}, {1, 2, 3}))
                     .In("indices", Tensor(DataType::kInt64, {3, 1}, {0, -1, 0}))
                     .In("updates", Floats({3}, {5, 10, 2}))
                     .Out("y")
                     .Run();
  ExpectNear(y, {10, 2, 30});
}

}  // namespace
}  // namespace foothold
