// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Puts a normalization with known statistics (BatchNorm, BNInfer) into the filter and the bias of the
// convolution before it, if nobody else reads that. The convolution gets the name of the normalization. True
// if there was one.
bool FoldBatchNorm(Graph& graph);

}  // namespace foothold
