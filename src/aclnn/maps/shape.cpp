// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements that move, repeat, or stay away: no arithmetic.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapPermute(Call& call) {
  const Value self = call.In("self");
  const auto order = call.GetAxes("dims", DimsOf(self).size());
  if (order.size() != DimsOf(self).size())
    call.Refuse("'dims' has {} entries, and 'self' {} dimensions", order.size(), DimsOf(self).size());
  call.Out("out", call.Transpose(self, order));
}

// An old form of nothing: [0] goes with every shape.
bool IsNothing(const Value& value) {
  return DimsOf(value) == Dims{0};
}

std::vector<Value> Converted(Call& call, std::string_view list) {
  std::vector<Value> values = call.InAll(list);
  if (values.empty()) call.Refuse("'{}' is empty; there has to be one tensor at least", list);
  DataType type = TypeOf(values[0]).type;
  for (const Value& value : values)
    type = Promote(type, TypeOf(value).type);
  for (Value& value : values)
    value = call.To(value, type);
  return values;
}

void MapCat(Call& call) {
  std::vector<Value> values = Converted(call, "tensors");
  if (!std::all_of(values.begin(), values.end(), IsNothing)) std::erase_if(values, IsNothing);
  const std::int64_t axis = call.GetAxis("dim", DimsOf(values[0]).size());
  const auto count = static_cast<std::int64_t>(values.size());
  call.Out("out", values.size() == 1
                      ? values[0]
                      : call.Op("ConcatD").InList("x", values).Set("concat_dim", axis).Set("N", count).Out());
}

void MapStack(Call& call) {
  const std::vector<Value> values = Converted(call, "tensors");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(values[0]).size() + 1);
  const auto count = static_cast<std::int64_t>(values.size());
  call.Out("out", call.Op("Pack").InList("x", values).Set("axis", axis).Set("N", count));
}

void MapRepeat(Call& call) {
  const Value self = call.In("self");
  const auto repeats = call.GetInts("repeats");
  Dims dims = DimsOf(self);
  if (repeats.size() < dims.size())
    call.Refuse("'repeats' has {} entries; 'self' has {} dimensions", repeats.size(), dims.size());
  for (const std::int64_t times : repeats)
    if (times < 0) call.Refuse("'repeats' has {}, which is negative", times);
  dims.insert(dims.begin(), repeats.size() - dims.size(), 1);
  call.Out("out", call.Op("Tile", {call.Reshape(self, dims), call.Ints(repeats)}));
}

void MapRepeatInterleave(Call& call) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size()), repeats = call.GetInt("repeats");
  if (repeats < 0) call.Refuse("'repeats' is {}, which is negative", repeats);
  call.Out("out", call.Op("RepeatInterleave", {self, call.Ints({repeats})}).Set("axis", axis));
}

// Of all elements in a row.
void MapRepeatInterleaveInt(Call& call) {
  const Value self = call.In("self");
  const std::int64_t repeats = call.GetInt("repeats");
  if (repeats < 0) call.Refuse("'repeats' is {}, which is negative", repeats);
  const Value flat = call.Reshape(self, {ElementCount(DimsOf(self))});
  call.Out("out", call.Op("RepeatInterleave", {flat, call.Ints({repeats})}).Set("axis", std::int64_t{0}));
}

// Two dimensions: those in front of the axis, and it with the rest.
void MapFlatten(Call& call) {
  const Dims dims = call.DimsOfArgument("self");
  const auto rank = static_cast<std::int64_t>(dims.size());
  const std::int64_t axis = call.GetInt("axis");
  if (axis < -rank || axis > rank) call.Refuse("'axis' is {}; 'self' has {} dimensions", axis, rank);
  const auto middle = dims.begin() + (axis < 0 ? axis + rank : axis);
  call.Out("out", call.Reshape(call.In("self"), {ElementCount(Dims(dims.begin(), middle)),
                                                 ElementCount(Dims(middle, dims.end()))}));
}

// A place of a slice, from the end if it is negative, cut off at both ends.
std::int64_t Clipped(std::int64_t place, std::int64_t size) {
  return std::clamp<std::int64_t>(place < 0 ? place + size : place, 0, size);
}

Value Sliced(Call& call, Value value, std::int64_t axis, std::int64_t start, std::int64_t end,
             std::int64_t step) {
  if (step <= 0) call.Refuse("a step is {}; it has to be positive", step);
  if (DimsOf(value).empty()) call.Refuse("'self' has no dimension to be cut");
  const std::int64_t size = DimsOf(value)[static_cast<std::size_t>(axis)];
  const std::int64_t first = Clipped(start, size), last = std::max(Clipped(end, size), first);
  if (first == 0 && last == size && step == 1) return value;
  return call.Op("StridedSliceV3",
                 {value, call.Ints({first}), call.Ints({last}), call.Ints({axis}), call.Ints({step})});
}

