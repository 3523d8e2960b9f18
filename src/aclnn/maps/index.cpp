// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements named by indices, read and written.
#include "aclnn/mapping.h"
#include "aclnn/types.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

// Indices of any type where there are none. What has no dimensions counts as one of 1.
Value IndexOf(Call& call, std::string_view name) {
  const DataType type = call.TypeOfArgument(name);
  if (IsEmpty(call.View(name).dims)) return call.Filled(DataType::kInt64, call.DimsOfArgument(name), 0);
  if (type == DataType::kUint8) return call.To(call.InLines(name), DataType::kInt32);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Refuse("'{}' is {}; indices are int32, int64 or uint8", name, DataTypeName(type));
  return call.InLines(name);
}

// A type that sums of what is indexed are computed in: of truths, their number.
DataType SumType(DataType type) {
  return type == DataType::kBool ? DataType::kInt32 : ComputeType(type);
}

Value Gathered(Call& call, std::string_view self, std::string_view index, std::int64_t axis) {
  const Value named = call.Reshape(IndexOf(call, index), call.DimsOfArgument(index));
  return call.Op("GatherV2", {call.InLines(self), named, call.Int(axis)}).Set("negative_index_support", true);
}

void MapGatherV2(Call& call) {
  const std::int64_t axis = call.GetAxis("dim", call.DimsOfArgument("self").size());
  call.Out("out", Gathered(call, "self", "index", axis));
}

void MapIndexSelect(Call& call) {
  if (call.DimsOfArgument("index").size() > 1)
    call.Refuse("'index' is {}; one dimension is expected", ToString(call.View("index")));
  if (!call.DimsOfArgument("index").empty()) return MapGatherV2(call);
  // One index without a dimension is as good as a list of one.
  const std::int64_t axis = call.GetAxis("dim", call.DimsOfArgument("self").size());
  call.OutElements("out", Gathered(call, "self", "index", axis));
}

void MapEmbedding(Call& call) {
  if (call.DimsOfArgument("weight").size() != 2)
    call.Refuse("'weight' is {}; two dimensions are expected", ToString(call.View("weight")));
  call.Out("out", Gathered(call, "weight", "indices", 0));
}

void MapGather(Call& call) {
  const Value self = call.InLines("self"), index = IndexOf(call, "index");
  if (ElementCount(DimsOf(index)) == 0) return;
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.Out("out", call.Op("GatherElements", {self, index}).Set("dim", axis));
}

// The dimensions of what is indexed, with as many along the axis as there are indices.
void CheckSource(Call& call, const Value& indexed, std::int64_t axis, std::int64_t count,
                 const Value& source) {
  Dims expected = DimsOf(indexed);
  expected[static_cast<std::size_t>(axis)] = count;
  if (DimsOf(source) != expected)
    call.Refuse("'source' is {}; {} is expected", foothold::ToString(DimsOf(source)),
                foothold::ToString(expected));
}

// selfRef[index[i]] = source[i] along a dimension.
void MapIndexCopy(Call& call) {
  const Value self = call.InLines("selfRef");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const Value source = call.To(call.InLines("source"), TypeOf(self).type);
  const auto count = ElementCount(call.DimsOfArgument("index"));
  CheckSource(call, self, axis, count, source);
  const Value index = call.Reshape(IndexOf(call, "index"), {count});
  if (axis == 0) return call.Out("selfRef", call.Op("ScatterUpdate", {self, index, source}));
  Op put = call.OwnOp("AclnnIndexPut", {{"x", self}, {"value", source}}, {"x"});
  put.InList("indices", {index}).Set("axes", std::vector<std::int64_t>{axis});
  call.Out("selfRef", put);
}

void MapIndexFillTensor(Call& call, std::string_view from, std::string_view to) {
  const Value self = call.InLines(from);
  const Value value = call.LateValue(TypeOf(self).type, call.Late("value"));
  call.Out(to, call.OwnOp("AclnnIndexFill", {{"x", self}, {"value", value}}, {"x"})
                   .Set("axis", call.GetAxis("dim", DimsOf(self).size()))
                   .Set("indices", call.GetInts("index")));
}

// With indices that are on the device.
void MapIndexFill(Call& call, std::string_view from, std::string_view to) {
  const Value self = call.InLines(from);
  const Value value = call.LateValue(TypeOf(self).type, call.Late("value"));
  const Value index = call.Reshape(IndexOf(call, "index"), {ElementCount(call.DimsOfArgument("index"))});
  Op put = call.OwnOp("AclnnIndexPut", {{"x", self}, {"value", value}}, {"x"});
  put.InList("indices", {index})
      .Set("axes", std::vector<std::int64_t>{call.GetAxis("dim", DimsOf(self).size())});
  call.Out(to, put);
}

