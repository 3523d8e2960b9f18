// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "ops/op.h"
#include "ops/op_run.h"
#include "ops/skeleton/element_text.h"

namespace foothold {
namespace {

using testing::HasSubstr;

TEST(ElementText, ShowsTypeShapeAndTheFirstElements) {
  const TensorValue x = Floats({2, 2}, {1, 2.5, 3, 4});
  EXPECT_EQ(ElementText(x.type(), x.data(), 3), "float[2,2] [1, 2.5, 3, ...]");
  EXPECT_EQ(ElementText(x.type(), x.data(), -1), "float[2,2] [1, 2.5, 3, 4]");
  EXPECT_EQ(ElementText(x.type(), x.data(), 0), "float[2,2] [...]");
  const TensorValue half = Tensor(DataType::kFloat16, {1}, {0.5});
  EXPECT_THAT(ElementText(half.type(), half.data(), 3), HasSubstr("[0.5]"));
  const TensorValue none = Floats({0}, {});
  EXPECT_EQ(ElementText(none.type(), none.data(), 3), "float[0] []");
}

TEST(PrintV2, WritesToTheStreamTheProgramNames) {
  testing::internal::CaptureStderr();
  OpRun("PrintV2").In("x", Int32s({2}, {4, 5})).RunAll();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "int32[2] [4, 5]\n");
  testing::internal::CaptureStdout();
  OpRun("PrintV2").In("x", Int32s({1}, {6})).Attr("output_stream", std::string("stdout")).RunAll();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "int32[1] [6]\n");
}

TEST(PrintV2, RefusesAnUnknownStream) {
  OpRun run("PrintV2");
  run.In("x", Int32s({1}, {6})).Attr("output_stream", std::string("paper"));
  EXPECT_THROW(run.RunAll(), Error);
}

TEST(PrintV3, PassesItsInputOn) {
  const auto y = OpRun("PrintV3")
                     .Late("x", Floats({2}, {1, 2}))
                     .Late("data0", Int32s({1}, {3}))
                     .Attr("message", std::string("seen "))
                     .Attr("first_n", std::int64_t{1})
                     .Out("y")
                     .Run();
  ExpectNear(y, {1, 2});
}

TEST(Print, IsNeverLeftOut) {
  for (const char* type : {"Print", "PrintV2", "PrintV3", "Assert"})
    EXPECT_TRUE(FindOp(type)->stateful()) << type;
  EXPECT_NO_THROW(OpRun("Print").In("x0", Floats({1}, {1})).In("x1", Floats({}, {2})).RunAll());
}

TEST(Assert, StopsTheRunAndShowsTheData) {
  const auto run = [](double condition) {
    OpRun("Assert")
        .Late("input_condition", Tensor(DataType::kBool, {}, {condition}))
        .Late("input_data0", Int32s({4}, {7, 8, 9, 10}))
        .Attr("summarize", std::int64_t{2})
        .RunAll();
  };
  EXPECT_NO_THROW(run(1));
  try {
    run(0);
    FAIL() << "a false condition went through";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("int32[4] [7, 8, ...]"));
    EXPECT_THAT(error.message(), HasSubstr("op"));
  }
}

TEST(Assert, WantsOneBool) {
  EXPECT_THROW(OpRun("Assert").In("input_condition", Floats({}, {1})).RunAll(), Error);
  EXPECT_THROW(OpRun("Assert").In("input_condition", Tensor(DataType::kBool, {2}, {1, 1})).RunAll(), Error);
}

}  // namespace
}  // namespace foothold
