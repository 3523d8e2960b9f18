// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the modes of precision among the options mean here. Values; any thread.
#pragma once

#include "options/options.h"

namespace foothold {

// The options name a mode that lets floats become float16: constant weights of products are kept so, while
// everything is still computed in float. Without a mode nothing changes its type.
bool AllowsHalfWeights(const OptionMap& options);

}  // namespace foothold
