// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dot: the inner product of two lines. Floats are summed in double, integers wrap.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/number_kernel.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 15;

void InferDot(OpContext& context) {
  const TensorType &x = context.In(0), &y = context.In(1);
  if (x.dims.size() != 1 || x.dims != y.dims || x.type != y.type)
    context.Refuse("the inputs are {} and {}, expected two lines of one type and length", ToString(x),
                   ToString(y));
  context.SetOut(0, x.type, {}, Format::kNd);
}

template <typename T>
class DotKernel : public Kernel {
 public:
  explicit DotKernel(std::size_t count) : count_(count), pieces_((count + kPiece - 1) / kPiece) {}

  std::size_t WorkspaceBytes() const override { return pieces_ * sizeof(Sum); }

  // Pieces are the same for any number of threads, and so is the result.
  void Run(const RunArgs& args) const override {
    Sum* sums = reinterpret_cast<Sum*>(args.workspace);
    ParallelFor(pieces_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece)
        sums[piece] = SumOf(args.In<T>(0) + piece * kPiece, args.In<T>(1) + piece * kPiece,
                            std::min(kPiece, count_ - piece * kPiece));
    });
    Sum total{};
    for (std::size_t piece = 0; piece < pieces_; ++piece)
      total += sums[piece];
    *args.Out<T>(0) = static_cast<T>(total);
  }

 private:
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
  static constexpr std::size_t kLanes = 8;

  static Sum SumOf(const T* a, const T* b, std::size_t count) {
    Sum lanes[kLanes]{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        lanes[lane] += static_cast<Sum>(a[i + lane]) * static_cast<Sum>(b[i + lane]);
    for (; i < count; ++i)
      lanes[0] += static_cast<Sum>(a[i]) * static_cast<Sum>(b[i]);
    Sum sum{};
    for (const Sum lane : lanes)
      sum += lane;
    return sum;
  }

  std::size_t count_, pieces_;
};

std::unique_ptr<Kernel> LowerDot(OpContext& context) {
  const std::size_t count = Product(context.InDims(0), 0, 1);
  return NumberKernel(context, [&](auto tag) -> std::unique_ptr<Kernel> {
    return std::make_unique<DotKernel<typename decltype(tag)::Type>>(count);
  });
}

const RegisterOp dot(OpDef("Dot").Infer(InferDot).Lower(LowerDot).Types(NumberTypes()));

}  // namespace
}  // namespace foothold
