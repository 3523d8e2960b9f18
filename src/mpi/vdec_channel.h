// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that decodes video or JPEG (hi_mpi_vdec_*): packets are copied when they are sent, decoded in
// order, and their pictures wait to be asked for, in the order they are shown in. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "codecs/video_decoder.h"
#include "media/jpeg.h"
#include "mpi/channel_table.h"
#include "mpi/given_picture.h"
#include "mpi/outbox.h"
#include "mpi/vpc_channel.h"
#include "mpi/worker.h"
#include "video/frame_decoder.h"

namespace foothold::mpi {

enum class StreamKind { kH264, kH265, kJpeg };

enum FrameFlag : std::uint32_t { kGoodFrame = 0, kFailedFrame = 1, kNoPicture = 2 };

// A packet with the picture it is to become. `token` comes back as it is.
struct VdecJob {
  std::vector<std::uint8_t> packet;
  std::size_t bytes = 0;               // of the packet
  std::optional<GivenPicture> output;  // none: not to be shown
  std::shared_ptr<void> token;
  media::Picture written;
  FrameFlag flag = kGoodFrame;
};

class VdecChannel final : public std::enable_shared_from_this<VdecChannel>,
                          private video::FrameDecoder<VdecJob>::Receiver {
 public:
  struct Status {
    std::size_t left_bytes = 0, left_packets = 0, left_pictures = 0;
    std::uint32_t received = 0, decoded = 0;
    std::uint32_t width = 0, height = 0;
    bool started = false;
  };

  explicit VdecChannel(StreamKind kind);

  void Start();
  void Stop();
  // Throws unless it is stopped. What it has is dropped.
  void Reset();
  // Throws "full" if there is no room in time.
  void Send(const char* api, std::unique_ptr<VdecJob> job, int milliseconds);
  void SendEnd(const char* api);
  // Throws "empty" if none comes in time.
  std::unique_ptr<VdecJob> Take(int milliseconds);

  Status status() const;
  int event() const { return done_.event(); }
  void set_order(VideoDecoder::Order order);
  void set_rounding(media::JpegRounding rounding);
  void set_colors(const ChannelColors& colors);
  ChannelColors colors() const;
  StreamKind kind() const { return kind_; }
  void Close();

 private:
  void Decode(std::unique_ptr<VdecJob> job, std::uint64_t round);
  void DecodePicture(VdecJob& job);
  void End(std::uint64_t round);
  bool IsReset(std::uint64_t round) const;
  bool OpenDecoder();
  void OpenAnew(std::uint64_t round, VideoDecoder::Order order);
  std::uint64_t CountSent(std::size_t bytes);  // the round
  void CountLeft(std::size_t bytes) noexcept;
  void Show(const DecodedPicture& picture, VdecJob& job) override;
  void Done(std::unique_ptr<VdecJob> job, video::FrameResult result) noexcept override;

  const StreamKind kind_;
  Outbox<std::unique_ptr<VdecJob>> done_{Module::kVdec, Worker::kMost};
  mutable std::mutex mutex_;  // guards all up to decoder_
  Status status_;
  std::uint64_t round_ = 0;  // counts resets
  VideoDecoder::Order order_ = VideoDecoder::Order::kShown;
  media::JpegRounding rounding_ = media::JpegRounding::kDown;
  ChannelColors colors_;
  // The worker's only.
  std::unique_ptr<video::FrameDecoder<VdecJob>> decoder_;  // none for JPEG
  VideoDecoder::Order decoder_order_ = VideoDecoder::Order::kShown;
  std::uint64_t decoder_round_ = 0;
  std::vector<std::uint8_t> scratch_;
  Worker worker_{Module::kVdec, "packets and pictures"};
};

using VdecChannels = ChannelTable<VdecChannel, Module::kVdec, 256>;

}  // namespace foothold::mpi
