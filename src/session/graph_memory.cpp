// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "base/log.h"
#include "session/graph_slot.h"
#include "session/status.h"

namespace foothold {
namespace {

constexpr std::size_t kGranularity = 512;

std::size_t Rounded(std::size_t bytes) {
  return (bytes + kGranularity - 1) / kGranularity * kGranularity;
}

const char* CallFor(GraphSlot::Memory which) {
  switch (which) {
    case GraphSlot::Memory::kConstants:
      return "SetGraphConstMemoryBase";
    case GraphSlot::Memory::kFeatures:
      return "UpdateGraphFeatureMemoryBase";
    case GraphSlot::Memory::kRefreshableFeatures:
      return "UpdateGraphRefreshableFeatureMemoryBase";
    case GraphSlot::Memory::kFixedFeatures:
      break;
  }
  return "SetGraphFixedFeatureMemoryBase";
}

}  // namespace

std::optional<GraphSummary> GraphSlot::Summary() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (prepared_ == Prepared::kNothing) return std::nullopt;
  GraphSummary summary;
  summary.graph = normal_->graph;
  summary.refreshable = origin_.options.IsOn("ge.featureBaseRefreshable");
  if (!declared_runner_ || !declared_runner_->is_static()) return summary;
  const Program& program = declared_runner_->program();
  summary.is_static = true;
  summary.constant_bytes = Rounded(program.ConstantBytes());
  summary.feature_bytes = Rounded(program.arena_bytes);
  summary.outputs.assign(program.outputs.begin(),
                         program.outputs.begin() + static_cast<std::ptrdiff_t>(normal_->caller_outputs));
  summary.shared_places = shared_places_;
  return summary;
}

void GraphSlot::SetMemory(Memory which, void* address, std::size_t bytes) {
  const char* api = CallFor(which);
  const auto summary = Summary();
  if (!summary) RefuseOrder(api, "CompileGraph has to be called first");
  if (which == Memory::kFixedFeatures) {
    // No part of the intermediate values has to stay at one address here.
    Log(LogLevel::kWarning, "{}: graph {} has no fixed memory, so the call has no effect", api, origin_.id);
    return;
  }
  if (!summary->is_static) Fail(kGeFailed, "{}: the shapes of graph {} are not all known", api, origin_.id);
  const std::size_t needed = which == Memory::kConstants ? summary->constant_bytes : summary->feature_bytes;
  if (bytes < needed || (address == nullptr && needed > 0))
    Fail(kGeFailed, "{}: graph {} needs {} bytes, but {} bytes at {} were given", api, origin_.id, needed,
         bytes, address);
  std::lock_guard<std::mutex> lock(mutex_);
  auto& base = which == Memory::kConstants  ? constants_
               : which == Memory::kFeatures ? features_
                                            : refreshable_;
  const auto& other = which == Memory::kFeatures ? refreshable_ : features_;
  if (which != Memory::kConstants && other)
    RefuseOrder(api, "the other call for intermediate memory was used");
  if (base && (which == Memory::kConstants || !summary->refreshable))
    RefuseOrder(api, "it was called before, and the memory cannot be exchanged");
  if (loaded_ && which == Memory::kConstants) RefuseOrder(api, "the graph is loaded");
  if (loaded_ && !summary->refreshable) RefuseOrder(api, "the graph is loaded");
  base = Base{address, bytes};
  if (loaded_) declared_runner_->UseArena(SharedBytes(SharedBytes(), static_cast<std::byte*>(address)));
}

bool GraphSlot::uses_own_memory() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return constants_ || features_ || refreshable_;
}

}  // namespace foothold
