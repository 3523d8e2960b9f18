// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/reduce_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce_axis.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h: it is compiled once per target.
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

constexpr std::size_t kBlock = 1024;  // elements summed in float before they are joined in double
constexpr std::size_t kColumns = 512;
constexpr std::size_t kRowsOfBlock = 64;

// What is added, multiplied or compared: Take() of each element.
struct Sum {
  static constexpr double kNothing = 0.0;
  static HWY_INLINE Vector Take(Vector v) { return v; }
  static HWY_INLINE Vector Join(Vector a, Vector v) { return hn::Add(a, v); }
  static float Take(float v) { return v; }
  static double Join(double a, double v) { return a + v; }
};

struct SumOfMagnitudes : Sum {
  static HWY_INLINE Vector Take(Vector v) { return hn::Abs(v); }
  static float Take(float v) { return std::fabs(v); }
};

struct SumOfSquares : Sum {
  static HWY_INLINE Vector Take(Vector v) { return hn::Mul(v, v); }
  static float Take(float v) { return v * v; }
};

struct Product : Sum {
  static constexpr double kNothing = 1.0;
  static HWY_INLINE Vector Join(Vector a, Vector v) { return hn::Mul(a, v); }
  static double Join(double a, double v) { return a * v; }
};

// A NaN is taken once seen and never given up: no comparison with it is true.
struct Max : Sum {
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();
  static HWY_INLINE Vector Join(Vector a, Vector v) {
    return hn::IfThenElse(hn::Or(hn::Gt(v, a), hn::IsNaN(v)), v, a);
  }
  static double Join(double a, double v) { return v > a || std::isnan(v) ? v : a; }
};

struct Min : Sum {
  static constexpr double kNothing = std::numeric_limits<double>::infinity();
  static HWY_INLINE Vector Join(Vector a, Vector v) {
    return hn::IfThenElse(hn::Or(hn::Lt(v, a), hn::IsNaN(v)), v, a);
  }
  static double Join(double a, double v) { return v < a || std::isnan(v) ? v : a; }
};

void Widen(const std::uint16_t* from, FloatStorage storage, std::size_t count, float* to) {
  const Floats d;
  const hn::Rebind<std::uint16_t, Floats> half_bits;
  const hn::Rebind<hwy::float16_t, Floats> half;
  const hn::RebindToUnsigned<Floats> word;
  std::array<std::uint16_t, HWY_MAX_BYTES / sizeof(float)> rest{};
  std::array<float, HWY_MAX_BYTES / sizeof(float)> wide;
  const auto step = [&](const std::uint16_t* src, float* dst) {
    if (storage == FloatStorage::kFloat16) {
      hn::StoreU(hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(src))), d, dst);
    } else {
      const auto bits = hn::PromoteTo(word, hn::LoadU(half_bits, src));
      hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(bits)), d, dst);
    }
  };
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    step(from + i, to + i);
  if (i == count) return;
  std::copy(from + i, from + count, rest.begin());
  step(rest.data(), wide.data());
  std::copy_n(wide.begin(), count - i, to + i);
}

// Elements [first, first + count) as floats: where they are, or in the buffer.
const float* AsFloats(const void* x, FloatStorage storage, std::size_t first, std::size_t count,
                      float* buffer) {
  if (storage == FloatStorage::kFloat) return static_cast<const float*>(x) + first;
  Widen(static_cast<const std::uint16_t*>(x) + first, storage, count, buffer);
  return buffer;
}

template <class Op>
double ReduceBlock(const float* x, std::size_t count) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Vector a = hn::Set(d, static_cast<float>(Op::kNothing));
  Vector b = a, c = a, e = a;
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = Op::Join(a, Op::Take(hn::LoadU(d, x + i)));
    b = Op::Join(b, Op::Take(hn::LoadU(d, x + i + lanes)));
    c = Op::Join(c, Op::Take(hn::LoadU(d, x + i + 2 * lanes)));
    e = Op::Join(e, Op::Take(hn::LoadU(d, x + i + 3 * lanes)));
  }
  for (; i + lanes <= count; i += lanes)
    a = Op::Join(a, Op::Take(hn::LoadU(d, x + i)));
  std::array<float, HWY_MAX_BYTES / sizeof(float)> each;
  hn::StoreU(Op::Join(Op::Join(a, b), Op::Join(c, e)), d, each.data());
  double total = Op::kNothing;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    total = Op::Join(total, static_cast<double>(each[lane]));
  for (; i < count; ++i)
    total = Op::Join(total, static_cast<double>(Op::Take(x[i])));
  return total;
}

