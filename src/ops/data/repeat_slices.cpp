// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: AclnnRepeat, each slice along 'axis' as many times in a row as 'repeats' says when it
// runs (one number for all, or one for each), 'size' slices in all; AclnnRepeatGrad, the sums of so many.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/norm/channels.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

// How often each of `slices` is there, read when a kernel runs.
class Repeats {
 public:
  Repeats(const OpContext& context, std::size_t slices, std::size_t total)
      : reader_(context, context.Port("repeats")),
        one_(ElementCount(context.In("repeats").dims) == 1),
        slices_(slices),
        total_(total),
        name_(context.node().Description()) {}

  // visit(slice, first, count): copies [first, first + count) are those of the slice.
  template <typename Visit>
  void ForEach(const RunArgs& args, Visit&& visit) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < slices_; ++i) {
      const std::int64_t count = reader_.Raw(args, one_ ? 0 : i);
      if (count < 0 || static_cast<std::size_t>(count) > total_ - first) Refuse();
      visit(i, first, static_cast<std::size_t>(count));
      first += static_cast<std::size_t>(count);
    }
    if (first != total_) Refuse();
  }

 private:
  [[noreturn]] void Refuse() const {
    Fail(kInvalidParam, "{}: the repeats of {} slices are not {} in all", name_, slices_, total_);
  }
  IndexReader reader_;
  bool one_;
  std::size_t slices_, total_;
  std::string name_;
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, RequiredInt(context, "axis"), context.InDims(0).size(), "attribute 'axis'");
}

void CheckRepeats(const OpContext& context, std::int64_t slices) {
  const TensorType& repeats = context.In("repeats");
  if (ElementCount(repeats.dims) != 1 && ElementCount(repeats.dims) != slices)
    context.Refuse("repeats is {}, expected one number or {}", ToString(repeats), slices);
}

void InferRepeat(OpContext& context) {
  Dims dims = context.InDims(0);
  CheckRepeats(context, dims[AxisOf(context)]);
  const std::int64_t size = RequiredInt(context, "size");
  if (size < 0) context.Refuse("attribute 'size' is {}, expected 0 or more", size);
  dims[AxisOf(context)] = size;
  context.SetOut(0, context.In(0).type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerRepeat(OpContext& context) {
  const ChannelLayout lines = LayoutAround(context.InDims(0), AxisOf(context));
  const auto total = static_cast<std::size_t>(RequiredInt(context, "size"));
  const Repeats repeats(context, lines.channels, total);
  const std::size_t block = lines.inner * ElementBytes(context, context.In(0).type);
  return KernelOf([=](const RunArgs& args) {
    if (block == 0) return;
    repeats.ForEach(args, [&](std::size_t slice, std::size_t first, std::size_t count) {
      for (std::size_t o = 0; o < lines.outer; ++o)
        for (std::size_t k = 0; k < count; ++k)
          std::memcpy(args.outputs[0] + (o * total + first + k) * block,
                      args.inputs[0] + (o * lines.channels + slice) * block, block);
    });
  });
}

void InferGradient(OpContext& context) {
  Dims dims = context.InDims(0);
  const std::int64_t slices = ElementCount(context.In("repeats").dims);
  dims[AxisOf(context)] = slices;
  context.SetOut(0, context.In(0).type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context) {
  const ChannelLayout lines = LayoutAround(context.InDims(0), AxisOf(context));
  const auto slices = static_cast<std::size_t>(ElementCount(context.In("repeats").dims));
  const Repeats repeats(context, slices, lines.channels);
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      repeats.ForEach(args, [&](std::size_t slice, std::size_t first, std::size_t count) {
        for (std::size_t o = 0; o < lines.outer; ++o) {
          T* to = args.Out<T>(0) + (o * slices + slice) * lines.inner;
          std::fill_n(to, lines.inner, T{});
          for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < lines.inner; ++i)
              to[i] =
                  static_cast<T>(to[i] + args.In<T>(0)[(o * lines.channels + first + k) * lines.inner + i]);
        }
      });
    });
  });
}

const RegisterOp repeats({
    OpDef("AclnnRepeat").Infer(InferRepeat).Lower(LowerRepeat),
    OpDef("AclnnRepeatGrad").Infer(InferGradient).Lower(LowerGradient),
});

}  // namespace
}  // namespace foothold
