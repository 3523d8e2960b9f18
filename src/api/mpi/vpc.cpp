// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Operations on pictures. Each call checks what it was given, queues the operation and returns its number.
#include <cstring>
#include <vector>

#include "api/mpi/mpi_guard.h"
#include "api/status.h"
#include "mpi/vpc_channel.h"

using namespace foothold;
using namespace foothold::mpi;

namespace {

constexpr hi_u32 kMostRegions = 256;

template <typename T>
T* NotNull(T* pointer, const char* name) {
  return mpi::NotNull(Module::kVpc, pointer, name);
}

GivenPicture Source(const hi_vpc_pic_info* info) {
  NotNull(info, "source");
  return Give(ShapeOf(*info), info->picture_address, Use::kRead, "source");
}

// Sizes that are left open follow from the picture's.
GivenPicture Dest(const hi_vpc_pic_info& info) {
  return Give(ShapeOf(info), info.picture_address, Use::kWrite, "dest");
}

GivenPicture Dest(const hi_vpc_pic_info* info) {
  return Dest(*NotNull(info, "dest"));
}

media::Region RegionOf(const hi_vpc_crop_region& region) {
  return {region.left_offset, region.top_offset, region.crop_width, region.crop_height};
}

void CheckInterpolation(hi_u32 interpolation) {
  if (interpolation > 1)
    Fail(Module::kVpc, Reason::kParameter, "interpolation must be 0 (bilinear) or 1 (nearest), not {}",
         interpolation);
}

// One part of an operation: from a region of a picture to a place in another.
struct Part {
  GivenPicture source, dest;
  media::Region crop, paste;
  hi_u32 interpolation = 0;
  std::optional<media::Border> border;

