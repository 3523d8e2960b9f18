// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tril and Triu: the part of each matrix on one side of a diagonal, zeros on the other.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kParallelBytes = std::size_t{256} << 10;

class TriangleKernel : public Kernel {
 public:
  TriangleKernel(const TensorType& x, std::size_t size, std::int64_t diagonal, bool upper)
      : rows_(x.dims[x.dims.size() - 2]),
        cols_(x.dims.back()),
        lines_(Product(x.dims, 0, x.dims.size() - 1)),
        size_(size),
        diagonal_(std::clamp(diagonal, -rows_ - 1, cols_ + 1)),  // beyond these nothing changes
        upper_(upper) {}

  void Run(const RunArgs& args) const override {
    const std::size_t bytes = static_cast<std::size_t>(cols_) * size_;
    if (bytes == 0) return;
    ParallelFor(lines_, std::max<std::size_t>(1, kParallelBytes / bytes),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t line = begin; line < end; ++line)
                    RunLine(args.inputs[0] + line * bytes, args.outputs[0] + line * bytes,
                            static_cast<std::int64_t>(line) % rows_, bytes);
                });
  }

 private:
  void RunLine(const std::byte* x, std::byte* y, std::int64_t row, std::size_t bytes) const {
    // Columns before the cut lie below the diagonal; the diagonal itself is kept either way.
    const std::int64_t cut = std::clamp<std::int64_t>(row + diagonal_ + (upper_ ? 0 : 1), 0, cols_);
    const std::size_t below = static_cast<std::size_t>(cut) * size_;
    const std::size_t begin = upper_ ? below : 0;
    const std::size_t end = upper_ ? bytes : below;
    if (x != y) std::memcpy(y + begin, x + begin, end - begin);
    std::memset(upper_ ? y : y + below, 0, upper_ ? below : bytes - below);
  }

  std::int64_t rows_, cols_;
  std::size_t lines_, size_;
  std::int64_t diagonal_;
  bool upper_;
};

void InferTriangle(OpContext& context) {
  if (context.InDims(0).size() < 2)
    context.Refuse("x is {}, expected at least 2 dimensions", ToString(context.In(0)));
  context.SetOut(0, context.In(0));
}

OpDef Triangle(const char* type, bool upper) {
  return OpDef(type)
      .Infer(InferTriangle)
      .Lower([upper](OpContext& context) {
        constexpr std::int64_t kFar = std::int64_t{1} << 40;  // beyond every matrix
        const std::int64_t diagonal = std::clamp(context.node().Int("diagonal", 0), -kFar, kFar);
        return std::make_unique<TriangleKernel>(context.In(0), ElementBytes(context, context.In(0).type),
                                                diagonal, upper);
      })
      .InPlace(0, 0)
      .Types(WholeByteTypes());
}

const RegisterOp triangles({Triangle("Tril", false), Triangle("Triu", true)});

}  // namespace
}  // namespace foothold
