// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/loss/reduction.h"

namespace foothold {

Reduction ReductionOf(const OpContext& context) {
  const std::string reduction = context.node().Text("reduction", "mean");
  if (reduction == "none") return Reduction::kNone;
  if (reduction == "mean") return Reduction::kMean;
  if (reduction == "sum") return Reduction::kSum;
  context.Refuse("attribute 'reduction' is '{}', expected none, mean or sum", reduction);
}

}  // namespace foothold
