// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/weight_memory.h"

#include <sys/mman.h>

#include <cstdint>

#include "base/error.h"

namespace foothold {
namespace {

// Pages would hide accesses beyond the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kLarge = SIZE_MAX;
#else
constexpr std::size_t kLarge = 256 << 10;
#endif
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t RoundUp(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// Reserves more than needed and gives back what is not aligned.
std::byte* MapAligned(std::size_t bytes, std::size_t alignment) {
  const std::size_t spare = alignment - kPage;
  void* const at = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(at);
  const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(begin) % alignment) % alignment;
  if (before > 0) munmap(begin, before);
  if (spare > before) munmap(begin + before + bytes, spare - before);
  return begin + before;
}

}  // namespace

bool HasPagesOfItsOwn(std::size_t size) {
  return size >= kLarge;
}

SharedBytes AllocateWeights(std::size_t size) {
  if (!HasPagesOfItsOwn(size)) return AllocateBytes(size);
  const std::size_t bytes = RoundUp(size, kPage);
  std::byte* const memory = MapAligned(bytes, size >= kHugePage ? kHugePage : kPage);
  if (memory == nullptr) Fail(kBadAlloc, "no host memory left for {} bytes of weights", size);
  madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // a hint: not all kernels have it
  return SharedBytes(memory, [bytes](std::byte* p) { munmap(p, bytes); });
}

}  // namespace foothold
