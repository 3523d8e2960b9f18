// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kParallelBytes = std::size_t{256} << 10;

struct Place {
  std::size_t batch;
  std::size_t depth;  // how many dimensions one row of indices names
};

Place PlaceOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const Dims& indices = context.InDims(1);
  const std::int64_t batch = context.node().Int("batch_dims", 0);
  if (batch < 0 || batch >= static_cast<std::int64_t>(indices.size()) ||
      batch > static_cast<std::int64_t>(x.size()))
    context.Refuse("indices {} of x {} have no row after {} batch dimensions", ToString(indices), ToString(x),
                   batch);
  const Place place{static_cast<std::size_t>(batch), static_cast<std::size_t>(indices.back())};
  if (place.depth > x.size() - place.batch)
    context.Refuse("a row of indices {} names {} dimensions, x {} has {}", ToString(indices), place.depth,
                   ToString(x), x.size() - place.batch);
  for (std::size_t i = 0; i < place.batch; ++i)
    if (x[i] != indices[i])
      context.Refuse("x {} and indices {} differ in batch dimension {}", ToString(x), ToString(indices), i);
  return place;
}

void InferGatherNd(OpContext& context) {
  const Place place = PlaceOf(context);
  const Dims& x = context.InDims(0);
  Dims dims = context.InDims(1);
  dims.pop_back();
  dims.insert(dims.end(), x.begin() + static_cast<std::ptrdiff_t>(place.batch + place.depth), x.end());
  context.SetOut(0, context.In(0).type, std::move(dims), Format::kNd);
}

class GatherNdKernel : public Kernel {
 public:
  GatherNdKernel(const OpContext& context, Place place)
      : indices_(context, 1), dims_(context.InDims(0)), place_(place) {
    const Dims& indices = context.InDims(1);
    batch_ = Product(dims_, 0, place.batch);
    rows_ = Product(indices, place.batch, indices.size() - 1);
    block_ =
        Product(dims_, place.batch + place.depth, dims_.size()) * ElementBytes(context, context.In(0).type);
  }

  void Run(const RunArgs& args) const override {
    if (block_ == 0) return;
    ParallelFor(batch_ * rows_, std::max<std::size_t>(1, kParallelBytes / (block_ + kRowCost)),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t row = begin; row < end; ++row)
                    std::memcpy(args.outputs[0] + row * block_, args.inputs[0] + Offset(args, row) * block_,
                                block_);
                });
  }

 private:
  static constexpr std::size_t kRowCost = 32;  // finding a place, in bytes of copying

  std::size_t Offset(const RunArgs& args, std::size_t row) const {
    std::size_t offset = row / rows_;
    for (std::size_t i = 0; i < place_.depth; ++i) {
      const auto dim = static_cast<std::size_t>(dims_[place_.batch + i]);
      offset = offset * dim + indices_.At(args, row * place_.depth + i, dim);
    }
    return offset;
  }

  IndexReader indices_;
  Dims dims_;
  Place place_;
  std::size_t batch_, rows_, block_;
};

std::unique_ptr<Kernel> LowerGatherNd(OpContext& context) {
  ByteSize(context.Out(0));
  return std::make_unique<GatherNdKernel>(context, PlaceOf(context));
}

const RegisterOp gather_nd(
    OpDef("GatherNd").Infer(InferGatherNd).Lower(LowerGatherNd).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
