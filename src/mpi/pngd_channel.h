// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel that decodes PNG (hi_mpi_pngd_*). Any thread.
#pragma once

#include <memory>
#include <vector>

#include "mpi/channel_table.h"
#include "mpi/given_picture.h"
#include "mpi/outbox.h"
#include "mpi/worker.h"

namespace foothold::mpi {

// `token` comes back as it is.
struct PngdJob {
  std::vector<std::uint8_t> file;
  GivenPicture output;
  std::shared_ptr<void> token;
  media::Picture written;
  bool failed = false;
};

class PngdChannel : public std::enable_shared_from_this<PngdChannel> {
 public:
  PngdChannel() = default;

  // Throw "full" and "empty" if there is no room, or no picture, in time.
  void Send(const char* api, std::unique_ptr<PngdJob> job, int milliseconds);
  std::shared_ptr<PngdJob> Take(int milliseconds);
  void Close();

 private:
  void Decode(const std::shared_ptr<PngdJob>& job);

  Outbox<std::shared_ptr<PngdJob>> done_{Module::kPngd, Worker::kMost};
  Worker worker_{Module::kPngd, "files and pictures"};
};

using PngdChannels = ChannelTable<PngdChannel, Module::kPngd, 128>;

}  // namespace foothold::mpi
