// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// StridedSlice says its part entry by entry over the leading axes, with bit masks in the manner of
// TensorFlow; the second and third version may name the axes instead, in the manner of ONNX.
#include <bit>

#include "ops/data/rule_arguments.h"
#include "ops/data/slice_spec.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kMaxEntries = 63;  // a mask has a bit for each

struct Entries {
  std::vector<std::int64_t> begin, end, step;
  std::uint64_t open_begin, open_end, ellipsis, new_axis, drop;
  std::int64_t first_backwards;

  std::size_t size() const { return begin.size(); }
  bool Has(std::uint64_t mask, std::size_t entry) const { return (mask >> entry & 1) != 0; }
  Bounds At(std::size_t i) const {
    return {begin[i], end[i], step[i], Has(open_begin, i), Has(open_end, i), first_backwards};
  }
};

Entries Read(const OpContext& context) {
  const auto mask = [&](const char* name) { return static_cast<std::uint64_t>(context.node().Int(name, 0)); };
  Entries entries{IntsArgument(context, "begin"),
                  IntsArgument(context, "end"),
                  {},
                  mask("begin_mask"),
                  mask("end_mask"),
                  mask("ellipsis_mask"),
                  mask("new_axis_mask"),
                  mask("shrink_axis_mask"),
                  -1};
  const std::string& type = context.node().type();
  const bool newer = type == "StridedSliceV2" || type == "StridedSliceV3";
  if (!newer || context.Has("strides")) {
    entries.step = IntsArgument(context, "strides");
  } else {
    entries.step.assign(entries.size(), 1);
  }
  if (newer) entries.first_backwards = 0;
  const std::size_t count = entries.size();
  if (entries.end.size() != count || entries.step.size() != count || count > kMaxEntries)
    context.Refuse("begin, end and strides have {}, {} and {} elements, expected the same, at most {}", count,
                   entries.end.size(), entries.step.size(), kMaxEntries);
  return entries;
}

void TakeWhole(SliceSpec& spec, std::int64_t dim) {
  spec.axes.push_back({0, 1, dim});
  spec.dims.push_back(dim);
}

SliceAxis TakeEntry(const OpContext& context, const Entries& entries, std::size_t entry, std::int64_t dim) {
  if (!entries.Has(entries.drop, entry)) return Resolve(context, entries.At(entry), dim);
  const std::int64_t asked = entries.Has(entries.open_begin, entry) ? 0 : entries.begin[entry];
  const std::int64_t index = asked < 0 ? asked + dim : asked;
  if (index < 0 || index >= dim) context.Refuse("index {} is outside a dimension of {}", asked, dim);
  return {index, 1, 1};
}

void Append(const OpContext& context, const Entries& entries, std::size_t entry, std::int64_t dim,
            SliceSpec& spec) {
  spec.axes.push_back(TakeEntry(context, entries, entry, dim));
  if (!entries.Has(entries.drop, entry)) spec.dims.push_back(spec.axes.back().count);
}

// How many axes of x the entries from `first` on take.
std::size_t AxesTaken(const Entries& entries, std::size_t first) {
  std::size_t taken = 0;
  for (std::size_t i = first; i < entries.size(); ++i)
    if (!entries.Has(entries.new_axis | entries.ellipsis, i)) ++taken;
  return taken;
}

SliceSpec LeadingAxes(const OpContext& context, const Entries& entries) {
  const Dims& from = context.InDims(0);
  const std::uint64_t used = (std::uint64_t{1} << entries.size()) - 1;
  if (std::popcount(entries.ellipsis & used) > 1) context.Refuse("ellipsis_mask has more than one bit");
  if (AxesTaken(entries, 0) > from.size())
    context.Refuse("there are {} entries for {} dimensions", AxesTaken(entries, 0), from.size());
  SliceSpec spec;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries.Has(entries.ellipsis, i)) {
      const std::size_t end = from.size() - AxesTaken(entries, i + 1);
      while (spec.axes.size() < end)
        TakeWhole(spec, from[spec.axes.size()]);
    } else if (entries.Has(entries.new_axis, i)) {
      spec.dims.push_back(1);
    } else {
      Append(context, entries, i, from[spec.axes.size()], spec);
    }
  }
  while (spec.axes.size() < from.size())
    TakeWhole(spec, from[spec.axes.size()]);
  return spec;
}

SliceSpec NamedAxes(const OpContext& context, const Entries& entries) {
  const Dims& from = context.InDims(0);
  const std::vector<std::int64_t> axes = context.NeededInts("axes");
  if (axes.size() != entries.size())
    context.Refuse("axes has {} elements, begin {}", axes.size(), entries.size());
  if ((entries.ellipsis | entries.new_axis) != 0)
    context.Refuse("ellipsis_mask and new_axis_mask have no meaning beside axes");
  std::vector<std::size_t> entry_of(from.size(), entries.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::size_t& entry = entry_of[AxisIn(context, axes[i], from.size(), "an element of axes")];
    if (entry != entries.size()) context.Refuse("axes names {} twice", axes[i]);
    entry = i;
  }
  SliceSpec spec;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (entry_of[axis] == entries.size()) {
      TakeWhole(spec, from[axis]);
    } else {
      Append(context, entries, entry_of[axis], from[axis], spec);
    }
  }
  return spec;
}

SliceSpec Spec(const OpContext& context) {
  const Entries entries = Read(context);
  return context.Has("axes") ? NamedAxes(context, entries) : LeadingAxes(context, entries);
}

void InferStridedSlice(OpContext& context) {
  SliceSpec spec = Spec(context);
  const bool same_rank = spec.dims.size() == context.InDims(0).size();
  context.SetOut(0, context.In(0).type, std::move(spec.dims), same_rank ? context.In(0).format : Format::kNd);
}

std::unique_ptr<Kernel> LowerStridedSlice(OpContext& context) {
  const SliceSpec spec = Spec(context);
  Ignore(context, {"begin", "end", "axes", "strides"});
  return LowerSlice(context, spec);
}

std::optional<StridedView> Select(const OpContext& context, int, const StridedView& x) {
  return Sliced(x, Spec(context));
}

OpDef Slicing(const char* type) {
  return OpDef(type)
      .Infer(InferStridedSlice)
      .Lower(LowerStridedSlice)
      .Selects("x", Select)
      .Types(WholeByteTypes());
}

const RegisterOp slices({
    Slicing("StridedSlice"),
    Slicing("StridedSliceD"),
    Slicing("StridedSliceV2"),
    Slicing("StridedSliceV3"),
});

}  // namespace
}  // namespace foothold
