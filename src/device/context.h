// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A context: the streams and settings a thread works with on one device. Pooled and never freed, like
// streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/handle_pool.h"
#include "device/task.h"

namespace foothold {

class Device;
struct StreamRef;
class Stream;

class Context : public Handled {
 public:
  static constexpr int kSysParams = 4;

  Context();
  ~Context();

  void Open(Device& device, bool is_default);

  Device& device() const { return *device_.load(std::memory_order_relaxed); }
  bool is_default() const { return is_default_.load(std::memory_order_relaxed); }
  Stream& default_stream() const { return *default_stream_.load(std::memory_order_acquire); }
  void set_default_stream(Stream& stream) { default_stream_.store(&stream, std::memory_order_release); }

  // False once the context is closed.
  bool Add(const StreamRef& stream);
  void Remove(Stream& stream);
  // Takes no more streams.
  void Close() noexcept;
  // Calls `body(stream, handle)` for every stream, without a lock and without memory. The last comes first:
  // streams that go meanwhile shift only those that were seen.
  template <typename Body>
  void ForEachStream(Body&& body) const {
    for (std::size_t i = stream_count(); i-- > 0;) {
      const void* handle = nullptr;
      if (Stream* stream = stream_at(i, &handle)) body(*stream, handle);
    }
  }

  // A task failed in a stream that stops on failure: no stream of this context goes on.
  void StopAll(const Failure& failure) noexcept;

  std::optional<std::int64_t> sys_param(int option) const;
  void set_sys_param(int option, std::int64_t value);

 private:
  std::size_t stream_count() const noexcept;
  // The stream with this index and its handle; null behind the last.
  Stream* stream_at(std::size_t index, const void** handle) const noexcept;
  std::atomic<Device*> device_{nullptr};
  std::atomic<bool> is_default_{false};
  std::atomic<Stream*> default_stream_{nullptr};
  mutable std::mutex mutex_;  // guards the three below
  bool closed_ = true;
  std::vector<StreamRef> streams_;
  std::optional<std::int64_t> sys_params_[kSysParams];
};

}  // namespace foothold
