// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnOrderStatistic, an operator of our own: of each line along 'axis' the element at a place of the order,
// and where it is. 'which' is kth ('k', from 0; what is no number is the largest), median (the lower of two;
// the first that is no number, if there is one) or nanmedian (of those that are numbers).
#include <algorithm>
#include <limits>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/norm/channels.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

enum class Which { kKth, kMedian, kNanMedian };

struct Statistic {
  ChannelLayout lines;
  Which which;
  std::size_t k;
};

Statistic StatisticOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisIn(context, RequiredInt(context, "axis"), x.size(), "attribute 'axis'");
  const std::string which = context.node().Text("which", "kth");
  const std::int64_t k = context.node().Int("k", 0);
  if (which == "kth" && (k < 0 || k >= x[axis])) context.Refuse("element {} of {} is asked for", k, x[axis]);
  return {LayoutAround(x, axis),
          which == "median"      ? Which::kMedian
          : which == "nanmedian" ? Which::kNanMedian
                                 : Which::kKth,
          static_cast<std::size_t>(k)};
}

void Infer(OpContext& context) {
  StatisticOf(context);
  Dims dims = context.InDims(0);
  dims[AxisIn(context, RequiredInt(context, "axis"), dims.size(), "attribute 'axis'")] = 1;
  context.SetOut(0, context.In(0).type, dims, Format::kNd);
  context.SetOut(1, DataType::kInt64, dims, Format::kNd);
}

template <typename T>
struct Item {
  T value;
  std::int32_t place;
};

template <typename T>
bool IsNone(T value) {
  return value != value;
}

template <typename T>
bool Before(const Item<T>& a, const Item<T>& b) {
  if (IsNone(a.value) || IsNone(b.value))
    return IsNone(a.value) == IsNone(b.value) ? a.place < b.place : IsNone(b.value);
  return a.value != b.value ? a.value < b.value : a.place < b.place;
}

template <typename T>
Item<T> Chosen(const Statistic& s, Item<T>* line, std::size_t length) {
  if (length == 0)
    return {std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T{}, 0};
  std::size_t k = s.k;
  if (s.which != Which::kKth) {
    Item<T>* const numbers =
        std::stable_partition(line, line + length, [](const Item<T>& item) { return !IsNone(item.value); });
    const auto count = static_cast<std::size_t>(numbers - line);
    if (count == 0 || (s.which == Which::kMedian && count < length)) return *numbers;
    length = count;
    k = (count - 1) / 2;
  }
  std::nth_element(line, line + k, line + length, Before<T>);
  return line[k];
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Statistic s = StatisticOf(context);
  const std::size_t length = s.lines.channels, lines = s.lines.outer * s.lines.inner;
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf(
        [=](const RunArgs& args) {
          auto* const room = reinterpret_cast<Item<T>*>(args.workspace);
          ParallelFor(lines, 1 + 4096 / (1 + length), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              const T* x = args.In<T>(0) + i / s.lines.inner * length * s.lines.inner + i % s.lines.inner;
              Item<T>* line = room + i * length;
              for (std::size_t k = 0; k < length; ++k)
                line[k] = {x[k * s.lines.inner], static_cast<std::int32_t>(k)};
              const Item<T> chosen = Chosen(s, line, length);
              args.Out<T>(0)[i] = chosen.value;
              args.Out<std::int64_t>(1)[i] = chosen.place;
            }
          });
        },
        lines * length * sizeof(Item<T>));
  });
}

const RegisterOp order_statistic(OpDef("AclnnOrderStatistic").Infer(Infer).Lower(Lower));

}  // namespace
}  // namespace foothold
