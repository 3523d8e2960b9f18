// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/environment.h"
#include "base/per_process.h"
#include "base/schedule.h"
#include "device/runner.h"
#include "device/stream.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// How often the priority of what was chosen is drawn anew: each so many choices.
constexpr std::uint64_t kChanges = 8;
constexpr int kMostBetweenCalls = 64;

[[maybe_unused]] const bool listens = [] {
  schedule::SetCallEndListener([] {
    if (schedule::IsChosen()) Scheduler::Get().BetweenCalls();
  });
  return true;
}();

class Busy {
 public:
  explicit Busy(std::atomic<bool>& busy) : busy_(busy), mine_(!busy.exchange(true)) {}
  ~Busy() {
    if (mine_) busy_.store(false);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  explicit operator bool() const { return mine_; }

 private:
  std::atomic<bool>& busy_;
  const bool mine_;
};

}  // namespace

Scheduler& Scheduler::Get() {
  return PerProcess<Scheduler>::Get();
}

// A recording begins with the number it was made by, so that the host comes where it came then.
Scheduler::Scheduler() {
  std::uint64_t seed = schedule::Seed();
  if (!schedule::Replay().empty()) {
    replay_.open(schedule::Replay());
    std::string word;
    if (!(replay_ >> word >> seed) || word != "seed") {
      seed = 0;
      replay_.clear();
      replay_.seekg(0);
    }
  }
  random_ = seed * 0x9e3779b97f4a7c15u + 1;
  host_ = Draw();
  if (!schedule::Record().empty()) record_.open(schedule::Record());
  if (record_.is_open()) record_ << "seed " << seed << '\n';
  if (!schedule::Replay().empty() && !replay_)
    TellWrongSetting("FOOTHOLD_SCHEDULE",
                     fmt::format("FOOTHOLD_SCHEDULE: '{}' cannot be read", schedule::Replay()));
}

// xorshift, 64 bits.
std::uint64_t Scheduler::Draw() noexcept {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ * 0x2545f4914f6cdd1du;
}

std::uint64_t& Scheduler::PriorityOf(std::int32_t stream) {
  const auto found = priority_.find(stream);
  return found != priority_.end() ? found->second : priority_.emplace(stream, Draw()).first->second;
}

void Scheduler::Add(Stream& stream) noexcept try {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(ready_.begin(), ready_.end(), &stream) == ready_.end()) ready_.push_back(&stream);
} catch (...) {  // no memory: its timer sees to it
}

// Precondition of the next: mutex_ is held.
Stream* Scheduler::Best() {
  Stream* best = nullptr;
  for (Stream* stream : ready_)
    if (best == nullptr || PriorityOf(stream->id()) > PriorityOf(best->id())) best = stream;
  return best;
}

// The stream the recording names next. Where that is not ready the recording is left, and chance goes on.
Stream* Scheduler::Recorded() {
  std::int32_t id = 0;
  std::uint64_t task = 0;
  if (!replay_.is_open() || !(replay_ >> id >> task)) return nullptr;
  ++line_;
  for (Stream* stream : ready_)
    if (stream->id() == id && stream->done() == task) return stream;
  TellWrongSetting(
      "FOOTHOLD_SCHEDULE",
      fmt::format("FOOTHOLD_SCHEDULE: the recording is left at line {}: task {} of stream {} is not "
                  "ready",
                  line_, task, id));
  replay_.close();
  return nullptr;
}

Stream* Scheduler::Choose() noexcept try {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(ready_, [](const Stream* stream) { return !stream->IsReady(); });
  if (ready_.empty()) return nullptr;
  Stream* chosen = Recorded();
  if (chosen == nullptr) chosen = Best();
  std::erase(ready_, chosen);
  if (Draw() % kChanges == 0) PriorityOf(chosen->id()) = Draw();
  NoteChoice(*chosen);
  return chosen;
} catch (...) {  // no memory: timers see to the streams
  return nullptr;
}

void Scheduler::NoteChoice(const Stream& stream) {
  if (record_.is_open()) record_ << stream.id() << ' ' << stream.done() << '\n' << std::flush;
}

bool Scheduler::RunOne() noexcept {
  const Busy mine(busy_);
  if (!mine) return false;
  Stream* const stream = Choose();
  if (stream == nullptr || !stream->TryClaim()) return stream != nullptr;
  Runner runner(Runner::Role::kCaller);
  runner.target = stream->done() + 1;
  stream->Drain(runner);
  runner.Flush();
  return true;
}

bool Scheduler::IsHostFirst() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Draw() % kChanges == 0) host_ = Draw();
  std::erase_if(ready_, [](const Stream* stream) { return !stream->IsReady(); });
  const Stream* const best = Best();
  return best == nullptr || PriorityOf(best->id()) < host_;
}

void Scheduler::BetweenCalls() noexcept {
  if (Runner::Current() != nullptr || InsideUserFunction()) return;
  for (int i = 0; i < kMostBetweenCalls && !IsHostFirst(); ++i)
    if (!RunOne()) return;
}

}  // namespace foothold
