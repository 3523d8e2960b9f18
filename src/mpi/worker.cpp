// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "mpi/worker.h"

#include <memory>
#include <string>
#include <vector>

#include "device/runtime.h"
#include "mpi/time_limit.h"

namespace foothold::mpi {
namespace {

constexpr std::int32_t kStreamId = -1;  // no stream of a program has it

class WorkTask {
 public:
  static constexpr bool kReplays = false;

  explicit WorkTask(std::function<void()> work)
      : work_(std::make_unique<std::function<void()>>(std::move(work))) {}
  Outcome Run(Stream&) {
    (*work_)();
    return Outcome::kDone;
  }
  Place place() const { return {Place::kUnhurried, nullptr}; }
  std::string Describe() const { return "work of a media channel"; }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::unique_ptr<std::function<void()>> work_;
};

}  // namespace

Worker::Worker() : stream_(Runtime::Get().OpenHiddenStream(CurrentContext(), kStreamId)) {}

bool Worker::Enter(int milliseconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!WaitFor(changed_, lock, milliseconds, [this] { return entered_ < kMost; })) return false;
  ++entered_;
  return true;
}

void Worker::Leave() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    --entered_;
  }
  changed_.notify_all();
}

void Worker::Do(const char* api, std::function<void()> work) {
  try {
    DoAlso(api, std::move(work));
  } catch (...) {
    Leave();
    throw;
  }
}

void Worker::DoAlso(const char* api, std::function<void()> work) {
  stream_.Push(api, WorkTask(std::move(work)));
}

void Worker::Close() noexcept {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
    closed_ = true;
  }
  Runtime::Get().CloseHiddenStream(stream_, true);
}

int Worker::entered() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return entered_;
}

}  // namespace foothold::mpi
