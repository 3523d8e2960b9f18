// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Keeps what was recorded, and writes it. Recording goes on while somebody has begun it and not ended it;
// when the last one ends, everything is dropped. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "trace/trace.h"

namespace foothold::trace {

// Events of one thread in the order they ended.
struct ThreadRecord {
  std::uint32_t thread = 0;
  std::string name;
  std::vector<Event> events;
};

class Recorder {
 public:
  static Recorder& Get();

  // Tells when recording begins and ends; at once if it goes on already.
  using Listener = void (*)(bool active);
  void AddListener(Listener listener);

  void Begin();
  void End();
  // What ended since `from`.
  std::vector<ThreadRecord> Events(Nanoseconds from) const;
  std::uint64_t lost() const { return lost_.load(); }

  // All events together, over all threads.
  static constexpr std::size_t kMostEvents = std::size_t{1} << 20;

 private:
  friend void Record(const Event& event) noexcept;
  class ThreadBuffer;
  struct OwnBuffer;

  Recorder();
  static void StopInChild();
  void Add(const Event& event);
  std::shared_ptr<ThreadBuffer> MakeBuffer();

  std::atomic<std::uint64_t> round_{0};  // grows when all is dropped: threads then begin anew
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> lost_{0};
  mutable std::mutex mutex_;  // guards all below
  int users_ = 0;
  std::vector<std::shared_ptr<ThreadBuffer>> buffers_;
  std::vector<Listener> listeners_;
};

}  // namespace foothold::trace
