// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/failed_nodes.h"

#include "base/log.h"
#include "base/per_process.h"
#include "device/stream.h"

namespace foothold {

FailedNodes& FailedNodes::Get() {
  return PerProcess<FailedNodes>::Get();
}

void FailedNodes::Remember(Stream& stream, const NodeFailure& failure) noexcept {
  try {
    const Step& step = failure.step();
    auto node = std::make_shared<const FailedNode>(
        FailedNode{static_cast<std::uint32_t>(stream.device()), static_cast<std::uint32_t>(stream.id()),
                   stream.running_task().id, step.name, step.input_types, step.output_types});
    std::lock_guard<std::mutex> lock(mutex_);
    last_[next_].swap(node);
    next_ = (next_ + 1) % kKept;
  } catch (...) {
    Log(LogLevel::kWarning, "aclmdlCreateAndGetOpDesc will not find a node that failed: {}",
        CurrentError().message());
  }
}

std::shared_ptr<const FailedNode> FailedNodes::Find(std::uint32_t device, std::uint32_t stream,
                                                    std::uint32_t task) const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& node : last_) {
    if (node != nullptr && node->device == device && node->stream == stream && node->task == task)
      return node;
  }
  return nullptr;
}

}  // namespace foothold
