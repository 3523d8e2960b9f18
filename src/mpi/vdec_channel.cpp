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

}  // namespace

// The decoder is opened at once, so that a library that is missing is missed here.
VdecChannel::VdecChannel(StreamKind kind) : kind_(kind) {
  if (kind_ != StreamKind::kJpeg) decoder_ = std::make_unique<VideoDecoder>(CodecOf(kind_), decoder_order_);
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
  if (!worker_.Enter(milliseconds))
    Fail(Module::kVdec, Reason::kFull, "{} packets and pictures of the channel wait already", Worker::kMost);
  std::uint64_t round;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    round = round_;
    status_.left_bytes += job->bytes;
    ++status_.left_packets;
    ++status_.received;
  }
  // A function must be copied to be kept, which a job cannot be.
  auto shared = std::make_shared<std::unique_ptr<VdecJob>>(std::move(job));
  worker_.Do(api, [channel = weak_from_this(), shared, round] {
    if (const auto alive = channel.lock()) alive->Decode(std::move(*shared), round);
  });
}

void VdecChannel::SendEnd(const char* api) {
  if (kind_ == StreamKind::kJpeg) return;
  std::uint64_t round;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    round = round_;
  }
  worker_.Do(api, [channel = weak_from_this(), round] {
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

void VdecChannel::Decode(std::unique_ptr<VdecJob> job, std::uint64_t round) {
  bool dropped;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    dropped = round != round_;
  }
  if (dropped) return worker_.Leave();
  try {
    kind_ == StreamKind::kJpeg ? DecodePicture(std::move(job)) : DecodeVideo(std::move(job));
  } catch (...) {
    const Error error = CurrentError();
    Log(LogLevel::kError, "a packet of a media channel failed: {}", error.message());
  }
}

// Anew after a reset, and when pictures are wanted in another order.
void VdecChannel::OpenDecoder() {
  std::uint64_t round;
  VideoDecoder::Order order;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    round = round_;
    order = order_;
  }
  if (round == decoder_round_ && order == decoder_order_) return;
  while (jobs_.TakeOverdue(0) != nullptr)
    worker_.Leave();
  decoder_ = std::make_unique<VideoDecoder>(CodecOf(kind_), order);
  decoder_round_ = round;
  decoder_order_ = order;
}

void VdecChannel::DecodeVideo(std::unique_ptr<VdecJob> job) {
  OpenDecoder();
  const std::vector<std::uint8_t> packet = std::move(job->packet);
  const std::uint64_t number = jobs_.Add(std::move(job));
  const VideoDecoder::Result result = decoder_->Push(packet, number);
  if (result == VideoDecoder::Result::kFailed)
    Log(LogLevel::kWarning, "packet {} of a media channel failed: {}", number, decoder_->problem());
  TakePictures();
  if (result != VideoDecoder::Result::kTaken)
    Done(jobs_.Take(number), result == VideoDecoder::Result::kFailed ? kFailedFrame : kNoPicture);
  GiveUp(VideoDecoder::kLongestDelay);
}

void VdecChannel::End(std::uint64_t round) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (round != round_) return;
  }
  OpenDecoder();
  decoder_->Flush();
  TakePictures();
  GiveUp(0);
}

void VdecChannel::TakePictures() {
  DecodedPicture picture;
  while (decoder_->Pull(&picture)) {
    std::unique_ptr<VdecJob> job = jobs_.Take(picture.index);
    if (job == nullptr) continue;
    FrameFlag flag = kGoodFrame;
    try {
      if (job->output) Show(picture, *job);
    } catch (const Error& error) {
      Log(LogLevel::kError, "picture {} of a media channel cannot be shown: {}", picture.index,
          error.message());
      flag = kFailedFrame;
    }
    Done(std::move(job), flag);
  }
}

void VdecChannel::Show(const DecodedPicture& picture, VdecJob& job) {
  const ChannelColors colors = this->colors();
  job.written = video::PlanOutput(job.output->Now(), picture.width, picture.height);
  video::WriteOutput(picture, job.written, colors.Options(), scratch_);
  std::lock_guard<std::mutex> lock(mutex_);
  status_.width = picture.width;
  status_.height = picture.height;
}

void VdecChannel::GiveUp(std::uint64_t delay) {
  while (std::unique_ptr<VdecJob> job = jobs_.TakeOverdue(delay))
    Done(std::move(job), kFailedFrame);
}

void VdecChannel::DecodePicture(std::unique_ptr<VdecJob> job) {
  media::JpegRounding rounding;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    rounding = rounding_;
  }
  FrameFlag flag = kGoodFrame;
  try {
    if (job->output)
      job->written = media::DecodeJpeg(job->packet.data(), job->packet.size(), job->output->Now(), rounding);
  } catch (const Error& error) {
    Log(LogLevel::kError, "a JPEG of a media channel cannot be decoded: {}", error.message());
    flag = kFailedFrame;
  }
  Done(std::move(job), flag);
}

void VdecChannel::Done(std::unique_ptr<VdecJob> job, FrameFlag flag) {
  if (job == nullptr) return;
  job->flag = flag;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    status_.left_bytes -= std::min(status_.left_bytes, job->bytes);
    status_.left_packets -= status_.left_packets > 0 ? 1 : 0;
    ++status_.decoded;
  }
  done_.Put(std::move(job));
}

}  // namespace foothold::mpi