void MapSlice(Call& call) {
  const Value self = call.In("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.Out("out", Sliced(call, self, axis, call.GetInt("start"), call.GetInt("end"), call.GetInt("step")));
}

void MapSliceV2(Call& call) {
  Value value = call.In("self");
  const auto axes = call.GetAxes("axes", DimsOf(value).size());
  const auto starts = call.GetInts("starts"), ends = call.GetInts("ends"), steps = call.GetInts("steps");
  if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
    call.Refuse("'starts', 'ends', 'axes' and 'steps' have {}, {}, {} and {} entries; all have to be alike",
                starts.size(), ends.size(), axes.size(), steps.size());
  for (std::size_t i = 0; i < axes.size(); ++i)
    value = Sliced(call, value, axes[i], starts[i], ends[i], steps[i]);
  call.Out("out", value);
}

// Pairs from the last dimension on. What is negative is cut off.
void MapConstantPad(Call& call) {
  Value value = call.In("self");
  const auto pad = call.GetInts("pad");
  const std::size_t rank = DimsOf(value).size();
  if (pad.size() % 2 != 0 || pad.size() > 2 * rank)
    call.Refuse("'pad' has {} entries; an even number up to {} is expected", pad.size(), 2 * rank);
  std::vector<std::int64_t> paddings(2 * rank, 0);
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    const std::size_t axis = rank - 1 - i;
    const std::int64_t low = pad[2 * i], high = pad[2 * i + 1], size = DimsOf(value)[axis];
    if (std::max<std::int64_t>(-low, 0) + std::max<std::int64_t>(-high, 0) > size)
      call.Refuse("'pad' takes {} and {} from dimension {} of {}", -low, -high, axis, size);
    value = Sliced(call, value, static_cast<std::int64_t>(axis), std::max<std::int64_t>(-low, 0),
                   size - std::max<std::int64_t>(-high, 0), 1);
    paddings[2 * axis] = std::max<std::int64_t>(low, 0);
    paddings[2 * axis + 1] = std::max<std::int64_t>(high, 0);
  }
  const DataType type = TypeOf(value).type;
  call.Out("out", call.Op("PadV3", {value, call.Ints(paddings), call.Number(type, call.GetNumber("value"))}));
}

// Padding of the last `axes` dimensions, pairs from the last one on, behind at most a batch and channels.
// What is negative is cut off when the rest is there.
Value Pairs(Call& call, const Value& self, std::size_t axes) {
  const auto padding = call.GetInts("padding");
  const std::size_t rank = DimsOf(self).size();
  if (padding.size() != 2 * axes)
    call.Refuse("'padding' has {} entries; {} are expected", padding.size(), 2 * axes);
  if (rank < axes + 1 || rank > axes + 2)
    call.Refuse("'self' has {} dimensions; {} or {} are expected", rank, axes + 1, axes + 2);
  std::vector<std::int64_t> paddings(2 * rank, 0);
  for (std::size_t i = 0; i < 2 * axes; ++i) {
    const std::size_t axis = rank - 1 - i / 2;
    if (padding[i] + DimsOf(self)[axis] < 0)
      call.Refuse("'padding' takes {} from dimension {} of {}", -padding[i], axis, DimsOf(self)[axis]);
    paddings[2 * axis + i % 2] = std::max<std::int64_t>(padding[i], 0);
  }
  return call.Const(
      TensorValue::Of<std::int64_t>(DataType::kInt64, {static_cast<std::int64_t>(rank), 2}, paddings));
}

void OutCut(Call& call, Value padded) {
  const auto padding = call.GetInts("padding");
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    const std::size_t axis = DimsOf(padded).size() - 1 - i;
    const std::int64_t size = DimsOf(padded)[axis];
    padded = Sliced(call, padded, static_cast<std::int64_t>(axis), std::max<std::int64_t>(-padding[2 * i], 0),
                    size - std::max<std::int64_t>(-padding[2 * i + 1], 0), 1);
  }
  call.Out("out", padded);
}

void MapReflectionPad(Call& call, std::size_t axes) {
  const Value self = call.In("self"), pairs = Pairs(call, self, axes);
  const auto padding = call.GetInts("padding");
  for (std::size_t i = 0; i < padding.size(); ++i) {
    const std::size_t axis = DimsOf(self).size() - 1 - i / 2;
    if (padding[i] >= DimsOf(self)[axis])
      call.Refuse("'padding' has {}; it has to be less than dimension {}, {}", padding[i], axis,
                  DimsOf(self)[axis]);
  }
  OutCut(call, call.Op("MirrorPad", {self, pairs}).Set("mode", std::string("REFLECT")));
}

