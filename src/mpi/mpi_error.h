// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Failures of the hi_mpi family: numbers made of a module and a reason. Any thread.
#pragma once

#include <cstdint>
#include <utility>

#include "base/error.h"

namespace foothold::mpi {

enum class Module : std::uint32_t { kSystem = 0x02, kVdec = 0x05, kVpc = 0x07, kVenc = 0x08, kPngd = 0x40 };

enum class Reason : std::uint32_t {
  kDevice = 1,
  kChannel = 2,
  kParameter = 3,
  kExists = 4,
  kMissing = 5,
  kNull = 6,
  kNotConfigured = 7,
  kUnsupported = 8,
  kNotPermitted = 9,
  kNoMemory = 12,
  kNoBuffer = 13,
  kEmpty = 14,
  kFull = 15,
  kNotReady = 16,
  kAddress = 17,
  kBusy = 18,
  kTooSmall = 19,
  kTimeout = 20,
  kSystem = 21,
};

constexpr Code CodeOf(Module module, Reason reason) {
  return static_cast<Code>(0xA0008000u | static_cast<std::uint32_t>(module) << 16 |
                           static_cast<std::uint32_t>(reason));
}

template <typename... Args>
[[noreturn]] void Fail(Module module, Reason reason, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(CodeOf(module, reason), fmt::format(format, std::forward<Args>(args)...));
}

// A failure of the folders below, in the numbers of this family.
Error Translate(Module module, const Error& error);

}  // namespace foothold::mpi
