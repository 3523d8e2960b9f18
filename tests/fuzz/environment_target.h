// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes in an environment variable that gives a number. Used by the fuzzer and by the
// replay of its corpus.
#pragma once

#include <string>

#include "base/environment.h"
#include "fuzz/require.h"

namespace foothold {

inline void FuzzEnvironment(const std::string& bytes) {
  if (const auto value = ParseInt(bytes)) Require(ParseInt(std::to_string(*value)) == value);
  const auto size = ParseBytes(bytes);
  if (!size) return;
  Require(ParseBytes(std::to_string(*size)) == size);
  Require(ParseBytes(" " + bytes + "\n") == size);
}

}  // namespace foothold
