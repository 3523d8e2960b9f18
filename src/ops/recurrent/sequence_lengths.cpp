// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "base/error.h"
#include "ops/recurrent/recurrence.h"

namespace foothold {
namespace {

std::int64_t CountSteps(const Recurrence& r, const float* mask, std::size_t sequence) {
  std::int64_t steps = 0;
  for (std::size_t t = 0; t < r.steps; ++t)
    steps += mask[r.RowOfX(t, sequence) * r.hidden] != 0;
  return steps;
}

}  // namespace

std::size_t Recurrence::LengthOf(const RunArgs& args, std::size_t sequence, std::string_view name) const {
  if (ports.lengths < 0) return steps;
  std::int64_t length = 0;
  switch (lengths) {
    case LengthForm::kInt32:
      length = args.In<std::int32_t>(ports.lengths)[sequence];
      break;
    case LengthForm::kInt64:
      length = args.In<std::int64_t>(ports.lengths)[sequence];
      break;
    case LengthForm::kMask:
      length = CountSteps(*this, args.In<float>(ports.lengths), sequence);
      break;
  }
  if (length < 0 || static_cast<std::size_t>(length) > steps)
    Fail(kInvalidParam, "{}: sequence {} has length {}, expected 0 to {}", name, sequence, length, steps);
  return static_cast<std::size_t>(length);
}

}  // namespace foothold
