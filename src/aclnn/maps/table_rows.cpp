// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of tables of embeddings, and slices of caches that are written where they stand.
#include <cmath>

#include "aclnn/mapping.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/given.h"
#include "aclnn/types.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

void MapEmbeddingBag(Call& call) {
  const Value weight = call.In("weight");
  const Value sample_weights =
      IsGiven(call, "perSampleWeights") ? call.To(call.In("perSampleWeights"), TypeOf(weight).type) : Value();
  Op bag = call.OwnOp("AclnnEmbeddingBag",
                      {{"table", weight},
                       {"indices", call.In("indices")},
                       {"offsets", call.In("offsets")},
                       {"weights", sample_weights}},
                      {"y", "bags", "sizes", "places"});
  const std::int64_t mode = call.GetInt("mode");
  bag.Set("mode", mode)
      .Set("padding", call.GetInt("paddingIdx"))
      .Set("include_last", call.GetFlag("includeLastOffset"));
  call.Out("output", bag.Out(0));
  // Where nobody will ask, some of these have fewer elements.
  const auto out_if_wanted = [&](const char* name, Value value) {
    if (CountOf(call.View(name).dims) == ElementCount(DimsOf(value))) call.OutElements(name, value);
  };
  out_if_wanted("offset2bag", bag.Out(1));
  out_if_wanted("bagSize", bag.Out(2));
  if (mode == 2) return out_if_wanted("maxIndices", bag.Out(3));
  call.OutElements("maxIndices",
                   call.Filled(call.TypeOfArgument("maxIndices"), call.DimsOfArgument("maxIndices"), 0));
}

void MapEmbeddingRenorm(Call& call) {
  const Value self = call.In("selfRef");
  call.Out("selfRef",
           call.OwnOp("AclnnEmbeddingRenorm", {{"x", self}, {"indices", call.In("indices")}}, {"x"})
               .Set("p", static_cast<float>(call.GetReal("normType")))
               .Set("most", static_cast<float>(call.GetReal("maxNorm"))));
}

// Slices along a dimension are made shorter where their norm is too large.
void MapRenorm(Call& call, std::string_view self, std::string_view out) {
  const Formula f(call);
  const Term x = f.In(self);
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < x.dims().size(); ++i)
    if (static_cast<std::int64_t>(i) != call.GetAxis("dim", x.dims().size()))
      axes.push_back(static_cast<std::int64_t>(i));
  const Term norm{call, axes.empty() ? Value(call.Op("Abs", {x}))
                                     : Value(call.Op("LpNormV2", {x})
                                                 .Set("p", static_cast<float>(call.GetNumber("p").real()))
                                                 .Set("axes", axes)
                                                 .Set("keepdim", true)
                                                 .Set("epsilon", 0.0f))};
  const double most = call.GetNumber("maxNorm").real();
  call.Out(out, x * Select(norm > most, most / (norm + 1e-7), 1));
}

Value Places(Call& call, const char* name) {
  const DataType type = call.TypeOfArgument(name);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Refuse("'{}' is {}; int32 or int64 is expected", name, ToString(call.View(name)));
  return call.In(name);
}

void UpdateCache(Call& call, const char* cache, Value updates) {
  const Value self = call.In(cache);
  call.Out(cache, call.OwnOp("AclnnCacheUpdate",
                             {{"x", self}, {"indices", Places(call, "indices")}, {"updates", updates}}, {"x"})
                      .Set("axis", call.GetAxis("axis", DimsOf(self).size())));
}

void MapScatterUpdate(Call& call) {
  UpdateCache(call, "data", call.To(call.In("updates"), call.TypeOfArgument("data")));
}

// Updates are divided by their scales and rounded.
void MapQuantScatter(Call& call) {
  if (call.GetInt("reduction") != 1)
    call.NotSupported("aclnnInplaceQuantScatter with reduction other than 1 (update)");
  if (call.TypeOfArgument("selfRef") != DataType::kInt8)
    call.NotSupported("aclnnInplaceQuantScatter with 'selfRef' other than int8");
  const Term updates{call, call.To(call.In("updates"), DataType::kFloat)};
  const std::size_t rank = updates.dims().size();
  if (rank == 0) call.Refuse("'updates' is {}; slices are expected", ToString(call.View("updates")));
  const std::int64_t axis = call.GetAxis("quantAxis", rank);
  const auto along = [&](const char* name) {
    Dims dims(rank, 1);
    dims[static_cast<std::size_t>(axis)] = CountOf(call.View(name).dims);
    return Term{call, call.Reshape(call.To(call.In(name), DataType::kFloat), dims)};
  };
  Term quantized = updates / along("quantScales");
  if (IsGiven(call, "quantZeroPoints")) quantized = quantized + along("quantZeroPoints");
  quantized = Apply("Rint", quantized);
  quantized = Apply("Minimum", Apply("Maximum", quantized, quantized.Like(-128)), quantized.Like(127));
  UpdateCache(call, "selfRef", call.To(quantized, DataType::kInt8));
}

