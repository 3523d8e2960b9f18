// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The prepared programs of one graph, model or operator, by the types of their inputs. The one rule of
// eviction: beyond a limit, the one not used for longest goes (LRU). Finding makes nothing. Any thread.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "launch/prepared_program.h"

namespace foothold {

class PreparedPrograms {
 public:
  struct Entry {
    std::vector<TensorType> types;
    std::vector<std::size_t> bytes;  // of the types
    std::shared_ptr<PreparedProgram> program;
  };

  // The latest that `fits(entry)`, used now; null if there is none.
  template <typename Fits>
  std::shared_ptr<PreparedProgram> Find(const Fits& fits) {
    std::lock_guard<std::mutex> lock(mutex_);
    return MoveToBack(fits) ? entries_.back().program : nullptr;
  }
  // The same into a pointer; if that is right already, no counter is touched that other threads use.
  template <typename Fits>
  bool Find(const Fits& fits, std::shared_ptr<PreparedProgram>& into) {
    std::shared_ptr<PreparedProgram> before;  // goes after the lock is gone
    std::lock_guard<std::mutex> lock(mutex_);
    if (!MoveToBack(fits)) return false;
    if (into != entries_.back().program) before = std::exchange(into, entries_.back().program);
    return true;
  }
  std::shared_ptr<PreparedProgram> Find(const std::vector<TensorType>& types) {
    return Find([&](const Entry& entry) { return entry.types == types; });
  }

  // The one that stays: another thread may have been faster.
  std::shared_ptr<PreparedProgram> Put(std::vector<TensorType> types,
                                       std::shared_ptr<PreparedProgram> program) {
    Entry entry{std::move(types), {}, std::move(program)};
    for (const TensorType& type : entry.types)
      entry.bytes.push_back(ByteSize(type));
    Entry dropped;  // its memory may be the program's, which gets it back after the lock is gone
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& one : entries_)
      if (one.program->plan() == entry.program->plan()) return one.program;
    if (entries_.size() >= Executable::kKeptPlans) {
      dropped = std::move(entries_.front());
      entries_.erase(entries_.begin());
    }
    entries_.push_back(std::move(entry));
    return entries_.back().program;
  }

  // The latest; null if there is none.
  std::shared_ptr<PreparedProgram> latest() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return entries_.empty() ? nullptr : entries_.back().program;
  }

 private:
  // With the lock. False: there is none.
  template <typename Fits>
  bool MoveToBack(const Fits& fits) {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(), fits);
    if (found == entries_.rend()) return false;
    if (found != entries_.rbegin()) std::rotate(found.base() - 1, found.base(), entries_.end());
    return true;
  }

  mutable std::mutex mutex_;    // guards entries_
  std::vector<Entry> entries_;  // the latest last
};

}  // namespace foothold
