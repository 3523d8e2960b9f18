// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of fuzzers, which throw where much of it is asked for, as on a machine that has none left: the
// sanitizer's own operator new ends the process instead.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kMost = std::size_t{256} << 20;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > kMost) throw std::bad_alloc();
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes == 0 ? 1 : bytes) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return Allocate(bytes, alignof(std::max_align_t));
}
void* operator new[](std::size_t bytes) {
  return Allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
