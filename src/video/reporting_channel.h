// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What decoding and encoding channels have in common: a number, frames that tasks of a hidden stream work on
// and the subscribed thread reports, and an end that waits for them. Any thread.
//
// A channel is made of it as `class Channel : public ReportingChannel<Channel, Frame>`, and has
//   void Work(std::unique_ptr<Frame>)    for tasks, one at a time: each frame is given to Done, now or later
//   void Call(const Frame&)              the program's callback, on the subscribed thread
//   void Finish(const char* api)         waits until every frame's callback has returned
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "video/channel_registry.h"
#include "video/in_flight.h"
#include "video/report_queue.h"
#include "video/report_stream.h"

namespace foothold::video {

template <typename Channel, typename Frame>
class ReportingChannel : public std::enable_shared_from_this<Channel> {
 public:
  // The channel's number; throws what opening its codec or subscribing its thread throws.
  template <typename Settings>
  static std::uint64_t Open(const Settings& settings) {
    const std::uint64_t number = Registry::Get().Reserve();
    Registry::Get().Add(number, std::make_shared<Channel>(number, settings));
    return number;
  }

  // Finish, then the end. Throws 100000 inside a callback of the channel; after any other failure it has
  // ended.
  void Destroy(const char* api) {
    stream_.CheckMayWait();
    std::optional<Error> error;
    try {
      static_cast<Channel*>(this)->Finish(api);
    } catch (...) {
      error = CurrentError();
    }
    if (Registry::Get().Remove(number_) == nullptr)
      Fail(kInvalidParam, "the channel was destroyed by another thread during this call");
    stream_.Close();
    if (error) throw *error;
  }
  // The end without callbacks.
  void Abandon() noexcept { stream_.Close(); }

 protected:
  ReportingChannel(std::uint64_t number, std::uint64_t thread) : number_(number), stream_(thread) {}

  // Waits while too many frames are on their way. Behind it nothing fails for want of memory: a report that
  // cannot be queued is made up for by the next one, which takes all that is done.
  void Queue(const char* api, std::unique_ptr<Frame> frame) {
    stream_.CheckReporter();
    stream_.Enter(in_flight_);
    Task task(this->shared_from_this(), std::move(frame));
    reports_.Reserve(in_flight_.count());
    stream_.Push(api, std::move(task));
    try {
      QueueReport(api);
    } catch (...) {
      const Error error = CurrentError();
      Log(LogLevel::kError, "a frame of a video channel is reported with the next one: {}", error.message());
    }
  }
  void QueueReport(const char* api) { stream_.Call(api, &ReportCall, reinterpret_cast<void*>(number_)); }
  void Done(std::unique_ptr<Frame> frame) noexcept { reports_.Add(std::move(frame)); }
  ReportStream& stream() { return stream_; }

 private:
  using Registry = ChannelRegistry<Channel>;

  // A frame that was never worked on, because the stream was closed, is not on its way any more.
  class Task {
   public:
    static constexpr bool kReplays = false;

    Task(std::shared_ptr<Channel> channel, std::unique_ptr<Frame> frame)
        : channel_(std::move(channel)), frame_(std::move(frame)) {}
    Task(Task&&) noexcept = default;
    ~Task() {
      if (frame_ != nullptr) channel_->in_flight_.Leave();
    }
    Outcome Run(Stream&) {
      channel_->Work(std::move(frame_));
      return Outcome::kDone;
    }
    Place place() const { return {Place::kUnhurried, nullptr}; }
    std::string Describe() const { return frame_ == nullptr ? "" : frame_->Describe(); }
    void ListAccesses(std::vector<Access>&) const {}

   private:
    std::shared_ptr<Channel> channel_;
    std::unique_ptr<Frame> frame_;
  };

  static void ReportCall(void* number) {
    if (const auto channel = Registry::Get().Find(reinterpret_cast<std::uintptr_t>(number)))
      channel->Report();
  }
  void Report() {
    reports_.Deliver([this](const Frame& frame) { static_cast<Channel*>(this)->Call(frame); },
                     [this] { in_flight_.Leave(); });
  }

  const std::uint64_t number_;
  InFlight in_flight_;
  ReportQueue<Frame> reports_;
  ReportStream stream_;
};

}  // namespace foothold::video
