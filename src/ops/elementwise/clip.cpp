// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ClipByValue: x within bounds that are tensors, scalars as a rule. The lower bound is applied first:
// where they cross, the upper one is the result.
#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct ClipOf {
  template <Number T>
  static T Of(T a, T low, T high) {
    const T above = a < low ? low : a;
    return above > high ? high : above;
  }
};

void Infer(OpContext& context) {
  if (context.inputs() != 3) context.Refuse("there are {} inputs, expected 3", context.inputs());
  BroadcastInputs(context);
  // Bounds of shape [1] do not make a scalar a vector.
  if (ElementCount(context.InDims(1)) == 1 && ElementCount(context.InDims(2)) == 1)
    context.SetOut(0, context.In(0));
}

const RegisterElementOps clip({
    {"ClipByValue", "Clip", PlainLoopOf<ClipOf, 3>, nullptr, DataType::kUndefined, Infer},
    {"ClipByValueV2", "Clip", PlainLoopOf<ClipOf, 3>, nullptr, DataType::kUndefined, Infer},
});

}  // namespace
}  // namespace foothold
