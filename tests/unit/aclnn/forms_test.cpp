// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many forms are prepared for calls whose numbers change.
#include <gtest/gtest.h>

#include "unit/aclnn/call_case.h"

namespace foothold::aclnn {
namespace {

constexpr DataType kFloat = DataType::kFloat;

// By this thread and no other: tests run one after the other.
template <typename Run>
std::uint64_t PreparedBy(const Run& run) {
  const std::uint64_t before = Forms::Get().prepared();
  run();
  return Forms::Get().prepared() - before;
}

TEST(Forms, ArePreparedForTypesOfNumbersNotForValues) {
  const auto step = [](const char* name, int i) {
    CallCase call;
    call.Add(kFloat, {17, 3}).Add(0.5f + static_cast<float>(i)).Add(kFloat, {17, 3});
    call.FormOf(name);
  };
  for (const char* name : {"aclnnMuls", "aclnnGtScalar", "aclnnDivs", "aclnnClampMin"}) {
    step(name, 0);
    EXPECT_EQ(PreparedBy([&] {
                for (int i = 1; i < 1000; ++i)
                  step(name, i);
              }),
              0u)
        << name;
  }
}

// One where the second operand is not multiplied, one where it is.
TEST(Forms, OfSumsKnowWhetherTheFactorIsOne) {
  const auto step = [](float alpha) {
    CallCase call;
    call.Add(kFloat, {5, 29}).Add(kFloat, {5, 29}).Add(alpha).Add(kFloat, {5, 29});
    return call.Steps("aclnnAdd").size();
  };
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(step(static_cast<float>(i) / 4), 1u);
  EXPECT_EQ(PreparedBy([&] {
              for (int i = 0; i < 1000; ++i)
                step(static_cast<float>(i) / 4);
            }),
            0u);
}

TEST(Forms, OfStepsOfTrainingFollowAnySchedule) {
  const Dims dims{23, 3};
  const auto step = [&](int i) {
    const float rate = 1e-3f / static_cast<float>(i + 1);
    CallCase update, decay, fused;
    update.Add(kFloat, dims).Add(kFloat, dims).Add(kFloat, dims).Add(-rate).FormOf("aclnnInplaceAddcdiv");
    decay.Add(kFloat, dims).Add(1 - rate).FormOf("aclnnInplaceMuls");
    fused.Add(kFloat, dims).Add(kFloat, dims).Add(kFloat, dims).Add(nullptr).Add(kFloat, dims);
    fused.Add(kFloat, {1}).AddReal(static_cast<double>(rate)).AddReal(0.9).AddReal(0.999).AddReal(0.01);
    fused.AddReal(1e-8).AddInteger(0).AddInteger(0).FormOf("aclnnApplyAdamWV2");
  };
  for (int i = 0; i < 10; ++i)
    step(i);
  EXPECT_EQ(PreparedBy([&] {
              for (int i = 10; i < 1000; ++i)
                step(i);
            }),
            0u);
}

TEST(Forms, OfAttentionServeAllLengthsOfACache) {
  const auto step = [](std::int64_t length) {
    CallCase call;
    call.Add(kFloat, {1, 1, 64}).AddList(kFloat, {1, 1000, 64}).AddList(kFloat, {1, 1000, 64});
    call.Add(nullptr).Add(nullptr).Add(std::vector<std::int64_t>{length}).AddInteger(4).AddReal(0.25);
    call.Add("BSH").AddInteger(4).Add(kFloat, {1, 1, 64}).FormOf("aclnnIncreFlashAttention");
  };
  step(1);
  EXPECT_EQ(PreparedBy([&] {
              for (std::int64_t length = 2; length <= 1000; ++length)
                step(length);
            }),
            0u);
}

}  // namespace
}  // namespace foothold::aclnn
