// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// Pairs of nearly equal boxes: 0 and 1, 3 and 4; 2 overlaps the first pair a little.
const std::vector<double> kBoxes{0, 0,    1, 1,    0, 0.1,  1, 1.1,  0, -0.1,  1, 0.9,
                                 0, 10.0, 1, 11.0, 0, 10.1, 1, 11.1, 0, 100.0, 1, 101.0};
const std::vector<double> kScores{0.9, 0.75, 0.6, 0.95, 0.5, 0.3};

void AddImage(OpRun& op, DataType data = DataType::kFloat) {
  op.In("boxes", Tensor(data, {6, 4}, kBoxes)).In("scores", Tensor(data, {6}, kScores));
}

TEST(NonMaxSuppression, ChoosesByScoreAndDropsOverlaps) {
  OpRun first("NonMaxSuppression");
  AddImage(first);
  EXPECT_EQ(Numbers(first.In("max_output_size", Int32s({}, {3})).Out("selected_indices").Run()),
            (std::vector<double>{3, 0, 5}));
  OpRun second("NonMaxSuppressionV2");
  AddImage(second, DataType::kFloat16);
  second.In("max_output_size", Int32s({}, {2})).In("iou_threshold", Floats({}, {0.5}));
  EXPECT_EQ(Numbers(second.Out("selected_indices").Run()), (std::vector<double>{3, 0}));
  OpRun third("NonMaxSuppressionV3");
  AddImage(third);
  third.In("max_output_size", Int32s({}, {9}))
      .In("iou_threshold", Floats({}, {0.5}))
      .In("score_threshold", Floats({}, {0.4}));
  EXPECT_EQ(Numbers(third.Out("selected_indices").Run()), (std::vector<double>{3, 0}));
}

TEST(NonMaxSuppression, PadsWhenAsked) {
  OpRun op("NonMaxSuppressionV4");
  AddImage(op);
  op.In("max_output_size", Int32s({}, {5}))
      .In("iou_threshold", Floats({}, {0.5}))
      .In("score_threshold", Floats({}, {0}));
  const auto found =
      op.Attr("pad_to_max_output_size", true).Out("selected_indices").Out("valid_outputs").RunAll();
  EXPECT_EQ(Numbers(found[0]), (std::vector<double>{3, 0, 5, 0, 0}));
  EXPECT_EQ(Numbers(found[1]), (std::vector<double>{3}));
}

TEST(NonMaxSuppression, LowersScoresSoftly) {
  OpRun op("NonMaxSuppressionV5");
  op.In("boxes", Floats({3, 4}, {0, 0, 1, 1, 0, 0.5, 1, 1.5, 0, 9, 1, 10}))
      .In("scores", Floats({3}, {0.9, 0.8, 0.7}));
  op.In("max_output_size", Int32s({}, {3}))
      .In("iou_threshold", Floats({}, {0.1}))
      .In("score_threshold", Floats({}, {0}));
  op.In("soft_nms_sigma", Floats({}, {0.1}))
      .Out("selected_indices")
      .Out("selected_scores")
      .Out("valid_outputs");
  const auto found = op.RunAll();
  const double overlap = 1.0 / 3;  // of halves that are shared
  EXPECT_EQ(Numbers(found[0]), (std::vector<double>{0, 2, 1}));
  ExpectNear(found[1], {0.9, 0.7, 0.8 * std::exp(-0.5 / 0.1 * overlap * overlap)}, 1e-5);
  EXPECT_EQ(Numbers(found[2]), (std::vector<double>{3}));
}

TEST(NonMaxSuppressionV6, GoesThroughClassesAndImages) {
  std::vector<double> boxes = kBoxes, scores = kScores;
  boxes.insert(boxes.end(), kBoxes.begin(), kBoxes.end());
  for (int i = 0; i < 3; ++i)
    scores.insert(scores.end(), kScores.begin(), kScores.end());
  OpRun op("NonMaxSuppressionV6");
  op.In("boxes", Floats({2, 6, 4}, boxes))
      .In("scores", Floats({2, 2, 6}, scores))
      .In("max_output_size", Int32s({1}, {2}));
  op.In("iou_threshold", Floats({1}, {0.5})).In("score_threshold", Floats({1}, {0})).Out("selected_indices");
  const TensorValue found = op.Run();
  EXPECT_EQ(found.dims(), (Dims{8, 3}));
  EXPECT_EQ(Numbers(found),
            (std::vector<double>{0, 0, 3, 0, 0, 0, 0, 1, 3, 0, 1, 0, 1, 0, 3, 1, 0, 0, 1, 1, 3, 1, 1, 0}));
}

TEST(NonMaxSuppressionV6, TakesCentresAndFlippedCorners) {
  const auto run = [](std::int64_t centred, const std::vector<double>& boxes) {
    return Numbers(OpRun("NonMaxSuppressionV6")
                       .In("boxes", Floats({1, 2, 4}, boxes))
                       .In("scores", Floats({1, 1, 2}, {0.5, 0.9}))
                       .In("max_output_size", Int32s({}, {5}))
                       .In("iou_threshold", Floats({}, {0.5}))
                       .Attr("center_point_box", centred)
                       .Out("selected_indices")
                       .Run());
  };
  EXPECT_EQ(run(1, {5, 5, 2, 2, 5.1, 5, 2, 2}), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(run(0, {1, 1, 0, 0, 0, 0, 1, 1}), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(run(0, {5, 5, 2, 2, 5.1, 5, 9, 9}), (std::vector<double>{0, 0, 1, 0, 0, 0}));
}

TEST(NonMaxSuppressionV6, ChoosesNothingWithoutALimit) {
  const TensorValue found = OpRun("NonMaxSuppressionV6")
                                .In("boxes", Floats({1, 6, 4}, kBoxes))
                                .In("scores", Floats({1, 1, 6}, kScores))
                                .Out("selected_indices")
                                .Run();
  EXPECT_EQ(found.dims(), (Dims{0, 3}));
}

TEST(NonMaxSuppression, RefusesBoxesThatDoNotFit) {
  OpRun op("NonMaxSuppressionV6");
  op.In("boxes", Floats({1, 6, 4}, kBoxes)).In("scores", Floats({1, 2, 3}, kScores)).Out("selected_indices");
  EXPECT_THROW(op.Run(), Error);
}

}  // namespace
}  // namespace foothold