  void Run(const ChannelColors& colors) const {
    const media::TransformOptions options = colors.Options(interpolation);
    if (border) return media::CropResizeMakeBorder(source.Now(), crop, dest.Now(), *border, options);
    media::CropResizePaste(source.Now(), crop, dest.Now(), paste, options);
  }
};

// What is wrong with a region is said by the call, not by its result.
Part Checked(Part part) {
  media::CheckInside(part.crop, part.source.shape, "source");
  if (!part.border) media::CheckInside(part.paste, part.dest.shape, "dest");
  CheckInterpolation(part.interpolation);
  return part;
}

Part PartOf(const GivenPicture& source, const hi_vpc_crop_region_info& region) {
  const GivenPicture dest = Dest(region.dest_pic_info);
  return Checked({source, dest, RegionOf(region.crop_region), media::WholeOf(dest.shape), 0, {}});
}

Part PartOf(const GivenPicture& source, const hi_vpc_crop_resize_region& region) {
  const GivenPicture dest = Dest(region.dest_pic_info);
  const hi_vpc_resize_info& size = region.resize_info;
  const media::Region paste = size.resize_width == 0 || size.resize_height == 0
                                  ? media::WholeOf(dest.shape)
                                  : media::Region{0, 0, size.resize_width, size.resize_height};
  return Checked({source, dest, RegionOf(region.crop_region), paste, size.interpolation, {}});
}

Part PartOf(const GivenPicture& source, const hi_vpc_crop_resize_paste_region& region) {
  const GivenPicture dest = Dest(region.dest_pic_info);
  const hi_vpc_resize_info& size = region.resize_info;
  const media::Region paste{region.dest_left_offset, region.dest_top_offset, size.resize_width,
                            size.resize_height};
  return Checked({source, dest, RegionOf(region.crop_region), paste, size.interpolation, {}});
}

media::Border BorderOf(hi_vpc_bord_type type, const hi_vpc_scalar& scalar) {
  if (type < HI_BORDER_CONSTANT || type > HI_BORDER_WRAP)
    Fail(Module::kVpc, Reason::kParameter, "border_type must be 0 to 4, not {}", static_cast<int>(type));
  media::Border border;
  border.kind = static_cast<media::BorderKind>(type);
  std::memcpy(border.value.data(), scalar.val, sizeof scalar.val);
  return border;
}

Part PartOf(const GivenPicture& source, const hi_vpc_crop_resize_border_region& region) {
  const GivenPicture dest = Dest(region.dest_pic_info);
  const hi_vpc_resize_info& size = region.resize_info;
  const media::Region paste{region.dest_left_offset, region.dest_top_offset, size.resize_width,
                            size.resize_height};
  media::CheckInside(paste, dest.shape, "dest");
  media::Border border = BorderOf(region.border_type, region.scalar_value);
  border.top = paste.top;
  border.left = paste.left;
  border.bottom = dest.shape.height - paste.top - paste.height;
  border.right = dest.shape.width - paste.left - paste.width;
  return Checked({source, dest, RegionOf(region.crop_region), paste, size.interpolation, border});
}

// Queues an operation and leaves its number.
void Queue(const char* api, hi_vpc_chn chn, hi_u32* task, hi_s32 milliseconds,
           std::function<void(const ChannelColors&)> operation) {
  const std::shared_ptr<VpcChannel> channel = VpcChannels::Get().Find(chn);
  *NotNull(task, "task_id") = channel->Do(api, milliseconds, std::move(operation));
}

void QueueParts(const char* api, hi_vpc_chn chn, hi_u32* task, hi_s32 milliseconds, std::vector<Part> parts) {
  if (parts.empty() || parts.size() > kMostRegions)
    Fail(Module::kVpc, Reason::kParameter, "there must be 1 to {} regions, not {}", kMostRegions,
         parts.size());
  Queue(api, chn, task, milliseconds, [parts = std::move(parts)](const ChannelColors& colors) {
    for (const Part& part : parts)
      part.Run(colors);
  });
}

template <typename Region>
void QueueRegions(const char* api, hi_vpc_chn chn, const hi_vpc_pic_info* source, const Region* regions,
                  hi_u32 count, hi_u32* task, hi_s32 milliseconds) {
  NotNull(regions, "regions");
  const GivenPicture given = Source(source);
  std::vector<Part> parts;
  for (hi_u32 i = 0; i < count && i <= kMostRegions; ++i)
    parts.push_back(PartOf(given, regions[i]));
  QueueParts(api, chn, task, milliseconds, std::move(parts));
}

template <typename Region>
void QueueBatch(const char* api, hi_vpc_chn chn, const hi_vpc_pic_info** sources, hi_u32 pictures,
                const Region* regions, const hi_u32* counts, hi_u32* task, hi_s32 milliseconds) {
  NotNull(sources, "sources");
  NotNull(regions, "regions");
  NotNull(counts, "counts");
  std::vector<Part> parts;
  for (hi_u32 picture = 0; picture < pictures; ++picture) {
    const GivenPicture given = Source(sources[picture]);
    for (hi_u32 i = 0; i < counts[picture] && parts.size() <= kMostRegions; ++i)
      parts.push_back(PartOf(given, regions[parts.size()]));
  }
  QueueParts(api, chn, task, milliseconds, std::move(parts));
}

}  // namespace

FOOTHOLD_PART_WITHOUT_EFFECT(hi_mpi_vpc_create_chn, attr);
hi_s32 hi_mpi_vpc_create_chn(hi_vpc_chn chn, const hi_vpc_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVpc, [&] {
    NotNull(attr, "attr");
    VpcChannels::Get().Create(chn);
  });
}

FOOTHOLD_PART_WITHOUT_EFFECT(hi_mpi_vpc_sys_create_chn, attr);
hi_s32 hi_mpi_vpc_sys_create_chn(hi_vpc_chn* chn, const hi_vpc_chn_attr* attr) {
  return GuardMpi(FOOTHOLD_CALL(chn, attr), Module::kVpc, [&] {
    NotNull(attr, "attr");
    *NotNull(chn, "chn") = VpcChannels::Get().CreateAnywhere();
  });
}

