// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/device_addresses.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "check/check.h"
#include "check/forbidden_memory.h"
#include "check/history.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

constexpr std::size_t kPage = 4096, kPiece = std::size_t{2} << 20;

// Puts the pages of the bytes there as well, for good.
bool Open(std::uintptr_t given, std::uintptr_t offset, std::size_t bytes) noexcept {
  const std::uintptr_t to = given / bytes * bytes;
  void* const from = reinterpret_cast<void*>(to - offset);
  return mremap(from, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(to)) != MAP_FAILED;
}

Object DescribeMemory(std::uintptr_t address) {
  const auto block = FindBlockAt(reinterpret_cast<const void*>(address));
  if (!block) return {"memory", "addresses of device memory that no live or recent block has", {}};
  Object object = Describe(*block);
  if (block->forks != Forks()) object.text += ", of the parent process";
  return object;
}

void ReportFollowed(const Fault& fault) {
  Finding finding;
  finding.rule = Wanted("ACL-MEM-001");
  if (finding.rule == nullptr) return;
  const char* const does = fault.write ? "writes" : "reads";
  finding.headline = fmt::format("host code {} device memory through its address", does);
  const auto block = FindBlockAt(reinterpret_cast<const void*>(fault.address));
  const std::string byte = block ? fmt::format("byte {}", fault.address - block->base)
                                 : fmt::format("the byte at {:#x}", fault.address);
  finding.now = {.call = {},
                 .arguments = {},
                 .does = fmt::format("host code {} {}", does, byte),
                 .agent = {},
                 .how = "in",
                 .site = fault.site};
  finding.objects.push_back(DescribeMemory(fault.address));
  finding.key = {{"access", fault.write ? "write" : "read"}};
  Reporter::Get().Report(std::move(finding));
}

Verdict JudgeFollowed(const Fault& fault, void* about) {
  ReportFollowed(fault);
  if (!OpensDeviceAddresses()) return Verdict::kPassOn;
  const auto offset = reinterpret_cast<std::uintptr_t>(about);
  const bool open = Open(fault.address, offset, kPiece) || Open(fault.address, offset, kPage);
  return open ? Verdict::kAgain : Verdict::kPassOn;
}

}  // namespace

bool HidesDeviceAddresses() noexcept {
  return On() && Wanted("ACL-MEM-001") != nullptr;
}

bool OpensDeviceAddresses() noexcept {
  return TheSettings().continues;
}

void HideDeviceAddresses(std::uintptr_t given, std::size_t bytes, std::uintptr_t offset) noexcept {
  Forbid(given, bytes, &JudgeFollowed, reinterpret_cast<void*>(offset));
}

void ForgetDeviceAddresses(std::uintptr_t given) noexcept {
  Permit(given);
}

}  // namespace foothold::check
