// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/tensor.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ge/ge_api.h"

namespace {

using ge::AscendString;
using ge::Shape;
using ge::Tensor;
using ge::TensorDesc;

TensorDesc Ints(std::vector<int64_t> dims) {
  return TensorDesc(Shape(dims), ge::FORMAT_ND, ge::DT_INT32);
}

TEST(GeTensor, StartsUndescribedAndEmpty) {
  const Tensor tensor;
  EXPECT_EQ(tensor.GetDataType(), ge::DT_UNDEFINED);
  EXPECT_EQ(tensor.GetFormat(), ge::FORMAT_RESERVED);
  EXPECT_EQ(tensor.GetPlacement(), ge::kPlacementEnd);
  EXPECT_EQ(tensor.GetSize(), 0U);
  EXPECT_EQ(tensor.GetData(), nullptr);
}

TEST(GeTensor, CopiesTheBytesItIsGiven) {
  int32_t values[] = {1, 2};
  Tensor tensor(Ints({2}), reinterpret_cast<uint8_t*>(values), sizeof(values));
  values[0] = 7;
  EXPECT_EQ(reinterpret_cast<const int32_t*>(tensor.GetData())[0], 1);
  EXPECT_EQ(tensor.GetSize(), sizeof(values));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.GetData()) % 64, 0U);
  EXPECT_EQ(tensor.IsValid(), ge::GRAPH_SUCCESS);
}

TEST(GeTensor, CopiesShareAndClonesDoNot) {
  const std::vector<uint8_t> bytes = {1, 0, 0, 0};
  Tensor tensor(Ints({1}), bytes);
  Tensor copy = tensor;
  Tensor clone = tensor.Clone();
  copy.GetData()[0] = 9;
  EXPECT_EQ(tensor.GetData()[0], 9);
  EXPECT_EQ(clone.GetData()[0], 1);
  EXPECT_EQ(copy.SetTensorDesc(Ints({4})), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.GetTensorDesc().GetShape().GetDim(0), 4);
  EXPECT_EQ(clone.GetTensorDesc().GetShape().GetDim(0), 1);
}

TEST(GeTensor, MovesAVectorWithoutCopying) {
  std::vector<uint8_t> bytes(16, 3);
  const uint8_t* const address = bytes.data();
  Tensor tensor(Ints({4}));
  EXPECT_EQ(tensor.SetData(std::move(bytes)), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.GetData(), address);
}

TEST(GeTensor, FreesAdoptedBytesOnce) {
  int freed = 0;
  uint8_t bytes[4] = {};
  {
    Tensor tensor(Ints({1}));
    ASSERT_EQ(tensor.SetData(bytes, sizeof(bytes), [&](uint8_t* data) { freed += data == bytes ? 1 : 100; }),
              ge::GRAPH_SUCCESS);
    const Tensor copy = tensor;
    EXPECT_EQ(tensor.GetData(), bytes);
  }
  EXPECT_EQ(freed, 1);
}

TEST(GeTensor, HandsItsBytesToTheCaller) {
  int freed = 0;
  uint8_t bytes[4] = {};
  std::unique_ptr<uint8_t[], Tensor::DeleteFunc> handed;
  {
    Tensor tensor(Ints({1}));
    ASSERT_EQ(tensor.SetData(bytes, sizeof(bytes), [&](uint8_t*) { ++freed; }), ge::GRAPH_SUCCESS);
    handed = tensor.ResetData();
    EXPECT_EQ(tensor.GetSize(), 0U);
    EXPECT_EQ(tensor.GetData(), nullptr);
  }
  EXPECT_EQ(handed.get(), bytes);
  EXPECT_EQ(freed, 0);
  handed.reset();
  EXPECT_EQ(freed, 1);
}

TEST(GeTensor, HandsOutNothingWhenItHasNothing) {
  Tensor tensor;
  EXPECT_EQ(tensor.ResetData().get(), nullptr);
}

TEST(GeTensor, RefusesBytesThatAreNotThere) {
  Tensor tensor(Ints({1}));
  EXPECT_EQ(tensor.SetData(static_cast<const uint8_t*>(nullptr), 4), ge::GRAPH_FAILED);
  EXPECT_NE(ge::GEGetErrorMsg().find("Tensor::SetData"), std::string::npos);
  EXPECT_EQ(tensor.SetData(static_cast<const uint8_t*>(nullptr), 0), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.SetData(static_cast<const char*>(nullptr)), ge::GRAPH_FAILED);
}

