// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "session/graph_slot.h"

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
  if (!summary) RefuseOrder(api, "CompileGraph has to be called first", "GE-RUN-011");
  if (which == Memory::kFixedFeatures) {
    // No part of the intermediate values has to stay at one address here.
    Log(LogLevel::kWarning, "{}: graph {} has no fixed memory, so the call has no effect", api, origin_.id);
    return;
  }
  if (!summary->is_static) Fail(kGeFailed, "{}: the shapes of graph {} are not all known", api, origin_.id);
  const std::size_t needed = which == Memory::kConstants ? summary->constant_bytes : summary->feature_bytes;
  if (bytes < needed || (address == nullptr && needed > 0)) {
    BreaksRule("GE-RUN-010", address);
    Fail(kGeFailed, "{}: graph {} needs {} bytes, but {} bytes at {} were given", api, origin_.id, needed,
         bytes, address);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  auto& base = which == Memory::kConstants  ? constants_
               : which == Memory::kFeatures ? features_
                                            : refreshable_;
  const auto& other = which == Memory::kFeatures ? refreshable_ : features_;
  if (which != Memory::kConstants && other)
    RefuseOrder(api, "the other call for intermediate memory was used", "GE-RUN-011");
  if (base && (which == Memory::kConstants || !summary->refreshable))
    RefuseOrder(api, "it was called before, and the memory cannot be exchanged", "GE-RUN-011");
  if (loaded_ && which == Memory::kConstants) RefuseOrder(api, "the graph is loaded", "GE-RUN-011");
  if (loaded_ && !summary->refreshable) RefuseOrder(api, "the graph is loaded", "GE-RUN-011");
  base = Base{address, bytes};
  if (!loaded_) return;
  const std::shared_ptr<PreparedProgram> runner = declared_runner_;
  loaded_work_ =
      WorkOf(static_cast<std::byte*>(address), runner->program().arena_bytes, MemoryRole::kGraphMemory);
  lock.unlock();  // it waits for a run that uses the last one
  runner->UseArena(Borrow(address, runner->program().arena_bytes));
}

// The program's memory where kernels use it, as far as they do; stays the program's.
SharedBytes GraphSlot::Borrow(void* address, std::size_t needed) const {
  const RunMemory memory(address, needed, foothold::Use::kWrite, RunMemory::Kind::kAny, kGeFailed,
                         [&] { return fmt::format("the memory set for graph {}", origin_.id); });
  return SharedBytes(SharedBytes(), memory.data());
}

bool GraphSlot::uses_own_memory() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sets_memory();
}

// Where weights and intermediate values live: in what the program has set, else in its pool of the stream.
void GraphSlot::LoadMemory(std::unique_lock<std::mutex>& lock, MemoryPool* pool) {
  SharedBytes constants, arena;
  std::byte* given = nullptr;  // the arena, as the program knows it
  MemoryRole role = MemoryRole::kPoolBlock;
  const std::shared_ptr<PreparedProgram> runner = declared_runner_;
  const bool is_static = runner && runner->is_static();
  if (pool != nullptr && is_static && !sets_memory()) {
    lock.unlock();  // the pool is a function of the program
    {
      const Here here(*this);
      constants = pool->AllocateForKernels(runner->program().ConstantBytes());
      arena = pool->AllocateForKernels(runner->program().arena_bytes, &given);
    }
    lock.lock();
    if (loaded_) return lock.unlock();  // another thread was faster; the pool gets its blocks back
  }
  try {
    if (is_static && constants_) constants = Borrow(constants_->address, runner->program().ConstantBytes());
    if (is_static && (features_ || refreshable_)) {
      given = static_cast<std::byte*>((features_ ? *features_ : *refreshable_).address);
      role = MemoryRole::kGraphMemory;
      arena = Borrow(given, runner->program().arena_bytes);
    }
    if (arena) loaded_work_ = WorkOf(given, runner->program().arena_bytes, role);
    if (constants) runner->UseConstants(constants);
    if (arena) runner->UseArena(arena);
  } catch (...) {
    lock.unlock();  // what the pool gave goes back to it, by a function of the program
    throw;
  }
  loaded_ = true;
}

GraphSlot::StreamForm GraphSlot::FormFor(const std::vector<TensorValue>& inputs, MemoryPool* pool) {
  StreamForm form;
  form.runner = RunnerFor(inputs);
  std::unique_lock<std::mutex> lock(mutex_);
  if (!loaded_) {
    if (!declared_runner_ && DeclaredTypes()) declared_runner_ = form.runner;
    LoadMemory(lock, pool);
    if (!lock.owns_lock()) lock.lock();
  }
  form.pooled = pool != nullptr && form.runner != declared_runner_ && form.runner->is_static();
  if (form.runner == declared_runner_) form.work = loaded_work_;
  lock.unlock();
  if (!form.pooled) {
    form.runner->Reserve(device_);
    return form;
  }
  const Here here(*this);
  const Program& program = form.runner->program();
  std::byte* given = nullptr;
  form.arena = pool->AllocateForKernels(program.arena_bytes, &given);
  form.work = WorkOf(given, program.arena_bytes, MemoryRole::kPoolBlock);
  if (!form.runner->has_placed_constants())
    form.runner->UseConstants(pooled_constants_.Place(program, *pool));
  return form;
}

void GraphSlot::CountConstants(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(charge_mutex_);
  if (bytes <= counted_constants_) return;
  constants_charges_.emplace_back(device_, bytes - counted_constants_, "LoadGraph");
  counted_constants_ = bytes;
}

}  // namespace foothold
