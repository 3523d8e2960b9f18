// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Determinants of square matrices, by elimination in double, and the sign and logarithm of them, which do not
// overflow.
#include <cmath>

#include "kernels/parallel_items.h"
#include "ops/data/rule_arguments.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct Determinant {
  double sign = 1, logarithm = 0, value = 1;

  void Multiply(double pivot) {
    value *= pivot;
    logarithm += std::log(std::abs(pivot));
    sign = pivot == 0 ? 0 : pivot < 0 ? -sign : pivot > 0 ? sign : pivot;  // NaN stays
  }
};

// Destroys `a`, which is [n, n].
Determinant Eliminate(double* a, std::size_t n) {
  Determinant found;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t best = column;
    for (std::size_t row = column + 1; row < n; ++row)
      if (std::abs(a[row * n + column]) > std::abs(a[best * n + column])) best = row;
    const double pivot = a[best * n + column];
    found.Multiply(best == column ? pivot : -pivot);
    if (pivot == 0) return found;
    if (best != column)
      for (std::size_t k = column; k < n; ++k)
        std::swap(a[best * n + k], a[column * n + k]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row * n + column] / pivot;
      for (std::size_t k = column + 1; k < n; ++k)
        a[row * n + k] -= factor * a[column * n + k];
    }
  }
  return found;
}

template <typename T, bool kLogarithm>
class DeterminantKernel : public Kernel {
 public:
  DeterminantKernel(std::size_t matrices, std::size_t n)
      : matrices_(matrices),
        n_(n),
        slots_(SlotsFor(matrices, double(matrices) * double(n) * double(n) * double(n) / 3)) {}

  std::size_t WorkspaceBytes() const override { return slots_ * n_ * n_ * sizeof(double); }

  void Run(const RunArgs& args) const override {
    ForEachItem(matrices_, slots_, [&](std::size_t slot, std::size_t item) {
      double* a = reinterpret_cast<double*>(args.workspace) + slot * n_ * n_;
      const T* from = args.In<T>(0) + item * n_ * n_;
      for (std::size_t i = 0; i < n_ * n_; ++i)
        a[i] = static_cast<double>(from[i]);
      const Determinant found = Eliminate(a, n_);
      if constexpr (kLogarithm) {
        args.Out<T>(0)[item] = static_cast<T>(found.sign);
        args.Out<T>(1)[item] = static_cast<T>(found.logarithm);
      } else {
        args.Out<T>(0)[item] = static_cast<T>(found.value);
      }
    });
  }

 private:
  std::size_t matrices_, n_, slots_;
};

void InferDeterminant(OpContext& context) {
  const TensorType& x = context.In(0);
  const std::size_t rank = x.dims.size();
  if (rank < 2 || x.dims[rank - 1] != x.dims[rank - 2])
    context.Refuse("x is {}, expected square matrices", ToString(x));
  for (int port = 0; port < context.outputs(); ++port)
    context.SetOut(port, x.type, Dims(x.dims.begin(), x.dims.end() - 2), Format::kNd);
}

template <bool kLogarithm>
std::unique_ptr<Kernel> LowerDeterminant(OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t matrices = Product(x, 0, x.size() - 2);
  const auto n = static_cast<std::size_t>(x.back());
  const DataType type = context.In(0).type;
  if (type == DataType::kDouble) return std::make_unique<DeterminantKernel<double, kLogarithm>>(matrices, n);
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<DeterminantKernel<float, kLogarithm>>(matrices, n));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef Def(const char* type, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(InferDeterminant)
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp determinants({Def("MatrixDeterminant", LowerDeterminant<false>),
                               Def("LogMatrixDeterminant", LowerDeterminant<true>)});

}  // namespace
}  // namespace foothold
