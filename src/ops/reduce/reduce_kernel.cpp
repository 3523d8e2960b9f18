// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/reduce/reduce_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "kernels/parallel_items.h"
#include "ops/element_types.h"
#include "ops/reduce/reduced_axes.h"

namespace foothold {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kGrainElements = std::size_t{1} << 15;

std::size_t Rounded(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Gathers first if need be, all or a few rows at a time; what follows reads one axis.
class ReductionKernel : public Kernel {
 public:
  ReductionKernel(const OpContext& context, ReducedForm form)
      : form_(std::move(form)),
        element_(BytesPerElement(context.In(0).type)),
        result_(BytesPerElement(context.Out(0).type)),
        gathered_bytes_(form_.gather ? Rounded(ByteSize(context.In(0))) : 0) {
    if (!form_.rows) return;
    const double work = 4.0 * static_cast<double>(form_.shape.outer * form_.shape.length);
    slots_ = SlotsFor(Pieces(), work);
    gathered_bytes_ = Rounded(form_.rows->together() * form_.shape.length * element_);
  }

  void Run(const RunArgs& args) const final {
    if (form_.rows) return RunRows(args);
    const std::byte* x = args.inputs[0];
    if (form_.gather) {
      form_.gather->Run(x, args.workspace);
      x = args.workspace;
    }
    Reduce(form_.shape, x, args.outputs[0], args.workspace + gathered_bytes_);
  }
  std::size_t WorkspaceBytes() const final {
    if (form_.rows) return slots_ * SlotBytes();
    return gathered_bytes_ + ScratchBytes(Results(form_.shape));
  }

 protected:
  virtual void Reduce(const ReducedShape& shape, const std::byte* x, std::byte* y,
                      std::byte* scratch) const = 0;
  virtual std::size_t ScratchBytes(std::size_t /*results*/) const { return 0; }
  static std::size_t Results(const ReducedShape& shape) { return shape.outer * shape.inner; }

 private:
  std::size_t Pieces() const {
    return (form_.shape.outer + form_.rows->together() - 1) / form_.rows->together();
  }
  std::size_t SlotBytes() const { return gathered_bytes_ + Rounded(ScratchBytes(form_.rows->together())); }

  void RunRows(const RunArgs& args) const {
    ForEachItem(Pieces(), slots_, [&](std::size_t slot, std::size_t item) {
      const std::size_t first = item * form_.rows->together();
      ReducedShape piece = form_.shape;
      piece.outer = std::min(form_.rows->together(), form_.shape.outer - first);
      std::byte* const gathered = args.workspace + slot * SlotBytes();
      form_.rows->Gather(args.inputs[0], first, piece.outer, gathered);
      Reduce(piece, gathered, args.outputs[0] + first * result_, gathered + gathered_bytes_);
    });
  }

  ReducedForm form_;
  std::size_t element_, result_;  // bytes
  std::size_t gathered_bytes_;    // of a slot, where rows are gathered
  std::size_t slots_ = 1;
};

template <typename T>
constexpr FloatStorage kStorage = std::is_same_v<T, float>  ? FloatStorage::kFloat
                                  : std::is_same_v<T, Half> ? FloatStorage::kFloat16
                                                            : FloatStorage::kBfloat16;

Reduction LoopOf(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kMax:
      return Reduction::kMax;
    case ReduceKind::kMin:
      return Reduction::kMin;
    case ReduceKind::kProduct:
      return Reduction::kProduct;
    case ReduceKind::kSumOfMagnitudes:
      return Reduction::kSumOfMagnitudes;
    case ReduceKind::kSumOfSquares:
    case ReduceKind::kRootOfSquares:
      return Reduction::kSumOfSquares;
    default:
      return Reduction::kSum;
  }
}

template <typename Number>
Number Finished(ReduceKind kind, Number value, std::size_t length) {
  if (kind == ReduceKind::kMean) return value / static_cast<Number>(length);
  if (kind == ReduceKind::kLogSum) return std::log(value);
  if (kind == ReduceKind::kRootOfSquares) return std::sqrt(value);
  return value;
}

// float and the 16-bit types, which are rounded once, at the end.
template <typename T>
class FloatReduction : public ReductionKernel {
 public:
  FloatReduction(const OpContext& context, ReducedForm form, ReduceKind kind)
      : ReductionKernel(context, std::move(form)), kind_(kind) {}

 protected:
  void Reduce(const ReducedShape& shape, const std::byte* x, std::byte* y,
              std::byte* scratch) const override {
    auto* wide = reinterpret_cast<float*>(kIsHalf<T> ? scratch : y);
    if (kind_ == ReduceKind::kLogSumExp) {
      LogSumExpRows(x, kStorage<T>, shape.outer, shape.length, wide);
    } else {
      ReduceAxis(x, kStorage<T>, shape, LoopOf(kind_), wide);
    }
    auto* out = reinterpret_cast<T*>(y);
    for (std::size_t i = 0; i < Results(shape); ++i)
      out[i] = T(Finished(kind_, wide[i], shape.length));
  }
  std::size_t ScratchBytes(std::size_t results) const override {
    return kIsHalf<T> ? results * sizeof(float) : 0;
  }

