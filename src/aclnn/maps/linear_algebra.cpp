// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices taken apart, distances between rows, products by channels.
#include <algorithm>
#include <limits>

#include "aclnn/maps/element.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/parts.h"
#include "aclnn/maps/window.h"

namespace foothold::aclnn {
namespace {

Value InReal(Call& call, const char* name) {
  const Value value = call.In(name);
  return call.To(value, TypeIn(Domain::kFloat, TypeOf(value).type));
}

// 0: Q has as many columns as are needed, 1: it is square, 2: R alone.
void MapQr(Call& call) {
  const std::int64_t mode = call.GetInt("mode");
  if (mode < 0 || mode > 2) call.Refuse("'mode' is {}; 0, 1 or 2 is expected", mode);
  Op qr = call.OwnOp("AclnnQr", {{"x", InReal(call, "self")}}, {"q", "r"});
  qr.Set("complete", mode == 1);
  if (mode != 2) call.Out("Q", qr.Out(0));
  call.Out("R", qr.Out(1));
}

void MapSvd(Call& call) {
  Op svd = call.OwnOp("AclnnSvd", {{"x", InReal(call, "input")}}, {"s", "u", "v"});
  svd.Set("full", call.GetFlag("fullMatrices"));
  call.Out("sigma", svd.Out(0));
  if (!call.GetFlag("computeUV")) return;
  call.Out("u", svd.Out(1));
  call.Out("v", svd.Out(2));
}

void MapCholesky(Call& call) {
  call.Out(
      "out",
      call.OwnOp("AclnnCholesky", {{"x", InReal(call, "self")}}, {"y"}).Set("upper", call.GetFlag("upper")));
}

void MapInverse(Call& call) {
  call.Out("out", call.OwnOp("AclnnInverse", {{"x", InReal(call, "self")}}, {"y"}));
}

void MapSlogdet(Call& call) {
  Op determinant = call.Op("LogMatrixDeterminant", {InReal(call, "self")});
  call.OutElements("signOut", determinant.Out(0));
  call.OutElements("logOut", determinant.Out(1));
}

void MapCross(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kOwn);
  Dims dims = call.DimsOfArgument("out");
  const std::int64_t axis = call.GetAxis("dim", dims.size());
  const Value a = call.BroadcastTo(inputs[0], dims), b = call.BroadcastTo(inputs[1], dims);
  if (dims.empty() || dims[static_cast<std::size_t>(axis)] != 3)
    call.Refuse("'out' is {}; 3 elements are expected in dimension {}", ToString(call.View("out")), axis);
  const auto part = [&](Value value, std::int64_t i) {
    return Term{call, Part(call, value, axis, i % 3, 1)};
  };
  std::vector<Value> parts;
  for (std::int64_t i = 0; i < 3; ++i)
    parts.push_back(part(a, i + 1) * part(b, i + 2) - part(a, i + 2) * part(b, i + 1));
  call.Out("out", Joined(call, parts, axis));
}

// [batch, rows, width]; batches are repeated to meet.
Value RowsIn(Call& call, const char* name, const Dims& batch) {
  const Value value = InReal(call, name);
  Dims dims = batch;
  dims.insert(dims.end(), DimsOf(value).end() - 2, DimsOf(value).end());
  return call.Reshape(call.BroadcastTo(value, dims), {ElementCount(batch), dims.end()[-2], dims.back()});
}

Dims BatchOf(Call& call) {
  const Dims a = call.DimsOfArgument("x1"), b = call.DimsOfArgument("x2");
  if (a.size() < 2 || b.size() < 2)
    call.Refuse("'x1' is {} and 'x2' {}; rows are expected", ToString(call.View("x1")),
                ToString(call.View("x2")));
  Dims batch(std::max(a.size(), b.size()) - 2, 1);
  for (const Dims& dims : {a, b})
    for (std::size_t i = 0; i + 2 < dims.size(); ++i) {
      std::int64_t& size = batch[batch.size() - (dims.size() - 2) + i];
      if (size == 1) size = dims[i];
    }
  return batch;
}

void MapDistances(Call& call) {
  const Dims batch = BatchOf(call);
  call.OutElements(
      "out",
      call.OwnOp("AclnnCdist", {{"x1", RowsIn(call, "x1", batch)}, {"x2", RowsIn(call, "x2", batch)}}, {"y"})
          .Set("p", static_cast<float>(call.GetReal("p"))));
}

// -1 stands for the largest difference.
void MapDistancesBackward(Call& call) {
  const Dims batch = BatchOf(call);
  const double p = call.GetReal("p");
  const Value x1 = RowsIn(call, "x1", batch);
  call.OutElements("out",
                   call.OwnOp("AclnnCdistGrad",
                              {{"x1", x1},
                               {"x2", RowsIn(call, "x2", batch)},
                               {"grad", call.To(call.In("grad"), TypeOf(x1).type)},
                               {"distances", call.To(call.In("cdist"), TypeOf(x1).type)}},
                              {"y"})
                       .Set("p", p < 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(p)));
}

// Of the rows of one matrix, each pair once.
void MapPairDistances(Call& call) {
  const Value self = InReal(call, "self");
  if (DimsOf(self).size() != 2) call.Refuse("'self' is {}; rows are expected", ToString(call.View("self")));
  const std::int64_t n = DimsOf(self)[0];
  std::vector<std::int64_t> pairs;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      pairs.push_back(i * n + j);
  if (pairs.empty()) return;
  const Value rows = call.Reshape(self, {1, n, DimsOf(self)[1]});
  const Value all = call.OwnOp("AclnnCdist", {{"x1", rows}, {"x2", rows}}, {"y"})
                        .Set("p", static_cast<float>(call.GetReal("p")));
  call.OutElements("out", call.Op("GatherV2", {call.Reshape(all, {n * n}), call.Ints(pairs), call.Int(0)}));
}

// beta * self + alpha * the sum of the products of a batch: one product of matrices beside each other.
void MapAddedBatch(Call& call) {
  const Number beta = call.GetNumber("beta"), alpha = call.GetNumber("alpha");
  const Value first = call.In("batch1"), second = call.In("batch2");
  const DataType type = ComputeType(Promote(TypeOf(first).type, TypeOf(second).type));
  const Dims a = DimsOf(first), b = DimsOf(second);
  if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[2] != b[1])
    call.Refuse("'batch1' is {} and 'batch2' {}; batches of matrices that can be multiplied are expected",
                ToString(call.View("batch1")), ToString(call.View("batch2")));
  const Value left = call.Reshape(call.Transpose(call.To(first, type), {1, 0, 2}), {a[1], a[0] * a[2]});
  const Value right = call.Reshape(call.To(second, type), {b[0] * b[1], b[2]});
  Value sum =
      a[0] * a[2] == 0 ? call.Filled(type, {a[1], b[2]}, 0) : Value(call.Op("BatchMatMulV2", {left, right}));
  sum = call.Op("Mul", {sum, call.Number(type, alpha)});
  if (beta.complex != 0.0)
    sum = call.Op("Add", {sum, call.Op("Mul", {call.To(call.In("self"), type), call.Number(type, beta)})});
  call.Out("out", sum);
}

