// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is dumped of a graph: what its options say (ge.exec.enableDump and its like), else what the calls of
// AscendCL have configured. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/dump_config.h"
#include "dump/model_dump.h"
#include "options/options.h"

namespace foothold {

// Nothing if they do not ask for dumps. Throws kGeParamInvalid with the option, its value and what it may be.
std::optional<DumpConfig> DumpConfigOf(const Options& options);

// Null if nothing of the graph is to be dumped.
std::shared_ptr<ModelDump> DumpOfGraph(const Options& options, const std::string& name, std::uint32_t id,
                                       int device);

}  // namespace foothold
