// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that encodes video or JPEG (hi_mpi_venc_*): pictures are copied when they are sent, encoded in
// order, and their packets wait to be asked for, in memory of the device that is kept until it is released.
// Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "codecs/video_encoder.h"
#include "device/current.h"
#include "mpi/channel_table.h"
#include "mpi/given_picture.h"
#include "mpi/outbox.h"
#include "mpi/worker.h"
#include "video/device_packet.h"

namespace foothold::mpi {

struct VencJob {
  media::Picture picture;  // in `samples`
  std::vector<std::uint8_t> samples;
  std::optional<GivenPicture> place;  // where a JPEG is to go, if the program says it
  std::uint64_t time = 0, input = 0;  // come back as they are
  unsigned quality = 0;
  bool key = false;
};

struct VencPacket {
  void* address = nullptr;  // as the program sees it
  std::size_t bytes = 0;
  std::uint64_t time = 0, input = 0;
  std::uint64_t number = 0;  // among those of the channel
  bool key = false;
  bool owned = false;  // by the channel, until it is released
};

class VencChannel : public std::enable_shared_from_this<VencChannel> {
 public:
  struct Status {
    std::size_t pictures = 0, packets = 0, bytes = 0;
  };

  // No settings: JPEG.
  explicit VencChannel(const std::optional<EncoderSettings>& settings);

  // `pictures` is -1 for any number.
  void Start(int pictures);
  void Stop();
  void Send(const char* api, std::unique_ptr<VencJob> job, int milliseconds);
  VencPacket Take(int milliseconds);
  void Release(void* address);

  Status status() const;
  int event() const { return done_.event(); }
  const std::optional<EncoderSettings>& settings() const { return settings_; }
  unsigned quality() const;
  void set_quality(unsigned quality);
  void AskForKey();
  // What programs set to be read back.
  void set_kept(int key, std::vector<std::uint8_t> value);
  std::vector<std::uint8_t> kept(int key) const;
  void Close();

 private:
  void Encode(VencJob& job);
  VencPacket EncodeVideo(VencJob& job);
  VencPacket EncodePicture(const VencJob& job);
  VencPacket Store(const std::uint8_t* bytes, std::size_t count);
  void CountPicture();
  void TakeBackPicture() noexcept;

  const std::optional<EncoderSettings> settings_;
  Device& device_;
  Outbox<VencPacket> done_{Module::kVenc, Worker::kMost};
  mutable std::mutex mutex_;  // guards all up to encoder_
  bool started_ = false;
  int left_ = -1;
  std::size_t queued_ = 0;
  unsigned quality_ = 100;
  bool key_ = false;
  std::map<void*, std::unique_ptr<video::DevicePacket>> stored_;
  std::map<int, std::vector<std::uint8_t>> kept_;
  // The worker's only.
  std::unique_ptr<VideoEncoder> encoder_;
  std::uint64_t encoded_ = 0;
  Worker worker_{Module::kVenc, "pictures and packets"};
};

using VencChannels = ChannelTable<VencChannel, Module::kVenc, 256>;

}  // namespace foothold::mpi
