// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Making conditions while an instance is captured. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "capture/condition.h"
#include "device/stream.h"

namespace foothold {

// A value for conditions of `instance`, and a handle for it.
void* CreateCondition(const std::shared_ptr<Instance>& instance, Device& device, std::uint64_t default_value,
                      ConditionCell::AtBegin at_begin);

// A condition behind the last task of a captured stream, with `count` new children, whose handles go to
// `children`. Throws 107029 for a stream that is not captured and 107000 for a handle of another capture;
// nothing is there then.
void AddCondition(const StreamRef& stream, const char* api, Condition::Kind kind,
                  const ConditionHandle& handle, std::size_t count, void** children);

}  // namespace foothold