template <class Op>
double ReduceRow(const void* x, FloatStorage storage, std::size_t first, std::size_t count) {
  HWY_ALIGN float buffer[kBlock];
  double total = Op::kNothing;
  for (std::size_t i = 0; i < count; i += kBlock) {
    const std::size_t block = std::min(kBlock, count - i);
    total = Op::Join(total, ReduceBlock<Op>(AsFloats(x, storage, first + i, block, buffer), block));
  }
  return total;
}

template <class Op>
void JoinRow(const float* x, std::size_t count, float* totals) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(Op::Join(hn::LoadU(d, totals + i), Op::Take(hn::LoadU(d, x + i))), d, totals + i);
  for (; i < count; ++i)
    totals[i] =
        static_cast<float>(Op::Join(static_cast<double>(totals[i]), static_cast<double>(Op::Take(x[i]))));
}

// `count` neighbouring columns, at most kColumns, of one [length, inner] matrix that starts at `first`.
template <class Op>
void ReduceColumns(const void* x, FloatStorage storage, std::size_t first, std::size_t length,
                   std::size_t inner, std::size_t count, float* y) {
  HWY_ALIGN float buffer[kColumns];
  HWY_ALIGN float block[kColumns];
  std::array<double, kColumns> totals;
  std::fill_n(totals.begin(), count, Op::kNothing);
  for (std::size_t row = 0; row < length;) {
    std::fill_n(block, count, static_cast<float>(Op::kNothing));
    const std::size_t end = std::min(length, row + kRowsOfBlock);
    for (; row < end; ++row)
      JoinRow<Op>(AsFloats(x, storage, first + row * inner, count, buffer), count, block);
    for (std::size_t i = 0; i < count; ++i)
      totals[i] = Op::Join(totals[i], static_cast<double>(block[i]));
  }
  for (std::size_t i = 0; i < count; ++i)
    y[i] = static_cast<float>(totals[i]);
}

template <typename Body>
auto WithReduction(Reduction reduction, Body&& body) {
  switch (reduction) {
    case Reduction::kSum:
      return body(Sum());
    case Reduction::kSumOfMagnitudes:
      return body(SumOfMagnitudes());
    case Reduction::kSumOfSquares:
      return body(SumOfSquares());
    case Reduction::kProduct:
      return body(Product());
    case Reduction::kMax:
      return body(Max());
    default:
      return body(Min());
  }
}

double ReducePart(const void* x, FloatStorage storage, std::size_t first, std::size_t count,
                  Reduction reduction) {
  return WithReduction(reduction, [&](auto op) { return ReduceRow<decltype(op)>(x, storage, first, count); });
}

double JoinParts(const double* parts, std::size_t count, Reduction reduction) {
  return WithReduction(reduction, [&](auto op) {
    double total = decltype(op)::kNothing;
    for (std::size_t i = 0; i < count; ++i)
      total = decltype(op)::Join(total, parts[i]);
    return total;
  });
}

void ReduceSomeColumns(const void* x, FloatStorage storage, std::size_t first, ReducedShape shape,
                       std::size_t count, Reduction reduction, float* y) {
  WithReduction(reduction, [&](auto op) {
    ReduceColumns<decltype(op)>(x, storage, first, shape.length, shape.inner, count, y);
  });
}

double SumOfExponentials(const float* x, std::size_t count, float shift) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector offset = hn::Set(d, shift);
  Vector total = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    total = hn::Add(total, hn::Exp(d, hn::Sub(hn::LoadU(d, x + i), offset)));
  double sum = hn::GetLane(hn::SumOfLanes(d, total));
  for (; i < count; ++i)
    sum += std::exp(static_cast<double>(x[i]) - static_cast<double>(shift));
  return sum;
}

