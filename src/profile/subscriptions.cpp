// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "profile/subscriptions.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_id.h"
#include "profile/profile_codes.h"

namespace foothold {
namespace {

// A reader that is gone must not end the program, so the signal for that is taken back.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec now = {};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

bool Send(int pipe, const NodeRecord& record) {
  const NoPipeSignal no_signal;
  const char* next = reinterpret_cast<const char*>(&record);
  for (std::size_t left = sizeof record; left > 0;) {
    const ssize_t written = write(pipe, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    left -= static_cast<std::size_t>(written);
  }
  return true;
}

template <std::size_t kSize>
void Put(char (&to)[kSize], const std::string& text) {
  std::strncpy(to, text.c_str(), kSize - 1);
}

}  // namespace

Subscriptions& Subscriptions::Get() {
  static auto* const subscriptions = new Subscriptions;
  return *subscriptions;
}

void Subscriptions::Add(std::uint32_t model, int pipe) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!pipes_.emplace(model, pipe).second)
    Fail(kProfRepeatSubscribe, "model {} is subscribed to already", model);
  ++count_;
}

void Subscriptions::Remove(std::uint32_t model) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (pipes_.erase(model) == 0) Fail(kProfNotRun, "model {} is not subscribed to", model);
  --count_;
}

std::optional<int> Subscriptions::PipeOf(std::uint32_t model) const {
  if (!any()) return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pipes_.find(model);
  return found == pipes_.end() ? std::nullopt : std::optional(found->second);
}

class SubscribedRun::Observer final : public RunObserver {
 public:
  Observer(std::uint32_t model, int pipe) : pipe_(pipe) {
    record_.model = model;
    record_.thread = KernelThreadId();
  }

  void OnNodeBegin(const NodeRun&) override { begins_.push_back(Now()); }
  void OnNodeFailed(const NodeRun&) override { begins_.pop_back(); }
  void OnNodeEnd(const NodeRun& node) override {
    record_.begin = static_cast<std::uint64_t>(begins_.back());
    record_.end = static_cast<std::uint64_t>(Now());
    begins_.pop_back();
    Put(record_.name, node.name);
    Put(record_.type, node.type);
    if (broken_ || Send(pipe_, record_)) return;
    broken_ = true;
    Log(LogLevel::kWarning, "model {}: what was subscribed to cannot be written: {}", record_.model,
        std::strerror(errno));
  }

 private:
  const int pipe_;
  bool broken_ = false;
  NodeRecord record_;
  std::vector<Nanoseconds> begins_;
};

SubscribedRun::SubscribedRun(std::uint32_t model) {
  const std::optional<int> pipe = Subscriptions::Get().PipeOf(model);
  if (!pipe) return;
  observer_ = std::make_unique<Observer>(model, *pipe);
  scope_.emplace(*observer_);
}

SubscribedRun::~SubscribedRun() = default;

}  // namespace foothold