 private:
  ReduceKind kind_;
};

// Integers wrap as their type does: they are added up without a sign, in 64 bits.
template <typename T>
struct PlainTotal {
  using Type = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
};

template <typename T>
T PlainExtreme(const T* x, ReducedShape shape, ReduceKind kind) {
  using Limits = std::numeric_limits<T>;
  const bool max = kind == ReduceKind::kMax;
  T best = max ? Limits::lowest() : Limits::max();
  if constexpr (std::is_floating_point_v<T>) best = max ? -Limits::infinity() : Limits::infinity();
  for (std::size_t i = 0; i < shape.length; ++i) {
    const T value = x[i * shape.inner];
    if ((max ? value > best : value < best) || value != value) best = value;
  }
  return best;
}

double PlainLogSumExp(const double* x, ReducedShape shape) {
  const double shift = PlainExtreme(x, shape, ReduceKind::kMax);
  if (!std::isfinite(shift)) return shift;
  double sum = 0.0;
  for (std::size_t i = 0; i < shape.length; ++i)
    sum += std::exp(x[i * shape.inner] - shift);
  return shift + std::log(sum);
}

template <typename T>
auto PlainSum(const T* x, ReducedShape shape, ReduceKind kind) {
  using Total = typename PlainTotal<T>::Type;
  Total total = kind == ReduceKind::kProduct ? 1 : 0;
  for (std::size_t i = 0; i < shape.length; ++i) {
    const auto value = static_cast<Total>(x[i * shape.inner]);
    if (kind == ReduceKind::kProduct) {
      total *= value;
    } else if (kind == ReduceKind::kSumOfSquares || kind == ReduceKind::kRootOfSquares) {
      total += value * value;
    } else if (kind == ReduceKind::kSumOfMagnitudes && x[i * shape.inner] < T(0)) {
      total -= value;
    } else {
      total += value;
    }
  }
  return total;
}

// Whole numbers: truncated, as a division of integers is.
template <typename T>
T PlainMean(std::uint64_t total, std::size_t length) {
  if (length == 0) return T(0);
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(total) / static_cast<std::int64_t>(length));
  else
    return static_cast<T>(total / length);
}

template <typename T>
T PlainReduce(const T* x, ReducedShape shape, ReduceKind kind) {
  if (kind == ReduceKind::kMax || kind == ReduceKind::kMin) return PlainExtreme(x, shape, kind);
  const auto total = PlainSum(x, shape, kind);
  if constexpr (std::is_floating_point_v<T>) {
    if (kind == ReduceKind::kLogSumExp) return PlainLogSumExp(x, shape);
    return Finished(kind, total, shape.length);
  } else {
    return kind == ReduceKind::kMean ? PlainMean<T>(total, shape.length) : static_cast<T>(total);
  }
}

std::uint8_t PlainTruth(const std::uint8_t* x, ReducedShape shape, ReduceKind kind) {
  const bool all = kind == ReduceKind::kAll;
  for (std::size_t i = 0; i < shape.length; ++i)
    if ((x[i * shape.inner] != 0) != all) return all ? 0 : 1;
  return all ? 1 : 0;
}

template <typename T>
using PlainLoop = T (*)(const T* x, ReducedShape shape, ReduceKind kind);

template <typename T>
class PlainReduction : public ReductionKernel {
 public:
  PlainReduction(const OpContext& context, ReducedForm form, ReduceKind kind, PlainLoop<T> loop)
      : ReductionKernel(context, std::move(form)), kind_(kind), loop_(loop) {}

 protected:
  void Reduce(const ReducedShape& shape, const std::byte* x, std::byte* y, std::byte*) const override {
    const std::size_t inner = shape.inner;
    const std::size_t grain =
        std::max<std::size_t>(1, kGrainElements / std::max<std::size_t>(1, shape.length));
    const std::size_t across = shape.length == 0 ? 0 : 1;  // nothing to reduce has no address
    ParallelFor(Results(shape), grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = i / inner * inner * shape.length + i % inner * across;
        reinterpret_cast<T*>(y)[i] = loop_(reinterpret_cast<const T*>(x) + first, shape, kind_);
      }
    });
  }

 private:
  ReduceKind kind_;
  PlainLoop<T> loop_;
};

bool NeedsFloats(ReduceKind kind) {
  return kind == ReduceKind::kLogSum || kind == ReduceKind::kLogSumExp || kind == ReduceKind::kRootOfSquares;
}

template <typename T>
std::unique_ptr<Kernel> NumberReduction(OpContext& context, ReducedForm form, ReduceKind kind) {
  if constexpr (std::is_same_v<T, float> || kIsHalf<T>) {
    return std::make_unique<FloatReduction<T>>(context, std::move(form), kind);
  } else if constexpr (std::is_same_v<T, bool>) {
    context.Unsupported("no kernel for bool; numbers would run");
  } else {
    if (NeedsFloats(kind) && !std::is_floating_point_v<T>)
      context.Unsupported("no kernel for {}; floating-point numbers would run",
                          DataTypeName(context.In(0).type));
    return std::make_unique<PlainReduction<T>>(context, std::move(form), kind, PlainReduce<T>);
  }
}

std::unique_ptr<Kernel> TruthReduction(OpContext& context, ReducedForm form, ReduceKind kind) {
  if (BitsPerElement(context.In(0).type) != 8)
    context.Unsupported("no kernel for {}; bool would run", DataTypeName(context.In(0).type));
  return std::make_unique<PlainReduction<std::uint8_t>>(context, std::move(form), kind, PlainTruth);
}

}  // namespace

std::unique_ptr<Kernel> LowerReduction(OpContext& context, const std::vector<bool>& reduced,
                                       ReduceKind kind) {
  const DataType type = context.In(0).type;
  const bool rows = kind == ReduceKind::kLogSumExp && type != DataType::kDouble;
  ReducedForm form = MakeReducedForm(context, reduced, rows);
  if (kind == ReduceKind::kAll || kind == ReduceKind::kAny)
    return TruthReduction(context, std::move(form), kind);
  return VisitType(
      type,
      [&](auto tag) { return NumberReduction<typename decltype(tag)::Type>(context, std::move(form), kind); },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type));
      });
}

}  // namespace foothold
