// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects behind opaque handles. A handle is a number, never an address: it carries the kind of object, a
// place in the pool and a generation, so stale, foreign and made-up handles are told apart without touching
// memory a user controls. Objects are recycled, never freed: a pointer that another thread still holds after
// the handle died points at a live object of the same type, and Find/IsCurrent tell whether it is still the
// one that was meant (the generation is what keeps the ABA problem away). Find is lock-free; all functions
// may be called from any thread.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/spin.h"
#include "base/watch.h"

namespace foothold {

enum class HandleKind : std::uint8_t {
  kContext = 1,
  kStream,
  kEvent,
  kNotify,
  kCountNotify,
  kAllocatorDesc,
  kPhysicalMemory,
  kDataBuffer,
  kTensorDesc,
  kModelDesc,
  kDataSet,
  kModelConfig,
  kRunConfig,
  kBundleSizes,
  kOperatorAttributes,
  kOperatorHandle,
  kGraphDumpOption,
  kTensor,
  kScalar,
  kIntArray,
  kFloatArray,
  kBoolArray,
  kTensorList,
  kScalarList,
  kExecutor,
  kTransferItem,
  kTransferSet,
  kTransferChannel,
  kTransferBuffer,
  kQueueAttributes,
  kQueueRoute,
  kRouteList,
  kRouteQuery,
  kMemoryPool,
  kModelInstance,
  kTaskGroup,
  kLabel,
  kLabelList,
  kCondition,
  kInstanceTask,
  kBinaryData,
  kBinary,
  kKernelFunction,
  kKernelArguments,
  kCommunicator,
  kPictureDesc,
  kPictureBatch,
  kStreamPiece,
  kRegionConfig,
  kResizeConfig,
  kJpegConfig,
  kBorderConfig,
  kLookupTable,
  kHistogram,
  kPictureChannel,
  kAippParameters,
  kDecodeChannel,
  kDecodeFrameConfig,
  kEncodeChannel,
  kEncodeFrameConfig,
};

namespace handle_detail {
constexpr std::uint64_t kTag = 0xF0;  // at the top of a handle: no valid user address on any 64-bit Linux
constexpr int kIndexBits = 24;
constexpr int kGenerationBits = 20;
constexpr int kKindShift = 48;
// What stands above the rest of a handle.
constexpr std::uint64_t KindBits(HandleKind kind) {
  const auto number = static_cast<std::uint64_t>(kind);
  return (kTag | (number & 0xF)) << 8 | number >> 4;
}
}  // namespace handle_detail

inline std::uint64_t HandleValue(const void* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

// What a handle is, for messages: "a stream", "an event", "null", "not a handle".
std::string DescribeHandle(const void* handle);
const char* HandleKindName(HandleKind kind);
// The kind a handle has by its form; nothing for what is no handle.
std::optional<HandleKind> KindOfHandle(const void* handle) noexcept;
bool IsHandleOf(HandleKind kind, const void* handle);

// Told of every object that gets or loses its handle, while the program is being checked. On the thread that
// does it, which may hold locks of the library; must not throw.
struct ObjectWatcher {
  void (*made)(HandleKind kind, std::uint64_t handle) noexcept;
  void (*gone)(HandleKind kind, std::uint64_t handle) noexcept;
};
// For good: it must be there before watch::kCheck is.
void SetObjectWatcher(const ObjectWatcher& watcher) noexcept;

namespace handle_detail {
void TellMade(HandleKind kind, std::uint64_t handle) noexcept;
void TellGone(HandleKind kind, std::uint64_t handle) noexcept;
}  // namespace handle_detail

class Handled {
 public:
  void* handle() const noexcept { return reinterpret_cast<void*>(handle_.load(std::memory_order_relaxed)); }
  bool IsCurrent(const void* handle) const noexcept {
    return handle != nullptr && handle_.load(std::memory_order_acquire) == HandleValue(handle);
  }

 private:
  template <typename T>
  friend class HandlePool;
  std::atomic<std::uint64_t> handle_{0};
  std::uint32_t index_ = 0;
  std::uint32_t generation_ = 0;
};

template <typename T>
class HandlePool {
 public:
  explicit HandlePool(HandleKind kind) : kind_(kind) {}
  HandlePool(const HandlePool&) = delete;
  HandlePool& operator=(const HandlePool&) = delete;

  // An object to be set up by the caller; it cannot be found before Publish.
  T& Take() {
    std::lock_guard<SpinLock> lock(lock_);
    if (!free_.empty()) {
      T& object = *free_.back();
      free_.pop_back();
      return object;
    }
    return Grow();
  }

  // Gives the object a fresh handle, from which on it can be found.
  void* Publish(T& object) {
    using namespace handle_detail;
    Handled& base = object;
    base.generation_ = (base.generation_ + 1) & ((1u << kGenerationBits) - 1);
    const std::uint64_t value = KindBits(kind_) << kKindShift |
                                static_cast<std::uint64_t>(base.generation_) << (kIndexBits + 4) |
                                static_cast<std::uint64_t>(base.index_) << 4;
    base.handle_.store(value, std::memory_order_release);
    if (watch::Is(watch::kCheck)) TellMade(kind_, value);
    return reinterpret_cast<void*>(value);
  }

  // Ends the handle; true for the one caller that ended it.
  bool Retire(T& object, const void* handle) {
    std::uint64_t expected = HandleValue(handle);
    Handled& base = object;
    if (expected == 0 || !base.handle_.compare_exchange_strong(expected, 0)) return false;
    if (watch::Is(watch::kCheck)) handle_detail::TellGone(kind_, HandleValue(handle));
    return true;
  }

  // Returns a retired (or never published) object for reuse. Needs no memory.
  void Recycle(T& object) noexcept {
    std::lock_guard<SpinLock> lock(lock_);
    free_.push_back(&object);
  }

  T* Find(const void* handle) const noexcept {
    const std::uint64_t value = HandleValue(handle);
    if (value >> handle_detail::kKindShift != handle_detail::KindBits(kind_)) return nullptr;
    const std::uint32_t index = (value >> 4) & ((1u << handle_detail::kIndexBits) - 1);
    if (index >= size_.load(std::memory_order_acquire)) return nullptr;
    T& object = At(index);
    return object.IsCurrent(handle) ? &object : nullptr;
  }

  // Around fork(), for pools whose objects a child goes on using: no other thread is inside when it happens.
  void LockForFork() { lock_.lock(); }
  void UnlockAfterFork() { lock_.unlock(); }

  // Taken, and not recycled yet. Counted when asked for: objects come and go at every call.
  std::uint32_t in_use() noexcept {
    std::lock_guard<SpinLock> lock(lock_);
    return size_.load(std::memory_order_relaxed) - static_cast<std::uint32_t>(free_.size());
  }

  // Calls `visit` for every live object, in no particular order; objects may come and go meanwhile.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    const std::uint32_t size = size_.load(std::memory_order_acquire);
    for (std::uint32_t index = 0; index < size; ++index) {
      T& object = At(index);
      if (object.handle() != nullptr) visit(object);
    }
  }

 private:
  // Chunk n holds twice as many objects as the one before it, so a few cover all places a handle can name.
  static constexpr std::uint32_t kFirstChunk = 64;
  static constexpr int kChunks = handle_detail::kIndexBits - 6;
  static constexpr std::uint32_t kMaxObjects = kFirstChunk * ((1u << kChunks) - 1);

  static int ChunkOf(std::uint32_t index) noexcept { return std::bit_width(index / kFirstChunk + 1) - 1; }
  static std::uint32_t FirstOf(int chunk) noexcept { return kFirstChunk * ((1u << chunk) - 1); }

  T& At(std::uint32_t index) const noexcept {
    const int chunk = ChunkOf(index);
    return chunks_[chunk].load(std::memory_order_acquire)[index - FirstOf(chunk)];
  }

  T& Grow() {
    const std::uint32_t index = size_.load(std::memory_order_relaxed);
    if (index >= kMaxObjects) throw std::bad_alloc();
    const int chunk = ChunkOf(index);
    if (index == FirstOf(chunk)) {
      free_.reserve(index + (kFirstChunk << chunk));  // for all objects there will be
      owned_.push_back(std::make_unique<T[]>(kFirstChunk << chunk));
      chunks_[chunk].store(owned_.back().get(), std::memory_order_release);
    }
    T& object = At(index);
    static_cast<Handled&>(object).index_ = index;
    size_.store(index + 1, std::memory_order_release);
    return object;
  }

  const HandleKind kind_;
  std::atomic<std::uint32_t> size_{0};
  std::atomic<T*> chunks_[kChunks] = {};
  // Guards owned_, free_ and growth. No mutex: there are dozens of pools, all are locked around a fork, and
  // the thread sanitizer, which programs may be built with, follows 64 mutexes of a thread.
  SpinLock lock_;
  std::vector<std::unique_ptr<T[]>> owned_;
  std::vector<T*> free_;
};

}  // namespace foothold
