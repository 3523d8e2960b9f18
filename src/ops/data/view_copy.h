// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What passes know of ViewCopy. Any thread.
#pragma once

#include <optional>

#include "ir/strided_view.h"
#include "ops/op.h"

namespace foothold {

// An attribute of a ViewCopy whose source has been written to its place by the node that makes it.
constexpr const char* kWrittenBefore = "_written_before";

// Where a ViewCopy writes, if that and what it reads are known, and it reads all of the source in its order.
std::optional<StridedView> WrittenByCopy(const OpContext& context);

}  // namespace foothold
