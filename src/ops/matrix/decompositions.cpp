// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own that take matrices apart, in double: AclnnQr ('complete': Q is square), AclnnSvd
// ('full': U and V are square; V, not its transpose), AclnnCholesky ('upper') and AclnnInverse. Leading
// dimensions are a batch. What cannot be taken apart becomes NaN.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "kernels/dense_factors.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Matrices {
  std::size_t count, rows, columns;
  std::size_t least() const { return std::min(rows, columns); }
  std::size_t size() const { return rows * columns; }
};

Matrices MatricesOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.size() < 2) context.Refuse("x is {}, expected matrices", ToString(context.In(0)));
  return {Product(x, 0, x.size() - 2), static_cast<std::size_t>(x.end()[-2]),
          static_cast<std::size_t>(x.back())};
}

Dims Shaped(const OpContext& context, std::size_t rows, std::size_t columns) {
  Dims dims = context.InDims(0);
  dims.end()[-2] = static_cast<std::int64_t>(rows);
  dims.back() = static_cast<std::int64_t>(columns);
  return dims;
}

void CheckSquare(const OpContext& context) {
  const Matrices m = MatricesOf(context);
  if (m.rows != m.columns) context.Refuse("x is {}, expected square matrices", ToString(context.In(0)));
}

// Rows of a tensor to columns and back.
template <typename T>
void Load(const T* from, std::size_t rows, std::size_t columns, double* to) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      to[j * rows + i] = static_cast<double>(from[i * columns + j]);
}
template <typename T>
void Store(const double* from, std::size_t rows, std::size_t columns, T* to) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      to[i * columns + j] = static_cast<T>(from[j * rows + i]);
}

// run(args, number, room) for each matrix, with so many doubles of room.
template <typename Run>
std::unique_ptr<Kernel> ForMatrices(const Matrices& m, std::size_t room, Run run) {
  return KernelOf(
      [=](const RunArgs& args) {
        ParallelFor(m.count, 1 + 20000 / (1 + m.size() * m.least()), [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            run(args, i, reinterpret_cast<double*>(args.workspace) + i * room);
        });
      },
      m.count * room * sizeof(double));
}

void InferQr(OpContext& context) {
  const Matrices m = MatricesOf(context);
  const std::size_t width = context.node().Bool("complete", false) ? m.rows : m.least();
  context.SetOut(0, context.In(0).type, Shaped(context, m.rows, width), Format::kNd);
  context.SetOut(1, context.In(0).type, Shaped(context, width, m.columns), Format::kNd);
}

template <typename T>
void RunQr(const Matrices& m, std::size_t width, const RunArgs& args, std::size_t number, double* room) {
  double *const a = room, *const scales = a + m.size(), *const q = scales + m.least();
  Load(args.In<T>(0) + number * m.size(), m.rows, m.columns, a);
  ReflectColumns(a, m.rows, m.columns, scales);
  UnfoldReflections(a, m.rows, m.columns, scales, q, width);
  Store(q, m.rows, width, args.Out<T>(0) + number * m.rows * width);
  T* r = args.Out<T>(1) + number * width * m.columns;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < m.columns; ++j)
      r[i * m.columns + j] = i <= j ? static_cast<T>(a[j * m.rows + i]) : T{0};
}

std::unique_ptr<Kernel> LowerQr(OpContext& context) {
  const Matrices m = MatricesOf(context);
  const std::size_t width = context.node().Bool("complete", false) ? m.rows : m.least();
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return ForMatrices(m, m.size() + m.least() + m.rows * width,
                       [=](const RunArgs& args, std::size_t number, double* room) {
                         RunQr<T>(m, width, args, number, room);
                       });
  });
}

void InferSvd(OpContext& context) {
  const Matrices m = MatricesOf(context);
  const bool full = context.node().Bool("full", false);
  Dims values = context.InDims(0);
  values.pop_back();
  values.back() = static_cast<std::int64_t>(m.least());
  const DataType type = context.In(0).type;
  context.SetOut(0, type, values, Format::kNd);
  context.SetOut(1, type, Shaped(context, m.rows, full ? m.rows : m.least()), Format::kNd);
  context.SetOut(2, type, Shaped(context, m.columns, full ? m.columns : m.least()), Format::kNd);
}

