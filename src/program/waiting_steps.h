// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which programs wait for others while they run. Any thread.
#pragma once

#include <algorithm>
#include <typeinfo>

#include "ops/waiting_kernel.h"
#include "program/program.h"

namespace foothold {

inline bool HasWaitingStep(const Program& program) {
  return std::any_of(program.steps.begin(), program.steps.end(), [](const Step& step) {
    const Kernel& kernel = *step.kernel;
    return typeid(kernel) == typeid(WaitingKernel);
  });
}

}  // namespace foothold