// Each member of the list is one slice.
void MapScatterList(Call& call) {
  if (call.Has("reduceOptional") && call.GetText("reduceOptional") != "update")
    call.NotSupported("aclnnScatterList with reduceOptional other than 'update'");
  const Value updates = call.In("updates"), places = Places(call, "indice"),
              mask = call.InIfGiven("maskOptional");
  for (std::size_t i = 0; i < call.ListSize("varRef"); ++i) {
    const Value var = call.In("varRef", i);
    Dims dims = DimsOf(var);
    dims.insert(dims.begin(), 1);
    if (DimsOf(updates).size() != dims.size())
      call.Refuse("'updates' is {}, and member {} of 'varRef' {}", ToString(call.View("updates")), i,
                  foothold::ToString(DimsOf(var)));
    Op put = call.OwnOp("AclnnCacheUpdate",
                        {{"x", call.Reshape(var, dims)},
                         {"indices", places},
                         {"updates", call.To(updates, TypeOf(var).type)},
                         {"mask", mask ? call.To(mask, DataType::kUint8) : mask}},
                        {"x"});
    put.Set("axis", call.GetAxis("axis", DimsOf(var).size()) + 1).Set("item", static_cast<std::int64_t>(i));
    call.OutElements("varRef", put, i);
  }
}

void MapAdvanceStep(Call& call) {
  Op step = call.OwnOp("AclnnAdvanceStep",
                       {{"tokens", call.In("inputTokens")},
                        {"positions", call.In("inputPositions")},
                        {"lengths", call.In("seqLens")},
                        {"slots", call.In("slotMapping")},
                        {"sampled", call.In("sampledTokenIds")},
                        {"tables", call.In("blockTables")}},
                       {"new_tokens", "new_positions", "new_lengths", "new_slots"});
  step.Set("sequences", call.GetInt("numSeqs"))
      .Set("queries", call.GetInt("numQueries"))
      .Set("block", call.GetInt("blockSize"));
  call.Out("inputTokens", step.Out(0));
  call.Out("inputPositions", step.Out(1));
  call.Out("seqLens", step.Out(2));
  call.Out("slotMapping", step.Out(3));
}

// Elements of a sparse tensor that have the same place become one; the results are 0 before.
void MapCoalesce(Call& call) {
  const Dims dims = call.DimsOfArgument("newValues");
  const Value places = Places(call, "uniqueIndices"), values = call.In("values"),
              indices = call.In("indices");
  if (ElementCount(dims) == 0 || ElementCount(DimsOf(places)) == 0) return;
  const Value flat = call.Reshape(places, {ElementCount(DimsOf(places))});
  const DataType type = ComputeType(TypeOf(values).type);
  const Value zeros = call.Filled(type, dims, 0);
  Op sums = call.OwnOp("AclnnIndexPut", {{"x", zeros}, {"value", call.To(values, type)}}, {"y"});
  sums.InList("indices", {flat}).Set("axes", std::vector<std::int64_t>{0}).Set("accumulate", true);
  call.Out("newValues", sums);
  Op found = call.OwnOp(
      "AclnnIndexPut",
      {{"x", call.Filled(TypeOf(indices).type, call.DimsOfArgument("newIndices"), 0)}, {"value", indices}},
      {"y"});
  found.InList("indices", {flat}).Set("axes", std::vector<std::int64_t>{0});
  call.Out("newIndices", found);
}

const RegisterMapping table_rows_maps({
    {"aclnnCoalesceSparse", MapCoalesce},
    {"aclnnEmbeddingBag", MapEmbeddingBag},
    {"aclnnEmbeddingRenorm", MapEmbeddingRenorm},
    {"aclnnRenorm", [](Call& call) { MapRenorm(call, "self", "out"); }},
    {"aclnnInplaceRenorm", [](Call& call) { MapRenorm(call, "selfRef", "selfRef"); }},
    {"aclnnInplaceScatterUpdate", MapScatterUpdate},
    {"aclnnInplaceQuantScatter", MapQuantScatter},
    {"aclnnScatterList", MapScatterList},
    {"aclnnAdvanceStep", MapAdvanceStep},
});

}  // namespace
}  // namespace foothold::aclnn
