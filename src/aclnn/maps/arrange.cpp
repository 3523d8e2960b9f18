// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors in another order, parts of them, several as one.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/axes.h"
#include "aclnn/maps/parts.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Channels in groups become groups of channels.
void MapChannelShuffle(Call& call) {
  const Value self = call.In("self");
  const Dims dims = DimsOf(self);
  const std::int64_t groups = call.GetInt("groups");
  if (dims.size() < 3 || groups < 1 || dims[1] % groups != 0)
    call.Refuse("'self' is {}; channels in {} groups are expected in its second dimension",
                ToString(call.View("self")), groups);
  const std::int64_t inner = ElementCount(Dims(dims.begin() + 2, dims.end()));
  const Value grouped = call.Reshape(self, {dims[0], groups, dims[1] / groups, inner});
  call.OutElements("out", call.Transpose(grouped, {0, 2, 1, 3}));
}

// Each member is filled up to equal chunks, and chunk i of all stands in row i.
void MapChunkCat(Call& call) {
  const std::int64_t chunks = call.GetInt("numChunks");
  if (call.GetInt("dim") != 0) call.NotSupported("aclnnChunkCat with dim other than 0");
  const Dims out = call.DimsOfArgument("out");
  if (chunks < 1 || out.size() != 2 || out[0] != chunks)
    call.Refuse("'numChunks' is {}, and 'out' {}; a row for each chunk is expected", chunks,
                ToString(call.View("out")));
  std::vector<Value> rows;
  for (std::size_t i = 0; i < call.ListSize("tensors"); ++i) {
    const Value member = call.InLines("tensors", i);
    const Dims dims = DimsOf(member);
    const std::int64_t inner = ElementCount(Dims(dims.begin() + 1, dims.end()));
    const std::int64_t filled = (dims[0] + chunks - 1) / chunks * chunks, count = filled * inner;
    Value flat = call.Reshape(member, {dims[0] * inner});
    if (filled != dims[0])
      flat = Joined(call, {flat, call.Filled(TypeOf(flat).type, {count - dims[0] * inner}, 0)}, 0);
    if (count > 0)
      rows.push_back(call.To(call.Reshape(flat, {chunks, count / chunks}), call.TypeOfArgument("out")));
  }
  if (!rows.empty()) call.OutElements("out", rows.size() == 1 ? rows[0] : Joined(call, rows, 1));
}

void MapTrace(Call& call) {
  const Value self = call.In("self");
  const Dims dims = DimsOf(self);
  if (dims.size() != 2) call.Refuse("'self' is {}; a matrix is expected", ToString(call.View("self")));
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < std::min(dims[0], dims[1]); ++i)
    places.push_back(i * (dims[1] + 1));
  const DataType type = ComputeType(call.TypeOfArgument("out"));
  if (places.empty()) return call.OutElements("out", call.Number(type, 0.0));
  const Value diagonal =
      call.Op("GatherV2", {call.Reshape(self, {dims[0] * dims[1]}), call.Ints(places), call.Int(0)});
  call.OutElements("out", Reduced(call, "ReduceSum", call.To(diagonal, type), {0}, false));
}

const RegisterMapping arrange_maps({
    {"aclnnChannelShuffle", MapChannelShuffle},
    {"aclnnChunkCat", MapChunkCat},
    {"aclnnTrace", MapTrace},
});

}  // namespace
}  // namespace foothold::aclnn
