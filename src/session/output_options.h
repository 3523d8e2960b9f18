// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What options say about the outputs of a graph: their types, and which of them lie where an input lies. Used
// when a graph is read; both throw an E10001 that names the option and the part that is wrong.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/normalize.h"
#include "options/options.h"

namespace foothold {

// ge.outputDatatype, "FP32" or "node:0:FP16;...": puts conversions before outputs of the caller.
void ConvertOutputs(NormalGraph& normal, const Options& options);

// Numbers of an input and of the output in the same place.
using SharedPlaces = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
// ge.exec.outputReuseInputMemIndexes, "input,output|input,output".
SharedPlaces FindSharedPlaces(const NormalGraph& normal, const Options& options);

}  // namespace foothold
