// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/session_guard.h"
#include "api/status.h"
#include "ge/ge_api_v2.h"

namespace ge {
namespace {

using foothold::GuardSession;
using foothold::SetGraphMemory;
using Memory = foothold::GraphMemory::Kind;

}  // namespace

CompiledGraphSummaryPtr GeSession::GetCompiledGraphSummary(uint32_t graph_id) {
  return foothold::CompiledSummary("GeSession::GetCompiledGraphSummary", session_, graph_id);
}

Status GeSession::SetGraphConstMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetGraphMemory("GeSession::SetGraphConstMemoryBase", session_, graph_id, Memory::kConstants, memory,
                        size);
}

Status GeSession::UpdateGraphFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetGraphMemory("GeSession::UpdateGraphFeatureMemoryBase", session_, graph_id, Memory::kFeatures,
                        memory, size);
}

FOOTHOLD_WITHOUT_EFFECT(GeSession::SetGraphFixedFeatureMemoryBaseWithType);
Status GeSession::SetGraphFixedFeatureMemoryBaseWithType(uint32_t graph_id, MemoryType type,
                                                         const void* const memory, size_t size) {
  (void)type;  // there is one kind of memory, and no graph needs a fixed part of it
  return SetGraphMemory("GeSession::SetGraphFixedFeatureMemoryBaseWithType", session_, graph_id,
                        Memory::kFixedFeatures, memory, size);
}

Status GeSession::UpdateGraphRefreshableFeatureMemoryBase(uint32_t graph_id, const void* const memory,
                                                          size_t size) {
  return SetGraphMemory("GeSession::UpdateGraphRefreshableFeatureMemoryBase", session_, graph_id,
                        Memory::kRefreshableFeatures, memory, size);
}

Status GeSession::RegisterExternalAllocator(const void* const stream, AllocatorPtr allocator) const {
  return GuardSession("GeSession::RegisterExternalAllocator",
                      [&] { foothold::Made(session_)->RegisterPool(stream, foothold::ToPool(allocator)); });
}

Status GeSession::UnregisterExternalAllocator(const void* const stream) const {
  return GuardSession("GeSession::UnregisterExternalAllocator",
                      [&] { foothold::Made(session_)->UnregisterPool(stream); });
}

}  // namespace ge
