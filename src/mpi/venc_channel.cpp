// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/venc_channel.h"

#include <utility>

#include "base/log.h"
#include "codecs/planes.h"
#include "media/jpeg.h"

namespace foothold::mpi {
namespace {

constexpr const char* kOwner = "hi_mpi_venc_get_stream";

}  // namespace

VencChannel::VencChannel(const std::optional<EncoderSettings>& settings)
    : settings_(settings), device_(CurrentDevice()) {
  if (settings_) encoder_ = OpenH264Encoder(*settings_);
}

void VencChannel::Start(int pictures) {
  std::lock_guard<std::mutex> lock(mutex_);
  started_ = true;
  left_ = pictures;
}

void VencChannel::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  started_ = false;
}

void VencChannel::CountPicture() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!started_)
    Fail(Module::kVenc, Reason::kNotPermitted, "the channel does not receive: call hi_mpi_venc_start_chn");
  if (left_ == 0)
    Fail(Module::kVenc, Reason::kNotPermitted,
         "the channel has received as many pictures as it was started for");
  if (left_ > 0) --left_;
  ++queued_;
}

// A picture that was counted and could not be queued.
void VencChannel::TakeBackPicture() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (left_ >= 0) ++left_;
  --queued_;
}

void VencChannel::Send(const char* api, std::unique_ptr<VencJob> job, int milliseconds) {
  const std::shared_ptr<VencJob> shared = std::move(job);
  TakenPlace place = worker_.Enter(milliseconds);
  CountPicture();
  try {
    worker_.Do(api, std::move(place), [channel = weak_from_this(), shared] {
      if (const auto alive = channel.lock()) alive->Encode(*shared);
    });
  } catch (...) {
    TakeBackPicture();
    throw;
  }
}

void VencChannel::Encode(VencJob& job) {
  std::optional<VencPacket> packet;
  try {
    packet = settings_ ? EncodeVideo(job) : EncodePicture(job);
    packet->time = job.time;
    packet->input = job.input;
    packet->number = encoded_++;
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "a picture of a media channel cannot be encoded: {}", error.message());
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    --queued_;
  }
  packet ? done_.Put(*packet) : worker_.Leave();
}

VencPacket VencChannel::EncodeVideo(VencJob& job) {
  bool key = job.key;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    key |= key_;
    key_ = false;
  }
  const VideoEncoder::Packet encoded =
      encoder_->Encode(PlanesOf(job.samples.data(), settings_->width, settings_->height), key);
  VencPacket packet = Store(encoded.bytes.data(), encoded.bytes.size());
  packet.key = encoded.key;
  return packet;
}

VencPacket VencChannel::EncodePicture(const VencJob& job) {
  if (job.place) {
    const media::Picture place = job.place->Now();
    VencPacket packet;
    packet.address = const_cast<void*>(job.place->address);
    packet.bytes = media::EncodeJpeg(job.picture, job.quality, place.data, place.bytes);
    return packet;
  }
  std::vector<std::uint8_t> bytes(
      media::PredictJpegEncodeBytes(job.picture.format, job.picture.width, job.picture.height));
  return Store(bytes.data(), media::EncodeJpeg(job.picture, job.quality, bytes.data(), bytes.size()));
}

VencPacket VencChannel::Store(const std::uint8_t* bytes, std::size_t count) {
  auto stored = std::make_unique<video::DevicePacket>(device_, bytes, count, kOwner);
  VencPacket packet;
  packet.address = stored->address();
  packet.bytes = count;
  packet.owned = true;
  std::lock_guard<std::mutex> lock(mutex_);
  stored_[packet.address] = std::move(stored);
  return packet;
}

VencPacket VencChannel::Take(int milliseconds) {
  const std::optional<VencPacket> packet = done_.Take(milliseconds);
  if (!packet) throw Error(CodeOf(Module::kVenc, Reason::kEmpty), "no packet has come");
  worker_.Leave();
  return *packet;
}

void VencChannel::Release(void* address) {
  std::lock_guard<std::mutex> lock(mutex_);
  stored_.erase(address);  // none: the program's own memory, or released before
}

VencChannel::Status VencChannel::status() const {
  Status status;
  status.packets = done_.size();
  status.bytes = done_.Sum([](const VencPacket& packet) { return packet.bytes; });
  std::lock_guard<std::mutex> lock(mutex_);
  status.pictures = queued_;
  return status;
}

unsigned VencChannel::quality() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return quality_;
}

void VencChannel::set_quality(unsigned quality) {
  std::lock_guard<std::mutex> lock(mutex_);
  quality_ = quality;
}

void VencChannel::AskForKey() {
  std::lock_guard<std::mutex> lock(mutex_);
  key_ = true;
}

void VencChannel::set_kept(int key, std::vector<std::uint8_t> value) {
  std::lock_guard<std::mutex> lock(mutex_);
  kept_[key] = std::move(value);
}

std::vector<std::uint8_t> VencChannel::kept(int key) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = kept_.find(key);
  return found == kept_.end() ? std::vector<std::uint8_t>() : found->second;
}

void VencChannel::Close() {
  worker_.Close();
  done_.Close();
}

}  // namespace foothold::mpi
