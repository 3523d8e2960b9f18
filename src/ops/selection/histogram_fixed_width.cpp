// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many elements fall into each of several equally wide parts of a range; what lies outside counts for the
// first or the last part, NaN for none.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::int64_t Bins(const OpContext& context) {
  const std::int64_t bins = IntArgument(context, "nbins");
  if (bins <= 0 || bins > INT32_MAX) context.Refuse("nbins is {}, expected 1 to 2^31 - 1", bins);
  return bins;
}

void InferHistogram(OpContext& context) {
  const TensorType& range = context.In("range");
  if (ElementCount(range.dims) != 2 || range.type != context.In("x").type)
    context.Refuse("range is {}, expected two numbers of the type of x, {}", ToString(range),
                   ToString(context.In("x")));
  context.SetOut(0, IndexTypeAttribute(context, "dtype", DataType::kInt32), {Bins(context)}, Format::kNd);
}

template <typename T, typename Count>
class HistogramKernel : public Kernel {
 public:
  HistogramKernel(std::size_t elements, std::int64_t bins, int range, std::string name)
      : elements_(elements), bins_(bins), range_(range), name_(std::move(name)) {}

  void Run(const RunArgs& args) const override {
    const double low = Number(args.In<T>(range_)[0]), high = Number(args.In<T>(range_)[1]);
    if (!(low < high))
      Fail(kInvalidParam, "{}: the range is {} to {}, expected a rising one", name_, low, high);
    Count* counts = args.Out<Count>(0);
    std::fill_n(counts, bins_, Count{0});
    const double width = (high - low) / static_cast<double>(bins_);
    const double last = static_cast<double>(bins_ - 1);
    for (std::size_t i = 0; i < elements_; ++i) {
      const double part = std::floor((Number(args.In<T>(0)[i]) - low) / width);
      if (part == part) ++counts[static_cast<std::size_t>(std::clamp(part, 0.0, last))];
    }
  }

 private:
  static double Number(T value) { return static_cast<double>(static_cast<Computed<T>>(value)); }

  std::size_t elements_;
  std::int64_t bins_;
  int range_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerHistogram(OpContext& context) {
  Ignore(context, {"nbins"});
  const auto elements = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  const bool wide = context.Out(0).type == DataType::kInt64;
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        const int range = context.Port("range");
        const std::string name = context.node().Description();
        if (wide)
          return std::make_unique<HistogramKernel<T, std::int64_t>>(elements, Bins(context), range, name);
        return std::make_unique<HistogramKernel<T, std::int32_t>>(elements, Bins(context), range, name);
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

const RegisterOp histograms(
    {OpDef("HistogramFixedWidth").Infer(InferHistogram).Lower(LowerHistogram).Types(NumberAndBoolTypes()),
     OpDef("HistogramFixedWidthD").Infer(InferHistogram).Lower(LowerHistogram).Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
