// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices.
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "llama/nodes.h"

namespace llama {
namespace {

constexpr std::int64_t kMostColumns = 65535;  // of one product with quantised weights

void PutInFront(Described& to, std::int64_t size, std::int64_t stride) {
  to.dims.insert(to.dims.begin(), size);
  to.strides.insert(to.strides.begin(), stride);
}

// Dimension 2 or 3: weights that several matrices of x share get a dimension of 1 beside theirs.
void AddBatch(Described& left, Described& right, Described& out, const Described& w, const Described& x,
              const Described& y, std::size_t i) {
  const std::int64_t few = w.dims[i], times = x.dims[i] / few;
  if (times > 1) {
    PutInFront(left, times, x.strides[i]);
    PutInFront(right, 1, w.strides[i]);
    PutInFront(out, times, y.strides[i]);
  }
  PutInFront(left, few, x.strides[i] * times);
  PutInFront(right, few, w.strides[i]);
  PutInFront(out, few, y.strides[i] * times);
}

void MulMatFloat(Backend& backend, In weight, In x, In out, bool rearranged) {
  Described left = Slice(x, 2), right = Slice(weight, 2), result = Slice(out, 2);
  std::swap(right.dims[0], right.dims[1]);
  std::swap(right.strides[0], right.strides[1]);
  if (rearranged) right.format = ACL_FORMAT_FRACTAL_NZ;
  if (x.ne[2] * x.ne[3] == 1) return Run(backend, NN(Mm), left, right, result, 2);
  const Described all_w = All(weight), all_x = All(x), all_out = All(out);
  AddBatch(left, right, result, all_w, all_x, all_out, 1);
  if (x.ne[3] == 1 && left.dims.size() == 3) return Run(backend, NN(BatchMatMul), left, right, result, 2);
  AddBatch(left, right, result, all_w, all_x, all_out, 0);
  Run(backend, NN(Matmul), left, right, result, 1);
}

struct Quantized {
  char *weights, *scales;
  std::int64_t depth, columns;
};

// x and y: halves. Columns in pieces, each found by its offset.
void MulQuantized(Backend& backend, Type type, const Quantized& w, char* x, std::int64_t rows, char* y,
                  std::int64_t group) {
  const std::int64_t groups = w.depth / kGroup;
  for (std::int64_t first = 0; first < w.columns; first += kMostColumns) {
    const std::int64_t columns = std::min(kMostColumns, w.columns - first);
    const Described weight(TypeOf(type), {w.depth, columns}, {1, w.depth}, w.weights, first * w.depth);
    const Described scale(ACL_FLOAT16, {groups, columns}, {1, groups}, w.scales, first * groups);
    const Described out(ACL_FLOAT16, {rows, columns}, {w.columns, 1}, y, first);
    Run(backend, NN(WeightQuantBatchMatmulV2), Described(ACL_FLOAT16, {rows, w.depth}, x), weight, scale,
        nullptr, nullptr, nullptr, nullptr, group, out);
  }
}

std::int64_t WeightBytes(Type type, std::int64_t elements) {
  return type == Type::kQ4_0 ? elements / 2 : elements;
}

void MulMatQuantized(Backend& backend, In weight, In x, In out) {
  const Buffer half_x(backend.pool(), static_cast<std::size_t>(x.size()) * 2);
  const Buffer half_y(backend.pool(), static_cast<std::size_t>(out.size()) * 2);
  Copy(backend, x, Lay(Type::kF16, x.ne, half_x.data()));
  const std::int64_t matrix = weight.ne[0] * weight.ne[1];
  const std::int64_t ratio2 = x.ne[2] / weight.ne[2], ratio3 = x.ne[3] / weight.ne[3];
  for (std::int64_t i = 0; i < x.ne[2] * x.ne[3]; ++i) {
    const std::int64_t from = i / x.ne[2] / ratio3 * weight.ne[2] + i % x.ne[2] / ratio2;
    const Quantized w{weight.data + WeightBytes(weight.type, from * matrix),
                      weight.data + WeightBytes(weight.type, weight.size()) + from * matrix / kGroup * 2,
                      weight.ne[0], weight.ne[1]};
    MulQuantized(backend, weight.type, w, half_x.data() + i * x.ne[0] * x.ne[1] * 2, x.ne[1],
                 half_y.data() + i * out.ne[0] * out.ne[1] * 2, weight.ne[0] > kGroup ? kGroup : 0);
  }
  Copy(backend, Lay(Type::kF16, out.ne, half_y.data()), out);
}

// The experts that one token names, copied side by side.
void SelectExperts(Backend& backend, const Described& from, In experts, std::int64_t token,
                   const Described& to) {
  const Described ids(ACL_INT32, {experts.ne[0]}, {1}, experts.data,
                      token * static_cast<std::int64_t>(experts.nb[1] / 4));
  Run(backend, NN(IndexSelect), from, 0, ids, to);
}

void MulMatIdFloat(Backend& backend, In weights, In x, In experts, In out) {
  const std::int64_t depth = weights.ne[0], columns = weights.ne[1], used = experts.ne[0];
  const Buffer chosen(backend.pool(), static_cast<std::size_t>(used * depth * columns) * weights.nb[0]);
  const Described to(TypeOf(weights.type), {used, columns, depth}, chosen.data());
  const Described right(TypeOf(weights.type), {used, depth, columns}, {columns * depth, 1, depth},
                        chosen.data());
  const Described all_x = All(x), all_out = All(out);
  for (std::int64_t token = 0; token < experts.ne[1]; ++token) {
    SelectExperts(backend, Slice(weights, 3), experts, token, to);
    const Described left(all_x.type, {x.ne[1], 1, depth}, {all_x.strides[2], depth, 1},
                         x.data + static_cast<std::size_t>(token) * x.nb[2]);
    const Described result(all_out.type, {used, 1, columns}, {all_out.strides[2], columns, 1},
                           out.data + static_cast<std::size_t>(token) * out.nb[2]);
    Run(backend, NN(BatchMatMul), left, right, result, 2);
  }
}

void MulMatIdQuantized(Backend& backend, In weights, In x, In experts, In out) {
  const std::int64_t depth = weights.ne[0], columns = weights.ne[1], used = experts.ne[0];
  const std::int64_t row = WeightBytes(weights.type, depth), groups = depth / kGroup;
  const Buffer chosen(backend.pool(), static_cast<std::size_t>(used * row * columns));
  const Buffer scales(backend.pool(), static_cast<std::size_t>(used * columns * groups) * 2);
  const Buffer half_x(backend.pool(), static_cast<std::size_t>(x.size()) * 2);
  const Buffer half_y(backend.pool(), static_cast<std::size_t>(out.size()) * 2);
  Copy(backend, x, Lay(Type::kF16, x.ne, half_x.data()));
  char* const all_scales = weights.data + WeightBytes(weights.type, weights.size());
  for (std::int64_t token = 0; token < experts.ne[1]; ++token) {
    SelectExperts(backend, Described(ACL_INT8, {weights.ne[2], columns, row}, weights.data), experts, token,
                  Described(ACL_INT8, {used, columns, row}, chosen.data()));
    SelectExperts(backend, Described(ACL_FLOAT16, {weights.ne[2], columns, groups}, all_scales), experts,
                  token, Described(ACL_FLOAT16, {used, columns, groups}, scales.data()));
    for (std::int64_t i = 0; i < used; ++i)
      MulQuantized(
          backend, weights.type,
          {chosen.data() + i * row * columns, scales.data() + i * columns * groups * 2, depth, columns},
          half_x.data() + (token * x.ne[1] + i % x.ne[1]) * depth * 2, 1,
          half_y.data() + (token * used + i) * columns * 2, kGroup);
  }
  Copy(backend, Lay(Type::kF16, out.ne, half_y.data()), out);
}

}  // namespace

std::size_t RearrangedBytes(In weight) {
  const std::int64_t dims[] = {weight.ne[1], weight.ne[0]};
  aclIntArray* const shape = aclCreateIntArray(dims, 2);
  std::uint64_t size = 0;
  Check(aclnnCalculateMatmulWeightSizeV2(shape, TypeOf(weight.type), &size), "the size of a weight");
  aclDestroyIntArray(shape);
  return std::max<std::size_t>(BytesOf(weight), size);  // taken for bytes
}

void Rearrange(Backend& backend, In weight) {
  RunOn(nullptr, backend, NN(TransMatmulWeight), Slice(weight, 2));
}

void MulMat(Backend& backend, In weight, In x, In out, bool rearranged) {
  if (IsQuantized(weight.type)) return MulMatQuantized(backend, weight, x, out);
  MulMatFloat(backend, weight, x, out, rearranged);
}

void MulMatId(Backend& backend, In weights, In x, In experts, In out) {
  if (IsQuantized(weights.type)) return MulMatIdQuantized(backend, weights, x, experts, out);
  MulMatIdFloat(backend, weights, x, experts, out);
}

void OutProd(Backend& backend, In x, In y, In out) {
  const std::int64_t ratio2 = y.ne[2] / x.ne[2], ratio3 = y.ne[3] / x.ne[3];
  for (std::int64_t fourth = 0; fourth < out.ne[3]; ++fourth)
    for (std::int64_t third = 0; third < out.ne[2]; ++third) {
      Described left = Slice(y, 2, third, fourth);
      std::swap(left.dims[0], left.dims[1]);
      std::swap(left.strides[0], left.strides[1]);
      Run(backend, NN(Matmul), left, Slice(x, 2, third / ratio2, fourth / ratio3),
          Slice(out, 2, third, fourth), 2);
    }
}

}  // namespace llama
