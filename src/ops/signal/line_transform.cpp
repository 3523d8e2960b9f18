// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/signal/line_transform.h"

#include <algorithm>
#include <cmath>

#include "kernels/parallel_items.h"

namespace foothold {
namespace {

template <typename T>
class Transform {
 public:
  explicit Transform(const LineTransform& transform)
      : t_(transform), plan_(transform.length), slots_(SlotsFor(transform.lines(), WorkOf(transform))) {}

  std::size_t WorkspaceBytes() const { return slots_ * SlotNumbers() * sizeof(Complex); }

  void Run(const T* from, T* to, std::byte* workspace) const {
    ForEachItem(t_.lines(), slots_, [&](std::size_t slot, std::size_t item) {
      auto* line = reinterpret_cast<Complex*>(workspace) + slot * SlotNumbers();
      const std::size_t outer = item / t_.inner, inner = item % t_.inner;
      Load(from, outer, inner, line);
      if (t_.inverse)
        plan_.Inverse(line, line + t_.length);
      else
        plan_.Forward(line, line + t_.length);
      Store(line, outer, inner, to);
    });
  }

 private:
  static double WorkOf(const LineTransform& t) {
    return 5.0 * static_cast<double>(t.lines()) * static_cast<double>(t.length) *
           std::log2(static_cast<double>(t.length) + 1);
  }
  std::size_t SlotNumbers() const { return t_.length + plan_.ScratchNumbers(); }

  void Load(const T* from, std::size_t outer, std::size_t inner, Complex* line) const {
    const std::size_t count = std::min(t_.in, t_.mirrored_in ? t_.length / 2 + 1 : t_.length);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = (outer * t_.in + k) * t_.inner + inner;
      line[k] = t_.real_in ? Complex{from[at], 0} : Complex{from[2 * at], from[2 * at + 1]};
    }
    std::fill(line + count, line + t_.length, Complex{});
    if (!t_.mirrored_in) return;
    for (std::size_t k = t_.length / 2 + 1; k < t_.length; ++k)
      line[k] = {line[t_.length - k].re, -line[t_.length - k].im};
  }

  void Store(const Complex* line, std::size_t outer, std::size_t inner, T* to) const {
    const double scale = t_.inverse ? 1 / static_cast<double>(t_.length) : 1;
    for (std::size_t k = 0; k < t_.out; ++k) {
      const std::size_t at = (outer * t_.out + k) * t_.inner + inner;
      if (t_.real_out) {
        to[at] = static_cast<T>(line[k].re * scale);
      } else {
        to[2 * at] = static_cast<T>(line[k].re * scale);
        to[2 * at + 1] = static_cast<T>(line[k].im * scale);
      }
    }
  }

  LineTransform t_;
  FourierPlan plan_;
  std::size_t slots_;
};

template <typename T>
class TransformsKernel : public Kernel {
 public:
  explicit TransformsKernel(const std::vector<LineTransform>& transforms) {
    for (const LineTransform& one : transforms)
      transforms_.emplace_back(one);
  }
  std::size_t WorkspaceBytes() const override {
    std::size_t bytes = 0;
    for (const auto& one : transforms_)
      bytes = std::max(bytes, one.WorkspaceBytes());
    return bytes;
  }
  void Run(const RunArgs& args) const override {
    const T* from = args.In<T>(0);
    for (const auto& one : transforms_) {
      one.Run(from, args.Out<T>(0), args.workspace);
      from = args.Out<T>(0);
    }
  }

 private:
  std::vector<Transform<T>> transforms_;
};

}  // namespace

DataType ComplexOf(const OpContext& context, DataType part) {
  if (part == DataType::kFloat) return DataType::kComplex64;
  if (part == DataType::kDouble) return DataType::kComplex128;
  context.Unsupported("no kernel for {}; float and double have one", DataTypeName(part));
}

DataType PartOf(const OpContext& context, DataType complex) {
  if (complex == DataType::kComplex64) return DataType::kFloat;
  if (complex == DataType::kComplex128) return DataType::kDouble;
  context.Unsupported("no kernel for {}; complex64 and complex128 have one", DataTypeName(complex));
}

std::unique_ptr<Kernel> MakeTransforms(DataType part, const std::vector<LineTransform>& transforms) {
  if (part == DataType::kDouble) return std::make_unique<TransformsKernel<double>>(transforms);
  return std::make_unique<TransformsKernel<float>>(transforms);
}

}  // namespace foothold
