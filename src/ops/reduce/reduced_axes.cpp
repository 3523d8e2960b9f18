// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/reduce/reduced_axes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/thread_pool.h"
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

struct Group {
  std::size_t count;
  bool reduced;
};

// Neighbours of one kind joined; axes of one element belong to either.
std::vector<Group> Groups(const Dims& dims, const std::vector<bool>& reduced) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto count = static_cast<std::size_t>(dims[i]);
    if (count == 1) continue;
    if (!groups.empty() && groups.back().reduced == reduced[i]) {
      groups.back().count *= count;
    } else {
      groups.push_back({count, reduced[i]});
    }
  }
  return groups;
}

bool OneAxis(const std::vector<Group>& groups, bool rows, ReducedShape& shape) {
  shape = {};
  bool seen = false;
  for (const Group& group : groups) {
    if (group.reduced && seen) return false;
    if (group.reduced) {
      shape.length = group.count;
    } else {
      (seen ? shape.inner : shape.outer) = group.count;
    }
    seen = seen || group.reduced;
  }
  if (!seen && !rows) std::swap(shape.outer, shape.inner);  // nothing to reduce: columns of one element
  return !rows || shape.inner == 1;
}

// The dimensions in the order in which elements lie in memory, if they lie one after the other.
std::optional<std::vector<std::size_t>> OrderInMemory(const StridedView& view) {
  std::vector<std::size_t> order(view.dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return view.strides[a] > view.strides[b]; });
  std::erase_if(order, [&](std::size_t i) { return view.dims[i] == 1; });
  if (!Permuted(view, order).dense()) return std::nullopt;
  return order;
}

// Nothing to move, if what is kept lies in the order of the result.
bool ReadsInMemoryOrder(const StridedView& view, const std::vector<bool>& reduced, bool rows,
                        ReducedShape& shape) {
  const auto order = OrderInMemory(view);
  if (!order) return false;
  std::vector<bool> flags;
  std::size_t kept = 0;
  for (const std::size_t axis : *order) {
    flags.push_back(reduced[axis]);
    if (reduced[axis]) continue;
    if (axis < kept) return false;
    kept = axis;
  }
  return OneAxis(Groups(Permuted(view, *order).dims, flags), rows, shape);
}

// What is kept first, then what is reduced.
StridedView KeptFirst(const StridedView& view, const std::vector<bool>& reduced, ReducedShape& shape) {
  std::vector<std::size_t> order;
  shape = {};
  for (const bool pass : {false, true}) {
    for (std::size_t i = 0; i < view.dims.size(); ++i) {
      if (reduced[i] != pass) continue;
      order.push_back(i);
      (pass ? shape.length : shape.outer) *= static_cast<std::size_t>(view.dims[i]);
    }
  }
  return Permuted(view, order);
}

std::size_t KeptAxes(const std::vector<bool>& reduced) {
  return static_cast<std::size_t>(std::count(reduced.begin(), reduced.end(), false));
}

}  // namespace

Dims ReducedDims(const Dims& dims, const std::vector<bool>& reduced, bool keep) {
  Dims left;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!reduced[i]) left.push_back(dims[i]);
    if (reduced[i] && keep) left.push_back(1);
  }
  return left;
}

ReducedForm MakeReducedForm(const OpContext& context, const std::vector<bool>& reduced, bool rows) {
  const TensorType& x = context.In(0);
  ByteSize(x);
  ReducedForm form;
  const StridedView view = ViewOf(context, 0);
  const bool one = OneAxis(Groups(x.dims, reduced), rows, form.shape);
  if (one && view.dense()) return form;
  if (ReadsInMemoryOrder(view, reduced, rows, form.shape)) return form;
  constexpr std::size_t kMostRowBytes = std::size_t{128} << 10;
  const std::size_t size = ElementBytes(context, x.type);
  const bool in_order = one && OneAxis(Groups(x.dims, reduced), rows, form.shape) && form.shape.inner > 1;
  const StridedView gathered = in_order ? view : KeptFirst(view, reduced, form.shape);
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  if (!view.dense() && !in_order && form.shape.outer >= threads && form.shape.length * size <= kMostRowBytes)
    form.rows.emplace(gathered, KeptAxes(reduced), size);
  else
    form.gather.emplace(PackingCopy(gathered, size));
  return form;
}

}  // namespace foothold
