// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a video channel works on: a stream of its own, which no call of the program finds, with a thread of
// the program subscribed that executes the channel's callbacks inside aclrtProcessReport. Any thread.
#pragma once

#include <cstdint>

#include "device/callbacks.h"
#include "device/current.h"
#include "video/in_flight.h"

namespace foothold::video {

class ReportStream {
 public:
  // Of the current context. Throws if the thread cannot be subscribed.
  explicit ReportStream(std::uint64_t thread);
  ~ReportStream() { Close(); }
  ReportStream(const ReportStream&) = delete;
  ReportStream& operator=(const ReportStream&) = delete;

  template <typename Body>
  void Push(const char* api, Body body) {
    stream_.Push(api, std::move(body));
  }
  // Queues a call on the subscribed thread. Work behind it does not wait for it. Throws if that has ended.
  void Call(const char* api, UserFunction function, void* argument) {
    LaunchCallback(stream_, api, function, argument, false);
  }
  // Throws if the subscribed thread has ended.
  void CheckReporter() const;
  // A frame is sent: waits while too many are on their way, unless this thread is the one that has to report
  // them. Throws if nobody will.
  void Enter(InFlight& in_flight);
  // Throws 100000 inside a call of this channel.
  void CheckMayWait() const;
  // Until all that was queued is done, and every frame reported; on the subscribed thread itself, by
  // reporting them. Throws what failed meanwhile.
  void Wait();
  // Drops what is queued and waits for what runs, but not for calls.
  void Close() noexcept;

 private:
  bool InsideCall() const noexcept;
  bool IsReporter() const noexcept;
  bool IsReporterAlive() const noexcept;

  const std::uint64_t thread_;
  const StreamRef stream_;
  bool closed_ = false;
};

}  // namespace foothold::video
