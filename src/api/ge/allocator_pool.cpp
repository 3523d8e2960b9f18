// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors

#include <mutex>

#include "api/ge/session_guard.h"
#include "base/broken_rule.h"
#include "base/graph_codes.h"
#include "base/held_locks.h"
#include "base/log.h"
#include "base/per_process.h"
#include "base/programs_function.h"
#include "base/thread_end.h"
#include "check/allocator_blocks.h"
#include "check/check.h"
#include "check/faults.h"
#include "device/current.h"
#include "device/device.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

constexpr std::uintptr_t kExpectedAlignment = 32;

[[noreturn]] void RefuseBlock(const ge::AllocatorPtr& allocator, std::size_t bytes, const char* why,
                              const char* rule) {
  if (rule != nullptr) BreaksRule(rule, nullptr);
  Fail(kGeFailed,
       "memory could not be allocated: the allocator at {} that the program registered {} when asked for {} "
       "bytes",
       static_cast<const void*>(allocator.get()), why, bytes);
}

// As if the program's own function did what the plan of faults wants.
ge::MemBlock* MallocOrFault(ge::Allocator& allocator, std::size_t bytes) {
  if (!watch::Is(watch::kFaults)) return allocator.Malloc(bytes);
  switch (check::FaultOfAllocator()) {
    case check::AllocatorFault::kNull:
      return nullptr;
    case check::AllocatorFault::kThrow:
      Fail(kGeFailed, "this failure is injected (FOOTHOLD_FAULTS)");
    case check::AllocatorFault::kSmall:
      return allocator.Malloc(bytes / 2);
    case check::AllocatorFault::kNone:
      break;
  }
  return allocator.Malloc(bytes);
}

FOOTHOLD_HANDLES_END_OF_THREAD ge::MemBlock* AskFor(const ge::AllocatorPtr& allocator, std::size_t bytes) {
  ge::MemBlock* block = nullptr;
  EnterProgram("Malloc of an external allocator");
  const ProgramsFunction inside(ProgramsFunction::Kind::kAllocator);
  try {
    block = MallocOrFault(*allocator, bytes);
  } catch (const EndOfThread&) {  // the thread ends
    throw;
  } catch (...) {
    RefuseBlock(allocator, bytes, "threw", "GE-ALLOC-009");
  }
  if (block == nullptr) RefuseBlock(allocator, bytes, "gave nothing", nullptr);
  return block;
}

// The count of a block is a plain number, and its users may be on several threads.
constinit std::mutex count_mutex;
std::mutex& CountMutex() {
  return count_mutex;
}
const HeldDuringFork<CountMutex> children_get_it_free;

void GiveBack(ge::MemBlock* block) noexcept {
  bool last = false;
  {
    std::lock_guard<std::mutex> lock(count_mutex);
    last = block->GetCount() == 1;
    if (check::On() && block->GetCount() == 0) check::LookAtLostBlock(block);
    if (!last) block->Free();
  }
  if (!last) return;
  if (check::On()) check::BlockReturned(block);
  EnterProgram("Free of an external allocator");
  const ProgramsFunction inside(ProgramsFunction::Kind::kAllocator);
  try {
    block->Free();
  } catch (...) {
    Log(LogLevel::kError, "an allocator of the program threw while a block was given back");
  }
}

bool IsOfCurrentDevice(const void* address, std::size_t bytes) {
  try {
    const MemoryUse use = CheckDeviceRange(address, bytes);
    return use.kind == MemoryKind::kManaged || use.device == CurrentDevice().id();
  } catch (const Error&) {
    TakeBrokenRule();  // told by another name
    return false;
  }
}

SharedBytes Take(const ge::AllocatorPtr& allocator, std::size_t bytes) {
  ge::MemBlock* block = AskFor(allocator, bytes);
  auto* address = static_cast<std::byte*>(block->GetAddr());
  if (address == nullptr || block->GetSize() < bytes) {
    GiveBack(block);
    RefuseBlock(allocator, bytes,
                address == nullptr ? "gave a block without an address" : "gave a smaller block",
                "GE-ALLOC-001");
  }
  if (reinterpret_cast<std::uintptr_t>(address) % kExpectedAlignment != 0)
    Log(LogLevel::kWarning, "an allocator gave memory at {}, which is no multiple of {}",
        static_cast<void*>(address), kExpectedAlignment);
  if (check::On()) check::LookAtBlock({block, address, bytes, IsOfCurrentDevice(address, bytes)}, nullptr);
  // The block refers to its allocator, so that has to live as long.
  return SharedBytes(address, [block, allocator](std::byte*) { GiveBack(block); });
}

}  // namespace

std::shared_ptr<MemoryPool> ToPool(const ge::AllocatorPtr& allocator) {
  if (!allocator) Fail(kGeFailed, "the allocator is null");
  return std::make_shared<MemoryPool>([allocator](std::size_t bytes) { return Take(allocator, bytes); },
                                      allocator.get());
}

}  // namespace foothold
