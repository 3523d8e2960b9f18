// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The objects programs describe media work with: plain values behind handles. Pictures, pieces of streams
// and histograms are shared with the tasks that answer through them, so a program may destroy one while its
// task is queued. Any thread; each value is guarded by its own lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/host_objects.h"
#include "base/spin.h"
#include "media/transform.h"

namespace foothold::media {

// A value that a program and tasks write.
template <typename Value>
class Shared {
 public:
  Value Read() const {
    std::lock_guard<SpinLock> lock(lock_);
    return value_;
  }
  template <typename Change>
  void Write(Change&& change) {
    std::lock_guard<SpinLock> lock(lock_);
    change(value_);
  }

 private:
  mutable SpinLock lock_;
  Value value_{};
};

struct PictureDesc {
  void* data = nullptr;  // as the program gave it
  std::uint32_t size = 0;
  std::int32_t format = 0;
  std::uint32_t width = 0, height = 0, width_stride = 0, height_stride = 0;
  std::uint32_t ret_code = 0;
};
struct SharedPicture : Shared<PictureDesc> {
  bool in_batch = false;  // belongs to a batch, which destroys it
};
using PicturePointer = std::shared_ptr<SharedPicture>;
using PictureDescs = HostObjects<PicturePointer, HandleKind::kPictureDesc>;

struct PictureBatch {
  std::vector<void*> pictures;  // handles
};
using PictureBatches = HostObjects<PictureBatch, HandleKind::kPictureBatch>;

struct StreamPiece {
  void* data = nullptr;  // as the program gave it
  std::uint32_t size = 0;
  std::int32_t format = 0;
  std::uint64_t timestamp = 0;
  std::uint32_t ret_code = 0;
  std::uint8_t eos = 0;
};
using StreamPiecePointer = std::shared_ptr<Shared<StreamPiece>>;
using StreamPieces = HostObjects<StreamPiecePointer, HandleKind::kStreamPiece>;

// Inclusive bounds.
struct RegionConfig {
  std::uint32_t left = 0, right = 0, top = 0, bottom = 0;
};
using RegionConfigs = HostObjects<RegionConfig, HandleKind::kRegionConfig>;

struct ResizeConfig {
  std::uint32_t interpolation = 0;
};
using ResizeConfigs = HostObjects<ResizeConfig, HandleKind::kResizeConfig>;

struct JpegConfig {
  std::uint32_t level = 100;
};
using JpegConfigs = HostObjects<JpegConfig, HandleKind::kJpegConfig>;

struct BorderConfig {
  std::int32_t type = 0;
  std::array<double, 4> value{};
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
};
using BorderConfigs = HostObjects<BorderConfig, HandleKind::kBorderConfig>;

using LookupTables = HostObjects<std::shared_ptr<LookupTable>, HandleKind::kLookupTable>;

struct HistogramState {
  Histogram counts{};
  std::uint32_t ret_code = 0;
};
using Histograms = HostObjects<std::shared_ptr<HistogramState>, HandleKind::kHistogram>;

}  // namespace foothold::media
