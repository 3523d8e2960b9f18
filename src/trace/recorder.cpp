// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "trace/recorder.h"

#include <pthread.h>

#include <array>
#include <set>
#include <unordered_map>

#include "base/process_events.h"
#include "base/thread_id.h"

namespace foothold::trace {

// Written by its thread, read by whoever writes a file. Blocks never move, and what is counted is complete.
class Recorder::ThreadBuffer {
 public:
  ThreadBuffer() : thread_(KernelThreadId()) {
    char name[16] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    name_ = name;
  }

  void Add(const Event& event) {
    if (!last_ || last_->count.load(std::memory_order_relaxed) == kBlockEvents) Grow();
    const std::size_t at = last_->count.load(std::memory_order_relaxed);
    last_->events[at] = event;
    last_->count.store(at + 1, std::memory_order_release);
  }

  ThreadRecord Read(Nanoseconds from) const {
    ThreadRecord record{thread_, name_, {}};
    for (const Block* block = first_.load(std::memory_order_acquire); block != nullptr;
         block = block->next.load(std::memory_order_acquire)) {
      const std::size_t count = block->count.load(std::memory_order_acquire);
      for (std::size_t i = 0; i < count; ++i)
        if (block->events[i].end >= from) record.events.push_back(block->events[i]);
    }
    return record;
  }

 private:
  static constexpr std::size_t kBlockEvents = 512;
  struct Block {
    std::array<Event, kBlockEvents> events;
    std::atomic<std::size_t> count{0};
    std::atomic<const Block*> next{nullptr};
  };

  void Grow() {
    blocks_.push_back(std::make_unique<Block>());
    Block* const made = blocks_.back().get();
    if (last_) {
      last_->next.store(made, std::memory_order_release);
    } else {
      first_.store(made, std::memory_order_release);
    }
    last_ = made;
  }

  const std::uint32_t thread_;
  std::string name_;
  std::vector<std::unique_ptr<Block>> blocks_;  // only the thread itself looks at this
  Block* last_ = nullptr;
  std::atomic<const Block*> first_{nullptr};
};

struct Recorder::OwnBuffer {
  std::uint64_t round = 0;
  std::shared_ptr<ThreadBuffer> buffer;
};

Recorder& Recorder::Get() {
  static auto* const recorder = new Recorder;  // threads record while the process ends
  return *recorder;
}

// A child has none of the threads and writes nothing: the file is the parent's.
Recorder::Recorder() {
  static const AtFork at_fork(ForkStage::kWatching,
                              {[] { Get().mutex_.lock(); }, [] { Get().mutex_.unlock(); }, StopInChild});
}

void Recorder::StopInChild() {
  watch::End(watch::kTrace);
  Get().users_ = 0;
  Get().mutex_.unlock();
}

void Recorder::AddListener(Listener listener) {
  bool now = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    listeners_.push_back(listener);
    now = users_ > 0;
  }
  if (now) listener(true);
}

void Recorder::Begin() {
  std::vector<Listener> listeners;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (++users_ > 1) return;
    listeners = listeners_;
    round_.fetch_add(1);  // what came in after the last end went to buffers nobody knows
    count_.store(0);
    lost_.store(0);
    watch::Begin(watch::kTrace);
  }
  for (const Listener listener : listeners)
    listener(true);
}

void Recorder::End() {
  std::vector<Listener> listeners;
  std::vector<std::shared_ptr<ThreadBuffer>> dropped;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (users_ == 0 || --users_ > 0) return;
    listeners = listeners_;
    watch::End(watch::kTrace);
    dropped.swap(buffers_);
    round_.fetch_add(1);
  }
  for (const Listener listener : listeners)
    listener(false);
}

std::vector<ThreadRecord> Recorder::Events(Nanoseconds from) const {
  std::vector<ThreadRecord> records;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& buffer : buffers_)
    records.push_back(buffer->Read(from));
  return records;
}

std::shared_ptr<Recorder::ThreadBuffer> Recorder::MakeBuffer() {
  auto buffer = std::make_shared<ThreadBuffer>();
  std::lock_guard<std::mutex> lock(mutex_);
  if (users_ > 0) buffers_.push_back(buffer);
  return buffer;
}

void Recorder::Add(const Event& event) {
  if (count_.fetch_add(1, std::memory_order_relaxed) >= kMostEvents) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  thread_local OwnBuffer own;
  const std::uint64_t round = round_.load(std::memory_order_relaxed) + 1;
  if (own.round != round) own = {round, MakeBuffer()};
  own.buffer->Add(event);
}

void Record(const Event& event) noexcept {
  try {
    Recorder::Get().Add(event);
  } catch (...) {
    Recorder::Get().lost_.fetch_add(1, std::memory_order_relaxed);
  }
}

const char* Keep(std::string_view text) {
  struct Kept {
    std::mutex mutex;  // guards the texts
    std::set<std::string, std::less<>> texts;
  };
  static auto* const kept = new Kept;
  thread_local std::unordered_map<std::string_view, const char*> known;  // views of kept texts
  if (const auto found = known.find(text); found != known.end()) return found->second;
  std::lock_guard<std::mutex> lock(kept->mutex);
  auto place = kept->texts.find(text);
  if (place == kept->texts.end()) place = kept->texts.emplace(text).first;
  known.emplace(*place, place->c_str());
  return place->c_str();
}

}  // namespace foothold::trace
