// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A channel of picture operations (hi_mpi_vpc_*): operations are queued, and the result of each is asked for
// by its number. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "media/transform.h"
#include "mpi/channel_table.h"
#include "mpi/worker.h"

namespace foothold::mpi {

// The colours of a channel: one of the matrices, or numbers of the program.
struct ChannelColors {
  std::uint32_t matrix = 0;
  std::optional<media::ColorCoefficients> coefficients;

  media::TransformOptions Options(std::uint32_t interpolation = 0) const;
};

class VpcChannel : public std::enable_shared_from_this<VpcChannel> {
 public:
  VpcChannel() = default;

  // Queues an operation, which may throw; its number. Throws "full" if there is no room in time.
  std::uint32_t Do(const char* api, int milliseconds, std::function<void(const ChannelColors&)> operation);
  // Once for each number: throws what the operation threw, or "time-out".
  void Wait(std::uint32_t task, int milliseconds);

  void set_colors(const ChannelColors& colors);
  ChannelColors colors() const;
  void Close();

 private:
  struct Task {
    bool done = false;
    std::optional<Error> failure;
  };

  struct Undone;

  std::uint32_t NewTask();
  void Drop(std::uint32_t number) noexcept;
  void Run(std::uint32_t number, const std::function<void(const ChannelColors&)>& operation);

  mutable std::mutex mutex_;  // guards all up to worker_
  std::condition_variable changed_;
  std::map<std::uint32_t, Task> tasks_;
  std::uint32_t last_ = 0;
  bool closed_ = false;
  ChannelColors colors_;
  Worker worker_{Module::kVpc, "operations"};
};

using VpcChannels = ChannelTable<VpcChannel, Module::kVpc, 512>;

}  // namespace foothold::mpi