// Of a matrix [high, low] with high >= low: its Q R, and R = u s v.
struct Factors {
  Factors(double* room, std::size_t high, std::size_t low, bool full)
      : high(high), low(low), width(full ? high : low) {
    a = room;
    scales = a + high * low;
    q = scales + low;
    u = q + high * width;
    v = u + low * low;
    values = v + low * low;
    order = values + low;
    left = order + low;
  }
  static std::size_t Room(std::size_t high, std::size_t low, bool full) {
    const std::size_t width = full ? high : low;
    return high * low + 3 * low + 2 * high * width + 2 * low * low;
  }
  void Compute() {
    ReflectColumns(a, high, low, scales);
    UnfoldReflections(a, high, low, scales, q, width);
    for (std::size_t j = 0; j < low; ++j)
      for (std::size_t i = 0; i < low; ++i)
        u[j * low + i] = i <= j ? a[j * high + i] : 0;
    OrthogonalizeColumns(u, low, v);
    NormalizeColumns(u, low, low, values);
    for (std::size_t i = 0; i < low; ++i)
      order[i] = static_cast<double>(i);
    std::stable_sort(order, order + low, [this](double x, double y) {
      return values[static_cast<std::size_t>(x)] > values[static_cast<std::size_t>(y)];
    });
  }
  std::size_t At(std::size_t k) const { return static_cast<std::size_t>(order[k]); }
  // Columns of Q U, and behind them the rest of Q.
  double Left(std::size_t row, std::size_t column) const { return left[column * high + row]; }
  void Combine() {
    std::fill_n(left, high * width, 0.0);
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t j = 0; j < low; ++j) {
        const double factor = k < low ? u[At(k) * low + j] : 0;
        for (std::size_t i = 0; i < high; ++i)
          left[k * high + i] += factor * q[j * high + i];
      }
    for (std::size_t k = low; k < width; ++k)
      std::copy_n(q + k * high, high, left + k * high);
  }
  std::size_t high, low, width;
  double *a, *scales, *q, *u, *v, *values, *order, *left;
};

template <typename T>
void RunSvd(const Matrices& m, bool full, const RunArgs& args, std::size_t number, double* room) {
  const bool tall = m.rows >= m.columns;
  const std::size_t high = std::max(m.rows, m.columns), low = m.least();
  const std::size_t u_width = full ? m.rows : low, v_width = full ? m.columns : low;
  Factors f(room, high, low, full);
  const T* x = args.In<T>(0) + number * m.size();
  T *values = args.Out<T>(0) + number * low, *u = args.Out<T>(1) + number * m.rows * u_width,
    *v = args.Out<T>(2) + number * m.columns * v_width;
  if (!std::all_of(x, x + m.size(), [](T one) { return std::isfinite(one); })) {
    std::fill_n(values, low, static_cast<T>(kNan));
    std::fill_n(u, m.rows * u_width, static_cast<T>(kNan));
    std::fill_n(v, m.columns * v_width, static_cast<T>(kNan));
    return;
  }
  if (tall)
    Load(x, m.rows, m.columns, f.a);
  else
    std::copy_n(x, m.size(), f.a);  // rows are the columns of the transpose
  f.Compute();
  f.Combine();
  for (std::size_t k = 0; k < low; ++k)
    values[k] = static_cast<T>(f.values[f.At(k)]);
  T* const large = tall ? u : v;
  T* const small = tall ? v : u;
  const std::size_t large_width = tall ? u_width : v_width;
  for (std::size_t i = 0; i < high; ++i)
    for (std::size_t k = 0; k < large_width; ++k)
      large[i * large_width + k] = static_cast<T>(f.Left(i, k));
  for (std::size_t i = 0; i < low; ++i)
    for (std::size_t k = 0; k < low; ++k)
      small[i * low + k] = static_cast<T>(f.v[f.At(k) * low + i]);
}

std::unique_ptr<Kernel> LowerSvd(OpContext& context) {
  const Matrices m = MatricesOf(context);
  const bool full = context.node().Bool("full", false);
  const std::size_t room = Factors::Room(std::max(m.rows, m.columns), m.least(), full);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return ForMatrices(m, room, [=](const RunArgs& args, std::size_t number, double* at) {
      RunSvd<T>(m, full, args, number, at);
    });
  });
}

void InferSquare(OpContext& context) {
  CheckSquare(context);
  context.SetOut(0, context.In(0));
}

template <typename T>
void RunCholesky(std::size_t n, bool upper, const RunArgs& args, std::size_t number, double* a) {
  const T* x = args.In<T>(0) + number * n * n;
  T* y = args.Out<T>(0) + number * n * n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      a[j * n + i] = static_cast<double>(upper ? x[j * n + i] : x[i * n + j]);
  const bool split = SplitSymmetric(a, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double value = j > i ? 0 : split ? a[j * n + i] : kNan;
      y[upper ? j * n + i : i * n + j] = static_cast<T>(value);
    }
}

std::unique_ptr<Kernel> LowerCholesky(OpContext& context) {
  const Matrices m = MatricesOf(context);
  const bool upper = context.node().Bool("upper", false);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return ForMatrices(m, m.size(), [=](const RunArgs& args, std::size_t number, double* room) {
      RunCholesky<T>(m.rows, upper, args, number, room);
    });
  });
}

std::unique_ptr<Kernel> LowerInverse(OpContext& context) {
  const Matrices m = MatricesOf(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return ForMatrices(m, 2 * m.size(), [=](const RunArgs& args, std::size_t number, double* room) {
      Load(args.In<T>(0) + number * m.size(), m.rows, m.rows, room);
      Invert(room, m.rows, room + m.size());
      Store(room + m.size(), m.rows, m.rows, args.Out<T>(0) + number * m.size());
    });
  });
}

const RegisterOp decompositions({
    OpDef("AclnnQr").Infer(InferQr).Lower(LowerQr),
    OpDef("AclnnSvd").Infer(InferSvd).Lower(LowerSvd),
    OpDef("AclnnCholesky").Infer(InferSquare).Lower(LowerCholesky),
    OpDef("AclnnInverse").Infer(InferSquare).Lower(LowerInverse),
});

}  // namespace
}  // namespace foothold
