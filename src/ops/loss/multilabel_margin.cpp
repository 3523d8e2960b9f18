// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnMultilabelMargin, an operator of our own: how far scores of labels fall short of being 1 above all
// others, as a share of the classes. A row of labels ends with the first that is negative.
#include <algorithm>
#include <limits>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/function_kernel.h"
#include "ops/loss/reduction.h"

namespace foothold {
namespace {

void Infer(OpContext& context) {
  const TensorType &x = context.In("x"), &target = context.In("target");
  if (x.dims.size() > 2 || ElementCount(target.dims) != ElementCount(x.dims))
    context.Refuse("x is {} and target {}, expected rows of as many", ToString(x), ToString(target));
  const bool each = ReductionOf(context) == LossReduction::kNone && x.dims.size() == 2;
  context.SetOut(0, x.type, each ? Dims{x.dims[0]} : Dims{}, Format::kNd);
  context.SetOut(1, x.type, x.dims, Format::kNd);
}

// Marks the labels of a row.
template <typename T>
void Mark(const IndexReader& labels, const RunArgs& args, std::size_t first, std::size_t classes, T* marks) {
  std::fill_n(marks, classes, T{0});
  for (std::size_t i = 0; i < classes && labels.Raw(args, first + i) >= 0; ++i)
    marks[labels.At(args, first + i, classes)] = T{1};
}

template <typename T>
double LossOf(const IndexReader& labels, const RunArgs& args, std::size_t first, std::size_t classes,
              const T* marks) {
  const T* x = args.In<T>(0) + first;
  double sum = 0;
  for (std::size_t i = 0; i < classes && labels.Raw(args, first + i) >= 0; ++i) {
    const std::size_t label = labels.At(args, first + i, classes);
    for (std::size_t c = 0; c < classes; ++c)
      if (marks[c] == T{0})
        sum += std::max(0.0, 1 - static_cast<double>(x[label]) + static_cast<double>(x[c]));
  }
  return sum / static_cast<double>(classes);
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Dims& dims = context.InDims(0);
  const std::size_t classes = dims.empty() ? 1 : static_cast<std::size_t>(dims.back());
  const std::size_t rows = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  const IndexReader labels(context, 1);
  const LossReduction reduction = dims.size() == 2 ? ReductionOf(context) : LossReduction::kSum;
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      double all = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        T* marks = args.Out<T>(1) + row * classes;
        Mark(labels, args, row * classes, classes, marks);
        const double loss = classes == 0 ? 0 : LossOf(labels, args, row * classes, classes, marks);
        if (reduction == LossReduction::kNone) args.Out<T>(0)[row] = static_cast<T>(loss);
        all += loss;
      }
      if (reduction == LossReduction::kMean) all /= static_cast<double>(rows);
      if (reduction != LossReduction::kNone) args.Out<T>(0)[0] = static_cast<T>(all);
    });
  });
}

const RegisterOp multilabel_margin(OpDef("AclnnMultilabelMargin").Infer(Infer).Lower(Lower));

}  // namespace
}  // namespace foothold
