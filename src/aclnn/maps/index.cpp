// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements named by indices, read and written.
#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void CheckIndex(Call& call, std::string_view name) {
  const DataType type = call.TypeOfArgument(name);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Refuse("'{}' is {}; indices are int32 or int64", name, DataTypeName(type));
}

Value Gathered(Call& call, std::string_view self, std::string_view index, std::int64_t axis) {
  CheckIndex(call, index);
  return call.Op("GatherV2", {call.In(self), call.In(index), call.Int(axis)})
      .Set("negative_index_support", true);
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
  CheckIndex(call, "index");
  const Value self = call.In("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.Out("out", call.Op("GatherElements", {self, call.In("index")}).Set("dim", axis));
}

// The dimensions of what is indexed, with as many along the axis as there are indices.
void CheckSource(Call& call, const Value& indexed, std::int64_t axis, std::int64_t count,
                 const Value& source) {
  Dims expected = DimsOf(indexed);
  if (expected.empty()) call.Refuse("a tensor without dimensions has none to be indexed");
  expected[static_cast<std::size_t>(axis)] = count;
  if (DimsOf(source) != expected)
    call.Refuse("'source' is {}; {} is expected", foothold::ToString(DimsOf(source)),
                foothold::ToString(expected));
}

// selfRef[index[i]] = source[i] along a dimension.
void MapIndexCopy(Call& call) {
  CheckIndex(call, "index");
  const Value self = call.In("selfRef");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const Value source = call.To(call.In("source"), TypeOf(self).type);
  const auto count = ElementCount(call.DimsOfArgument("index"));
  CheckSource(call, self, axis, count, source);
  const Value index = call.Reshape(call.In("index"), {count});
  if (axis == 0) return call.Out("selfRef", call.Op("ScatterUpdate", {self, index, source}));
  Op put = call.OwnOp("AclnnIndexPut", {{"x", self}, {"value", source}}, {"x"});
  put.InList("indices", {index}).Set("axes", std::vector<std::int64_t>{axis});
  call.Out("selfRef", put);
}

void MapIndexFillTensor(Call& call, std::string_view from, std::string_view to) {
  const Value self = call.In(from);
  const Value value = call.Number(TypeOf(self).type, call.GetNumber("value"));
  call.Out(to, call.OwnOp("AclnnIndexFill", {{"x", self}, {"value", value}}, {"x"})
                   .Set("axis", call.GetAxis("dim", DimsOf(self).size()))
                   .Set("indices", call.GetInts("index")));
}

// With indices that are on the device.
void MapIndexFill(Call& call, std::string_view from, std::string_view to) {
  CheckIndex(call, "index");
  const Value self = call.In(from);
  const Value value = call.Number(TypeOf(self).type, call.GetNumber("value"));
  const Value index = call.Reshape(call.In("index"), {ElementCount(call.DimsOfArgument("index"))});
  Op put = call.OwnOp("AclnnIndexPut", {{"x", self}, {"value", value}}, {"x"});
  put.InList("indices", {index})
      .Set("axes", std::vector<std::int64_t>{call.GetAxis("dim", DimsOf(self).size())});
  call.Out(to, put);
}

void MapGatherNd(Call& call) {
  CheckIndex(call, "indices");
  call.Out("out", call.Op("GatherNd", {call.In("self"), call.In("indices")})
                      .Set("negative_index_support", call.GetFlag("negativeIndexSupport")));
}

// All elements in order are what is indexed.
void MapTake(Call& call) {
  CheckIndex(call, "index");
  const Value self = call.In("self");
  const Value flat = call.Reshape(self, {ElementCount(DimsOf(self))});
  call.Out("out",
           call.Op("GatherV2", {flat, call.In("index"), call.Int(0)}).Set("negative_index_support", true));
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

void Scatter(Call& call, std::string_view self_name, std::string_view out, Value updates,
             const std::string& reduction) {
  CheckIndex(call, "index");
  const Value self = call.In(self_name), index = call.In("index");
  const Value source = Cut(call, call.To(updates, TypeOf(self).type), DimsOf(index));
  call.Out(out, call.Op("ScatterElements", {self, index, source})
                    .Set("axis", call.GetAxis("dim", DimsOf(self).size()))
                    .Set("reduction", reduction));
}

void MapScatter(Call& call, std::string_view self, std::string_view out) {
  Scatter(call, self, out, call.In("src"), Reduction(call));
}

void MapScatterValue(Call& call, std::string_view self, std::string_view out) {
  const Value value = call.Number(call.TypeOfArgument(self), call.GetNumber("value"));
  Scatter(call, self, out, call.BroadcastTo(value, call.DimsOfArgument("index")), Reduction(call));
}

void MapScatterAdd(Call& call) {
  Scatter(call, "self", "out", call.In("src"), "add");
}

void MapScatterNdUpdate(Call& call) {
  CheckIndex(call, "indices");
  const Value self = call.In("varRef");
  call.Out("varRef", call.Op("ScatterNdUpdate",
                             {self, call.In("indices"), call.To(call.In("updates"), TypeOf(self).type)}));
}

// Members that are null stand for whole dimensions.
void AddIndices(Call& call, Op& op, std::string_view list) {
  std::vector<Value> indices;
  std::vector<std::int64_t> axes;
  std::int64_t axis = 0;
  for (std::size_t i = 0; i < call.ListSize(list); ++i) {
    if (!call.HasMember(list, i)) {
      ++axis;
      continue;
    }
    const Value index = call.In(list, i);
    const bool mask = TypeOf(index).type == DataType::kBool || TypeOf(index).type == DataType::kUint8;
    indices.push_back(index);
    axes.push_back(axis);
    axis += mask ? static_cast<std::int64_t>(DimsOf(index).size()) : 1;
  }
  op.InList("indices", indices).Set("axes", axes);
}

void MapIndex(Call& call) {
  Op index = call.OwnOp("AclnnIndex", {{"x", call.In("self")}}, {"y"});
  AddIndices(call, index, "indices");
  call.Out("out", index);
}

void MapIndexPut(Call& call) {
  const Value self = call.In("selfRef");
  Op put = call.OwnOp("AclnnIndexPut",
                      {{"x", self}, {"value", call.To(call.In("values"), TypeOf(self).type)}}, {"x"});
  AddIndices(call, put, "indices");
  put.Set("accumulate", call.GetFlag("accumulate"));
  // Masks need a run; the dimensions stay what they are.
  call.Out("selfRef", Call::Told(put, TypeOf(self)));
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
  CheckIndex(call, "index");
  const Value given = call.In("self");
  const DataType type = ComputeType(TypeOf(given).type);
  const std::int64_t axis = call.GetAxis("dim", DimsOf(given).size());
  const auto count = ElementCount(call.DimsOfArgument("index"));
  const Value index = call.Reshape(call.In("index"), {count}), source = call.In("source");
  CheckSource(call, given, axis, count, source);
  const Value added = call.Op("Mul", {call.To(source, type), call.Number(type, call.GetNumber("alpha"))});
  Op put = call.OwnOp("AclnnIndexPut", {{"x", call.To(given, type)}, {"value", added}}, {"x"});
  put.InList("indices", {index}).Set("axes", std::vector<std::int64_t>{axis}).Set("accumulate", true);
  call.Out("out", put);
}

void MapMaskedScatter(Call& call) {
  const Value self = call.In("selfRef");
  call.Out("selfRef", call.Op("MaskedScatter", {self, call.To(call.In("mask"), DataType::kBool),
                                                call.To(call.In("source"), TypeOf(self).type)}));
}

void MapEmbeddingDenseBackward(Call& call) {
  CheckIndex(call, "indices");
  const Value gradient = call.In("grad");
  call.Out("out", call.Op("EmbeddingDenseGrad",
                          {call.To(gradient, ComputeType(TypeOf(gradient).type)), call.In("indices")})
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
    {"aclnnInplaceMaskedScatter", MapMaskedScatter},
    {"aclnnEmbeddingDenseBackward", MapEmbeddingDenseBackward},
});

}  // namespace
}  // namespace foothold::aclnn
