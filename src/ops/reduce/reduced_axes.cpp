// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/reduce/reduced_axes.h"

#include <utility>

#include "ops/data/rule_arguments.h"

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
  if (OneAxis(Groups(x.dims, reduced), rows, form.shape)) return form;
  const std::size_t size = ElementBytes(context, x.type);
  Dims gathered;
  std::vector<std::size_t> order;
  form.shape = {};
  for (const bool pass : {false, true}) {
    for (std::size_t i = 0; i < x.dims.size(); ++i) {
      if (reduced[i] != pass) continue;
      order.push_back(i);
      gathered.push_back(x.dims[i]);
      (pass ? form.shape.length : form.shape.outer) *= static_cast<std::size_t>(x.dims[i]);
    }
  }
  const auto from = Strides(x.dims, size);
  const auto to = Strides(gathered, size);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < order.size(); ++i)
    axes.push_back({static_cast<std::size_t>(gathered[i]), from[order[i]], to[i]});
  form.gather.emplace(size, std::move(axes));
  return form;
}

}  // namespace foothold
