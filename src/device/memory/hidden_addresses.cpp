// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/hidden_addresses.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/tell.h"
#include "check/device_addresses.h"

namespace foothold {

std::atomic<bool> hidden_addresses_detail::any{false};

namespace {

constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

void* Pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);
}

std::uintptr_t ReserveAt(std::uintptr_t expected, std::size_t bytes) noexcept {
  void* const at = mmap(Pointer(expected), bytes, PROT_NONE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED || Number(at) == expected) return at == MAP_FAILED ? 0 : expected;
  munmap(at, bytes);  // a kernel that takes the place for a hint only
  return 0;
}

std::uintptr_t ReserveAnywhere(std::size_t bytes, std::size_t alignment) noexcept {
  void* const at = mmap(nullptr, bytes + alignment, PROT_NONE, kFlags, -1, 0);
  if (at == MAP_FAILED) return 0;
  const std::uintptr_t start = Number(at), aligned = (start + alignment - 1) / alignment * alignment;
  if (aligned > start) munmap(at, aligned - start);
  if (start + alignment > aligned) munmap(Pointer(aligned + bytes), start + alignment - aligned);
  return aligned;
}

void TellOnce(int reason) noexcept try {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  Tell(LogLevel::kWarning,
       fmt::format("the system grants no addresses to hide device memory behind ({}): host code that follows "
                   "device addresses is not found",
                   std::strerror(reason)));
} catch (...) {  // no memory to say so
}

}  // namespace

std::uintptr_t HideAddresses(std::uintptr_t kernel, std::size_t bytes, std::size_t alignment,
                             std::uintptr_t expected) noexcept {
  if (!kAddressesAreAlike || !check::HidesDeviceAddresses()) return 0;
  std::uintptr_t given = expected == 0 ? 0 : ReserveAt(expected, bytes);
  if (given == 0) given = ReserveAnywhere(bytes, alignment);
  if (given == 0) return TellOnce(errno), 0;
  hidden_addresses_detail::any.store(true, std::memory_order_relaxed);
  check::HideDeviceAddresses(given, bytes, given - kernel);
  return given;
}

void DropHiddenAddresses(std::uintptr_t given, std::size_t bytes) noexcept {
  check::ForgetDeviceAddresses(given);
  munmap(Pointer(given), bytes);
}

void CloseHiddenAddresses(std::uintptr_t given, std::size_t bytes) noexcept {
  if (check::OpensDeviceAddresses()) mmap(Pointer(given), bytes, PROT_NONE, kFlags | MAP_FIXED, -1, 0);
}

}  // namespace foothold
