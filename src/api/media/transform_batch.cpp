// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Several regions of several pictures in one call: the first numbers[0] belong to the first picture, and so
// on.
#include "api/media/transform_task.h"

using namespace foothold;
using namespace foothold::media;

namespace {

struct BatchArguments {
  const acldvppBatchPicDesc* sources;
  const uint32_t* numbers;
  uint32_t size;
  const acldvppBatchPicDesc* outputs;
};

const acldvppPicDesc* PictureIn(const std::vector<void*>& pictures, size_t index) {
  return static_cast<const acldvppPicDesc*>(pictures[index]);
}

// The number of the source each output is made of.
std::vector<uint32_t> SourcesOfOutputs(const BatchArguments& batch, size_t sources, size_t outputs) {
  CheckNotNull(batch.numbers, "roiNums", kInvalidParam);
  if (batch.size == 0 || batch.size > sources)
    Fail(kInvalidParam, "size is {}; the batch of sources has {} pictures", batch.size, sources);
  std::vector<uint32_t> of;
  for (uint32_t source = 0; source < batch.size; ++source) {
    if (batch.numbers[source] > outputs - of.size())
      Fail(kInvalidParam, "the numbers of regions add up to more than the {} pictures of the output batch",
           outputs);
    of.insert(of.end(), batch.numbers[source], source);
  }
  if (of.size() != outputs)
    Fail(kInvalidParam, "the numbers of regions add up to {}; the output batch has {} pictures", of.size(),
         outputs);
  return of;
}

// `add` completes each step: crop region, paste region or border.
template <typename Complete>
std::vector<TransformStep> StepsOf(const BatchArguments& batch, acldvppRoiConfig* const* crops,
                                   Complete&& complete) {
  const std::vector<void*> sources = PictureBatches::Get().Find(batch.sources).pictures;
  const std::vector<void*> outputs = PictureBatches::Get().Find(batch.outputs).pictures;
  CheckNotNull(crops, "cropAreas", kInvalidParam);
  const std::vector<uint32_t> source_of = SourcesOfOutputs(batch, sources.size(), outputs.size());
  std::vector<TransformStep> steps;
  for (size_t i = 0; i < source_of.size(); ++i) {
    TransformStep step{FindComplete(PictureIn(sources, source_of[i]), "source"),
                       FindComplete(PictureIn(outputs, i), "output"),
                       Use::kWrite,
                       Extent::kPartial,
                       {}};
    const Region crop = FindRegion(crops[i], "crop");
    CheckInside(crop, step.in.shape, "crop");
    complete(i, crop, step);
    steps.push_back(std::move(step));
  }
  return steps;
}

void Paste(const Region& crop, const Region& to, TransformStep& step) {
  CheckInside(to, step.out.shape, "paste");
  if (to == WholeOf(step.out.shape)) step.out_extent = Extent::kExact;
  step.run = [crop, to](const Picture& in, const Picture& out, const TransformOptions& options) {
    CropResizePaste(in, crop, out, to, options);
  };
}

std::vector<TransformStep> CropSteps(const BatchArguments& batch, acldvppRoiConfig* const* crops) {
  return StepsOf(batch, crops, [](size_t, const Region& crop, TransformStep& step) {
    Paste(crop, WholeOf(step.out.shape), step);
  });
}

std::vector<TransformStep> PasteSteps(const BatchArguments& batch, acldvppRoiConfig* const* crops,
                                      acldvppRoiConfig* const* pastes) {
  CheckNotNull(pastes, "pasteAreas", kInvalidParam);
  return StepsOf(batch, crops, [&](size_t i, const Region& crop, TransformStep& step) {
    Paste(crop, FindRegion(pastes[i], "paste"), step);
  });
}

std::vector<TransformStep> BorderSteps(const BatchArguments& batch, acldvppRoiConfig* const* crops,
                                       acldvppBorderConfig* const* borders) {
  CheckNotNull(borders, "borderCfgs", kInvalidParam);
  return StepsOf(batch, crops, [&](size_t i, const Region& crop, TransformStep& step) {
    const Border border = FindBorder(borders[i]);
    step.out_extent = Extent::kExact;
    step.run = [crop, border](const Picture& in, const Picture& out, const TransformOptions& options) {
      CropResizeMakeBorder(in, crop, out, border, options);
    };
  });
}

}  // namespace

aclError acldvppVpcBatchCropAsync(acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs,
                                  uint32_t* roiNums, uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                  acldvppRoiConfig** cropAreas, aclrtStream stream) {
  const auto call =
      FOOTHOLD_CALL(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas, stream);
  return Guard(call, [&] {
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   CropSteps({srcBatchPicDescs, roiNums, size, dstBatchPicDescs}, cropAreas));
  });
}

aclError acldvppVpcBatchCropResizeAsync(acldvppChannelDesc* channelDesc,
                                        acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                        uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                        acldvppRoiConfig** cropAreas, acldvppResizeConfig* resizeConfig,
                                        aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas,
                                  resizeConfig, stream);
  return Guard(call, [&] {
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   CropSteps({srcBatchPicDescs, roiNums, size, dstBatchPicDescs}, cropAreas));
  });
}

aclError acldvppVpcBatchCropAndPasteAsync(acldvppChannelDesc* channelDesc,
                                          acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                          uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                          acldvppRoiConfig** cropAreas, acldvppRoiConfig** pasteAreas,
                                          aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas,
                                  pasteAreas, stream);
  return Guard(call, [&] {
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   PasteSteps({srcBatchPicDescs, roiNums, size, dstBatchPicDescs}, cropAreas, pasteAreas));
  });
}

aclError acldvppVpcBatchCropResizePasteAsync(acldvppChannelDesc* channelDesc,
                                             acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                             uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                             acldvppRoiConfig** cropAreas, acldvppRoiConfig** pasteAreas,
                                             acldvppResizeConfig* resizeConfig, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas,
                                  pasteAreas, resizeConfig, stream);
  return Guard(call, [&] {
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   PasteSteps({srcBatchPicDescs, roiNums, size, dstBatchPicDescs}, cropAreas, pasteAreas));
  });
}

aclError acldvppVpcBatchCropResizeMakeBorderAsync(acldvppChannelDesc* channelDesc,
                                                  acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                                  uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                                  acldvppRoiConfig** cropAreas,
                                                  acldvppBorderConfig** borderCfgs,
                                                  acldvppResizeConfig* resizeConfig, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, srcBatchPicDescs, roiNums, size, dstBatchPicDescs, cropAreas,
                                  borderCfgs, resizeConfig, stream);
  return Guard(call, [&] {
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   BorderSteps({srcBatchPicDescs, roiNums, size, dstBatchPicDescs}, cropAreas, borderCfgs));
  });
}
