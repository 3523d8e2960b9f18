// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/vdec_channel.h"

#include "base/log.h"
#include "video/decoded_output.h"

namespace foothold::mpi {
namespace {

VideoCodec CodecOf(StreamKind kind) {
  return kind == StreamKind::kH264 ? VideoCodec::kH264 : VideoCodec::kH265;
}

FrameFlag FlagOf(video::FrameResult result) {
  switch (result) {
    case video::FrameResult::kGood:
      return kGoodFrame;
    case video::FrameResult::kWithoutPicture:
      return kNoPicture;
    default:
      return kFailedFrame;
  }
}

// Whether nothing was thrown; what was ends up in the log.
template <typename Step>
bool Succeeds(const char* what, Step&& step) {
  try {
    step();
    return true;
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "{} of a media channel failed: {}", what, error.message());
    return false;
  }
}

}  // namespace

// The decoder is opened at once, so that a library that is missing is missed here.
VdecChannel::VdecChannel(StreamKind kind) : kind_(kind) {
  if (kind_ != StreamKind::kJpeg) OpenAnew(decoder_round_, decoder_order_);
}

void VdecChannel::Start() {
  std::lock_guard<std::mutex> lock(mutex_);
  status_.started = true;
}

void VdecChannel::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  status_.started = false;
}

void VdecChannel::Reset() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (status_.started)
      Fail(Module::kVdec, Reason::kNotPermitted,
           "the channel must be stopped (hi_mpi_vdec_stop_recv_stream) first");
    ++round_;
    status_ = {};
  }
  for (std::size_t left = done_.size(); left > 0; --left) {
    if (done_.Take(0)) worker_.Leave();
  }
}

void VdecChannel::Send(const char* api, std::unique_ptr<VdecJob> job, int milliseconds) {
  if (!status().started)
    Fail(Module::kVdec, Reason::kNotPermitted,
         "the channel does not receive: call hi_mpi_vdec_start_recv_stream");
  // A function must be copied to be kept, which a job cannot be.
  auto shared = std::make_shared<std::unique_ptr<VdecJob>>(std::move(job));
  TakenPlace place = worker_.Enter(milliseconds);
  const std::size_t bytes = (*shared)->bytes;
  const std::uint64_t round = CountSent(bytes);
  try {
    worker_.Do(api, std::move(place), [channel = weak_from_this(), shared, round] {
      if (const auto alive = channel.lock()) alive->Decode(std::move(*shared), round);
    });
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    CountLeft(bytes);
    --status_.received;
    throw;
  }
}

std::uint64_t VdecChannel::CountSent(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  status_.left_bytes += bytes;
  ++status_.left_packets;
  ++status_.received;
  return round_;
}

// Under the lock. A reset has forgotten what was sent before it.
void VdecChannel::CountLeft(std::size_t bytes) noexcept {
  status_.left_bytes -= std::min(status_.left_bytes, bytes);
  status_.left_packets -= status_.left_packets > 0 ? 1 : 0;
}

void VdecChannel::SendEnd(const char* api) {
  if (kind_ == StreamKind::kJpeg) return;
  std::uint64_t round;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    round = round_;
  }
  worker_.DoAlso(api, [channel = weak_from_this(), round] {
    if (const auto alive = channel.lock()) alive->End(round);
  });
}

std::unique_ptr<VdecJob> VdecChannel::Take(int milliseconds) {
  std::optional<std::unique_ptr<VdecJob>> job = done_.Take(milliseconds);
  if (!job) throw Error(CodeOf(Module::kVdec, Reason::kEmpty), "no picture has come");
  worker_.Leave();
  return std::move(*job);
}

VdecChannel::Status VdecChannel::status() const {
  const std::size_t pictures = done_.size();
  std::lock_guard<std::mutex> lock(mutex_);
  Status status = status_;
  status.left_pictures = pictures;
  return status;
}

void VdecChannel::set_order(VideoDecoder::Order order) {
  std::lock_guard<std::mutex> lock(mutex_);
  order_ = order;
}

void VdecChannel::set_rounding(media::JpegRounding rounding) {
  std::lock_guard<std::mutex> lock(mutex_);
  rounding_ = rounding;
}

void VdecChannel::set_colors(const ChannelColors& colors) {
  std::lock_guard<std::mutex> lock(mutex_);
  colors_ = colors;
}

ChannelColors VdecChannel::colors() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return colors_;
}

void VdecChannel::Close() {
  worker_.Close();
  done_.Close();
}

bool VdecChannel::IsReset(std::uint64_t round) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return round != round_;
}

void VdecChannel::Decode(std::unique_ptr<VdecJob> job, std::uint64_t round) {
  if (IsReset(round)) return worker_.Leave();
  if (kind_ != StreamKind::kJpeg && OpenDecoder()) return decoder_->Push(std::move(job));
  const bool good = kind_ == StreamKind::kJpeg && Succeeds("a JPEG", [&] { DecodePicture(*job); });
  Done(std::move(job), good ? video::FrameResult::kGood : video::FrameResult::kFailed);
}

void VdecChannel::End(std::uint64_t round) {
  if (!IsReset(round) && OpenDecoder()) decoder_->Flush();
}

// Anew after a reset, and when pictures are wanted in another order. False if it cannot be opened.
bool VdecChannel::OpenDecoder() {
  std::uint64_t round;
  VideoDecoder::Order order;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    round = round_;
    order = order_;
  }
  if (round == decoder_round_ && order == decoder_order_) return true;
  return Succeeds("a decoder", [&] { OpenAnew(round, order); });
}

void VdecChannel::OpenAnew(std::uint64_t round, VideoDecoder::Order order) {
  Receiver& receiver = *this;
  auto opened = std::make_unique<video::FrameDecoder<VdecJob>>(CodecOf(kind_), order, receiver);
  while (decoder_ != nullptr && decoder_->Withdraw() != nullptr)
    worker_.Leave();
  decoder_ = std::move(opened);
  decoder_round_ = round;
  decoder_order_ = order;
}

void VdecChannel::Show(const DecodedPicture& picture, VdecJob& job) {
  if (!job.output) return;
  const ChannelColors colors = this->colors();
  job.written = video::PlanOutput(job.output->Now(), picture.width, picture.height);
  video::WriteOutput(picture, job.written, colors.Options(), scratch_);
  std::lock_guard<std::mutex> lock(mutex_);
  status_.width = picture.width;
  status_.height = picture.height;
}

void VdecChannel::DecodePicture(VdecJob& job) {
  if (!job.output) return;
  media::JpegRounding rounding;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    rounding = rounding_;
  }
  job.written = media::DecodeJpeg(job.packet.data(), job.packet.size(), job.output->Now(), rounding);
}

void VdecChannel::Done(std::unique_ptr<VdecJob> job, video::FrameResult result) noexcept {
  job->flag = FlagOf(result);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    CountLeft(job->bytes);
    ++status_.decoded;
  }
  done_.Put(std::move(job));
}

}  // namespace foothold::mpi
