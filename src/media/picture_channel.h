// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel of pictures: what a program set, and what is in force since the channel was created. It works by
// streams, so it is only that and the last task it queued. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "base/host_objects.h"
#include "device/stream.h"
#include "media/jpeg.h"
#include "media/transform.h"

namespace foothold::media {

// The engines of a channel, as bits of its mode.
enum Engine : std::uint32_t {
  kTransforms = 1,
  kJpegDecoder = 2,
  kJpegEncoder = 4,
  kPngDecoder = 8,
  kAllEngines = 15
};

struct ChannelSettings {
  std::uint32_t mode = kAllEngines;
  std::uint32_t matrix = 0;
  std::uint32_t width = 0, height = 0;
  std::uint32_t rounding = static_cast<std::uint32_t>(JpegRounding::kDownCompat);
};

class PictureChannel {
 public:
  ChannelSettings settings() const;
  template <typename Change>
  void Set(Change&& change) {
    std::lock_guard<std::mutex> lock(mutex_);
    change(wanted_);
  }
  std::uint64_t id() const;

  // Fails with 100000 if it is open already; and if it is not.
  void Open();
  void Close();
  // What is in force; fails with 100000 if it is not open, or was opened without this engine.
  ChannelSettings Use(Engine engine) const;
  // Close waits for this task.
  void Queued(const StreamRef& stream, std::uint32_t task);

 private:
  mutable std::mutex mutex_;
  ChannelSettings wanted_, in_force_;
  bool open_ = false;
  std::uint64_t id_ = 0;
  StreamRef stream_{nullptr, nullptr};
  std::uint32_t task_ = 0;
};

using PictureChannels = HostObjects<std::shared_ptr<PictureChannel>, HandleKind::kPictureChannel>;

}  // namespace foothold::media
