// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TEST(OnnxAppend, PutsAnElementAtTheEndOfAList) {
  const auto y =
      OpRun("OnnxAppend").In("x0", Floats({2, 2}, {1, 2, 3, 4})).In("x1", Floats({2}, {5, 6})).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{3, 2}));
  ExpectNear(y, {1, 2, 3, 4, 5, 6});
}

TEST(OnnxAppend, TakesTheShapeOfTheFirstElement) {
  const auto y = OpRun("OnnxAppend").In("x0", Floats({0}, {})).In("x1", Floats({2}, {5, 6})).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 2}));
  ExpectNear(y, {5, 6});
}

TEST(OnnxAppend, RefusesAnElementOfAnotherShape) {
  OpRun run("OnnxAppend");
  run.In("x0", Floats({1, 2}, {1, 2})).In("x1", Floats({3}, {1, 2, 3})).Out("y");
  EXPECT_THROW(run.Run(), Error);
}

}  // namespace
}  // namespace foothold
