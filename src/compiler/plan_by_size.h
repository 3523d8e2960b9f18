// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The plan of plan_memory.h with all lives known ahead: the largest values get their places first, and the
// bytes of a whole whose part does not live yet are others' until then. Any thread.
#pragma once

#include "compiler/plan_memory.h"

namespace foothold {

// Takes time that grows with the square of the number of buffers and steps.
MemoryPlan PlanBySize(const std::vector<std::size_t>& sizes, const std::vector<MemoryStep>& steps,
                      const std::vector<BufferPart>& parts);

}  // namespace foothold
