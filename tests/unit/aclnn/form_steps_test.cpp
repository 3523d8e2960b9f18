// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What calls cost: how many kernels run for a call, and that none of them only copies where nothing has to
// be moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "unit/aclnn/call_case.h"

namespace foothold::aclnn {
namespace {

constexpr DataType kFloat = DataType::kFloat, kHalf = DataType::kFloat16;
constexpr float kOne = 1.0f, kSome = 0.7f;

// Steps that only move numbers. A copy of memory onto itself costs nothing and stands behind what is written
// in place.
std::size_t Moves(const std::vector<std::string>& steps) {
  return static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), [](const std::string& step) {
    return step == "AsStrided" || step == "Transpose" || step == "ViewCopy" || step == "TensorMove";
  }));
}

TEST(FormSteps, ContiguousSumsAreOneKernel) {
  for (const std::int64_t count : {4096, 1 << 20}) {
    const Dims dims{count};
    for (const DataType other : {kFloat, kHalf})
      for (const float alpha : {kOne, kSome}) {
        CallCase add;
        add.Add(kFloat, dims).Add(other, dims).Add(alpha).Add(kFloat, dims);
        EXPECT_EQ(add.Steps("aclnnAdd").size(), 1u) << testing::PrintToString(add.Steps("aclnnAdd"));
      }
  }
}

TEST(FormSteps, HalvesWithFloatNumbersAreOneKernel) {
  const Dims dims{4096};
  for (const char* name : {"aclnnMuls", "aclnnGtScalar", "aclnnPowTensorScalar", "aclnnLeakyRelu"}) {
    CallCase call;
    call.Add(kHalf, dims).Add(kSome).Add(kHalf, dims);
    EXPECT_EQ(call.Steps(name).size(), 1u) << name << testing::PrintToString(call.Steps(name));
  }
  CallCase in_place;
  in_place.Add(kHalf, dims).Add(kSome);
  EXPECT_EQ(in_place.Steps("aclnnInplaceMuls").size(), 1u);
  CallCase sum;
  sum.Add(kHalf, dims).Add(kHalf, dims).Add(kSome).Add(kHalf, dims);
  EXPECT_EQ(sum.Steps("aclnnAdd").size(), 1u) << testing::PrintToString(sum.Steps("aclnnAdd"));
  CallCase clamp;
  clamp.Add(kHalf, dims).Add(-kOne).Add(kOne).Add(kHalf, dims);
  EXPECT_EQ(clamp.Steps("aclnnClamp").size(), 1u) << testing::PrintToString(clamp.Steps("aclnnClamp"));
}

TEST(FormSteps, InPlaceCallsShareTheMemory) {
  CallCase call;
  call.Add(kHalf, {4096}).Add(kSome);
  EXPECT_EQ(call.FormOf("aclnnInplaceMuls")->sharing.Between(0, 0), MemorySharing::Rule::kSame);
}

const Dims kSquare{64, 64};
// Padded rows, transposed, both, every other element, one row and one column repeated, overlapping rows.
const Dims kViews[] = {{80, 1}, {1, 64}, {1, 80}, {128, 2}, {0, 1}, {1, 0}, {1, 1}};

// The other way round: element by element, such a view is read or written by a copy of its own.
std::size_t Turns(const Dims& view) {
  return !view.empty() && view[0] != 0 && view[0] < view[1] ? 1 : 0;
}

TEST(FormSteps, ViewsAreReadAndWrittenWhereTheyAre) {
  for (const DataType type : {kFloat, kHalf, DataType::kDouble, DataType::kInt64})
    for (const Dims& view : kViews)
      for (const Dims& to : {Dims{}, Dims{80, 1}, Dims{1, 64}, Dims{1, 80}, Dims{160, 2}}) {
        CallCase product;
        product.Add(type, kSquare, view).Add(type, kSquare, {96, 1}).Add(type, kSquare, to);
        const auto steps = product.Steps("aclnnMul");
        EXPECT_LE(Moves(steps), Turns(view) + Turns(to))
            << testing::PrintToString(steps) << testing::PrintToString(view) << testing::PrintToString(to);
      }
}

