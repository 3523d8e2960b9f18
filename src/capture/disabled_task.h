// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tasks that are kept but do nothing any more. Any thread.
#pragma once

#include "device/task.h"

namespace foothold {

// The type of tasks that were of type `original` before they were disabled: they can be described and ended
// as before. Throws only what there is no memory for.
const TaskType& DisabledTypeOf(const TaskType& original);
// What a type was before it was disabled, if it was.
const TaskType& EnabledTypeOf(const TaskType& type);

}  // namespace foothold
