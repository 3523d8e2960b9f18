// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Along one axis the first elements are turned around, as many as another tensor says for each index of a
// second axis; the others stay.
#include <cstring>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct Axes {
  std::size_t sequence, batch;
};

Axes AxesOf(const OpContext& context) {
  const std::size_t rank = context.InDims(0).size();
  const Axes axes{AxisIn(context, RequiredInt(context, "seq_dim"), rank, "attribute 'seq_dim'"),
                  AxisIn(context, context.node().Int("batch_dim", 0), rank, "attribute 'batch_dim'")};
  if (axes.sequence == axes.batch) context.Refuse("attributes 'seq_dim' and 'batch_dim' are the same axis");
  return axes;
}

void InferReverseSequence(OpContext& context) {
  const Axes axes = AxesOf(context);
  const TensorType& lengths = context.In("seq_lengths");
  if (lengths.dims != Dims{context.InDims(0)[axes.batch]} ||
      (lengths.type != DataType::kInt32 && lengths.type != DataType::kInt64))
    context.Refuse("seq_lengths is {}, expected one int32 or int64 for each of {} sequences",
                   ToString(lengths), context.InDims(0)[axes.batch]);
  context.SetOut(0, context.In(0));
}

// x as [outer, low, middle, high, block]: low and high are the two axes, block is what moves together.
struct Geometry {
  std::size_t outer, low, middle, high, block;
  bool sequence_low;
};

class ReverseSequenceKernel : public Kernel {
 public:
  ReverseSequenceKernel(Geometry geometry, bool wide, std::string name)
      : g_(geometry), wide_(wide), name_(std::move(name)) {}

  void Run(const RunArgs& args) const override {
    if (g_.block == 0) return;  // and the other dimensions may be anything
    const std::byte* x = args.In<std::byte>(0);
    std::byte* y = args.Out<std::byte>(0);
    for (std::size_t o = 0; o < g_.outer; ++o)
      for (std::size_t l = 0; l < g_.low; ++l)
        for (std::size_t m = 0; m < g_.middle; ++m)
          for (std::size_t h = 0; h < g_.high; ++h, y += g_.block)
            std::memcpy(y, x + Source(args, o, l, m, h) * g_.block, g_.block);
  }

 private:
  std::size_t LengthOf(const RunArgs& args, std::size_t sequence, std::size_t most) const {
    const std::int64_t length =
        wide_ ? args.In<std::int64_t>(1)[sequence] : args.In<std::int32_t>(1)[sequence];
    if (length < 0 || static_cast<std::size_t>(length) > most)
      Fail(kInvalidParam, "{}: sequence {} has length {}, expected 0 to {}", name_, sequence, length, most);
    return static_cast<std::size_t>(length);
  }
  std::size_t Source(const RunArgs& args, std::size_t o, std::size_t l, std::size_t m, std::size_t h) const {
    std::size_t& step = g_.sequence_low ? l : h;
    const std::size_t length = LengthOf(args, g_.sequence_low ? h : l, g_.sequence_low ? g_.low : g_.high);
    if (step < length) step = length - 1 - step;
    return ((o * g_.low + l) * g_.middle + m) * g_.high + h;
  }

  Geometry g_;
  bool wide_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerReverseSequence(OpContext& context) {
  const Axes axes = AxesOf(context);
  const Dims& x = context.InDims(0);
  const std::size_t low = std::min(axes.sequence, axes.batch), high = std::max(axes.sequence, axes.batch);
  const Geometry geometry{Product(x, 0, low),
                          static_cast<std::size_t>(x[low]),
                          Product(x, low + 1, high),
                          static_cast<std::size_t>(x[high]),
                          Product(x, high + 1, x.size()) * ElementBytes(context, context.In(0).type),
                          axes.sequence < axes.batch};
  return std::make_unique<ReverseSequenceKernel>(geometry, context.In(1).type == DataType::kInt64,
                                                 context.node().Description());
}

const RegisterOp reverse_sequence(
    OpDef("ReverseSequence").Infer(InferReverseSequence).Lower(LowerReverseSequence).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
