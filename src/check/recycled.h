// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory for objects that are made on one thread and end on another, many times a second: what has ended is
// used again, where allocators would take locks and give pages back. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#include "base/per_process.h"
#include "base/spin.h"

namespace foothold::check {

// `kMost` are kept.
template <std::size_t kBytes, std::size_t kMost = 1 << 15>
class Recycled {
 public:
  static Recycled& Get() { return PerProcess<Recycled>::Get(); }

  void* Take() {
    {
      const std::lock_guard<SpinLock> lock(lock_);
      if (Place* const place = free_) {
        free_ = place->next;
        --count_;
        return place;
      }
    }
    return ::operator new(kBytes);
  }
  void Give(void* memory) noexcept {
    {
      const std::lock_guard<SpinLock> lock(lock_);
      if (count_ < kMost) {
        free_ = ::new (memory) Place{free_};
        ++count_;
        return;
      }
    }
    ::operator delete(memory);
  }

 private:
  struct Place {
    Place* next;
  };
  static_assert(kBytes >= sizeof(Place));

  SpinLock lock_;  // guards the next two
  Place* free_ = nullptr;
  std::size_t count_ = 0;
};

// For std::allocate_shared.
template <typename T>
struct RecyclingAllocator {
  using value_type = T;

  RecyclingAllocator() = default;
  template <typename U>
  explicit RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    if (count != 1) return std::allocator<T>().allocate(count);
    return static_cast<T*>(Recycled<sizeof(T)>::Get().Take());
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (count != 1) return std::allocator<T>().deallocate(memory, count);
    Recycled<sizeof(T)>::Get().Give(memory);
  }
  template <typename U>
  bool operator==(const RecyclingAllocator<U>&) const noexcept {
    return true;
  }
};

}  // namespace foothold::check
