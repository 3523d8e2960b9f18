// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_allocator.h"

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/held_locks.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// Descriptions belong to the process, not to a device, and outlive every reset.
HandlePool<AllocatorDescription>& Descriptions() {
  static auto* const pool = new HandlePool<AllocatorDescription>(HandleKind::kAllocatorDesc);
  return *pool;
}

void CheckStreamNotNull(const void* stream) {
  if (stream == nullptr)
    Fail(kInvalidParam, "stream must not be null: the default stream takes no allocator");
}

void CheckComplete(const StreamAllocator& allocator) {
  const char* missing = allocator.object == nullptr       ? "allocator object"
                        : allocator.allocate == nullptr   ? "alloc function"
                        : allocator.free == nullptr       ? "free function"
                        : allocator.address_of == nullptr ? "get-address-from-block function"
                                                          : nullptr;
  if (missing != nullptr) Fail(kInvalidParam, "the allocator description has no {} yet", missing);
}

}  // namespace

namespace {

bool IsOnDevice(const void* address, std::size_t bytes) {
  try {
    CheckDeviceRange(address, bytes);
    return true;
  } catch (const Error&) {
    TakeBrokenRule();  // told by another name
    return false;
  }
}

}  // namespace

// For programs that are checked: GE-ALLOC-010.
void StreamAllocator::LookAtBlock(const Block& block, std::size_t bytes) const {
  EnterProgram("the address function of a stream's allocator");
  void* const again = address_of(block.block);
  if (again != block.address) check::LookAtMovedBlock(block.address, again);
  check::LookAtBlock({block.block, block.address, bytes, IsOnDevice(block.address, bytes)}, "GE-ALLOC-010");
}

StreamAllocator::Block StreamAllocator::Allocate(std::size_t size) const {
  EnterProgram("the alloc function of a stream's allocator");
  void* const block = allocate(object, size);
  if (block == nullptr) {
    Fail(kRtMemoryAllocation, "the allocator registered with the stream returned no block for {} bytes",
         size);
  }
  void* const address = address_of(block);
  if (address == nullptr) {
    free(object, block);
    Fail(kRtMemoryAllocation,
         "the allocator registered with the stream returned a block for {} bytes that has no address", size);
  }
  if (check::On()) LookAtBlock({block, address}, size);
  return {block, address};
}

void* CreateAllocatorDescription() {
  AllocatorDescription& description = Descriptions().Take();
  description.Update([](StreamAllocator& allocator) { allocator = {}; });
  return Descriptions().Publish(description);
}

AllocatorDescription& FindAllocatorDescription(const void* handle) {
  if (AllocatorDescription* found = Descriptions().Find(handle)) return *found;
  if (handle == nullptr) Fail(kInvalidParam, "the allocator description must not be null");
  Fail(kInvalidParam, "{} is not a live allocator description", DescribeHandle(handle));
}

void DestroyAllocatorDescription(const void* handle) {
  AllocatorDescription& description = FindAllocatorDescription(handle);
  if (!Descriptions().Retire(description, handle)) {
    Fail(kInvalidParam, "the allocator description {} was destroyed by another thread", handle);
  }
  Descriptions().Recycle(description);
}

void RegisterAllocator(const void* stream, const void* description) {
  CheckStreamNotNull(stream);
  StreamAllocator allocator = FindAllocatorDescription(description).Read();
  CheckComplete(allocator);
  allocator.description = const_cast<void*>(description);
  FindStreamAnywhere(stream)->set_allocator(std::make_shared<const StreamAllocator>(allocator));
}

void UnregisterAllocator(const void* stream) {
  CheckStreamNotNull(stream);
  if (Stream* found = Runtime::Get().streams.Find(stream)) found->set_allocator(nullptr);
}

std::shared_ptr<const StreamAllocator> AllocatorOf(const void* stream) {
  CheckStreamNotNull(stream);
  auto allocator = FindStreamAnywhere(stream)->allocator();
  if (!allocator) Fail(kInvalidParam, "no allocator is registered with stream {}", stream);
  return allocator;
}

}  // namespace foothold
