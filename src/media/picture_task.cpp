// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/picture_task.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "device/memory_map.h"
#include "device/task.h"

namespace foothold::media {
namespace {

struct QueuedWork {
  MediaWork work;
  std::vector<std::uint64_t> serials;
};

// Numbers of wrong arguments mean the call that is running; a task fails by what the stream reports.
Error AsTaskFailure(const Error& error) {
  constexpr int kFirstOfRuns = 500000;
  return error.code() >= kFirstOfRuns ? error : Error(kRtAicpuException, error.message());
}

class MediaTask {
 public:
  static constexpr bool kReplays = true;

  explicit MediaTask(std::shared_ptr<const QueuedWork> state) : state_(std::move(state)) {}

  Outcome Run(Stream&) {
    try {
      state_->work.run(Addresses());
    } catch (...) {
      const Error error = CurrentError();
      state_->work.tell(static_cast<std::uint32_t>(error.code()));
      throw AsTaskFailure(error);
    }
    state_->work.tell(0);
    return Outcome::kDone;
  }
  std::string Describe() const {
    std::string text;
    for (const MediaMemory& memory : state_->work.memory)
      text += fmt::format("{}{}={} ({} bytes)", text.empty() ? "" : ", ", memory.name, memory.address,
                          memory.bytes);
    return text;
  }
  void ListAccesses(std::vector<Access>& list) const {
    for (const Use use : {Use::kRead, Use::kWrite})
      for (std::size_t i = 0; i < state_->serials.size(); ++i) {
        const MediaMemory& memory = state_->work.memory[i];
        if (memory.use == use)
          list.push_back({memory.address, memory.bytes, use, memory.extent, state_->serials[i]});
      }
  }
  Place place() const { return {Place::kUnhurried}; }

 private:
  std::vector<std::uint8_t*> Addresses() const {
    std::vector<std::uint8_t*> at;
    for (std::size_t i = 0; i < state_->serials.size(); ++i) {
      const MediaMemory& memory = state_->work.memory[i];
      at.push_back(static_cast<std::uint8_t*>(
          RecheckRange(memory.address, memory.bytes, memory.use, state_->serials[i], memory.name)));
    }
    return at;
  }

  std::shared_ptr<const QueuedWork> state_;
};

}  // namespace

std::uint32_t PushMediaWork(const StreamRef& stream, const char* api, MediaWork work) {
  auto state = std::make_shared<QueuedWork>();
  for (const MediaMemory& memory : work.memory)
    state->serials.push_back(
        CheckRange(memory.address, memory.bytes, memory.use, memory.name, kInvalidParam).serial);
  state->work = std::move(work);
  return stream.Push(api, MediaTask(std::move(state)));
}

}  // namespace foothold::media
