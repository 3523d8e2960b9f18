// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/session_guard.h"
#include "api/status.h"
#include "ge/ge_api.h"

namespace ge {
namespace {

using foothold::GuardSession;
using foothold::SetGraphMemory;
using Memory = foothold::GraphMemory::Kind;

}  // namespace

CompiledGraphSummaryPtr Session::GetCompiledGraphSummary(uint32_t graph_id) {
  return foothold::CompiledSummary("Session::GetCompiledGraphSummary", foothold::Held(session_), graph_id);
}

Status Session::SetGraphConstMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetGraphMemory("Session::SetGraphConstMemoryBase", foothold::Held(session_), graph_id,
                        Memory::kConstants, memory, size);
}

Status Session::UpdateGraphFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetGraphMemory("Session::UpdateGraphFeatureMemoryBase", foothold::Held(session_), graph_id,
                        Memory::kFeatures, memory, size);
}

FOOTHOLD_WITHOUT_EFFECT(Session::SetGraphFixedFeatureMemoryBase);
Status Session::SetGraphFixedFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetGraphMemory("Session::SetGraphFixedFeatureMemoryBase", foothold::Held(session_), graph_id,
                        Memory::kFixedFeatures, memory, size);
}

FOOTHOLD_WITHOUT_EFFECT(Session::SetGraphFixedFeatureMemoryBaseWithType);
Status Session::SetGraphFixedFeatureMemoryBaseWithType(uint32_t graph_id, MemoryType type,
                                                       const void* const memory, size_t size) {
  (void)type;  // there is one kind of memory, and no graph needs a fixed part of it
  return SetGraphMemory("Session::SetGraphFixedFeatureMemoryBaseWithType", foothold::Held(session_), graph_id,
                        Memory::kFixedFeatures, memory, size);
}

Status Session::UpdateGraphRefreshableFeatureMemoryBase(uint32_t graph_id, const void* const memory,
                                                        size_t size) {
  return SetGraphMemory("Session::UpdateGraphRefreshableFeatureMemoryBase", foothold::Held(session_),
                        graph_id, Memory::kRefreshableFeatures, memory, size);
}

Status Session::RegisterExternalAllocator(const void* const stream, AllocatorPtr allocator) const {
  return GuardSession("Session::RegisterExternalAllocator",
                      [&] { foothold::Made(session_)->RegisterPool(stream, foothold::ToPool(allocator)); });
}

Status Session::UnregisterExternalAllocator(const void* const stream) const {
  return GuardSession("Session::UnregisterExternalAllocator",
                      [&] { foothold::Made(session_)->UnregisterPool(stream); });
}

}  // namespace ge
