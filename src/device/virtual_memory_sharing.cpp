// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pages that other processes can be given, and pages of other processes.
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "check/check.h"
#include "check/order.h"
#include "device/device_memory.h"
#include "device/memory/held_writers.h"
#include "device/virtual_memory.h"

namespace foothold {
namespace {

using Changing = std::lock_guard<std::shared_mutex>;

std::size_t WholePages(std::size_t bytes) {
  return (bytes + MemoryFile::kPage - 1) / MemoryFile::kPage * MemoryFile::kPage;
}

}  // namespace

void VirtualMemory::MapPages(const PhysicalMemory& pages, std::uintptr_t address, int protection) const {
  if (pages.file != nullptr) {
    pages.file->Map(address, 0, pages.bytes, protection);
  } else {
    file_.Map(address, pages.offset, pages.bytes, protection);
  }
}

std::shared_ptr<const MemoryFile> VirtualMemory::SharePages(const void* handle) {
  Changing lock(mutex_);
  PhysicalMemory& pages = PagesOf(handle);
  if (pages.imported) {
    Fail(kRtParamInvalid, "{} is memory of another process; only the process that made it can export it",
         handle);
  }
  if (pages.exported) Fail(kRtParamInvalid, "physical memory {} was exported already", handle);
  if (pages.file == nullptr) MovePages(pages, std::make_shared<const MemoryFile>(pages.bytes));
  pages.exported = true;
  if (check::On()) TellShared(pages);
  return pages.file;
}

void VirtualMemory::TellShared(const PhysicalMemory& pages) const {
  for (const auto& [start, range] : ranges_)
    for (const auto& [base, mapping] : range.mappings)
      if (mapping.pages == &pages) check::MemoryShared(mapping.serial);
}

void VirtualMemory::ForgetShared(const void* handle) {
  Changing lock(mutex_);
  if (PhysicalMemory* const pages = pages_.Find(handle)) pages->exported = false;
}

// Out of the file of all pages, of which other processes must not see more. Whoever writes to them meanwhile
// waits; where a mapping fails, all are as before.
void VirtualMemory::MovePages(PhysicalMemory& pages, std::shared_ptr<const MemoryFile> file) {
  std::vector<HeldPages> places;
  for (const auto& [start, range] : ranges_) {
    for (const auto& [base, mapping] : range.mappings) {
      if (mapping.pages == &pages) places.push_back({base - offset_, mapping.bytes, mapping.protection()});
    }
  }
  HeldWriters held(places);
  file_.CopyTo(*file, pages.offset, pages.bytes);
  pages.file.swap(file);
  try {
    for (const HeldPages& place : places)
      MapPages(pages, place.address, place.protection);
  } catch (const Error&) {
    pages.file.swap(file);
    for (const HeldPages& place : places)
      MapPages(pages, place.address, place.protection);
    throw;
  }
  held.Moved();
  file_.Free(pages.offset, pages.bytes);
}

std::shared_ptr<const MemoryFile> VirtualMemory::FindShared(const void* handle) const {
  std::shared_lock<std::shared_mutex> lock(mutex_);
  const PhysicalMemory* const pages = pages_.Find(handle);
  return pages == nullptr || !pages->exported ? nullptr : pages->file;
}

void* VirtualMemory::AdoptPages(DeviceMemory& owner, std::shared_ptr<const MemoryFile> file,
                                const PhysicalMemory::Properties& properties) {
  Changing lock(mutex_);
  PhysicalMemory& pages = TakePages(owner, file->bytes());
  pages.file = std::move(file);
  pages.imported = true;
  pages.references = 1;
  pages.properties = properties;
  return pages_.Publish(pages);
}

void* VirtualMemory::MapImported(DeviceMemory& owner, const MemoryFile& file, std::uint64_t offset,
                                 std::size_t bytes, const char* api) {
  const std::uint64_t inside = offset % MemoryFile::kPage;
  const std::size_t whole = WholePages(inside + bytes);
  Changing lock(mutex_);
  const std::uintptr_t at = file.Map(0, offset - inside, whole, PROT_READ | PROT_WRITE) + offset_;
  PhysicalMemory* pages = nullptr;
  try {
    pages = &TakePages(owner, whole);
    Mapping mapping{bytes, pages, {}, NextAllocationSerial(), api};
    mapping.access[owner.device()] = kReadWriteAccess;
    Reservation range{whole, mapping.serial, api, {}, true};
    range.mappings.emplace(at + inside, std::move(mapping));
    ranges_.emplace(at, std::move(range));
  } catch (...) {
    if (pages != nullptr) pages_.Recycle(*pages);
    munmap(PagesAt(at), whole);
    throw;
  }
  pages->imported = true;  // the mapping keeps them, the file need not
  pages->mappings = 1;
  count_.store(ranges_.size(), std::memory_order_release);
  return reinterpret_cast<void*>(at + inside);
}

bool VirtualMemory::UnmapImported(void* address) {
  Changing lock(mutex_);
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const auto found = ranges_.find(start / MemoryFile::kPage * MemoryFile::kPage);
  if (found == ranges_.end() || !found->second.imported || !found->second.mappings.contains(start))
    return false;
  EraseImported(found);
  return true;
}

void VirtualMemory::EraseImported(Reservations::iterator range) {
  munmap(PagesAt(range->first), range->second.bytes);
  PhysicalMemory& pages = *range->second.mappings.begin()->second.pages;
  ranges_.erase(range);
  count_.store(ranges_.size(), std::memory_order_release);
  pages.mappings = 0;
  DropIfUnused(pages);
}

}  // namespace foothold
