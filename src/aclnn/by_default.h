// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The mapping of functions that have none of their own: one operator of graphs, whose ports and attributes
// get what table/by_default.lst says. Tensors of data meet in one type; what the operator does not run with
// is widened, so integers become floats and truths numbers.
#pragma once

#include "aclnn/call.h"

namespace foothold::aclnn {

void MapByDefault(Call& call);

}  // namespace foothold::aclnn
