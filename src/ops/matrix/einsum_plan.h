// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An equation of Einsum as a chain of products of matrices: the first two operands give one, that and the
// third the next, and so on; labels that nobody needs any more are summed on the way. Made while lowering;
// any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/op.h"

namespace foothold {

// Labels are letters; the dimensions of an ellipsis are labels below zero, -1 being the last one.
using Labels = std::vector<int>;

struct EinsumTerms {
  std::vector<Labels> operands;
  Labels result;
  std::map<int, std::int64_t> extents;

  Dims ResultDims() const;
};

// With an arrow or without; refuses equations that do not fit the shapes.
EinsumTerms ParseEinsum(const OpContext& context, const std::string& equation,
                        const std::vector<Dims>& shapes);

// A tensor by label: strides in elements, one label once. Dimensions of 1 that stand for more have 0.
struct LabelledTensor {
  Labels labels;
  std::vector<std::ptrdiff_t> strides;
};
LabelledTensor Labelled(const EinsumTerms& terms, const Labels& labels, const Dims& dims);

// [matrices, rows, depth] times [matrices, depth, columns].
struct EinsumStep {
  Labels matrices, rows, columns, depth;
  Labels Result() const;  // matrices, rows, columns
};
// `needed` are the labels the result must keep.
EinsumStep StepOf(const Labels& left, const Labels& right, const Labels& needed);

}  // namespace foothold