void MapReplicationPad(Call& call, std::size_t axes) {
  const Value self = call.In("self");
  OutCut(call, call.Op("PadV3", {self, Pairs(call, self, axes)}).Set("mode", std::string("edge")));
}

void MapRoll(Call& call) {
  const Value x = call.InLines("x");
  const auto shifts = call.GetInts("shifts"), dims = call.GetInts("dims");
  if (!dims.empty()) call.GetAxes("dims", DimsOf(x).size());
  call.Out("out", call.Op("Roll", {x}).Set("shifts", shifts).Set("dims", dims));
}

void MapFlip(Call& call) {
  const Value self = call.InLines("self");
  call.Out("out", call.Op("ReverseV2", {self, call.Ints(call.GetAxes("dims", DimsOf(self).size()))}));
}

void MapExpand(Call& call) {
  const Value self = call.In("self");
  Dims dims = DimsOf(self), size = call.GetInts("size");
  if (size.size() < dims.size())
    call.Refuse("'size' has {} entries; 'self' has {} dimensions", size.size(), dims.size());
  dims.insert(dims.begin(), size.size() - dims.size(), 1);
  for (std::size_t i = 0; i < size.size(); ++i)
    if (size[i] == -1) size[i] = dims[i];
  call.Out("out", call.BroadcastTo(self, size));
}

void MapTriangle(Call& call, const char* type, std::string_view in, std::string_view out) {
  const Value self = call.In(in);
  if (DimsOf(self).size() < 2)
    call.Refuse("'{}' has {} dimensions; 2 at least are expected", in, DimsOf(self).size());
  call.Out(out, call.Op(type, {self}).Set("diagonal", call.GetInt("diagonal")));
}

void Split(Call& call, const std::vector<std::int64_t>& sizes) {
  const Value self = call.In("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  if (call.ListSize("out") != sizes.size())
    call.Refuse("'out' has {} tensors; 'self' is cut into {}", call.ListSize("out"), sizes.size());
  auto split = call.Op("SplitV", {self, call.Ints(sizes), call.Int(axis)});
  split.Set("num_split", static_cast<std::int64_t>(sizes.size())).Outputs("y", sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    call.Out("out", split.Out(static_cast<int>(i)), i);
}

void MapSplitWithSize(Call& call) {
  Split(call, call.GetInts("splitSize"));
}

void MapSplitTensor(Call& call) {
  const Dims dims = call.DimsOfArgument("self");
  if (dims.empty()) call.Refuse("'self' has no dimension to be cut");
  const std::int64_t size = dims[static_cast<std::size_t>(call.GetAxis("dim", dims.size()))];
  const std::int64_t each = call.GetInt("splitSections");
  if (each <= 0) call.Refuse("'splitSections' is {}; it has to be positive", each);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size / each), each);
  if (size % each != 0) sizes.push_back(size % each);
  Split(call, sizes);
}

const RegisterMapping shape_maps({
    {"aclnnPermute", MapPermute},
    {"aclnnCat", MapCat},
    {"aclnnStack", MapStack},
    {"aclnnRepeat", MapRepeat},
    {"aclnnFlatten", MapFlatten},
    {"aclnnRepeatInterleaveInt", MapRepeatInterleaveInt},
    {"aclnnRepeatInterleaveIntWithDim", MapRepeatInterleave},
    {"aclnnSlice", MapSlice},
    {"aclnnSliceV2", MapSliceV2},
    {"aclnnConstantPadNd", MapConstantPad},
    {"aclnnReflectionPad1d", [](Call& call) { MapReflectionPad(call, 1); }},
    {"aclnnReflectionPad2d", [](Call& call) { MapReflectionPad(call, 2); }},
    {"aclnnReflectionPad3d", [](Call& call) { MapReflectionPad(call, 3); }},
    {"aclnnReplicationPad1d", [](Call& call) { MapReplicationPad(call, 1); }},
    {"aclnnReplicationPad2d", [](Call& call) { MapReplicationPad(call, 2); }},
    {"aclnnReplicationPad3d", [](Call& call) { MapReplicationPad(call, 3); }},
    {"aclnnRoll", MapRoll},
    {"aclnnFlip", MapFlip},
    {"aclnnExpand", MapExpand},
    {"aclnnTril", [](Call& call) { MapTriangle(call, "Tril", "self", "out"); }},
    {"aclnnTriu", [](Call& call) { MapTriangle(call, "Triu", "self", "out"); }},
    {"aclnnInplaceTril", [](Call& call) { MapTriangle(call, "Tril", "selfRef", "selfRef"); }},
    {"aclnnInplaceTriu", [](Call& call) { MapTriangle(call, "Triu", "selfRef", "selfRef"); }},
    {"aclnnSplitWithSize", MapSplitWithSize},
    {"aclnnSplitTensor", MapSplitTensor},
});

}  // namespace
}  // namespace foothold::aclnn
