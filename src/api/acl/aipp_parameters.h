// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program says about pictures before a run (aclmdlAIPP), behind its handle. One thread at a time.
#pragma once

#include "base/host_objects.h"
#include "ops/aipp/block.h"

namespace foothold {

using AippParameters = HostObjects<AippBlock, HandleKind::kAippParameters>;

}  // namespace foothold
