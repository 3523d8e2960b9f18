// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/report_stream.h"

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_id.h"
#include "device/user_code.h"
#include "device/work_streams.h"

namespace foothold::video {
namespace {

constexpr Nanoseconds kReportTurn = 10 * kMillisecond;

}  // namespace

ReportStream::ReportStream(std::uint64_t thread)
    : thread_(thread), stream_(OpenWorkStream(CurrentContext())) {
  try {
    Subscribe(thread_, stream_, Mailbox::Kind::kReport);
  } catch (...) {
    CloseWorkStream(stream_);
    throw;
  }
}

void ReportStream::CheckReporter() const {
  const auto subscription = stream_->callbacks().subscription(Mailbox::Kind::kReport);
  if (subscription.mailbox == nullptr || subscription.mailbox->alive()) return;
  BreaksRule("ACL-CB-002", stream_.handle);
  Fail(kRtThreadSubscribe, "the thread of the channel ({:#x}) has ended: no callback of it would ever run",
       thread_);
}

void ReportStream::Enter(InFlight& in_flight) {
  if (InsideCall() || IsReporter()) return in_flight.EnterAnyway();
  if (!in_flight.Enter([this] { return IsReporterAlive(); }))
    Fail(kRtThreadSubscribe,
         "{} frames wait for their callbacks, and the thread of the channel has ended: they will never run",
         InFlight::kMost);
}

void ReportStream::CheckMayWait() const {
  if (InsideCall())
    Fail(kInvalidParam,
         "this thread is inside a callback of the channel: waiting here for its frames would never end. Send "
         "the end of the stream and destroy the channel on another thread");
}

void ReportStream::Wait() {
  while (IsReporter() && !stream_->IsIdle())
    ProcessCallbacks(Mailbox::Kind::kReport, Now() + kReportTurn);
  stream_->Synchronize(kForever);
}

void ReportStream::Close() noexcept {
  if (closed_) return;
  closed_ = true;
  try {
    Unsubscribe(thread_, stream_, Mailbox::Kind::kReport);
  } catch (...) {  // the stream goes anyway, and its subscription with it
    const Error error = CurrentError();
    Log(LogLevel::kInfo, "a video channel could not unsubscribe its thread: {}", error.message());
  }
  CloseWorkStream(stream_);
}

bool ReportStream::InsideCall() const noexcept {
  return InsideUserFunctionOf(*stream_.stream);
}

bool ReportStream::IsReporter() const noexcept {
  return SelfThread() == thread_;
}

bool ReportStream::IsReporterAlive() const noexcept {
  const auto subscription = stream_->callbacks().subscription(Mailbox::Kind::kReport);
  return subscription.mailbox != nullptr && subscription.mailbox->alive();
}

}  // namespace foothold::video
