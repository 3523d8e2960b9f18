// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own that count: AclnnBincount, how often each of the numbers up to 'size' is there, or the
// sum of the weights beside it; AclnnHistogram, how many elements lie in each of 'bins' equal parts from
// 'low' to 'high'; AclnnAllEqual, whether two tensors have the same elements.
#include <algorithm>
#include <atomic>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

void InferBincount(OpContext& context) {
  const DataType type = context.Has("weights") ? context.In("weights").type : DataType::kInt64;
  if (context.Has("weights") && ElementCount(context.In("weights").dims) != ElementCount(context.InDims(0)))
    context.Refuse("there are {} weights for {}", ToString(context.In("weights")), ToString(context.In(0)));
  context.SetOut(0, type, {RequiredInt(context, "size")}, Format::kNd);
}

template <typename T>
std::unique_ptr<Kernel> CountingKernel(const OpContext& context, bool weighted) {
  const IndexReader numbers(context, 0);
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  const auto size = static_cast<std::size_t>(RequiredInt(context, "size"));
  const std::string name = context.node().Description();
  return KernelOf([=](const RunArgs& args) {
    T* y = args.Out<T>(0);
    std::fill_n(y, size, T{});
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t number = numbers.Raw(args, i);
      if (number < 0 || static_cast<std::size_t>(number) >= size)
        Fail(kInvalidParam, "{}: {} is counted, and there is room for 0 to {}", name, number,
             static_cast<std::int64_t>(size) - 1);
      y[number] += weighted ? args.In<T>(1)[i] : T{1};
    }
  });
}

std::unique_ptr<Kernel> LowerBincount(OpContext& context) {
  switch (context.Out(0).type) {
    case DataType::kInt64:
      return CountingKernel<std::int64_t>(context, context.Has("weights"));
    case DataType::kFloat:
      return CountingKernel<float>(context, true);
    case DataType::kDouble:
      return CountingKernel<double>(context, true);
    default:
      context.Unsupported("no kernel for weights of {}; float, double and int64 have one",
                          DataTypeName(context.Out(0).type));
  }
}

void InferHistogram(OpContext& context) {
  const std::int64_t bins = RequiredInt(context, "bins");
  if (bins < 1) context.Refuse("attribute 'bins' is {}, expected 1 or more", bins);
  context.SetOut(0, context.In(0).type, {bins}, Format::kNd);
}

std::unique_ptr<Kernel> LowerHistogram(OpContext& context) {
  const auto bins = static_cast<std::size_t>(RequiredInt(context, "bins")),
             count = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  double low = 0, high = 0;
  const std::vector<float> ends = context.node().Floats("ends", {});
  if (ends.size() == 2) low = static_cast<double>(ends[0]), high = static_cast<double>(ends[1]);
  if (low == high) --low, ++high;
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
    return KernelOf(
        [=](const RunArgs& args) {
          auto* counts = reinterpret_cast<std::uint64_t*>(args.workspace);
          std::fill_n(counts, bins, 0);
          const Real from = static_cast<Real>(low), to = static_cast<Real>(high);
          for (std::size_t i = 0; i < count; ++i) {
            const Real x = static_cast<Real>(args.In<T>(0)[i]);
            if (!(x >= from && x <= to)) continue;
            const auto bin = static_cast<std::size_t>((x - from) * static_cast<Real>(bins) / (to - from));
            ++counts[std::min(bin, bins - 1)];
          }
          for (std::size_t i = 0; i < bins; ++i)
            args.Out<T>(0)[i] = static_cast<T>(counts[i]);
        },
        bins * sizeof(std::uint64_t));
  });
}

void InferEqual(OpContext& context) {
  if (context.In(0).type != context.In(1).type || context.InDims(0) != context.InDims(1))
    context.Refuse("{} is compared with {}", ToString(context.In(0)), ToString(context.In(1)));
  context.SetOut(0, DataType::kBool, {1}, Format::kNd);
}

std::unique_ptr<Kernel> LowerEqual(OpContext& context) {
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  return VisitType(
      context.In(0).type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        return KernelOf([count](const RunArgs& args) {
          std::atomic<bool> equal = true;
          ParallelFor(count, 65536, [&](std::size_t begin, std::size_t end) {
            const T *a = args.In<T>(0), *b = args.In<T>(1);
            bool same = equal.load(std::memory_order_relaxed);
            for (std::size_t i = begin; same && i < end; ++i)
              same = static_cast<Computed<T>>(a[i]) == static_cast<Computed<T>>(b[i]);
            if (!same) equal.store(false, std::memory_order_relaxed);
          });
          *args.Out<bool>(0) = equal.load();
        });
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers and bool have one",
                            DataTypeName(context.In(0).type));
      });
}

const RegisterOp counting({
    OpDef("AclnnBincount").Infer(InferBincount).Lower(LowerBincount),
    OpDef("AclnnHistogram").Infer(InferHistogram).Lower(LowerHistogram),
    OpDef("AclnnAllEqual").Infer(InferEqual).Lower(LowerEqual),
});

}  // namespace
}  // namespace foothold