hi_s32 hi_mpi_vpc_destroy_chn(hi_vpc_chn chn) {
  return GuardMpi(FOOTHOLD_CALL(chn), Module::kVpc, [&] { VpcChannels::Get().Destroy(chn); });
}

hi_s32 hi_mpi_vpc_get_process_result(hi_vpc_chn chn, hi_u32 task_id, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, task_id, milli_sec), Module::kVpc,
                  [&] { VpcChannels::Get().Find(chn)->Wait(task_id, milli_sec); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(hi_mpi_vpc_resize, fx);
FOOTHOLD_PART_WITHOUT_EFFECT(hi_mpi_vpc_resize, fy);
hi_s32 hi_mpi_vpc_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_pic_info* dest, hi_double fx,
                         hi_double fy, hi_u32 interpolation, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, source, dest, fx, fy, interpolation, task_id, milli_sec), Module::kVpc,
                  [&, api = __func__] {
                    const GivenPicture from = Source(source), to = Dest(dest);
                    CheckInterpolation(interpolation);
                    Queue(api, chn, task_id, milli_sec,
                          [from, to, interpolation](const ChannelColors& colors) {
                            media::Resize(from.Now(), to.Now(), colors.Options(interpolation));
                          });
                  });
}

hi_s32 hi_mpi_vpc_crop(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_crop_region_info* regions,
                       hi_u32 count, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, regions, count, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueRegions(api, chn, source, regions, count, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_crop_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                              hi_vpc_crop_resize_region* regions, hi_u32 count, hi_u32* task_id,
                              hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, regions, count, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueRegions(api, chn, source, regions, count, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                    hi_vpc_crop_resize_paste_region* regions, hi_u32 count, hi_u32* task_id,
                                    hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, regions, count, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueRegions(api, chn, source, regions, count, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_crop_resize_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                          hi_vpc_crop_resize_border_region* regions, hi_u32 count,
                                          hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, regions, count, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueRegions(api, chn, source, regions, count, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_batch_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info** sources, hi_u32 pic_num,
                                          hi_vpc_crop_resize_paste_region* regions, hi_u32* counts,
                                          hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, pic_num, regions, counts, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueBatch(api, chn, sources, pic_num, regions, counts, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_batch_crop_resize_make_border(hi_vpc_chn chn, const hi_vpc_pic_info** sources,
                                                hi_u32 pic_num, hi_vpc_crop_resize_border_region* regions,
                                                hi_u32* counts, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, pic_num, regions, counts, task_id, milli_sec), Module::kVpc,
      [&, api = __func__] { QueueBatch(api, chn, sources, pic_num, regions, counts, task_id, milli_sec); });
}

hi_s32 hi_mpi_vpc_convert_color(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_pic_info* dest,
                                hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, source, dest, task_id, milli_sec), Module::kVpc, [&, api = __func__] {
    const GivenPicture from = Source(source), to = Dest(dest);
    Queue(api, chn, task_id, milli_sec, [from, to](const ChannelColors& colors) {
      media::ConvertColor(from.Now(), to.Now(), colors.Options());
    });
  });
}

hi_s32 hi_mpi_vpc_convert_color_to_yuv420(hi_vpc_chn chn, const hi_vpc_pic_info* source,
                                          hi_vpc_pic_info* dest, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, source, dest, task_id, milli_sec), Module::kVpc, [&, api = __func__] {
    const GivenPicture from = Source(source), to = Dest(dest);
    if (to.shape.format != media::PixelFormat::kNv12 && to.shape.format != media::PixelFormat::kNv21)
      Fail(Module::kVpc, Reason::kParameter, "dest must be NV12 (1) or NV21 (2), not {}",
           static_cast<int>(to.shape.format));
    Queue(api, chn, task_id, milli_sec, [from, to](const ChannelColors& colors) {
      media::ConvertColor(from.Now(), to.Now(), colors.Options());
    });
  });
}

