// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/context.h"

#include <algorithm>

#include "device/stream.h"

namespace foothold {

Context::Context() = default;
Context::~Context() = default;

void Context::Open(Device& device, bool is_default) {
  std::lock_guard<std::mutex> lock(mutex_);
  device_ = &device;
  is_default_ = is_default;
  default_stream_.store(nullptr);
  closed_ = false;
  streams_.clear();
  for (auto& value : sys_params_)
    value.reset();
}

bool Context::Add(const StreamRef& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (closed_) return false;
  streams_.push_back(stream);
  return true;
}

void Context::Close() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
}

void Context::Remove(Stream& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto is_it = [&](const StreamRef& entry) { return entry.stream == &stream; };
  streams_.erase(std::remove_if(streams_.begin(), streams_.end(), is_it), streams_.end());
}

std::size_t Context::stream_count() const noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  return streams_.size();
}

Stream* Context::stream_at(std::size_t index, const void** handle) const noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (index >= streams_.size()) return nullptr;
  *handle = streams_[index].handle;
  return streams_[index].stream;
}

void Context::StopAll(const Failure& failure) noexcept {
  ForEachStream([&](Stream& stream, const void*) { stream.StopForGood(failure); });
}

std::optional<std::int64_t> Context::sys_param(int option) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sys_params_[option];
}

void Context::set_sys_param(int option, std::int64_t value) {
  std::lock_guard<std::mutex> lock(mutex_);
  sys_params_[option] = value;
}

}  // namespace foothold
