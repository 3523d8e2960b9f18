// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/media/transform_task.h"

#include "device/current.h"

namespace foothold::media {
namespace {

void RunStep(const TransformStep& step, const TransformOptions& options, std::uint8_t* in,
             std::uint8_t* out) {
  try {
    step.run(PictureAt(step.in.shape, in), PictureAt(step.out.shape, out), options);
  } catch (...) {
    step.out.Tell(static_cast<std::uint32_t>(CurrentError().code()));
    throw;
  }
  step.out.Tell(0);
}

}  // namespace

TransformOptions OptionsOf(const PictureChannel& channel, Interpolation interpolation) {
  return {interpolation, static_cast<ColorMatrix>(channel.Use(kTransforms).matrix), nullptr};
}

void PushTransforms(const acldvppChannelDesc* handle, aclrtStream stream, const char* api,
                    Interpolation interpolation, std::vector<TransformStep> steps) {
  const auto channel = FindChannel(handle);
  const TransformOptions options = OptionsOf(*channel, interpolation);
  MediaWork work;
  for (const TransformStep& step : steps) {
    work.memory.push_back(MemoryOf(step.in, Use::kRead, "inputDesc"));
    MediaMemory out = MemoryOf(step.out, Use::kWrite, "outputDesc");
    if (step.out_extent == Extent::kPartial) out.extent = Extent::kPartial;
    work.memory.push_back(out);
  }
  const auto shared = std::make_shared<const std::vector<TransformStep>>(std::move(steps));
  work.run = [shared, options](const std::vector<std::uint8_t*>& at) {
    for (std::size_t i = 0; i < shared->size(); ++i)
      RunStep((*shared)[i], options, at[2 * i], at[2 * i + 1]);
  };
  // Each step told its own picture; memory that is gone is told to all.
  work.tell = [shared](std::uint32_t code) {
    for (const TransformStep& step : *shared)
      if (code != 0 && step.out.shared->Read().ret_code == 0) step.out.Tell(code);
  };
  const StreamRef found = FindStream(stream);
  channel->Queued(found, PushMediaWork(found, api, std::move(work)));
}

}  // namespace foothold::media
