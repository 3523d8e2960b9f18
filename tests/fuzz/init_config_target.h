// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes given as the configuration of aclInit: they are accepted, and then mean the
// same when read again, or refused with one of the documented numbers and a text. Used by the fuzzer and by
// the replay of its corpus.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>

#include "base/config.h"
#include "base/error.h"
#include "base/failure_text.h"
#include "fuzz/require.h"

namespace foothold {

inline bool IsRefusalOfAConfig(Code code) {
  constexpr Code kCodes[] = {kParseFile, kInvalidDumpConfig, kInvalidProfilingConfig, kInvalidMaxOpQueueNum,
                             kInvalidParam};
  return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes);
}

inline void FuzzInitConfig(const std::string& bytes) {
  try {
    const InitConfig config = ParseInitConfig(bytes);
    Require(SameSettings(config, ParseInitConfig(bytes)));
    Require(config.max_operator_models > 0);
  } catch (const Error& error) {
    Require(IsRefusalOfAConfig(error.code()));
    Require(!error.message().empty());
    Require(FailureText("aclInit", "", error).size() < 4096);
  }
}

}  // namespace foothold
