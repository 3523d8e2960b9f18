// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How losses of many elements become one. Used by rules; any thread.
#pragma once

#include "ops/op.h"

namespace foothold {

enum class LossReduction { kNone, kMean, kSum };

// The attribute 'reduction', mean if there is none; refuses other texts.
LossReduction ReductionOf(const OpContext& context);

}  // namespace foothold
