// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "exe_graph/runtime/tensor.h"

#include <gtest/gtest.h>

namespace {

struct Shared {
  int users = 1;
  int bytes[4] = {};
};

ge::graphStatus Manage(void* address, gert::TensorOperateType operation, void** out) {
  auto* shared = static_cast<Shared*>(address);
  if (operation == gert::kGetTensorAddress) *out = shared->bytes;
  if (operation == gert::kFreeTensor) --shared->users;
  if (operation == gert::kPlusShareCount) ++shared->users;
  return ge::GRAPH_SUCCESS;
}

TEST(GertShape, CountsItsElements) {
  EXPECT_EQ((gert::Shape{2, 3}).GetShapeSize(), 6);
  EXPECT_EQ(gert::Shape().GetShapeSize(), 1);
  EXPECT_TRUE(gert::Shape().IsScalar());
  EXPECT_EQ((gert::Shape{INT64_MAX, 2}).GetShapeSize(), gert::Shape::kInvalidDimValue + 0);
}

TEST(GertShape, HasRoomFor25Dimensions) {
  gert::Shape shape;
  for (int i = 0; i < 30; ++i)
    shape.AppendDim(1);
  EXPECT_EQ(shape.GetDimNum(), 25U);
  shape.SetDimNum(26);
  EXPECT_EQ(shape.GetDimNum(), 25U);
  EXPECT_EQ(shape.GetDim(25), gert::Shape::kInvalidDimValue + 0);
}

TEST(GertShape, IsToldItsRankBeforeItsDimensions) {
  gert::Shape shape;
  shape.SetDimNum(2);
  shape.SetDim(1, 4);
  EXPECT_EQ(shape.GetDimNum(), 2U);
  EXPECT_EQ(shape[1], 4);
  shape.SetDim(99, 4);
  EXPECT_EQ(shape.GetDimNum(), 2U);
  shape.SetDim(5, 3);  // prebuilt programs have this inline: the dimension itself does not count
  EXPECT_EQ(shape.GetDimNum(), 5U);
}

TEST(GertExpandDimsType, PutsOnesWhereTheTextHasThem) {
  gert::Shape out;
  EXPECT_EQ(gert::ExpandDimsType("1001").Expand(gert::Shape{3, 4}, out), ge::GRAPH_SUCCESS);
  EXPECT_EQ(out, (gert::Shape{1, 3, 4, 1}));
  EXPECT_EQ(gert::ExpandDimsType("1001").Expand(gert::Shape{3}, out), ge::GRAPH_FAILED);
  gert::Shape full{1, 2, 3, 4};
  EXPECT_EQ(gert::ExpandDimsType("1001").Expand(full), ge::GRAPH_SUCCESS);
  EXPECT_EQ(full, (gert::Shape{1, 2, 3, 4}));
}

TEST(GertTensorData, CountsItsUsers) {
  Shared shared;
  {
    gert::TensorData first(&shared, Manage, sizeof(shared.bytes), gert::kOnHost);
    EXPECT_EQ(first.GetAddr(), shared.bytes);
    gert::TensorData second;
    ASSERT_EQ(second.ShareFrom(first), ge::GRAPH_SUCCESS);
    EXPECT_TRUE(second.IsSharedWith(first));
    EXPECT_EQ(second.GetSize(), sizeof(shared.bytes));
    EXPECT_EQ(shared.users, 2);
    gert::TensorData moved(std::move(first));
    EXPECT_EQ(first.GetAddr(), nullptr);
    EXPECT_EQ(first.GetSize(), 0U);
    EXPECT_EQ(first.GetPlacement(), gert::kTensorPlacementEnd);
    EXPECT_EQ(shared.users, 2);
    moved = std::move(second);
    EXPECT_EQ(shared.users, 1);
  }
  EXPECT_EQ(shared.users, 0);
}

TEST(GertTensorData, HandsOverItsUse) {
  Shared shared;
  gert::TensorAddrManager manager = nullptr;
  {
    gert::TensorData data(&shared, Manage);
    data.SetPlacement(gert::kOnHost);
    EXPECT_EQ(data.Release(manager), &shared);
    EXPECT_EQ(data.GetAddr(), nullptr);
    EXPECT_EQ(data.GetSize(), 0U);
    EXPECT_EQ(data.GetPlacement(), gert::kTensorPlacementEnd);
  }
  EXPECT_EQ(manager, &Manage);
  EXPECT_EQ(shared.users, 1);
}

TEST(GertTensor, ComputesItsSizeFromStorage) {
  float values[6] = {};
  const gert::Tensor tensor({{6}, {2, 3}}, {ge::FORMAT_ND, ge::FORMAT_ND, gert::ExpandDimsType()},
                            gert::kOnHost, ge::DT_FLOAT, values);
  EXPECT_EQ(tensor.GetSize(), sizeof(values));
  EXPECT_EQ(tensor.GetShapeSize(), 6);
  EXPECT_EQ(tensor.GetData<float>(), values);
  const gert::Tensor described({{6}, {6}}, gert::StorageFormat(), ge::DT_FLOAT);
  EXPECT_EQ(described.GetSize(), 0U);
}

TEST(GertTensor, MayBeFollowedByItsBytes) {
  size_t total = 0;
  const auto holder = gert::Tensor::CreateFollowing(4, ge::DT_INT32, total);
  ASSERT_NE(holder, nullptr);
  EXPECT_EQ(total, sizeof(gert::Tensor) + 16);
  auto* tensor = reinterpret_cast<gert::Tensor*>(holder.get());
  EXPECT_EQ(tensor->GetAddr(), holder.get() + sizeof(gert::Tensor));
  EXPECT_EQ(tensor->GetPlacement(), gert::kFollowing);
  EXPECT_EQ(gert::Tensor::CreateFollowing(ge::DT_INT8, SIZE_MAX, total), nullptr);
}

}  // namespace