// Each channel has filters of its own.
void MapDepthwise(Call& call) {
  const DataType type = ComputeType(Promote(call.TypeOfArgument("self"), call.TypeOfArgument("weight")));
  const Value x = AsBatch(call, "self"), filter = AsBatch(call, "weight");
  const Sizes stride = Pair(call, "stride", {1, 1}), dilation = Pair(call, "dilation", {1, 1});
  Op convolution = call.Op("Conv2D");
  convolution.In("x", Call::As(call.To(x, type), Format::kNchw))
      .In("filter", Call::As(call.To(filter, type), Format::kNchw));
  if (call.Has("bias")) convolution.In("bias", call.To(call.In("bias"), type));
  call.OutElements("out", convolution.Set("strides", Behind(stride))
                              .Set("pads", BothSides(Pair(call, "padding", {0, 0})))
                              .Set("dilations", Behind(dilation))
                              .Set("groups", DimsOf(x)[1])
                              .Set("data_format", std::string("NCHW")));
}

const RegisterMapping linear_algebra_maps({
    {"aclnnLinalgQr", MapQr},
    {"aclnnSvd", MapSvd},
    {"aclnnLinalgCholesky", MapCholesky},
    {"aclnnInverse", MapInverse},
    {"aclnnSlogdet", MapSlogdet},
    {"aclnnLinalgCross", MapCross},
    {"aclnnCdist", MapDistances},
    {"aclnnCdistBackward", MapDistancesBackward},
    {"aclnnPdist", MapPairDistances},
    {"aclnnAddbmm", MapAddedBatch},
    {"aclnnConvDepthwise2d", MapDepthwise},
});

}  // namespace
}  // namespace foothold::aclnn
