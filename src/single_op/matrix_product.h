// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// C = alpha * A * B + beta * C with row-major matrices, as a call of the operator GEMM. Used by aclblas. A
// value; one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "single_op/op_call.h"
#include "single_op/op_run.h"

namespace foothold {

struct ProductShape {
  bool transpose_a = false, transpose_b = false;  // they are stored the other way round
  std::int64_t m = 0, n = 0, k = 0;               // C is m x n, the sum goes over k
  DataType a = DataType::kFloat16, b = DataType::kFloat16, c = DataType::kFloat16;
};

class MatrixProduct {
 public:
  // Throws kInvalidParam for sizes that are not positive, kFeatureUnsupported for types that do not go
  // together.
  explicit MatrixProduct(const ProductShape& shape);
  MatrixProduct(const MatrixProduct&) = delete;
  MatrixProduct& operator=(const MatrixProduct&) = delete;

  // Lives as long as this does.
  const OpCall& call() const { return call_; }

 private:
  std::vector<TensorDesc> inputs_;
  TensorDesc output_;
  OpAttributes attributes_;
  OpCall call_;
};

struct ProductMemory {
  const void *alpha, *a, *b, *beta;
  void* c;
};

// Queues the product. There is as much memory as the shape says: the calls do not tell.
void RunProduct(const ProductShape& shape, const ProductMemory& memory, const StreamRef& stream,
                const char* api);

}  // namespace foothold
