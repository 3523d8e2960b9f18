// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a communicator is made with: from the environment, and over that from its configuration. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"

namespace foothold::collectives {

struct CommSettings {
  // Reads HCCL_EXEC_TIMEOUT and HCCL_CONNECT_TIMEOUT. Throws HCCL_E_PARA for values that cannot be used.
  static CommSettings FromEnvironment();

  std::string name;                           // empty: one is made up
  std::string udi;                            // for logs
  Nanoseconds exec_timeout = 1836 * kSecond;  // a task waits so long for other ranks; kForever
  Nanoseconds connect_timeout = 120 * kSecond;
};

// Seconds, with decimals, as a time; 0 is kForever. Nothing for other texts.
std::optional<Nanoseconds> ParseSeconds(const std::string& text);

}  // namespace foothold::collectives
