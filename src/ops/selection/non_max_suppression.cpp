// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// NonMaxSuppression to V5 choose among the boxes of one image; V6 and V7, as ONNX does, among those of every
// class in every image.
#include <algorithm>

#include "base/half.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/selection/box_suppression.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

TensorValue FloatsOf(const OpContext& context, const char* name) {
  const TensorValue& value = context.Needed(name);
  if (!ComputesInFloat(value.type().type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                        DataTypeName(value.type().type));
  return AsFloats(value);
}

float Number(const OpContext& context, const char* name, float otherwise) {
  return context.Has(name) ? static_cast<float>(Scalar(context.Needed(name))) : otherwise;
}

SuppressionRules RulesOf(const OpContext& context) {
  SuppressionRules rules;
  if (context.Has("max_output_size"))
    rules.most = static_cast<std::size_t>(std::max<std::int64_t>(0, IntArgument(context, "max_output_size")));
  rules.overlap = Number(context, "iou_threshold", context.node().Float("iou_threshold", 0.0f));
  rules.least_score = Number(context, "score_threshold", rules.least_score);
  rules.sigma = Number(context, "soft_nms_sigma", 0);
  rules.centered = context.node().Int("center_point_box", 0) != 0;
  rules.offset = static_cast<float>(context.node().Int("offset", 0));
  return rules;
}

TensorValue CountOf(std::size_t count) {
  const auto number = static_cast<std::int32_t>(count);
  return TensorValue::Of<std::int32_t>(DataType::kInt32, {}, {&number, 1});
}

TensorValue IndicesOf(const std::vector<ChosenBox>& chosen, std::size_t padded) {
  TensorValue value(TensorType{DataType::kInt32, Format::kNd, {static_cast<std::int64_t>(padded)}});
  std::fill_n(value.MutableAs<std::int32_t>(), padded, 0);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    value.MutableAs<std::int32_t>()[i] = static_cast<std::int32_t>(chosen[i].box);
  return value;
}

TensorValue ScoresOf(const std::vector<ChosenBox>& chosen, std::size_t padded, DataType type) {
  TensorValue value(TensorType{type, Format::kNd, {static_cast<std::int64_t>(padded)}});
  std::fill_n(value.mutable_data(), value.size(), std::byte{0});
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (type == DataType::kFloat) value.MutableAs<float>()[i] = chosen[i].score;
    if (type == DataType::kFloat16) value.MutableAs<Half>()[i] = Half(chosen[i].score);
    if (type == DataType::kBfloat16) value.MutableAs<Bfloat16>()[i] = Bfloat16(chosen[i].score);
  }
  return value;
}

std::vector<TensorValue> EvaluateImage(const OpContext& context) {
  const TensorValue boxes = FloatsOf(context, "boxes"), scores = FloatsOf(context, "scores");
  if (scores.dims().size() != 1 || boxes.dims() != Dims{scores.dims()[0], 4})
    context.Refuse("boxes are {} and scores {}, expected [n,4] and [n]", ToString(boxes.dims()),
                   ToString(scores.dims()));
  const SuppressionRules rules = RulesOf(context);
  const auto count = static_cast<std::size_t>(scores.dims()[0]);
  const auto chosen = ChooseBoxes(boxes.As<float>(), scores.As<float>(), count, rules);
  std::size_t padded = chosen.size();
  if (context.node().Bool("pad_to_max_output_size", false)) {
    if (rules.most > INT32_MAX) context.Refuse("max_output_size {} is above 2^31", rules.most);
    padded = rules.most;
  }
  std::vector<TensorValue> outputs{IndicesOf(chosen, padded)};
  if (context.node().OutputIndex("selected_scores") >= 0)
    outputs.push_back(ScoresOf(chosen, padded, context.In("scores").type));
  if (context.node().OutputIndex("valid_outputs") >= 0) outputs.push_back(CountOf(chosen.size()));
  return outputs;
}

struct Batches {
  std::size_t images, classes, boxes;
};

Batches BatchesOf(const OpContext& context, const Dims& boxes, const Dims& scores) {
  if (boxes.size() != 3 || scores.size() != 3 || boxes[2] != 4 || boxes[0] != scores[0] ||
      boxes[1] != scores[2])
    context.Refuse("boxes are {} and scores {}, expected [images,n,4] and [images,classes,n]",
                   ToString(boxes), ToString(scores));
  return {static_cast<std::size_t>(scores[0]), static_cast<std::size_t>(scores[1]),
          static_cast<std::size_t>(scores[2])};
}

TensorValue Triples(const std::vector<std::vector<ChosenBox>>& chosen, std::size_t classes) {
  std::size_t total = 0;
  for (const auto& list : chosen)
    total += list.size();
  TensorValue value(TensorType{DataType::kInt32, Format::kNd, {static_cast<std::int64_t>(total), 3}});
  auto* to = value.MutableAs<std::int32_t>();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (const ChosenBox& one : chosen[i]) {
      *to++ = static_cast<std::int32_t>(i / classes);
      *to++ = static_cast<std::int32_t>(i % classes);
      *to++ = static_cast<std::int32_t>(one.box);
    }
  return value;
}

std::vector<TensorValue> EvaluateClasses(const OpContext& context) {
  const TensorValue boxes = FloatsOf(context, "boxes"), scores = FloatsOf(context, "scores");
  const Batches b = BatchesOf(context, boxes.dims(), scores.dims());
  const SuppressionRules rules = RulesOf(context);
  std::vector<std::vector<ChosenBox>> chosen(b.images * b.classes);
  ParallelFor(chosen.size(), 1 + 512 / (b.boxes + 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      chosen[i] = ChooseBoxes(boxes.As<float>() + i / b.classes * b.boxes * 4,
                              scores.As<float>() + i * b.boxes, b.boxes, rules);
  });
  return {Triples(chosen, b.classes)};
}

OpDef Def(const char* type, OpDef::EvaluateRule evaluate) {
  return OpDef(type)
      .Evaluate(std::move(evaluate))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp non_max_suppression(
    {Def("NonMaxSuppression", EvaluateImage), Def("NonMaxSuppressionV2", EvaluateImage),
     Def("NonMaxSuppressionV3", EvaluateImage), Def("NonMaxSuppressionV4", EvaluateImage),
     Def("NonMaxSuppressionV5", EvaluateImage), Def("NonMaxSuppressionV6", EvaluateClasses),
     Def("NonMaxSuppressionV7", EvaluateClasses)});

}  // namespace
}  // namespace foothold
