// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TEST(OnnxDft, TransformsARealSignal) {
  const auto y =
      OpRun("OnnxDft").In("x0", Floats({1, 4, 1}, {1, 2, 3, 4})).Attr("axis", std::int64_t{1}).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 4, 2}));
  ExpectNear(y, {10, 0, -2, 2, -2, 0, -2, -2}, 1e-5);
}

TEST(OnnxDft, GivesHalfOfTheSpectrumWhenOnesided) {
  const auto y = OpRun("OnnxDft")
                     .In("x0", Floats({1, 3, 1}, {1, 2, 4}))
                     .Attr("axis", std::int64_t{1})
                     .Attr("onesided", true)
                     .Out("y")
                     .Run();
  EXPECT_EQ(y.dims(), (Dims{1, 2, 2}));
  ExpectNear(y, {7, 0, -2, 1.7320508}, 1e-5);
}

TEST(OnnxDft, UndoesItselfAlongAnyAxis) {
  const TensorValue x = Random(DataType::kDouble, {2, 5, 3, 2}, 1);
  const auto there = OpRun("OnnxDft").In("x0", x).Attr("axis", std::int64_t{1}).Out("y").Run();
  const auto back =
      OpRun("OnnxDft").In("x0", there).Attr("axis", std::int64_t{1}).Attr("inverse", true).Out("y").Run();
  ExpectNear(back, Numbers(x), 1e-9);
}

TEST(OnnxDft, FillsAShortSignalWithZeros) {
  const auto y = OpRun("OnnxDft")
                     .In("x0", Floats({1, 1, 1}, {3}))
                     .In("x1", Tensor(DataType::kInt64, {}, {3}))
                     .Attr("axis", std::int64_t{1})
                     .Out("y")
                     .Run();
  ExpectNear(y, {3, 0, 3, 0, 3, 0}, 1e-6);
}

TEST(OnnxDft, RefusesASignalThatIsNeitherRealNorComplex) {
  OpRun run("OnnxDft");
  run.In("x0", Floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})).Out("y");
  EXPECT_THROW(run.Run(), Error);
}

}  // namespace
}  // namespace foothold
