// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/reduction.h"

#include <algorithm>

#include "aclnn/maps/axes.h"

namespace foothold::aclnn {

std::string ReductionOf(Call& call) {
  static const char* const names[] = {"none", "mean", "sum"};
  const std::int64_t reduction = call.GetInt("reduction");
  if (reduction < 0 || reduction > 2)
    call.Refuse("'reduction' is {}; 0 (none), 1 (mean) or 2 (sum) is expected", reduction);
  return names[reduction];
}

void OutReduced(Call& call, std::string_view out, Value losses) {
  const std::string reduction = ReductionOf(call);
  const char* type = reduction == "mean" ? "ReduceMean" : "ReduceSum";
  call.OutElements(out,
                   reduction == "none" ? losses : Reduced(call, type, losses, AllIfNone({}, losses), false));
}

double SharesOf(Call& call, const Dims& losses) {
  return ReductionOf(call) == "mean" ? static_cast<double>(std::max<std::int64_t>(ElementCount(losses), 1))
                                     : 1.0;
}

}  // namespace foothold::aclnn
