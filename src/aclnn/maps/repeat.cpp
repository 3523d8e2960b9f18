// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Slices several times, and brought to places that tensors name.
#include <numeric>

#include "aclnn/maps/element.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

Value IndexOf(Call& call, std::string_view name) {
  const Value index = call.InLines(name);
  const DataType type = TypeOf(index).type;
  if (type == DataType::kInt32 || type == DataType::kInt64) return index;
  if (!IsInteger(type) && !IsEmpty(call.View(name).dims))
    call.Refuse("'{}' is {}; whole numbers are expected", name, ToString(call.View(name)));
  return call.To(index, DataType::kInt64);
}

// Some callers leave 'outputSize' at 0: the output says it as well.
void Repeat(Call& call, Value slices, std::int64_t axis, std::int64_t size) {
  call.OutElements("out",
                   call.OwnOp("AclnnRepeat", {{"x", slices}, {"repeats", IndexOf(call, "repeats")}}, {"y"})
                       .Set("axis", axis)
                       .Set("size", size));
}

void MapRepeat(Call& call) {
  const Value self = call.In("self");
  Repeat(call, call.Reshape(self, {ElementCount(DimsOf(self))}), 0, ElementCount(call.DimsOfArgument("out")));
}

void MapRepeatAlong(Call& call) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const Dims out = call.DimsOfArgument("out");
  if (!out.empty() && out.size() != DimsOf(self).size())
    call.Refuse("'out' is {}, and 'self' has {} dimensions", ToString(call.View("out")), DimsOf(self).size());
  Repeat(call, self, axis, out.empty() ? 1 : out[static_cast<std::size_t>(axis)]);
}

// Each number as often as it says at its place.
void MapRepeatNumbers(Call& call) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(CountOf(call.View("repeats").dims)));
  std::iota(numbers.begin(), numbers.end(), 0);
  Repeat(call, call.To(call.Ints(numbers), call.TypeOfArgument("out")), 0,
         ElementCount(call.DimsOfArgument("out")));
}

void MapRepeatGrad(Call& call) {
  const Value gradient = call.InLines("yGrad");
  call.OutElements(
      "out", call.OwnOp("AclnnRepeatGrad", {{"x", gradient}, {"repeats", IndexOf(call, "repeats")}}, {"y"})
                 .Set("axis", call.GetAxis("axis", DimsOf(gradient).size())));
}

void MapScatterReduce(Call& call, std::string_view self_name, std::string_view out) {
  static const char* const names[] = {"replace", "add", "multiply", "max", "min", "mean"};
  const std::int64_t reduce = call.GetInt("reduce");
  if (reduce < 0 || reduce > 5) call.Refuse("'reduce' is {}; 0 to 5 are expected", reduce);
  const Value self = call.InLines(self_name);
  const DataType type = TypeOf(self).type, computed = type == DataType::kBool ? DataType::kInt32 : type;
  Op scattered = call.OwnOp("AclnnScatterReduce",
                            {{"x", call.To(self, computed)},
                             {"index", IndexOf(call, "index")},
                             {"src", call.To(call.InLines("src"), computed)}},
                            {"y"});
  scattered.Set("axis", call.GetAxis("dim", DimsOf(self).size()))
      .Set("reduce", std::string(names[reduce]))
      .Set("include_self", call.GetFlag("includeSelf"));
  call.OutElements(out, call.To(scattered, type));
}

// self stays what it is, unless it is the output too.
void MapIndexCopy(Call& call) {
  const Value self = call.InLines("selfRef");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const std::int64_t count = CountOf(call.View("index").dims);
  Dims expected = DimsOf(self);
  expected[static_cast<std::size_t>(axis)] = count;
  Value source = call.To(call.InLines("source"), TypeOf(self).type);
  if (ElementCount(DimsOf(source)) != ElementCount(expected))
    call.Refuse("'source' is {}; {} is expected", ToString(call.View("source")),
                foothold::ToString(expected));
  source = call.Reshape(source, expected);
  Op put = call.OwnOp("AclnnIndexPut", {{"x", self}, {"value", source}}, {"y"});
  put.InList("indices", {call.Reshape(IndexOf(call, "index"), {count})})
      .Set("axes", std::vector<std::int64_t>{axis});
  call.OutElements("outRef", put);
}

// By the number of an element in order.
void MapPut(Call& call) {
  const Value self = call.In("selfRef"), index = IndexOf(call, "index");
  const std::int64_t count = ElementCount(DimsOf(index));
  if (count == 0) return;
  const DataType type = TypeOf(self).type;
  const bool adds = call.GetFlag("accumulate");
  const DataType computed = adds && type == DataType::kBool ? DataType::kInt32 : type;
  const Value flat = call.To(call.Reshape(self, {ElementCount(DimsOf(self))}), computed);
  const Value source = call.Reshape(call.To(call.In("source"), computed), {count});
  Op put = call.OwnOp("AclnnIndexPut", {{"x", flat}, {"value", source}}, {"y"});
  put.InList("indices", {call.Reshape(index, {count})})
      .Set("axes", std::vector<std::int64_t>{0})
      .Set("accumulate", adds);
  call.OutElements("selfRef", call.To(put, type));
}

void MapFillDiagonal(Call& call) {
  const Value self = call.In("selfRef");
  const Value value = call.LateValue(TypeOf(self).type, call.Late("fillValue"));
  call.Out("selfRef", call.OwnOp("AclnnFillDiagonal", {{"x", self}, {"value", value}}, {"y"})
                          .Set("wrap", call.GetFlag("wrap")));
}

void MapGatherV3(Call& call) {
  const Value self = call.InLines("self");
  call.OutElements("out", call.Op("GatherV2", {self, IndexOf(call, "index"),
                                               call.Int(call.GetAxis("dim", DimsOf(self).size()))})
                              .Set("batch_dims", call.GetInt("batchDims"))
                              .Set("negative_index_support", true));
}

const RegisterMapping repeat_maps({
    {"aclnnRepeatInterleave", MapRepeat},
    {"aclnnRepeatInterleaveWithDim", MapRepeatAlong},
    {"aclnnRepeatInterleaveTensor", MapRepeatNumbers},
    {"aclnnRepeatInterleaveGrad", MapRepeatGrad},
    {"aclnnScatterReduce", [](Call& call) { MapScatterReduce(call, "self", "out"); }},
    {"aclnnInplaceScatterReduce", [](Call& call) { MapScatterReduce(call, "selfRef", "selfRef"); }},
    {"aclnnIndexCopy", MapIndexCopy},
    {"aclnnInplacePut", MapPut},
    {"aclnnInplaceFillDiagonal", MapFillDiagonal},
    {"aclnnGatherV3", MapGatherV3},
});

}  // namespace
}  // namespace foothold::aclnn
