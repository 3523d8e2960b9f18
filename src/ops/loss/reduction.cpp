// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/loss/reduction.h"

namespace foothold {

LossReduction ReductionOf(const OpContext& context) {
  const std::string reduction = context.node().Text("reduction", "mean");
  if (reduction == "none") return LossReduction::kNone;
  if (reduction == "mean") return LossReduction::kMean;
  if (reduction == "sum") return LossReduction::kSum;
  context.Refuse("attribute 'reduction' is '{}', expected none, mean or sum", reduction);
}

}  // namespace foothold