TEST(GeTensor, IsValidWhenTheSizeFitsTheDescription) {
  Tensor tensor(Ints({3}), std::vector<uint8_t>(8));
  EXPECT_EQ(tensor.IsValid(), ge::GRAPH_FAILED);
  Tensor scalar(Ints({}), std::vector<uint8_t>(4));
  EXPECT_EQ(scalar.IsValid(), ge::GRAPH_SUCCESS);
  Tensor unknown(Ints({-1}), std::vector<uint8_t>(7));
  EXPECT_EQ(unknown.IsValid(), ge::GRAPH_SUCCESS);
}

TEST(GeTensor, StoresStringsBehindTheirHeads) {
  Tensor tensor(TensorDesc(Shape({2}), ge::FORMAT_ND, ge::DT_STRING));
  ASSERT_EQ(tensor.SetData(std::vector<std::string>{"ab", ""}), ge::GRAPH_SUCCESS);
  ASSERT_EQ(tensor.GetSize(), 2 * sizeof(ge::StringHead) + 4);
  const auto* heads = reinterpret_cast<const ge::StringHead*>(tensor.GetData());
  EXPECT_EQ(heads[0].len, 2);
  EXPECT_STREQ(reinterpret_cast<const char*>(tensor.GetData() + heads[0].addr), "ab");
  EXPECT_EQ(heads[1].len, 0);
  EXPECT_EQ(heads[1].addr, heads[0].addr + 3);
  EXPECT_EQ(tensor.IsValid(), ge::GRAPH_SUCCESS);
}

TEST(GeTensor, IsDescribedWithoutADescription) {
  Tensor tensor;
  EXPECT_EQ(tensor.SetShapeDimNum(2), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.SetShapeDim(1, 5), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.SetShapeDim(2, 5), ge::GRAPH_FAILED);
  EXPECT_EQ(tensor.GetShapeDim(1), 5);
  EXPECT_EQ(tensor.GetShapeDim(2), 0);
  EXPECT_EQ(tensor.SetOriginShapeDimNum(1), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.GetOriginShapeDimNum(), 1U);
  EXPECT_EQ(tensor.GetShapeDimNum(), 2U);
  EXPECT_EQ(tensor.SetDataType(ge::DT_INT8), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.SetFormat(ge::FORMAT_NCHW), ge::GRAPH_SUCCESS);
  EXPECT_EQ(tensor.SetPlacement(ge::kPlacementDevice), ge::GRAPH_SUCCESS);
  const TensorDesc desc = tensor.GetTensorDesc();
  EXPECT_EQ(desc.GetDataType(), ge::DT_INT8);
  EXPECT_EQ(desc.GetFormat(), ge::FORMAT_NCHW);
  EXPECT_EQ(desc.GetPlacement(), ge::kPlacementDevice);
  EXPECT_EQ(tensor.SetShapeDimNum(SIZE_MAX), ge::GRAPH_FAILED);
}

TEST(GeTypes, CountBytesOfPackedElements) {
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_DOUBLE), 8);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_STRING), -1);
  EXPECT_EQ(ge::GetSizeByDataType(static_cast<ge::DataType>(99)), -1);
  EXPECT_EQ(ge::GetSizeInBytes(3, ge::DT_FLOAT16), 6);
  EXPECT_EQ(ge::GetSizeInBytes(3, ge::DT_INT4), 2);
  EXPECT_EQ(ge::GetSizeInBytes(9, ge::DT_UINT1), 2);
  EXPECT_EQ(ge::GetSizeInBytes(-1, ge::DT_FLOAT), -1);
  EXPECT_EQ(ge::GetSizeInBytes(INT64_MAX, ge::DT_FLOAT), -1);
  EXPECT_EQ(ge::GetSizeInBytes(1, ge::DT_UNDEFINED), -1);
}

TEST(GeTypes, TakeLayoutsApart) {
  const int32_t format = ge::GetFormatFromSubAndC0(ge::FORMAT_FRACTAL_Z, 32, 5);
  EXPECT_EQ(ge::GetPrimaryFormat(format), ge::FORMAT_FRACTAL_Z);
  EXPECT_EQ(ge::GetSubFormat(format), 32);
  EXPECT_EQ(ge::GetC0Value(format), 16);
  EXPECT_TRUE(ge::HasSubFormat(format) && ge::HasC0Format(format));
  EXPECT_EQ(ge::GetC0Value(ge::FORMAT_ND), -1);
  EXPECT_STREQ(ge::GetFormatName(ge::FORMAT_NCHW), "NCHW");
  EXPECT_STREQ(ge::GetFormatName(static_cast<ge::Format>(200)), "RESERVED");
}

}  // namespace
