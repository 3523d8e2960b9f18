// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// STFT: the spectra of overlapping pieces of a signal, as y[batch, frequency, piece], complex or with the two
// parts as a last dimension. A window shorter than the transform is centred in it.
#include <algorithm>
#include <cmath>

#include "kernels/fourier.h"
#include "kernels/parallel_items.h"
#include "ops/data/rule_arguments.h"
#include "ops/signal/line_transform.h"

namespace foothold {
namespace {

struct Pieces {
  std::size_t batch = 1, samples = 0, length = 1, hop = 1, window = 1, count = 0, frequencies = 1;
  bool real = true, windowed = false, normalized = false;
};

std::size_t SizeAttribute(const OpContext& context, const char* name, std::int64_t otherwise,
                          std::int64_t most) {
  const std::int64_t given = context.node().Int(name, 0);
  const std::int64_t value = given == 0 ? otherwise : given;
  if (value < 1 || value > most) context.Refuse("attribute '{}' is {}, expected 1 to {}", name, value, most);
  return static_cast<std::size_t>(value);
}

bool IsReal(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble;
}

Pieces PiecesOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.empty() || x.size() > 2)
    context.Refuse("x is {}, expected 1 or 2 dimensions", ToString(context.In(0)));
  Pieces p;
  p.batch = x.size() == 2 ? static_cast<std::size_t>(x[0]) : 1;
  p.samples = static_cast<std::size_t>(x.back());
  p.length = SizeAttribute(context, "n_fft", 0, kLongestTransform);
  const auto length = static_cast<std::int64_t>(p.length);
  p.hop = SizeAttribute(context, "hop_length", std::max<std::int64_t>(1, length / 4), INT64_MAX);
  p.window = SizeAttribute(context, "win_length", length, length);
  p.count = p.samples < p.length ? 0 : (p.samples - p.length) / p.hop + 1;
  p.real = IsReal(context.In(0).type);
  const bool onesided = p.real && context.node().Bool("onesided", true);
  p.frequencies = onesided ? p.length / 2 + 1 : p.length;
  p.windowed = context.inputs() > 1 && context.Has(1);
  p.normalized = context.node().Bool("normalized", false);
  return p;
}

DataType PartType(const OpContext& context) {
  const DataType type = context.In(0).type;
  return IsReal(type) ? type : PartOf(context, type);
}

void InferStft(OpContext& context) {
  const Pieces p = PiecesOf(context);
  const DataType part = PartType(context);
  if (p.windowed &&
      (context.In(1).type != part || context.InDims(1) != Dims{static_cast<std::int64_t>(p.window)}))
    context.Refuse("window is {}, expected {} of type {}", ToString(context.In(1)), p.window,
                   DataTypeName(part));
  Dims dims{static_cast<std::int64_t>(p.frequencies), static_cast<std::int64_t>(p.count)};
  if (context.InDims(0).size() == 2) dims.insert(dims.begin(), static_cast<std::int64_t>(p.batch));
  if (context.node().Bool("return_complex", true))
    return context.SetOut(0, ComplexOf(context, part), dims, Format::kNd);
  dims.push_back(2);
  context.SetOut(0, part, dims, Format::kNd);
}

template <typename T>
class StftKernel : public Kernel {
 public:
  explicit StftKernel(const Pieces& pieces)
      : p_(pieces),
        plan_(pieces.length),
        slots_(SlotsFor(p_.batch * p_.count,
                        20.0 * static_cast<double>(p_.batch * p_.count) * static_cast<double>(p_.length))) {}

  std::size_t WorkspaceBytes() const override { return slots_ * SlotNumbers() * sizeof(Complex); }

  void Run(const RunArgs& args) const override {
    ForEachItem(p_.batch * p_.count, slots_, [&](std::size_t slot, std::size_t item) {
      auto* line = reinterpret_cast<Complex*>(args.workspace) + slot * SlotNumbers();
      Load(args, item / p_.count * p_.samples + item % p_.count * p_.hop, line);
      plan_.Forward(line, line + p_.length);
      Store(args, item / p_.count, item % p_.count, line);
    });
  }

 private:
  std::size_t SlotNumbers() const { return p_.length + plan_.ScratchNumbers(); }

  void Load(const RunArgs& args, std::size_t first, Complex* line) const {
    const T* x = args.In<T>(0);
    std::fill_n(line, p_.length, Complex{});
    const std::size_t left = (p_.length - p_.window) / 2;
    for (std::size_t k = 0; k < p_.window; ++k) {
      const double weight = p_.windowed ? args.In<T>(1)[k] : T{1};
      const std::size_t at = first + left + k;
      line[left + k] =
          p_.real ? Complex{x[at] * weight, 0} : Complex{x[2 * at] * weight, x[2 * at + 1] * weight};
    }
  }

  void Store(const RunArgs& args, std::size_t batch, std::size_t piece, const Complex* line) const {
    const double scale = p_.normalized ? 1 / std::sqrt(static_cast<double>(p_.length)) : 1;
    for (std::size_t k = 0; k < p_.frequencies; ++k) {
      T* y = args.Out<T>(0) + 2 * ((batch * p_.frequencies + k) * p_.count + piece);
      y[0] = static_cast<T>(line[k].re * scale);
      y[1] = static_cast<T>(line[k].im * scale);
    }
  }

  Pieces p_;
  FourierPlan plan_;
  std::size_t slots_;
};

std::unique_ptr<Kernel> LowerStft(OpContext& context) {
  const Pieces pieces = PiecesOf(context);
  if (PartType(context) == DataType::kDouble) return std::make_unique<StftKernel<double>>(pieces);
  return std::make_unique<StftKernel<float>>(pieces);
}

const RegisterOp stft(OpDef("STFT").Infer(InferStft).Lower(LowerStft).Types(
    {DataType::kFloat, DataType::kDouble, DataType::kComplex64, DataType::kComplex128}));

}  // namespace
}  // namespace foothold
