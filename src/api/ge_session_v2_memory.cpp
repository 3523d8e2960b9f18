// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/session_guard.h"
#include "ge/ge_api_v2.h"
#include "session/status.h"

namespace ge {
namespace {

using foothold::GuardSession;
using Memory = foothold::GraphSlot::Memory;

Status SetMemory(const char* method, foothold::Session& session, uint32_t graph_id, Memory which,
                 const void* memory, size_t size) {
  return GuardSession(method, [&] { session.SetMemory(graph_id, which, const_cast<void*>(memory), size); });
}

}  // namespace

CompiledGraphSummaryPtr GeSession::GetCompiledGraphSummary(uint32_t graph_id) {
  CompiledGraphSummaryPtr found;
  GuardSession("GeSession::GetCompiledGraphSummary", [&] {
    const auto summary = session_->Summary(graph_id);
    if (!summary) foothold::Fail(foothold::kGeFailed, "graph {} is not compiled yet", graph_id);
    found = foothold::ToPublic(*summary);
  });
  return found;
}

Status GeSession::SetGraphConstMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetMemory("GeSession::SetGraphConstMemoryBase", *session_, graph_id, Memory::kConstants, memory,
                   size);
}

Status GeSession::UpdateGraphFeatureMemoryBase(uint32_t graph_id, const void* const memory, size_t size) {
  return SetMemory("GeSession::UpdateGraphFeatureMemoryBase", *session_, graph_id, Memory::kFeatures, memory,
                   size);
}

Status GeSession::SetGraphFixedFeatureMemoryBaseWithType(uint32_t graph_id, MemoryType type,
                                                         const void* const memory, size_t size) {
  (void)type;  // there is one kind of memory, and no graph needs a fixed part of it
  return SetMemory("GeSession::SetGraphFixedFeatureMemoryBaseWithType", *session_, graph_id,
                   Memory::kFixedFeatures, memory, size);
}

Status GeSession::UpdateGraphRefreshableFeatureMemoryBase(uint32_t graph_id, const void* const memory,
                                                          size_t size) {
  return SetMemory("GeSession::UpdateGraphRefreshableFeatureMemoryBase", *session_, graph_id,
                   Memory::kRefreshableFeatures, memory, size);
}

Status GeSession::RegisterExternalAllocator(const void* const stream, AllocatorPtr allocator) const {
  return GuardSession("GeSession::RegisterExternalAllocator",
                      [&] { session_->RegisterPool(stream, foothold::ToPool(allocator)); });
}

Status GeSession::UnregisterExternalAllocator(const void* const stream) const {
  return GuardSession("GeSession::UnregisterExternalAllocator", [&] { session_->UnregisterPool(stream); });
}

}  // namespace ge
