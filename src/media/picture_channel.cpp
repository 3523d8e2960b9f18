// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/picture_channel.h"

#include <atomic>

#include "base/clock.h"
#include "base/error.h"
#include "device/user_code.h"

namespace foothold::media {
namespace {

const char* NameOfEngine(Engine engine) {
  switch (engine) {
    case kJpegDecoder:
      return "DVPP_CHNMODE_JPEGD";
    case kJpegEncoder:
      return "DVPP_CHNMODE_JPEGE";
    case kPngDecoder:
      return "DVPP_CHNMODE_PNGD";
    default:
      return "DVPP_CHNMODE_VPC";
  }
}

}  // namespace

ChannelSettings PictureChannel::settings() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return wanted_;
}

std::uint64_t PictureChannel::id() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return id_;
}

void PictureChannel::Open() {
  static std::atomic<std::uint64_t> last_id{0};
  std::lock_guard<std::mutex> lock(mutex_);
  if (open_) Fail(kInvalidParam, "the channel was created before and not destroyed since");
  in_force_ = wanted_;
  id_ = ++last_id;
  open_ = true;
  stream_ = {nullptr, nullptr};
}

void PictureChannel::Close() {
  StreamRef stream{nullptr, nullptr};
  std::uint32_t task = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!open_) Fail(kInvalidParam, "the channel was not created, or is destroyed already");
    open_ = false;
    stream = stream_;
    task = task_;
  }
  const bool runs = stream.stream != nullptr && stream->IsCurrent(stream.handle);
  if (runs && !InsideUserFunctionOf(*stream.stream)) stream->WaitForTask(task, kForever);
}

ChannelSettings PictureChannel::Use(Engine engine) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!open_) Fail(kInvalidParam, "the channel is not created: call acldvppCreateChannel first");
  if ((in_force_.mode & engine) == 0)
    Fail(kInvalidParam, "the channel was created with mode {}, which lacks {}", in_force_.mode,
         NameOfEngine(engine));
  return in_force_;
}

void PictureChannel::Queued(const StreamRef& stream, std::uint32_t task) {
  // Tasks that a capture or a stored stream keeps do not run by themselves: nobody may wait for them.
  if (stream->is_stored() || stream->is_diverted()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  stream_ = stream;
  task_ = task;
}

}  // namespace foothold::media
