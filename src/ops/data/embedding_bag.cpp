// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own over rows of a table. AclnnEmbeddingBag: sums, means or maxima ('mode' 0, 1, 2) of the
// rows that 'indices' name, in bags that begin at 'offsets'; rows of 'padding' do not count. Beside it the
// bag of each index, the sizes of bags, and where maxima came from. AclnnEmbeddingRenorm: rows that are named
// are made shorter, where their 'p' norm is above 'most'.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

struct Bags {
  explicit Bags(const OpContext& context)
      : indices(context, context.Port("indices")),
        offsets(context, context.Port("offsets")),
        weights(context.Has("weights") ? context.Port("weights") : -1),
        mode(RequiredInt(context, "mode")),
        padding(context.node().Int("padding", -1)),
        rows(static_cast<std::size_t>(context.InDims(0)[0])),
        width(static_cast<std::size_t>(context.InDims(0)[1])),
        count(static_cast<std::size_t>(ElementCount(context.In("indices").dims))),
        ends(context.node().Bool("include_last", false)),
        name(context.node().Description()) {
    bags = static_cast<std::size_t>(ElementCount(context.In("offsets").dims)) - (ends ? 1 : 0);
  }
  std::pair<std::size_t, std::size_t> Range(const RunArgs& args, std::size_t bag) const {
    const std::int64_t begin = offsets.Raw(args, bag);
    const std::int64_t end =
        bag + 1 < bags || ends ? offsets.Raw(args, bag + 1) : static_cast<std::int64_t>(count);
    if (begin < 0 || end < begin || end > static_cast<std::int64_t>(count))
      Fail(kInvalidParam, "{}: bag {} is from {} to {} of {} indices", name, bag, begin, end, count);
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
  }
  IndexReader indices, offsets;
  int weights;
  std::int64_t mode, padding;
  std::size_t rows, width, count, bags = 0;
  bool ends;
  std::string name;
};

void InferBags(OpContext& context) {
  const TensorType& table = context.In(0);
  if (table.dims.size() != 2) context.Refuse("the table is {}, expected rows", ToString(table));
  const bool ends = context.node().Bool("include_last", false);
  if (ends && ElementCount(context.In("offsets").dims) == 0) context.Refuse("offsets has no last one");
  const Bags bags(context);
  if (bags.mode < 0 || bags.mode > 2) context.Refuse("attribute 'mode' is {}, expected 0, 1 or 2", bags.mode);
  if (bags.weights >= 0 && ElementCount(context.In("weights").dims) != static_cast<std::int64_t>(bags.count))
    context.Refuse("weights is {} for {} indices", ToString(context.In("weights")), bags.count);
  const auto count = static_cast<std::int64_t>(bags.bags);
  context.SetOut(0, table.type, {count, table.dims[1]}, Format::kNd);
  context.SetOut(1, DataType::kInt64, {static_cast<std::int64_t>(bags.count)}, Format::kNd);
  context.SetOut(2, DataType::kInt64, {count}, Format::kNd);
  context.SetOut(3, DataType::kInt64, {count, table.dims[1]}, Format::kNd);
}

template <typename T>
void RunBag(const Bags& b, const RunArgs& args, std::size_t bag) {
  const auto [begin, end] = b.Range(args, bag);
  T* y = args.Out<T>(0) + bag * b.width;
  std::int64_t* places = args.Out<std::int64_t>(3) + bag * b.width;
  std::fill_n(y, b.width, T{});
  std::fill_n(places, b.width, 0);
  std::size_t size = 0;
  for (std::size_t i = begin; i < end; ++i) {
    args.Out<std::int64_t>(1)[i] = static_cast<std::int64_t>(bag);
    const std::size_t row = b.indices.At(args, i, b.rows);
    if (static_cast<std::int64_t>(row) == b.padding) continue;
    const T* x = args.In<T>(0) + row * b.width;
    const T weight = b.weights >= 0 ? args.In<T>(b.weights)[i] : T{1};
    for (std::size_t k = 0; k < b.width; ++k) {
      if (b.mode != 2) y[k] += weight * x[k];
      if (b.mode == 2 && (size == 0 || x[k] > y[k])) y[k] = x[k], places[k] = static_cast<std::int64_t>(row);
    }
    ++size;
  }
  args.Out<std::int64_t>(2)[bag] = static_cast<std::int64_t>(size);
  if (b.mode == 1 && size > 0)
    for (std::size_t k = 0; k < b.width; ++k)
      y[k] /= static_cast<T>(size);
}

std::unique_ptr<Kernel> LowerBags(OpContext& context) {
  const Bags bags(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([bags](const RunArgs& args) {
      std::fill_n(args.Out<std::int64_t>(1), bags.count, 0);
      ParallelFor(bags.bags, 1 + 1024 / (1 + bags.width), [&](std::size_t begin, std::size_t end) {
        for (std::size_t bag = begin; bag < end; ++bag)
          RunBag<T>(bags, args, bag);
      });
    });
  });
}

void InferRenorm(OpContext& context) {
  if (context.InDims(0).size() != 2)
    context.Refuse("the table is {}, expected rows", ToString(context.In(0)));
  context.SetOut(0, context.In(0));
}

template <typename T>
void Shorten(T* row, std::size_t width, double p, double most) {
  double norm = 0;
  for (std::size_t k = 0; k < width; ++k) {
    const double x = std::abs(static_cast<double>(row[k]));
    norm = std::isinf(p) ? std::max(norm, x) : norm + (p == 2 ? x * x : std::pow(x, p));
  }
  if (!std::isinf(p)) norm = p == 2 ? std::sqrt(norm) : std::pow(norm, 1 / p);
  if (!(norm > most)) return;
  for (std::size_t k = 0; k < width; ++k)
    row[k] = static_cast<T>(static_cast<double>(row[k]) * (most / (norm + 1e-7)));
}

std::unique_ptr<Kernel> LowerRenorm(OpContext& context) {
  const IndexReader indices(context, context.Port("indices"));
  const auto count = static_cast<std::size_t>(ElementCount(context.In("indices").dims)),
             rows = static_cast<std::size_t>(context.InDims(0)[0]),
             width = static_cast<std::size_t>(context.InDims(0)[1]);
  const auto p = static_cast<double>(context.node().Float("p", 2)),
             most = static_cast<double>(context.node().Float("most", 1));
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf(
        [=](const RunArgs& args) {
          T* y = args.Out<T>(0);
          if (rows * width > 0 && args.outputs[0] != args.inputs[0])
            std::memcpy(y, args.inputs[0], rows * width * sizeof(T));
          auto* done = reinterpret_cast<std::uint8_t*>(args.workspace);
          std::fill_n(done, rows, 0);
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row = indices.At(args, i, rows);
            if (done[row] == 0) Shorten(y + row * width, width, p, most);
            done[row] = 1;
          }
        },
        rows);
  });
}

const RegisterOp bags({
    OpDef("AclnnEmbeddingBag").Infer(InferBags).Lower(LowerBags),
    OpDef("AclnnEmbeddingRenorm").Infer(InferRenorm).Lower(LowerRenorm).InPlace(0, 0),
});

}  // namespace
}  // namespace foothold
