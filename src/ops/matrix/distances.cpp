// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: AclnnCdist, how far rows of x1 [batch, P, M] lie from rows of x2 [batch, R, M] in the
// norm 'p' (0: how many elements differ), and AclnnCdistGrad, the gradient for x1.
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

struct Rows {
  std::size_t batch, first, second, width;
  double p;
};

Rows RowsOf(const OpContext& context) {
  const Dims &a = context.In("x1").dims, &b = context.In("x2").dims;
  if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[2] != b[2])
    context.Refuse("x1 is {} and x2 {}, expected batches of rows of one length", ToString(a), ToString(b));
  const auto whole = [](std::int64_t size) { return static_cast<std::size_t>(size); };
  return {whole(a[0]), whole(a[1]), whole(b[1]), whole(a[2]),
          static_cast<double>(context.node().Float("p", 2))};
}

// Of function(difference) for all elements: in lanes, which compilers know how to keep side by side.
template <typename T, typename Function>
double SumOf(const T* a, const T* b, std::size_t width, Function function) {
  constexpr std::size_t kLanes = 8;
  T sums[kLanes] = {};
  double sum = 0;
  std::size_t k = 0;
  for (; k + kLanes <= width; k += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += function(a[k + lane] - b[k + lane]);
  for (; k < width; ++k)
    sum += static_cast<double>(function(a[k] - b[k]));
  for (const T one : sums)
    sum += static_cast<double>(one);
  return sum;
}

template <typename T>
double Distance(const T* a, const T* b, std::size_t width, double p) {
  if (p == 2) return std::sqrt(SumOf(a, b, width, [](T d) { return d * d; }));
  if (p == 1) return SumOf(a, b, width, [](T d) { return std::abs(d); });
  if (p == 0) return SumOf(a, b, width, [](T d) { return d != 0 ? T{1} : T{0}; });
  if (!std::isinf(p))
    return std::pow(
        SumOf(a, b, width, [p](T d) { return static_cast<T>(std::pow(std::abs(d), static_cast<T>(p))); }),
        1 / p);
  double most = 0;
  for (std::size_t k = 0; k < width; ++k) {
    const auto d = static_cast<double>(std::abs(a[k] - b[k]));
    most = d != d || d > most ? d : most;
  }
  return most;
}

// By how much the distance grows with an element of the first row.
double Slope(double difference, double distance, double p) {
  if (distance == 0 || p == 0) return 0;
  const double sign = difference > 0 ? 1 : difference < 0 ? -1 : difference;
  if (p == 1) return sign;
  if (p == 2) return difference / distance;
  if (std::isinf(p)) return std::abs(difference) == distance ? sign : 0;
  return difference == 0 ? 0 : sign * std::pow(std::abs(difference) / distance, p - 1);
}

// visit(batch, row of x1) for all, in parallel.
template <typename Visit>
void ForRows(const Rows& rows, Visit&& visit) {
  ParallelFor(rows.batch * rows.first, 1 + 16384 / (1 + rows.second * rows.width),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                  visit(i / rows.first, i);
              });
}

void InferDistances(OpContext& context) {
  RowsOf(context);
  context.SetOut(0, context.In(0).type, {context.InDims(0)[0], context.InDims(0)[1], context.InDims(1)[1]},
                 Format::kNd);
}

std::unique_ptr<Kernel> LowerDistances(OpContext& context) {
  const Rows rows = RowsOf(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([rows](const RunArgs& args) {
      ForRows(rows, [&](std::size_t batch, std::size_t i) {
        const T *a = args.In<T>(0) + i * rows.width, *b = args.In<T>(1) + batch * rows.second * rows.width;
        for (std::size_t j = 0; j < rows.second; ++j)
          args.Out<T>(0)[i * rows.second + j] =
              static_cast<T>(Distance(a, b + j * rows.width, rows.width, rows.p));
      });
    });
  });
}

void InferGradient(OpContext& context) {
  const Rows rows = RowsOf(context);
  for (const char* name : {"grad", "distances"})
    if (static_cast<std::size_t>(ElementCount(context.In(name).dims)) !=
        rows.batch * rows.first * rows.second)
      context.Refuse("{} is {}, expected {} elements", name, ToString(context.In(name)),
                     rows.batch * rows.first * rows.second);
  context.SetOut(0, context.In("x1"));
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context) {
  const Rows rows = RowsOf(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([rows](const RunArgs& args) {
      ForRows(rows, [&](std::size_t batch, std::size_t i) {
        T* y = args.Out<T>(0) + i * rows.width;
        const T *a = args.In<T>(0) + i * rows.width, *b = args.In<T>(1) + batch * rows.second * rows.width;
        for (std::size_t k = 0; k < rows.width; ++k) {
          double sum = 0;
          for (std::size_t j = 0; j < rows.second; ++j) {
            const auto distance = static_cast<double>(args.In<T>(3)[i * rows.second + j]);
            const double difference = static_cast<double>(a[k]) - static_cast<double>(b[j * rows.width + k]);
            sum +=
                static_cast<double>(args.In<T>(2)[i * rows.second + j]) * Slope(difference, distance, rows.p);
          }
          y[k] = static_cast<T>(sum);
        }
      });
    });
  });
}

const RegisterOp distances({
    OpDef("AclnnCdist").Infer(InferDistances).Lower(LowerDistances),
    OpDef("AclnnCdistGrad").Infer(InferGradient).Lower(LowerGradient),
});

}  // namespace
}  // namespace foothold
