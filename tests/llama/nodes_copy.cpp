// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes that move elements.
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_repeat.h"
#include "llama/nodes.h"

namespace llama {
namespace {

void CopySameDims(Backend& backend, In x, In out) {
  if (x.type == out.type) return Run(backend, NN(InplaceCopy), All(out), All(x));
  Run(backend, NN(Cast), All(x), TypeOf(out.type), All(out));
}

// Row indices: those of the dimensions outside, repeated.
Described RowsAt(In rows, std::int64_t third, std::int64_t fourth) {
  Tensor row = rows;
  row.data += static_cast<std::size_t>(third % rows.ne[1]) * rows.nb[1] +
              static_cast<std::size_t>(fourth % rows.ne[2]) * rows.nb[2];
  return Slice(row, 1);
}

// Weights of 8 bits times their scales.
void Dequantize(Backend& backend, In x, In out) {
  const std::int64_t groups = x.ne[0] / kGroup;
  char* const scales = x.data + x.size();
  const Described weights = Reshaped(x, {x.ne[3], x.ne[2], x.ne[1], groups, kGroup});
  const Described factors(ACL_FLOAT16, {x.ne[3], x.ne[2], x.ne[1], groups, 1}, scales);
  Run(backend, NN(Mul), weights, factors, Reshaped(out, weights.dims));
}

}  // namespace

void Copy(Backend& backend, In x, In out) {
  if (x.ne == out.ne) return CopySameDims(backend, x, out);
  // Other dimensions: both sides in the order of elements.
  const Buffer buffer(backend.pool(), static_cast<std::size_t>(x.size()) * out.nb[0]);
  CopySameDims(backend, x, Lay(out.type, x.ne, buffer.data()));
  CopySameDims(backend, Lay(out.type, out.ne, buffer.data()), out);
}

void Repeat(Backend& backend, In x, In out) {
  Ints times;
  for (std::size_t i = 4; i-- > 0;)
    times.push_back(out.ne[i] / x.ne[i]);
  Run(backend, NN(Repeat), All(x), times, All(out));
}

void Concat(Backend& backend, In x, In y, int dimension, In out) {
  Run(backend, NN(Cat), List{All(x), All(y)}, 3 - dimension, All(out));
}

void GetRows(Backend& backend, In x, In rows, In out) {
  if (x.type == Type::kQ8_0) {
    const Buffer numbers(backend.pool(), static_cast<std::size_t>(x.size()) * out.nb[0]);
    const Tensor dequantized = Lay(out.type, x.ne, numbers.data());
    Dequantize(backend, x, dequantized);
    return GetRows(backend, dequantized, rows, out);
  }
  if (x.type != out.type) {
    const Buffer numbers(backend.pool(), static_cast<std::size_t>(x.size()) * out.nb[0]);
    const Tensor converted = Lay(out.type, x.ne, numbers.data());
    Copy(backend, x, converted);
    return GetRows(backend, converted, rows, out);
  }
  for (std::int64_t fourth = 0; fourth < out.ne[3]; ++fourth)
    for (std::int64_t third = 0; third < out.ne[2]; ++third)
      Run(backend, NN(GatherV2), Slice(x, 2, third, fourth), 0, RowsAt(rows, third, fourth),
          Slice(out, 2, third, fourth));
}

void SetRows(Backend& backend, In x, In rows, In out) {
  if (x.type != out.type) {
    const Buffer numbers(backend.pool(), static_cast<std::size_t>(x.size()) * out.nb[0]);
    const Tensor converted = Lay(out.type, x.ne, numbers.data());
    Copy(backend, x, converted);
    return SetRows(backend, converted, rows, out);
  }
  for (std::int64_t fourth = 0; fourth < x.ne[3]; ++fourth)
    for (std::int64_t third = 0; third < x.ne[2]; ++third)
      Run(backend, NN(InplaceIndexCopy), Slice(out, 2, third, fourth), 0, RowsAt(rows, third, fourth),
          Slice(x, 2, third, fourth));
}

}  // namespace llama
