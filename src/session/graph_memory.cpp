// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_memory.h"

#include <fmt/format.h>

#include <utility>

#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "check/check.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

const char* CallFor(GraphMemory::Kind which) {
  switch (which) {
    case GraphMemory::Kind::kConstants:
      return "SetGraphConstMemoryBase";
    case GraphMemory::Kind::kFeatures:
      return "UpdateGraphFeatureMemoryBase";
    case GraphMemory::Kind::kRefreshableFeatures:
      return "UpdateGraphRefreshableFeatureMemoryBase";
    case GraphMemory::Kind::kFixedFeatures:
      break;
  }
  return "SetGraphFixedFeatureMemoryBase";
}

}  // namespace

std::optional<GraphMemory::Base>& GraphMemory::BaseOf(Kind which) {
  return which == Kind::kConstants ? constants_ : which == Kind::kFeatures ? features_ : refreshable_;
}

void GraphMemory::CheckMaySet(Kind which, const char* api, bool refreshable) {
  constexpr const char* kRule = "GE-RUN-011";
  const bool constants = which == Kind::kConstants;
  const auto& other = which == Kind::kFeatures ? refreshable_ : features_;
  if (!constants && other) order_.Refuse(api, "the other call for intermediate memory was used", kRule);
  if (BaseOf(which) && (constants || !refreshable))
    order_.Refuse(api, "it was called before, and the memory cannot be exchanged", kRule);
  if (is_loaded() && (constants || !refreshable)) order_.Refuse(api, "the graph is loaded", kRule);
}

void GraphMemory::Set(Kind which, void* address, std::size_t bytes,
                      const std::optional<GraphSummary>& summary, const GraphForms& forms) {
  const char* api = CallFor(which);
  if (!summary) order_.Refuse(api, "CompileGraph has to be called first", "GE-RUN-011");
  if (which == Kind::kFixedFeatures) {
    // No part of the intermediate values has to stay at one address here.
    Log(LogLevel::kWarning, "{}: graph {} has no fixed memory, so the call has no effect", api, graph_);
    return;
  }
  if (!summary->is_static) Fail(kGeFailed, "{}: the shapes of graph {} are not all known", api, graph_);
  const std::size_t needed = which == Kind::kConstants ? summary->constant_bytes : summary->feature_bytes;
  if (bytes < needed || (address == nullptr && needed > 0)) {
    BreaksRule("GE-RUN-010", address);
    Fail(kGeFailed, "{}: graph {} needs {} bytes, but {} bytes at {} were given", api, graph_, needed, bytes,
         address);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  CheckMaySet(which, api, summary->refreshable);
  BaseOf(which) = Base{address, bytes};
  is_set_.store(true, std::memory_order_release);
  if (!is_loaded()) return;
  const std::shared_ptr<PreparedProgram> form = forms.declared();
  loaded_work_ =
      WorkOf(static_cast<std::byte*>(address), form->program().arena_bytes, MemoryRole::kGraphMemory);
  lock.unlock();  // it waits for a run that uses the last one
  form->UseArena(Borrow(address, form->program().arena_bytes));
}

// The program's memory where kernels use it, as far as they do; stays the program's.
SharedBytes GraphMemory::Borrow(void* address, std::size_t needed) const {
  const RunMemory memory(address, needed, Use::kWrite, RunMemory::Kind::kAny, kGeFailed,
                         [&] { return fmt::format("the memory set for graph {}", graph_); });
  return SharedBytes(SharedBytes(), memory.data());
}

bool GraphMemory::Load(const GraphSlot& graph, MemoryPool* pool) {
  SharedBytes pooled_constants, pooled_arena;  // go back by a function of the program, when the lock is gone
  std::byte* given = nullptr;                  // the arena, as the program knows it
  const std::shared_ptr<PreparedProgram> form = graph.forms().declared();
  const bool is_static = form && form->is_static();
  if (pool != nullptr && is_static && !is_set()) {
    const InsideGraph inside(graph);
    pooled_constants = pool->AllocateForKernels(form->program().ConstantBytes());
    pooled_arena = pool->AllocateForKernels(form->program().arena_bytes, &given);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_loaded()) return false;
  SharedBytes constants = pooled_constants, arena = pooled_arena;
  MemoryRole role = MemoryRole::kPoolBlock;
  if (is_static && constants_) constants = Borrow(constants_->address, form->program().ConstantBytes());
  if (is_static && (features_ || refreshable_)) {
    given = static_cast<std::byte*>((features_ ? *features_ : *refreshable_).address);
    role = MemoryRole::kGraphMemory;
    arena = Borrow(given, form->program().arena_bytes);
  }
  if (arena) loaded_work_ = WorkOf(given, form->program().arena_bytes, role);
  if (constants) form->UseConstants(std::move(constants));
  if (arena) form->UseArena(std::move(arena));
  is_loaded_.store(true, std::memory_order_release);
  return true;
}

std::optional<Access> GraphMemory::LoadedWork() const {
  if (!check::On()) return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex_);
  return loaded_work_;
}

GraphMemory::Pooled GraphMemory::TakeFromPool(PreparedProgram& form, MemoryPool& pool) {
  const Program& program = form.program();
  std::byte* given = nullptr;
  Pooled pooled;
  pooled.arena = pool.AllocateForKernels(program.arena_bytes, &given);
  pooled.work = WorkOf(given, program.arena_bytes, MemoryRole::kPoolBlock);
  if (!form.has_placed_constants()) form.UseConstants(pooled_constants_.Place(program, pool));
  return pooled;
}

void GraphMemory::CountConstants(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(charge_mutex_);
  if (bytes <= counted_constants_) return;
  constants_charges_.emplace_back(device_, bytes - counted_constants_, "LoadGraph");
  counted_constants_ = bytes;
}

}  // namespace foothold