hi_s32 hi_mpi_vpc_copy_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_pic_info* dest,
                                   hi_vpc_make_border_info border, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, source, dest, task_id, milli_sec), Module::kVpc, [&, api = __func__] {
    const GivenPicture from = Source(source), to = Dest(dest);
    media::Border around = BorderOf(border.border_type, border.scalar_value);
    around.top = border.top;
    around.bottom = border.bottom;
    around.left = border.left;
    around.right = border.right;
    Queue(api, chn, task_id, milli_sec, [from, to, around](const ChannelColors& colors) {
      media::MakeBorder(from.Now(), to.Now(), around, colors.Options());
    });
  });
}

hi_s32 hi_mpi_vpc_pyrdown(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_pic_info* dests, hi_u32 level,
                          hi_s8 (*kernel)[5], hi_u16 divisor, hi_vpc_make_border_info border, hi_u32* task_id,
                          hi_s32 milli_sec) {
  return GuardMpi(FOOTHOLD_CALL(chn, source, dests, level, divisor, task_id, milli_sec), Module::kVpc,
                  [&, api = __func__] {
                    NotNull(dests, "dests");
                    NotNull(kernel, "kernel");
                    if (level == 0 || level > 4)
                      Fail(Module::kVpc, Reason::kParameter, "level must be 1 to 4, not {}", level);
                    if (divisor == 0) Fail(Module::kVpc, Reason::kParameter, "divisor must not be 0");
                    std::vector<GivenPicture> steps{Source(source)};
                    for (hi_u32 i = 0; i < level; ++i)
                      steps.push_back(Dest(dests[i]));
                    media::PyramidKernel weights;
                    std::memcpy(weights.weights.data(), kernel, weights.weights.size());
                    weights.divisor = divisor;
                    weights.border = BorderOf(border.border_type, border.scalar_value).kind;
                    weights.border_value = border.scalar_value.val[0];
                    Queue(api, chn, task_id, milli_sec, [steps, weights](const ChannelColors&) {
                      for (std::size_t i = 1; i < steps.size(); ++i)
                        media::PyrDown(steps[i - 1].Now(), steps[i].Now(), weights);
                    });
                  });
}

hi_s32 hi_mpi_vpc_calc_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_histogram_config* histogram,
                            hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, histogram, task_id, milli_sec), Module::kVpc, [&, api = __func__] {
        const GivenPicture from = Source(source);
        const MemoryUse memory =
            CheckRange(histogram, sizeof *histogram, Use::kWrite, "histogram", kInvalidParam);
        const std::uint64_t serial = memory.serial;
        Queue(api, chn, task_id, milli_sec, [from, histogram, serial](const ChannelColors&) {
          media::Histogram counts{};
          media::CalcHist(from.Now(), counts);
          static_assert(sizeof counts == sizeof *histogram);
          std::memcpy(RecheckRange(histogram, sizeof *histogram, Use::kWrite, serial, "histogram"),
                      counts.data(), sizeof counts);
        });
      });
}

hi_s32 hi_mpi_vpc_equalize_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source, hi_vpc_pic_info* dest,
                                const hi_vpc_lut_remap* lut, hi_u32* task_id, hi_s32 milli_sec) {
  return GuardMpi(
      FOOTHOLD_CALL(chn, source, dest, lut, task_id, milli_sec), Module::kVpc, [&, api = __func__] {
        const GivenPicture from = Source(source), to = Dest(dest);
        media::LookupTable table;
        static_assert(sizeof table == sizeof *lut);
        std::memcpy(table.data(), CheckRange(lut, sizeof *lut, Use::kRead, "lut", kInvalidParam).kernel,
                    sizeof table);
        Queue(api, chn, task_id, milli_sec,
              [from, to, table](const ChannelColors&) { media::ApplyLut(from.Now(), to.Now(), table); });
      });
}
