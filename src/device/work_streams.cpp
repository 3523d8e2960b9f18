// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/work_streams.h"

#include <mutex>
#include <vector>

#include "base/per_process.h"
#include "device/runtime.h"

namespace foothold {
namespace {

constexpr std::int32_t kStreamId = -1;  // no stream of a program has it

class WorkStreams {
 public:
  static WorkStreams& Get() { return PerProcess<WorkStreams>::Get(); }

  void Add(const StreamRef& stream, const Context& context) {
    std::lock_guard<std::mutex> lock(mutex_);
    open_.push_back({stream, &context});
  }
  void Remove(const StreamRef& stream) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(open_, [&](const Entry& entry) { return entry.stream.handle == stream.handle; });
  }
  std::vector<StreamRef> Of(const Context& context) const {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<StreamRef> streams;
    for (const Entry& entry : open_) {
      if (entry.context == &context) streams.push_back(entry.stream);
    }
    return streams;
  }

 private:
  struct Entry {
    StreamRef stream;
    const Context* context;
  };
  mutable std::mutex mutex_;  // guards open_
  std::vector<Entry> open_;
};

}  // namespace

StreamRef OpenWorkStream(Context& context) {
  const StreamRef stream = Runtime::Get().OpenHiddenStream(context, kStreamId);
  try {
    WorkStreams::Get().Add(stream, context);
  } catch (...) {
    Runtime::Get().CloseHiddenStream(stream, true);
    throw;
  }
  return stream;
}

void CloseWorkStream(const StreamRef& stream) noexcept {
  WorkStreams::Get().Remove(stream);
  Runtime::Get().CloseHiddenStream(stream, true);
}

void AwaitWorkStreams(const Context& context) {
  for (const StreamRef& stream : WorkStreams::Get().Of(context)) {
    if (stream->IsCurrent(stream.handle)) stream->waiting().UntilQuiet(kForever);
  }
}

}  // namespace foothold
