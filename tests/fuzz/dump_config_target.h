// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any "dump" part of a configuration: it is refused with the number for that and a text,
// or it says something that can be dumped, the same each time. Used by the fuzzer and by the replay of its
// corpus.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/dump_config.h"
#include "base/error.h"
#include "fuzz/require.h"

namespace foothold {

inline void FuzzDumpConfig(const std::string& bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  try {
    const DumpConfig config = ParseDumpConfig(json);
    Require(config == ParseDumpConfig(json));
    Require(!config.path.empty() || config.ForExceptions());
    Require(!(config.overflow_only && config.single_operators));
    config.IncludesStep(0);
  } catch (const Error& error) {
    Require(error.code() == kInvalidDumpConfig);
    Require(!error.message().empty());
  }
}

}  // namespace foothold
