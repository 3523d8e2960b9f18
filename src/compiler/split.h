// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include <memory>

#include "compiler/executable.h"
#include "compiler/infer.h"

namespace foothold {

// Takes the late nodes out of `graph`, which then gives back what they and the caller need of it, and returns
// how to go on. `graph` keeps at least its inputs.
std::shared_ptr<const Rest> SplitOff(const std::shared_ptr<Graph>& graph, const Inferred& inferred);

}  // namespace foothold
