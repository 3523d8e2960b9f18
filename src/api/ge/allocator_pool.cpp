// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors

#include <mutex>

#include "api/ge/session_guard.h"
#include "base/graph_codes.h"
#include "base/held_locks.h"
#include "base/log.h"
#include "base/per_process.h"
#include "base/thread_end.h"
#include "check/faults.h"

namespace foothold {
namespace {

constexpr std::uintptr_t kExpectedAlignment = 32;

[[noreturn]] void RefuseBlock(const ge::AllocatorPtr& allocator, std::size_t bytes, const char* why) {
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
  try {
    block = MallocOrFault(*allocator, bytes);
  } catch (const EndOfThread&) {  // the thread ends
    throw;
  } catch (...) {
    RefuseBlock(allocator, bytes, "threw");
  }
  if (block == nullptr) RefuseBlock(allocator, bytes, "gave nothing");
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
    if (!last) block->Free();
  }
  if (!last) return;
  EnterProgram("Free of an external allocator");
  try {
    block->Free();
  } catch (...) {
    Log(LogLevel::kError, "an allocator of the program threw while a block was given back");
  }
}

SharedBytes Take(const ge::AllocatorPtr& allocator, std::size_t bytes) {
  ge::MemBlock* block = AskFor(allocator, bytes);
  auto* address = static_cast<std::byte*>(block->GetAddr());
  if (address == nullptr || block->GetSize() < bytes) {
    GiveBack(block);
    RefuseBlock(allocator, bytes,
                address == nullptr ? "gave a block without an address" : "gave a smaller block");
  }
  if (reinterpret_cast<std::uintptr_t>(address) % kExpectedAlignment != 0)
    Log(LogLevel::kWarning, "an allocator gave memory at {}, which is no multiple of {}",
        static_cast<void*>(address), kExpectedAlignment);
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
