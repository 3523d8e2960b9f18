// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// The part of x the new dimensions replace; all of it unless the attributes of Caffe say otherwise.
struct Span {
  std::size_t begin;
  std::size_t end;
};

Span ReplacedSpan(const OpContext& context) {
  const auto rank = static_cast<std::int64_t>(context.InDims(0).size());
  std::int64_t begin = context.node().Int("axis", 0);
  if (begin < 0) begin += rank + 1;
  const std::int64_t count = context.node().Int("num_axes", -1);
  if (begin < 0 || begin > rank)
    context.Refuse("attribute 'axis' is {}, expected a place in {} dimensions", context.node().Int("axis", 0),
                   rank);
  if (count < -1 || count > rank - begin)
    context.Refuse("attribute 'num_axes' is {}, but {} dimensions follow axis {}", count, rank - begin,
                   begin);
  const std::int64_t end = count == -1 ? rank : begin + count;
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

bool IsCaffe(const OpContext& context) {
  return context.node().Int("axis", 0) != 0 || context.node().Int("num_axes", -1) != -1;
}

Dims WantedDims(const OpContext& context) {
  if (IsCaffe(context) && context.node().FindAttribute("shape") != nullptr)
    return context.node().Ints("shape");
  return IntsArgument(context, "shape");
}

// ONNX, Caffe and callers whose 0 cannot mean what it says want the dimension of x.
bool ZeroCopies(const OpContext& context) {
  if (IsCaffe(context)) return true;
  if (context.node().FindAttribute("allowzero") != nullptr) return context.node().Int("allowzero", 0) == 0;
  return ElementCount(context.InDims(0)) != 0;
}

void CopyZeros(const OpContext& context, Span span, Dims& dims) {
  const Dims& from = context.InDims(0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 0) continue;
    if (span.begin + i >= from.size())
      context.Refuse("shape {} copies dimension {} of x, which has {}", ToString(dims), span.begin + i,
                     from.size());
    dims[i] = from[span.begin + i];
  }
}

void InferOpenDim(const OpContext& context, Dims& dims) {
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open == dims.end()) return;
  *open = 1;
  if (!IsStatic(dims)) context.Refuse("shape has another negative dimension beside its one -1");
  const std::int64_t known = ElementCount(dims);
  const std::int64_t all = ElementCount(context.InDims(0));
  if (known == 0 || all % known != 0)
    context.Refuse("-1 of the shape cannot be found: {} elements over {}", all, known);
  *open = all / known;
}

void InferReshape(OpContext& context) {
  const Span span = ReplacedSpan(context);
  const Dims& from = context.InDims(0);
  Dims wanted = WantedDims(context);
  if (ZeroCopies(context)) CopyZeros(context, span, wanted);
  Dims dims(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(span.begin));
  dims.insert(dims.end(), wanted.begin(), wanted.end());
  dims.insert(dims.end(), from.begin() + static_cast<std::ptrdiff_t>(span.end), from.end());
  InferOpenDim(context, dims);
  if (ElementCount(dims) != ElementCount(from))
    context.Refuse("shape {} has {} elements, x {} has {}", ToString(dims), ElementCount(dims),
                   ToString(from), ElementCount(from));
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

const RegisterOp reshape(OpDef("Reshape").Infer(InferReshape).View().Types(FixedSizeTypes()));

}  // namespace
}  // namespace foothold
