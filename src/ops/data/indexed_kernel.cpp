// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/indexed_kernel.h"

#include "kernels/indexed_copy.h"
#include "ops/data/rule_arguments.h"

namespace foothold {
namespace {

class IndexedKernel : public Kernel {
 public:
  explicit IndexedKernel(IndexedCopy copy) : copy_(std::move(copy)) {}
  void Run(const RunArgs& args) const override { copy_.Run(args.inputs[0], args.outputs[0]); }

 private:
  IndexedCopy copy_;
};

std::vector<std::ptrdiff_t> Table(const std::vector<std::int64_t>& picks, std::ptrdiff_t stride) {
  std::vector<std::ptrdiff_t> table;
  for (const std::int64_t pick : picks)
    table.push_back(pick * stride);
  return table;
}

std::vector<std::int64_t> Counting(std::size_t count) {
  std::vector<std::int64_t> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = static_cast<std::int64_t>(i);
  return all;
}

}  // namespace

std::unique_ptr<Kernel> LowerPicks(const OpContext& context,
                                   const std::vector<std::vector<std::int64_t>>& picks) {
  return LowerPicks(context, context.InDims(0), picks);
}

std::unique_ptr<Kernel> LowerPicks(const OpContext& context, const Dims& dims,
                                   const std::vector<std::vector<std::int64_t>>& picks) {
  const std::size_t size = ElementBytes(context, context.In(0).type);
  std::vector<std::vector<std::ptrdiff_t>> tables;
  if (ElementCount(context.Out(0).dims) == 0) return std::make_unique<IndexedKernel>(IndexedCopy(size, {{}}));
  const auto strides = Strides(dims, size);
  std::size_t rank = dims.size();
  std::size_t block = size;
  while (rank > 0 && picks[rank - 1].empty())
    block *= static_cast<std::size_t>(dims[--rank]);
  for (std::size_t i = 0; i < rank;) {
    std::size_t end = i;  // axes taken as they are make one table
    while (picks[end].empty())
      ++end;
    if (end > i) tables.push_back(Table(Counting(Product(dims, i, end)), strides[end - 1]));
    tables.push_back(Table(picks[end], strides[end]));
    i = end + 1;
  }
  return std::make_unique<IndexedKernel>(IndexedCopy(block, std::move(tables)));
}

}  // namespace foothold
