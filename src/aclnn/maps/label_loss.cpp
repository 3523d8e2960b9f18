// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The cross entropy of scores and labels, and losses of sequences whose labels have no places.
#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void DescribeEntropy(Call& call, Op& op) {
  const std::string reduction = call.Has("reductionOptional") ? call.GetText("reductionOptional") : "mean";
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    call.Refuse("'reductionOptional' is '{}'; none, mean or sum is expected", reduction);
  op.Set("reduction", reduction)
      .Set("ignore_index", call.GetInt("ignoreIndex"))
      .Set("label_smoothing", static_cast<float>(call.GetReal("labelSmoothing")));
}

Value InFloat(Call& call, const char* name) {
  return call.Has(name) ? call.To(call.In(name), DataType::kFloat) : Value();
}

void MapCrossEntropy(Call& call) {
  if (call.GetFlag("returnZloss")) call.NotSupported("aclnnCrossEntropyLoss with returnZloss");
  const Value x = InFloat(call, "input");
  if (DimsOf(x).size() != 2)
    call.Refuse("'input' is {}; rows of scores are expected", ToString(call.View("input")));
  const Value logs = call.Op("LogSoftmaxV2", {x}).Set("axes", std::vector<std::int64_t>{1});
  Op loss = call.OwnOp(
      "AclnnCrossEntropy",
      {{"log_prob", logs}, {"target", call.In("target")}, {"weight", InFloat(call, "weightOptional")}},
      {"loss"});
  DescribeEntropy(call, loss);
  call.OutElements("lossOut", loss);
  call.Out("logProbOut", logs);
  if (call.GetReal("lseSquareScaleForZloss") != 0)
    call.OutElements("lseForZlossOut",
                     call.Op("ReduceLogSumExp", {x, call.Ints({1})}).Set("keep_dims", false));
}

void MapCrossEntropyGrad(Call& call) {
  Op gradient = call.OwnOp("AclnnCrossEntropyGrad",
                           {{"log_prob", InFloat(call, "logProb")},
                            {"target", call.In("target")},
                            {"weight", InFloat(call, "weightOptional")},
                            {"grad", InFloat(call, "gradLoss")}},
                           {"y"});
  DescribeEntropy(call, gradient);
  call.Out("out", gradient);
}

// A list of labels on the device, or rows of them; [T, C] is a batch of one.
struct Sequences {
  Value logs, labels;
  std::vector<std::int64_t> inputs, targets;
};

Sequences SequencesOf(Call& call, const char* target_lengths) {
  const Value given = call.In("logProbs");
  const Dims dims = DimsOf(given);
  if (dims.size() != 2 && dims.size() != 3)
    call.Refuse("'logProbs' is {}; two or three dimensions are expected", ToString(call.View("logProbs")));
  const Value logs = dims.size() == 3 ? given : call.Reshape(given, {dims[0], 1, dims[1]});
  return {call.To(logs, ComputeType(TypeOf(logs).type)), call.To(call.In("targets"), DataType::kInt64),
          call.GetInts("inputLengths"), call.GetInts(target_lengths)};
}

void Describe(Call& call, Op& op, const Sequences& sequences) {
  op.Set("input_lengths", sequences.inputs)
      .Set("target_lengths", sequences.targets)
      .Set("blank", call.GetInt("blank"));
}

void MapCtc(Call& call) {
  const Sequences sequences = SequencesOf(call, "targetlengths");
  const Dims alpha = call.DimsOfArgument("logAlphaOut");
  if (alpha.empty())
    call.Refuse("'logAlphaOut' is {}; a row for each step is expected", ToString(call.View("logAlphaOut")));
  Op loss = call.OwnOp("AclnnCtcLoss", {{"log_probs", sequences.logs}, {"targets", sequences.labels}},
                       {"loss", "log_alpha"});
  Describe(call, loss, sequences);
  loss.Set("row", alpha.back());
  call.OutElements("negLogLikelihoodOut", loss.Out(0));
  call.OutElements("logAlphaOut", loss.Out(1));
}

void MapCtcBackward(Call& call) {
  const Sequences sequences = SequencesOf(call, "targetLengths");
  const DataType type = TypeOf(sequences.logs).type;
  Op gradient = call.OwnOp("AclnnCtcLossGrad",
                           {{"log_probs", sequences.logs},
                            {"targets", sequences.labels},
                            {"grad", call.To(call.In("gradOut"), type)},
                            {"loss", call.To(call.In("negLogLikelihood"), type)},
                            {"log_alpha", call.To(call.In("logAlpha"), type)}},
                           {"y"});
  Describe(call, gradient, sequences);
  gradient.Set("zero_infinity", call.GetFlag("zeroInfinity"));
  call.OutElements("out", gradient);
}

const RegisterMapping label_loss_maps({
    {"aclnnCrossEntropyLoss", MapCrossEntropy},
    {"aclnnCrossEntropyLossGrad", MapCrossEntropyGrad},
    {"aclnnCtcLoss", MapCtc},
    {"aclnnCtcLossBackward", MapCtcBackward},
});

}  // namespace
}  // namespace foothold::aclnn