void MapGatherNd(Call& call) {
  call.Out("out", call.Op("GatherNd", {call.In("self"), IndexOf(call, "indices")})
                      .Set("negative_index_support", call.GetFlag("negativeIndexSupport")));
}

// All elements in order are what is indexed.
void MapTake(Call& call) {
  const Value self = call.In("self"), index = IndexOf(call, "index");
  const Value flat = call.Reshape(self, {ElementCount(DimsOf(self))});
  call.Out("out", call.Op("GatherV2", {flat, index, call.Int(0)}).Set("negative_index_support", true));
}

std::string Reduction(Call& call) {
  const std::int64_t reduce = call.GetInt("reduce");
  static const char* const names[] = {"none", "add", "mul"};
  if (reduce < 0 || reduce > 2)
    call.Refuse("'reduce' is {}; 0 (replace), 1 (add) or 2 (multiply) is expected", reduce);
  return names[reduce];
}

// Torch lets indices be smaller than the source.
Value Cut(Call& call, Value source, const Dims& dims) {
  if (DimsOf(source) == dims || DimsOf(source).size() != dims.size()) return source;
  const std::vector<std::int64_t> zeros(dims.size(), 0);
  return call.Op("Slice", {source, call.Ints(zeros), call.Ints(dims)});
}

// Without indices nothing is changed, whatever their other dimensions are.
void Scatter(Call& call, std::string_view self_name, std::string_view out, Value updates,
             const std::string& reduction) {
  const Value given = call.InLines(self_name), index = IndexOf(call, "index");
  if (ElementCount(DimsOf(index)) == 0) return call.Out(out, given);
  const DataType type = TypeOf(given).type;
  const Value self = reduction == "none" || type != DataType::kBool ? given : call.To(given, SumType(type));
  const Value source = Cut(call, call.To(updates, TypeOf(self).type), DimsOf(index));
  Op scattered = call.Op("ScatterElements", {self, index, source});
  scattered.Set("axis", call.GetAxis("dim", DimsOf(self).size())).Set("reduction", reduction);
  call.Out(out, call.To(scattered, type));
}

void MapScatter(Call& call, std::string_view self, std::string_view out) {
  Scatter(call, self, out, call.InLines("src"), Reduction(call));
}

void MapScatterValue(Call& call, std::string_view self, std::string_view out) {
  const Value value = call.LateValue(call.TypeOfArgument(self), call.Late("value"));
  Scatter(call, self, out, call.BroadcastTo(value, DimsOf(IndexOf(call, "index"))), Reduction(call));
}

void MapScatterAdd(Call& call) {
  Scatter(call, "self", "out", call.InLines("src"), "add");
}

void MapScatterNdUpdate(Call& call) {
  const Value self = call.In("varRef");
  call.Out("varRef", call.Op("ScatterNdUpdate", {self, IndexOf(call, "indices"),
                                                 call.To(call.In("updates"), TypeOf(self).type)}));
}

bool HasElements(Call& call, std::string_view list, std::size_t index) {
  return call.HasMember(list, index) && !IsEmpty(call.View(list, index).dims);
}

bool NamesElements(Call& call, std::string_view list) {
  for (std::size_t i = 0; i < call.ListSize(list); ++i)
    if (HasElements(call, list, i)) return true;
  return false;
}

// Members that are null, or have no elements while others have some, stand for whole dimensions.
void AddIndices(Call& call, Op& op, std::string_view list) {
  std::vector<Value> indices;
  std::vector<std::int64_t> axes;
  std::int64_t axis = 0;
  for (std::size_t i = 0; i < call.ListSize(list); ++i) {
    if (!HasElements(call, list, i)) {
      ++axis;
      continue;
    }
    const Value given = call.In(list, i);
    const bool mask = TypeOf(given).type == DataType::kBool || TypeOf(given).type == DataType::kUint8;
    indices.push_back(mask ? call.To(given, DataType::kBool) : given);
    axes.push_back(axis);
    axis += mask ? static_cast<std::int64_t>(DimsOf(given).size()) : 1;
  }
  op.InList("indices", indices).Set("axes", axes);
}

void MapIndex(Call& call) {
  if (IsEmpty(call.View("out").dims)) return;
  if (!NamesElements(call, "indices")) return call.Out("out", call.In("self"));
  Op index = call.OwnOp("AclnnIndex", {{"x", call.In("self")}}, {"y"});
  AddIndices(call, index, "indices");
  call.Out("out", index);
}