// As tensors in the layout NHWC seen as NCHW do.
TEST(FormSteps, WhatIsTurnedAltogetherIsNotTurned) {
  for (const DataType type : {kFloat, kHalf}) {
    CallCase sum;
    sum.Add(type, kSquare, {1, 64}).Add(type, kSquare, {1, 64}).Add(kOne).Add(type, kSquare, {1, 64});
    EXPECT_EQ(Moves(sum.Steps("aclnnAdd")), 0u) << testing::PrintToString(sum.Steps("aclnnAdd"));
  }
}

TEST(FormSteps, ViewsAreChangedWhereTheyAre) {
  for (const Dims& view : {Dims{80, 1}, Dims{1, 64}, Dims{128, 2}}) {
    CallCase call;
    call.Add(kFloat, kSquare, view).Add(kFloat, kSquare).Add(kOne);
    const auto form = call.FormOf("aclnnInplaceAdd");
    EXPECT_LE(Moves(call.Steps("aclnnInplaceAdd")), Turns(view));
    for (std::size_t i = 0; i < form->inputs.size(); ++i)
      if (form->inputs[i].value == CallInput::kTensor && form->inputs[i].tensor == 0) {
        EXPECT_NE(form->sharing.Between(i, 0), MemorySharing::Rule::kCopied);
        EXPECT_NE(form->sharing.Between(i, 0), MemorySharing::Rule::kNever);
      }
  }
}

TEST(FormSteps, ViewsThatLieOtherwiseAreNotOverwritten) {
  CallCase call;  // dense from padded rows, perhaps in one memory
  call.Add(kFloat, kSquare, {80, 1}).Add(kFloat, kSquare).Add(kFloat, kSquare);
  EXPECT_EQ(call.FormOf("aclnnMul")->sharing.Between(0, 0), MemorySharing::Rule::kNever);
}

TEST(FormSteps, ViewsAreReducedWhereTheyAre) {
  for (const DataType type : {kFloat, kHalf})
    for (const Dims& view : kViews) {
      CallCase softmax;
      softmax.Add(type, kSquare, view).AddInteger(1).Add(type, kSquare);
      EXPECT_EQ(Moves(softmax.Steps("aclnnSoftmax")), 0u) << testing::PrintToString(view);
    }
}

TEST(FormSteps, ProductsReadViews) {
  for (const Dims& view : kViews) {
    CallCase call;
    call.Add(kFloat, kSquare, view).Add(kHalf, kSquare, {1, 80}).Add(kFloat, kSquare).AddInteger(1);
    EXPECT_EQ(Moves(call.Steps("aclnnMatmul")), 0u) << testing::PrintToString(view);
  }
}

TEST(FormSteps, FillsKeepOneNumberOnly) {
  CallCase call;
  call.Add(kFloat, {64, 64}).Add(kSome);
  EXPECT_LE(Moves(call.Steps("aclnnInplaceFillScalar")), 1u);
  EXPECT_LE(call.FormOf("aclnnInplaceFillScalar")->program->program().ConstantBytes(), 1024u);
}

TEST(FormSteps, CopiesMoveNumbersOnce) {
  const Dims dims{64, 64}, apart{80, 1}, turned{1, 64};
  for (const Dims& to : {Dims(), apart, turned})
    for (const Dims& from : {Dims(), apart, turned}) {
      CallCase call;
      call.Add(kFloat, dims, to).Add(kFloat, dims, from);
      const auto steps = call.Steps("aclnnInplaceCopy");
      EXPECT_LE(Moves(steps), 1u) << testing::PrintToString(steps);
    }
}

// They may be most of the memory of a device.
TEST(FormSteps, CachesAreWrittenWhereTheyStand) {
  CallCase call;
  call.Add(kHalf, {4, 8, 64}).Add(kHalf, {32, 16, 8, 64}).Add(DataType::kInt32, {4});
  call.Add(nullptr).Add(nullptr).Add(nullptr).Add("Norm");
  EXPECT_EQ(Moves(call.Steps("aclnnScatterPaCache")), 0u);
  const auto form = call.FormOf("aclnnScatterPaCache");
  const auto& places = form->input_places;
  const auto cache = std::find_if(places.begin(), places.end(),
                                  [](const ArgumentPlace& place) { return place.parameter == 1; });
  ASSERT_NE(cache, places.end());
  EXPECT_EQ(form->sharing.Between(static_cast<std::size_t>(cache - places.begin()), 0),
            MemorySharing::Rule::kSame);
}

}  // namespace
}  // namespace foothold::aclnn
