// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Pictures resized, cropped, pasted, converted, counted and mapped, one at a time.
#include "api/media/transform_task.h"
#include "api/status.h"
#include "device/current.h"

using namespace foothold;
using namespace foothold::media;

namespace {

// Everything but `paste` of the output stays; without one the whole output is written.
TransformStep PasteStep(const acldvppPicDesc* input, const acldvppPicDesc* output,
                        const acldvppRoiConfig* crop, const acldvppRoiConfig* paste) {
  TransformStep step{
      FindComplete(input, "input"), FindComplete(output, "output"), Use::kWrite, Extent::kPartial, {}};
  const Region from = crop != nullptr ? FindRegion(crop, "crop") : WholeOf(step.in.shape);
  const Region to = paste != nullptr ? FindRegion(paste, "paste") : WholeOf(step.out.shape);
  CheckInside(from, step.in.shape, "crop");
  CheckInside(to, step.out.shape, "paste");
  if (to == WholeOf(step.out.shape)) step.out_extent = Extent::kExact;
  step.run = [from, to](const Picture& in, const Picture& out, const TransformOptions& options) {
    CropResizePaste(in, from, out, to, options);
  };
  return step;
}

template <typename Run>
TransformStep WholeStep(const acldvppPicDesc* input, const acldvppPicDesc* output, Run run) {
  return {FindComplete(input, "input"), FindComplete(output, "output"), Use::kWrite, Extent::kExact,
          std::move(run)};
}

void NeedRegion(const acldvppRoiConfig* region, const char* name) {
  CheckNotNull(region, name, kInvalidParam);
}

void PushHistogram(const acldvppChannelDesc* handle, const DescribedPicture& in,
                   const std::shared_ptr<HistogramState>& hist, aclrtStream stream, const char* api) {
  const auto channel = FindChannel(handle);
  channel->Use(kTransforms);
  MediaWork work;
  work.memory.push_back(MemoryOf(in, Use::kRead, "srcPicDesc"));
  const Picture shape = in.shape;
  work.run = [shape, hist](const std::vector<std::uint8_t*>& at) {
    CalcHist(PictureAt(shape, at[0]), hist->counts);
  };
  work.tell = [hist](std::uint32_t code) { hist->ret_code = code; };
  const StreamRef found = FindStream(stream);
  channel->Queued(found, PushMediaWork(found, api, std::move(work)));
}

}  // namespace

aclError acldvppVpcResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                               acldvppPicDesc* outputDesc, acldvppResizeConfig* resizeConfig,
                               aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, resizeConfig, stream);
  return Guard(call, [&] {
    CheckNotNull(resizeConfig, "resizeConfig", kInvalidParam);
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   {PasteStep(inputDesc, outputDesc, nullptr, nullptr)});
  });
}

aclError acldvppVpcCropAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                             acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, cropArea, stream);
  return Guard(call, [&] {
    NeedRegion(cropArea, "cropArea");
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   {PasteStep(inputDesc, outputDesc, cropArea, nullptr)});
  });
}

aclError acldvppVpcCropResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                   acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                   acldvppResizeConfig* resizeConfig, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, cropArea, resizeConfig, stream);
  return Guard(call, [&] {
    NeedRegion(cropArea, "cropArea");
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   {PasteStep(inputDesc, outputDesc, cropArea, nullptr)});
  });
}

aclError acldvppVpcCropAndPasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                     acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                     acldvppRoiConfig* pasteArea, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, cropArea, pasteArea, stream);
  return Guard(call, [&] {
    NeedRegion(cropArea, "cropArea");
    NeedRegion(pasteArea, "pasteArea");
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   {PasteStep(inputDesc, outputDesc, cropArea, pasteArea)});
  });
}

aclError acldvppVpcCropResizePasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                        acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                        acldvppRoiConfig* pasteArea, acldvppResizeConfig* resizeConfig,
                                        aclrtStream stream) {
  const auto call =
      FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, cropArea, pasteArea, resizeConfig, stream);
  return Guard(call, [&] {
    NeedRegion(cropArea, "cropArea");
    NeedRegion(pasteArea, "pasteArea");
    PushTransforms(channelDesc, stream, call.name, FindInterpolation(resizeConfig),
                   {PasteStep(inputDesc, outputDesc, cropArea, pasteArea)});
  });
}

aclError acldvppVpcConvertColorAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                     acldvppPicDesc* outputDesc, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, stream);
  return Guard(call, [&] {
    TransformStep step = WholeStep(inputDesc, outputDesc, ConvertColor);
    if (step.in.shape.width != step.out.shape.width || step.in.shape.height != step.out.shape.height)
      Fail(kInvalidParam, "the input has {} x {} pixels, the output {} x {}", step.in.shape.width,
           step.in.shape.height, step.out.shape.width, step.out.shape.height);
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear, {std::move(step)});
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(acldvppVpcPyrDownAsync, reserve);
aclError acldvppVpcPyrDownAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                acldvppPicDesc* outputDesc, void* reserve, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, reserve, stream);
  return Guard(call, [&] {
    const auto run = [](const Picture& in, const Picture& out, const TransformOptions&) { PyrDown(in, out); };
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   {WholeStep(inputDesc, outputDesc, run)});
  });
}

aclError acldvppVpcEqualizeHistAsync(const acldvppChannelDesc* channelDesc, const acldvppPicDesc* inputDesc,
                                     acldvppPicDesc* outputDesc, const acldvppLutMap* lutMap,
                                     aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, lutMap, stream);
  return Guard(call, [&] {
    const LookupTable table = *LookupTables::Get().Find(lutMap);
    const auto run = [table](const Picture& in, const Picture& out, const TransformOptions&) {
      ApplyLut(in, out, table);
    };
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   {WholeStep(inputDesc, outputDesc, run)});
  });
}

aclError acldvppVpcMakeBorderAsync(const acldvppChannelDesc* channelDesc, const acldvppPicDesc* inputDesc,
                                   acldvppPicDesc* outputDesc, const acldvppBorderConfig* borderConfig,
                                   aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, inputDesc, outputDesc, borderConfig, stream);
  return Guard(call, [&] {
    const Border border = FindBorder(borderConfig);
    const auto run = [border](const Picture& in, const Picture& out, const TransformOptions& options) {
      MakeBorder(in, out, border, options);
    };
    PushTransforms(channelDesc, stream, call.name, Interpolation::kBilinear,
                   {WholeStep(inputDesc, outputDesc, run)});
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(acldvppVpcCalcHistAsync, reserve);
aclError acldvppVpcCalcHistAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* srcPicDesc,
                                 acldvppHist* hist, void* reserve, aclrtStream stream) {
  const auto call = FOOTHOLD_CALL(channelDesc, srcPicDesc, hist, reserve, stream);
  return Guard(call, [&] {
    PushHistogram(channelDesc, FindComplete(srcPicDesc, "source"), Histograms::Get().Find(hist), stream,
                  call.name);
  });
}
