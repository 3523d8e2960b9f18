// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Indices that arrive with a run, for gather and scatter kernels. Any thread.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "ops/op.h"

namespace foothold {

// int32 or int64 indices into a dimension; negative ones count from its end. Reading one that is outside
// throws kInvalidParam: the kernel then has written a part of its output, and nothing beside it.
class IndexReader {
 public:
  // Refuses indices of another type.
  IndexReader(const OpContext& context, int port)
      : port_(port), wide_(context.In(port).type == DataType::kInt64), name_(context.node().Description()) {
    if (!wide_ && context.In(port).type != DataType::kInt32)
      context.Refuse("the indices are {}, expected int32 or int64", ToString(context.In(port)));
  }

  std::int64_t Raw(const RunArgs& args, std::size_t i) const {
    return wide_ ? args.In<std::int64_t>(port_)[i] : args.In<std::int32_t>(port_)[i];
  }
  std::size_t At(const RunArgs& args, std::size_t i, std::size_t dim) const {
    const std::int64_t raw = Raw(args, i);
    const auto limit = static_cast<std::int64_t>(dim);
    if (raw < -limit || raw >= limit)
      Fail(kInvalidParam, "{}: index {} is outside a dimension of {}", name_, raw, dim);
    return static_cast<std::size_t>(raw < 0 ? raw + limit : raw);
  }

 private:
  int port_;
  bool wide_;
  std::string name_;
};

}  // namespace foothold
