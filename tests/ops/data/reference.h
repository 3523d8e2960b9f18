// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Index arithmetic for plain references of data movement.
#pragma once

#include <functional>
#include <vector>

#include "ops/op_run.h"

namespace foothold {

using Index = std::vector<std::int64_t>;

// 0, 1, 2 ... (modulo 101, so that every type holds it).
TensorValue Counted(const Dims& dims, DataType type = DataType::kFloat, Format format = Format::kNd);
// A 1-D int64 tensor.
TensorValue List(const Ints& values);

// Calls visit for every index of these dimensions, the last one running fastest.
void ForIndices(const Dims& dims, const std::function<void(const Index&)>& visit);
std::size_t Offset(const Dims& dims, const Index& index);

// Values of a tensor whose element at an index is that of x at from(index).
std::vector<double> Picked(const TensorValue& x, const Dims& dims,
                           const std::function<Index(const Index&)>& from);

// Types that cover every element size the VisitType types have.
inline const std::vector<DataType> kOneTypePerSize = {DataType::kInt8, DataType::kFloat16, DataType::kFloat,
                                                      DataType::kDouble};

}  // namespace foothold
