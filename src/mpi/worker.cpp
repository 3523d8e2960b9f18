// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/worker.h"

#include <string>
#include <vector>

#include "device/work_streams.h"
#include "mpi/time_limit.h"

namespace foothold::mpi {
namespace {

class WorkTask {
 public:
  static constexpr bool kReplays = false;

  WorkTask(TakenPlace place, std::function<void()> work)
      : place_(std::move(place)), work_(std::make_unique<std::function<void()>>(std::move(work))) {}
  Outcome Run(Stream&) {
    place_.Begin();
    (*work_)();
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const { return "work of a media channel"; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  TakenPlace place_;
  std::unique_ptr<std::function<void()>> work_;
};

}  // namespace

Places::Answer Places::Enter(int milliseconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool in_time = WaitFor(changed_, lock, milliseconds, [this] { return closed_ || entered_ < most_; });
  if (closed_) return Answer::kClosed;
  if (!in_time) return Answer::kFull;
  ++entered_;
  return Answer::kIn;
}

void Places::Leave() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    --entered_;
  }
  changed_.notify_all();
}

void Places::Close() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

Worker::Worker(Module module, const char* what)
    : module_(module), what_(what), stream_(OpenWorkStream(CurrentContext())) {}

TakenPlace Worker::Enter(int milliseconds) {
  switch (places_->Enter(milliseconds)) {
    case Places::Answer::kFull:
      Fail(module_, Reason::kFull, "{} {} of the channel wait already", kMost, what_);
    case Places::Answer::kClosed:
      Fail(module_, Reason::kMissing, "the channel was destroyed while this call waited for room in it");
    case Places::Answer::kIn:
      break;
  }
  return TakenPlace(places_);
}

void Worker::Do(const char* api, TakenPlace place, std::function<void()> work) {
  stream_.Push(api, WorkTask(std::move(place), std::move(work)));
}

void Worker::DoAlso(const char* api, std::function<void()> work) {
  stream_.Push(api, WorkTask(TakenPlace(nullptr), std::move(work)));
}

void Worker::Close() noexcept {
  places_->Close();
  std::call_once(closed_, [this] { CloseWorkStream(stream_); });
}

}  // namespace foothold::mpi
