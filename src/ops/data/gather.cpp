// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gather, GatherV2 and GatherV2D: slices of x along one axis, in the order of the indices.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/strided_view.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kParallelBytes = std::size_t{256} << 10;

struct Place {
  std::size_t axis;
  std::size_t batch;  // leading dimensions x and the indices share
};

Place PlaceOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const Dims& indices = context.In("indices").dims;
  const std::int64_t batch = context.node().Int("batch_dims", 0);
  const auto rank = static_cast<std::int64_t>(indices.size());
  if (batch < -rank || batch > rank)
    context.Refuse("attribute 'batch_dims' is {}, indices have {}", batch, rank);
  Place place{0, static_cast<std::size_t>(batch < 0 ? batch + rank : batch)};
  const bool plain = context.node().type() == "Gather";
  const auto axis = plain ? static_cast<std::int64_t>(place.batch) : IntArgument(context, "axis");
  place.axis = AxisIn(context, axis, x.size(), "axis");
  if (place.batch > place.axis) context.Refuse("batch_dims {} go beyond axis {}", place.batch, place.axis);
  for (std::size_t i = 0; i < place.batch; ++i)
    if (x[i] != indices[i])
      context.Refuse("x {} and indices {} differ in batch dimension {}", ToString(x), ToString(indices), i);
  return place;
}

void InferGather(OpContext& context) {
  const Place place = PlaceOf(context);
  const Dims& x = context.InDims(0);
  const Dims& indices = context.In("indices").dims;
  Dims dims(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(place.axis));
  dims.insert(dims.end(), indices.begin() + static_cast<std::ptrdiff_t>(place.batch), indices.end());
  dims.insert(dims.end(), x.begin() + static_cast<std::ptrdiff_t>(place.axis) + 1, x.end());
  context.SetOut(0, context.In(0).type, std::move(dims), Format::kNd);
}

// x [batch, outer, dim, block], indices [batch, count] -> y [batch, outer, count, block].
class GatherKernel : public Kernel {
 public:
  GatherKernel(const OpContext& context, Place place) : indices_(context, context.Port("indices")) {
    const Dims& x = context.InDims(0);
    const Dims& indices = context.In("indices").dims;
    dim_ = static_cast<std::size_t>(x[place.axis]);
    batch_ = Product(x, 0, place.batch);
    outer_ = Product(x, place.batch, place.axis);
    count_ = Product(indices, place.batch, indices.size());
    const std::size_t size = ElementBytes(context, context.In(0).type);
    block_ = Product(x, place.axis + 1, x.size()) * size;
    const StridedView view = ViewOf(context, 0);
    if (view.dense()) return;
    size_ = size;
    step_ = view.strides[place.axis];
    slabs_.emplace(view, place.axis);
  }

  void Run(const RunArgs& args) const override {
    if (block_ == 0) return;
    ParallelFor(batch_ * outer_ * count_, std::max<std::size_t>(1, kParallelBytes / block_),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    CopyOne(args, i);
                });
  }

 private:
  void CopyOne(const RunArgs& args, std::size_t i) const {
    const std::size_t slab = i / count_;
    const std::size_t at = indices_.At(args, slab / outer_ * count_ + i % count_, dim_);
    const std::byte* from =
        args.inputs[0] + (slabs_ ? (slabs_->Offset(slab) + at * step_) * size_ : (slab * dim_ + at) * block_);
    std::byte* to = args.outputs[0] + i * block_;
    if (block_ == sizeof(float)) {
      std::memcpy(to, from, sizeof(float));
    } else {
      std::memcpy(to, from, block_);
    }
  }

  IndexReader indices_;
  std::size_t dim_, batch_, outer_, count_, block_;
  // Of x that does not lie one block after the other: where slabs begin, and the distance of blocks, in
  // elements.
  std::optional<ViewParts> slabs_;
  std::size_t step_ = 0, size_ = 0;
};

std::unique_ptr<Kernel> LowerGather(OpContext& context) {
  const Place place = PlaceOf(context);
  Ignore(context, {"axis"});
  ByteSize(context.Out(0));
  return std::make_unique<GatherKernel>(context, place);
}

// Blocks are copied as they are.
bool ReadsBlocks(const OpContext& context, int, const StridedView& x) {
  return x.DenseFrom(PlaceOf(context).axis + 1);
}

OpDef Gathering(const char* type) {
  return OpDef(type)
      .Infer(InferGather)
      .Lower(LowerGather)
      .ReadsViews({"x"}, ReadsBlocks)
      .Types(WholeByteTypes());
}

const RegisterOp gathers({Gathering("Gather"), Gathering("GatherV2"), Gathering("GatherV2D")});

}  // namespace
}  // namespace foothold
