// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/binary.h"

#include <algorithm>

namespace foothold {
namespace {

constexpr int kLongMemory = 16;  // brief launches that make up for a long one

}  // namespace

const std::string& Binary::name() const {
  static const auto* const program = new std::string("the program");
  return code_ ? code_->name() : *program;
}

void Binary::SetExceptionCallback(BinaryExceptionCallback callback, void* user_data) {
  std::lock_guard<SpinLock> lock(callback_lock_);
  callback_ = callback;
  user_data_ = user_data;
}

std::pair<BinaryExceptionCallback, void*> Binary::exception_callback() const {
  std::lock_guard<SpinLock> lock(callback_lock_);
  return {callback_, user_data_};
}

std::size_t KernelFunction::OffsetOf(std::size_t index) const {
  std::size_t end = 0;
  for (std::size_t i = 0;; ++i) {
    const std::size_t begin = ArgumentOffset(end, parts_.parameters[i]);
    if (i == index) return begin;
    end = begin + parts_.parameters[i];
  }
}

// Launches of one kernel may run at once; what is lost then is one of many observations.
void KernelFunction::Note(bool was_brief) noexcept {
  const int runs = long_runs_.load(std::memory_order_relaxed);
  const int next = was_brief ? std::max(runs - 1, 0) : kLongMemory;
  if (next != runs) long_runs_.store(next, std::memory_order_relaxed);
}

std::size_t ArgumentOffset(std::size_t end, std::size_t size) noexcept {
  const std::size_t alignment = std::clamp<std::size_t>(size & (~size + 1), 1, 8);
  return (end + alignment - 1) / alignment * alignment;
}

}  // namespace foothold