float LogSumExpRow(const void* x, FloatStorage storage, std::size_t first, std::size_t count) {
  const auto shift = static_cast<float>(ReduceRow<Max>(x, storage, first, count));
  if (!std::isfinite(shift)) return shift;
  HWY_ALIGN float buffer[kBlock];
  double sum = 0.0;
  for (std::size_t i = 0; i < count; i += kBlock) {
    const std::size_t block = std::min(kBlock, count - i);
    sum += SumOfExponentials(AsFloats(x, storage, first + i, block, buffer), block, shift);
  }
  return static_cast<float>(static_cast<double>(shift) + std::log(sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(ReducePart);
HWY_EXPORT(JoinParts);
HWY_EXPORT(ReduceSomeColumns);
HWY_EXPORT(LogSumExpRow);

constexpr std::size_t kGrainElements = std::size_t{1} << 16;  // some tens of microseconds
constexpr std::size_t kParts = 64;
constexpr std::size_t kWideColumns = HWY_NAMESPACE::kColumns;
constexpr std::size_t kNarrowColumns = 128;

std::size_t RowGrain(std::size_t length) {
  return std::max<std::size_t>(1, kGrainElements / std::max<std::size_t>(1, length));
}

// Few long rows: the parts of one row run side by side. Cut the same way however many threads there are.
float ReduceLongRow(const void* x, FloatStorage storage, std::size_t first, std::size_t length,
                    Reduction reduction) {
  std::array<double, kParts> parts;
  const std::size_t part = (length + kParts - 1) / kParts;
  ParallelFor(kParts, std::max<std::size_t>(1, kGrainElements / part),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                  const std::size_t from = std::min(length, i * part);
                  parts[i] = HWY_DYNAMIC_DISPATCH(ReducePart)(x, storage, first + from,
                                                              std::min(part, length - from), reduction);
                }
              });
  return static_cast<float>(HWY_DYNAMIC_DISPATCH(JoinParts)(parts.data(), kParts, reduction));
}

void ReduceRows(const void* x, FloatStorage storage, ReducedShape shape, Reduction reduction, float* y) {
  constexpr std::size_t kLong = kParts * 4096;
  constexpr std::size_t kFew = 16;
  if (shape.outer < kFew && shape.length >= kLong) {
    for (std::size_t row = 0; row < shape.outer; ++row)
      y[row] = ReduceLongRow(x, storage, row * shape.length, shape.length, reduction);
    return;
  }
  ParallelFor(shape.outer, RowGrain(shape.length), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      y[row] = static_cast<float>(
          HWY_DYNAMIC_DISPATCH(ReducePart)(x, storage, row * shape.length, shape.length, reduction));
  });
}

void ReduceColumnBlocks(const void* x, FloatStorage storage, ReducedShape shape, Reduction reduction,
                        float* y) {
  const std::size_t columns = shape.outer * shape.inner > 8 * kWideColumns ? kWideColumns : kNarrowColumns;
  const std::size_t blocks = (shape.inner + columns - 1) / columns;
  const std::size_t grain = RowGrain(shape.length * std::min(columns, shape.inner));
  ParallelFor(shape.outer * blocks, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
      const std::size_t outer = item / blocks;
      const std::size_t column = item % blocks * columns;
      const std::size_t count = std::min(columns, shape.inner - column);
      HWY_DYNAMIC_DISPATCH(ReduceSomeColumns)
      (x, storage, outer * shape.length * shape.inner + column, shape, count, reduction,
       y + outer * shape.inner + column);
    }
  });
}

}  // namespace

void ReduceAxis(const void* x, FloatStorage storage, ReducedShape shape, Reduction reduction, float* y) {
  if (shape.inner == 1) {
    ReduceRows(x, storage, shape, reduction, y);
  } else {
    ReduceColumnBlocks(x, storage, shape, reduction, y);
  }
}

void LogSumExpRows(const void* x, FloatStorage storage, std::size_t rows, std::size_t length, float* y) {
  ParallelFor(rows, RowGrain(8 * length), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      y[row] = HWY_DYNAMIC_DISPATCH(LogSumExpRow)(x, storage, row * length, length);
  });
}

}  // namespace foothold
#endif
