// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ONNX counts with 64 bits. None of them may be cut to 32: the model would compute something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "onnx/model_maker.h"

namespace foothold {
namespace {

using testing::HasSubstr;
using Floats = std::vector<float>;
using Proto = ::onnx::TensorProto;

constexpr std::int64_t kAbove32 = std::int64_t{1} << 32, kHuge = std::int64_t{1} << 62;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// What running says, or nothing.
std::string FailureOf(ModelMaker& model, const std::vector<ge::Tensor>& inputs) {
  try {
    RunModel(model, inputs);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(OnnxCounts, OfTopKAreRefusedAboveTheAxis) {
  ModelMaker model;
  model.Input("x", {5}).Output("y").Numbers("k", {1}, {kAbove32 + 2});
  model.Node("TopK", {"x", "k"}, {"y", "i"});
  EXPECT_THAT(FailureOf(model, {FloatTensor({5}, {1, 5, 2, 4, 3})}), HasSubstr("4294967298"));
}

TEST(OnnxCounts, OfTopKInAnAttributeAreRefusedAboveTheAxis) {
  ModelMaker model(9);
  model.Input("x", {5}).Output("y");
  SetInt(model.Node("TopK", {"x"}, {"y", "i"}), "k", kAbove32 + 2);
  EXPECT_THAT(FailureOf(model, {FloatTensor({5}, {1, 5, 2, 4, 3})}), HasSubstr("4294967298"));
}

TEST(OnnxCounts, OfOneHotAreRefusedWhenNothingCouldHoldThem) {
  ModelMaker model;
  model.Input("x", {2}).Output("y").Numbers("depth", {}, {kHuge + 3}).Weights("values", {2}, {0, 1});
  SetInt(model.Node("Cast", {"x"}, {"i"}), "to", Proto::INT64);
  model.Node("OneHot", {"i", "depth", "values"}, {"y"});
  EXPECT_THAT(FailureOf(model, {FloatTensor({2}, {0, 2})}), HasSubstr("4611686018427387907"));
}

TEST(OnnxCounts, OfSamplesAreRefusedWhenNothingCouldHoldThem) {
  ModelMaker model;
  model.Input("x", {1, 2}).Output("y", Proto::INT32);
  SetInt(model.Node("Multinomial", {"x"}, {"y"}), "sample_size", kHuge + 3);
  EXPECT_THAT(FailureOf(model, {FloatTensor({1, 2}, {0.5, 0.5})}), HasSubstr("4611686018427387907"));
}

// As exporters write "all of them".
TEST(OnnxCounts, OfBoxesMayBeTheLargestNumber) {
  ModelMaker model;
  model.Input("boxes", {1, 2, 4}).Input("scores", {1, 1, 2}).Output("y", Proto::INT64);
  model.Numbers("most", {1}, {kLargest}).Weights("overlap", {1}, {0.5f});
  model.Node("NonMaxSuppression", {"boxes", "scores", "most", "overlap"}, {"y"});
  const auto found = RunModel(
      model, {FloatTensor({1, 2, 4}, {0, 0, 1, 1, 5, 5, 6, 6}), FloatTensor({1, 1, 2}, {0.9f, 0.8f})});
  EXPECT_EQ(found[0].GetTensorDesc().GetShape().GetDims(), (Shape{2, 3}));
}

TEST(OnnxCounts, OfDiagonalsMayBeAnyNumber) {
  for (const std::int64_t k : {kLargest, -kLargest, kAbove32}) {
    ModelMaker model(14);
    model.Input("x", {2, 2}).Output("y").Numbers("k", {}, {k});
    SetInt(model.Node("Trilu", {"x", "k"}, {"y"}), "upper", 1);
    const auto found = RunModel(model, {FloatTensor({2, 2}, {1, 2, 3, 4})});
    EXPECT_EQ(FloatsOf(found[0]), k < 0 ? (Floats{1, 2, 3, 4}) : (Floats{0, 0, 0, 0})) << k;
  }
}

TEST(OnnxCounts, OfSlicesMayBeTheLargestNumber) {
  ModelMaker model;
  model.Input("x", {2}).Output("y");
  model.Numbers("starts", {1}, {-kLargest}).Numbers("ends", {1}, {kLargest});
  model.Node("Slice", {"x", "starts", "ends"}, {"y"});
  const auto found = RunModel(model, {FloatTensor({2}, {1, 2})});
  EXPECT_EQ(FloatsOf(found[0]), (Floats{1, 2}));
}

}  // namespace
}  // namespace foothold