void MapIndexPut(Call& call) {
  if (!NamesElements(call, "indices") || IsEmpty(call.View("values").dims)) return;
  const bool accumulates = call.GetFlag("accumulate");
  const Value given = call.In("selfRef");
  const DataType type = TypeOf(given).type;
  const Value self = accumulates && type == DataType::kBool ? call.To(given, SumType(type)) : given;
  Op put = call.OwnOp("AclnnIndexPut",
                      {{"x", self}, {"value", call.To(call.In("values"), TypeOf(self).type)}}, {"x"});
  AddIndices(call, put, "indices");
  put.Set("accumulate", accumulates);
  // Masks need a run; the dimensions stay what they are.
  call.Out("selfRef", call.To(Call::Told(put, TypeOf(self)), type));
}

void MapOneHot(Call& call) {
  const std::int64_t classes = call.GetInt("numClasses");
  if (classes < 0) call.Refuse("'numClasses' is {}, which is negative", classes);
  const Value on = call.Reshape(call.In("onValue"), {}), off = call.Reshape(call.In("offValue"), {});
  call.Out("out",
           call.Op("OneHot", {call.In("self"), call.Int(classes), on, off}).Set("axis", call.GetInt("axis")));
}

// Added in a type that does not round every step.
void MapIndexAdd(Call& call) {
  const Value given = call.InLines("self");
  const DataType type = SumType(TypeOf(given).type);
  const std::int64_t axis = call.GetAxis("dim", DimsOf(given).size());
  const auto count = ElementCount(call.DimsOfArgument("index"));
  const Value index = call.Reshape(IndexOf(call, "index"), {count}), source = call.InLines("source");
  CheckSource(call, given, axis, count, source);
  const Value added = call.Op("Mul", {call.To(source, type), call.LateValue(type, call.Late("alpha"))});
  Op put = call.OwnOp("AclnnIndexPut", {{"x", call.To(given, type)}, {"value", added}}, {"x"});
  put.InList("indices", {index}).Set("axes", std::vector<std::int64_t>{axis}).Set("accumulate", true);
  call.Out("out", call.To(put, TypeOf(given).type));
}

void MapMaskedScatter(Call& call) {
  const Value self = call.In("selfRef");
  call.Out("selfRef", call.Op("MaskedScatter", {self, call.To(call.In("mask"), DataType::kBool),
                                                call.To(call.In("source"), TypeOf(self).type)}));
}

void MapEmbeddingDenseBackward(Call& call) {
  const Value gradient = call.In("grad"), indices = IndexOf(call, "indices");
  call.Out("out", call.Op("EmbeddingDenseGrad", {call.To(gradient, ComputeType(TypeOf(gradient).type)),
                                                 call.Reshape(indices, call.DimsOfArgument("indices"))})
                      .Set("num_weights", call.GetInt("numWeights"))
                      .Set("padding_idx", call.GetInt("paddingIdx"))
                      .Set("scale_grad_by_freq", call.GetFlag("scaleGradByFreq")));
}

const RegisterMapping index_maps({
    {"aclnnGatherV2", MapGatherV2},
    {"aclnnIndexSelect", MapIndexSelect},
    {"aclnnEmbedding", MapEmbedding},
    {"aclnnGather", MapGather},
    {"aclnnInplaceIndexCopy", MapIndexCopy},
    {"aclnnGatherNd", MapGatherNd},
    {"aclnnIndexFill", [](Call& call) { MapIndexFill(call, "self", "out"); }},
    {"aclnnInplaceIndexFill", [](Call& call) { MapIndexFill(call, "selfRef", "selfRef"); }},
    {"aclnnIndexFillTensor", [](Call& call) { MapIndexFillTensor(call, "self", "out"); }},
    {"aclnnInplaceIndexFillTensor", [](Call& call) { MapIndexFillTensor(call, "selfRef", "selfRef"); }},
    {"aclnnTake", MapTake},
    {"aclnnScatter", [](Call& call) { MapScatter(call, "self", "out"); }},
    {"aclnnInplaceScatter", [](Call& call) { MapScatter(call, "selfRef", "selfRef"); }},
    {"aclnnScatterValue", [](Call& call) { MapScatterValue(call, "self", "out"); }},
    {"aclnnInplaceScatterValue", [](Call& call) { MapScatterValue(call, "selfRef", "selfRef"); }},
    {"aclnnScatterAdd", MapScatterAdd},
    {"aclnnScatterNdUpdate", MapScatterNdUpdate},
    {"aclnnIndex", MapIndex},
    {"aclnnIndexPutImpl", MapIndexPut},
    {"aclnnOneHot", MapOneHot},
    {"aclnnIndexAdd", MapIndexAdd},
    {"aclnnIndexAddV2", MapIndexAdd},
    {"aclnnInplaceMaskedScatter", MapMaskedScatter},
    {"aclnnEmbeddingDenseBackward", MapEmbeddingDenseBackward},
});

}  // namespace
}  // namespace foothold::aclnn
