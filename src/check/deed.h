// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Something that was done: a task, or a call of the host; and shared ownership of it. Who holds the only
// pointer may make something else of the deed, so a stream that does one thing after the other needs no
// memory for it. Any thread; a deed never changes while others have it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "check/clocks.h"
#include "check/recycled.h"
#include "check/stacks.h"

namespace foothold::check {

struct Deed {
  Agent agent = kHost;
  Epoch epoch = 0;
  Clock clock;                 // what it knew when it began
  std::uint64_t sequence = 0;  // of calls, in the order the program made them
  Site site;
  const char* call = "";
  const char* what = nullptr;         // "stream", and below its number; null: the host
  std::optional<std::uint32_t> task;  // its number in the stream
  std::int32_t stream = 0;
  bool on_default_stream = false, in_callback = false;
  // Of a captured task: the number of its instance and of the run, and who asked for the run.
  std::uint32_t instance = 0;
  std::uint64_t run = 0;
  Site run_by;

  std::string Where() const;  // "stream 3"; empty: the host
};

class DeedPtr {
 public:
  DeedPtr() = default;
  DeedPtr(std::nullptr_t) {}
  DeedPtr(const DeedPtr& other) noexcept : kept_(other.kept_) {
    if (kept_ != nullptr) kept_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  DeedPtr(DeedPtr&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  DeedPtr& operator=(DeedPtr other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~DeedPtr() {
    if (kept_ != nullptr && kept_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) Discard();
  }

  static DeedPtr Make(Deed deed = {}) {
    DeedPtr made;
    made.kept_ = ::new (Memory::Get().Take()) Kept{{1}, std::move(deed)};
    return made;
  }

  explicit operator bool() const { return kept_ != nullptr; }
  bool operator==(const DeedPtr& other) const { return kept_ == other.kept_; }
  const Deed* operator->() const { return &kept_->deed; }
  const Deed& operator*() const { return kept_->deed; }

  bool is_only() const { return kept_->owners.load(std::memory_order_acquire) == 1; }
  // Precondition: is_only().
  Deed& Change() { return kept_->deed; }

 private:
  struct Kept {
    std::atomic<std::uint32_t> owners;
    Deed deed;
  };
  using Memory = Recycled<sizeof(Kept)>;

  void Discard() noexcept {
    kept_->~Kept();
    Memory::Get().Give(kept_);
  }

  Kept* kept_ = nullptr;
};

}  // namespace foothold::check
