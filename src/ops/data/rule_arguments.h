// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What rules read of a node: axes, lists that come as a tensor or as an attribute, sizes of elements. All
// refuse what cannot be, with the node and the argument named. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ops/op.h"

namespace foothold {

// An axis counted from either end, as 0 .. rank-1. `what` names the argument in messages.
std::size_t AxisIn(const OpContext& context, std::int64_t axis, std::size_t rank, std::string_view what);
// One flag per axis; naming an axis twice is the same as once.
std::vector<bool> AxesIn(const OpContext& context, const std::vector<std::int64_t>& axes, std::size_t rank,
                         std::string_view what);

// An attribute without a default.
std::int64_t RequiredInt(const OpContext& context, std::string_view attribute);
std::vector<std::int64_t> RequiredInts(const OpContext& context, std::string_view attribute);
// A type given as such or as its number.
DataType TypeAttribute(const OpContext& context, std::string_view attribute, DataType otherwise);
// The same for a type of indices: int32 or int64.
DataType IndexTypeAttribute(const OpContext& context, std::string_view attribute, DataType otherwise);

// The operators with a D at the end have as attributes what the others have as inputs; these read either.
std::int64_t IntArgument(const OpContext& context, std::string_view name);
std::vector<std::int64_t> IntsArgument(const OpContext& context, std::string_view name);

// The ports of this name: one, or the instances of a dynamic port. Refuses when there is none.
std::vector<int> DataPorts(const OpContext& context, std::string_view group);
// What the lowering has read already; the kernel will not. Names that are no ports are skipped.
void Ignore(OpContext& context, std::initializer_list<std::string_view> inputs);

// Bytes of one element, for moving data: 1, 2, 4, 8 or 16. Unsupported for strings and packed types.
std::size_t ElementBytes(const OpContext& context, DataType type);

// The same number as an element of every position of a tensor. Unsupported for types without numbers.
void StoreNumber(const OpContext& context, TensorValue& value, double number);

// Distance between neighbours along each axis of a dense tensor, in elements times `unit`. Meaningless but
// harmless where a dimension is 0.
std::vector<std::ptrdiff_t> Strides(const Dims& dims, std::size_t unit = 1);

// Product of dims[begin, end).
std::size_t Product(const Dims& dims, std::size_t begin, std::size_t end);

}  // namespace foothold
