// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The X of A X = B for triangular matrices A, by substitution in double. MatrixTriangularSolve names the
// triangle by 'lower' and transposes if 'adjoint'; AclnnTriangularSolve, an operator of our own, has B first,
// 'upper', 'transpose' and 'unitriangular' (the diagonal is 1 whatever A has there), repeats leading
// dimensions and gives the triangle of A back.
#include <algorithm>

#include "kernels/parallel_items.h"
#include "ops/data/broadcast_copy.h"
#include "ops/data/rule_arguments.h"
#include "ops/elementwise/element_step.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kColumns = 32;  // solved at a time

struct Problem {
  int a, b;  // ports
  bool upper, transpose, unit;
  std::size_t n, columns;
  Dims batch;
  std::vector<std::int64_t> a_steps, b_steps;  // matrices from one to the next along `batch`

  std::size_t batches() const { return Product(batch, 0, batch.size()); }
  std::size_t Matrix(const std::vector<std::int64_t>& steps, std::size_t item) const {
    std::size_t matrix = 0;
    for (std::size_t i = batch.size(); i-- > 0;) {
      const auto dim = static_cast<std::size_t>(batch[i]);
      matrix += item % dim * static_cast<std::size_t>(steps[i]);
      item /= dim;
    }
    return matrix;
  }
};

Dims Leading(const Dims& dims) {
  return {dims.begin(), dims.end() - 2};
}

Problem ProblemOf(const OpContext& context) {
  const bool ge = context.node().type() == "MatrixTriangularSolve";
  const Node& node = context.node();
  Problem problem{};
  problem.a = context.Port(ge ? "matrix" : "A");
  problem.b = context.Port(ge ? "rhs" : "self");
  problem.transpose = node.Bool(ge ? "adjoint" : "transpose", false);
  problem.upper = ge ? !node.Bool("lower", true) : node.Bool("upper", true);
  problem.unit = !ge && node.Bool("unitriangular", false);
  const TensorType &a = context.In(problem.a), &b = context.In(problem.b);
  const std::size_t rank = a.dims.size();
  if (rank < 2 || a.dims[rank - 1] != a.dims[rank - 2])
    context.Refuse("the matrices are {}, expected square ones", ToString(a));
  if (b.type != a.type || b.dims.size() < 2 || b.dims[b.dims.size() - 2] != a.dims.back())
    context.Refuse("the right side is {}, expected {} rows of {}", ToString(b), a.dims.back(),
                   DataTypeName(a.type));
  problem.n = static_cast<std::size_t>(a.dims.back());
  problem.columns = static_cast<std::size_t>(b.dims.back());
  problem.batch = BroadcastDims(context, Leading(a.dims), Leading(b.dims));
  problem.a_steps = BroadcastStrides(Leading(a.dims), problem.batch);
  problem.b_steps = BroadcastStrides(Leading(b.dims), problem.batch);
  return problem;
}

void InferSolve(OpContext& context) {
  const Problem problem = ProblemOf(context);
  const auto n = static_cast<std::int64_t>(problem.n);
  const DataType type = context.In(problem.a).type;
  Dims x = problem.batch;
  x.insert(x.end(), {n, static_cast<std::int64_t>(problem.columns)});
  context.SetOut(0, type, std::move(x), Format::kNd);
}

template <typename T>
class SolveKernel : public Kernel {
 public:
  explicit SolveKernel(Problem problem)
      : p_(std::move(problem)),
        pieces_((p_.columns + kColumns - 1) / kColumns),
        slots_(SlotsFor(p_.batches() * pieces_,
                        double(p_.batches()) * double(p_.n) * double(p_.n) * double(p_.columns) / 2)) {}

  std::size_t WorkspaceBytes() const override { return slots_ * p_.n * kColumns * sizeof(double); }

  void Run(const RunArgs& args) const override {
    ForEachItem(p_.batches() * pieces_, slots_, [&](std::size_t slot, std::size_t item) {
      double* x = reinterpret_cast<double*>(args.workspace) + slot * p_.n * kColumns;
      const std::size_t batch = item / pieces_, first = item % pieces_ * kColumns;
      Solve(args.In<T>(p_.a) + p_.Matrix(p_.a_steps, batch) * p_.n * p_.n,
            args.In<T>(p_.b) + p_.Matrix(p_.b_steps, batch) * p_.n * p_.columns + first, x,
            args.Out<T>(0) + batch * p_.n * p_.columns + first, std::min(kColumns, p_.columns - first));
    });
  }

 private:
  // `x` keeps the rows found so far; the matrix that counts is upper if it is transposed from a lower one.
  void Solve(const T* a, const T* b, double* x, T* y, std::size_t columns) const {
    const std::size_t down = p_.transpose ? 1 : p_.n, right = p_.transpose ? p_.n : 1;
    const bool upwards = p_.upper != p_.transpose;
    for (std::size_t step = 0; step < p_.n; ++step) {
      const std::size_t row = upwards ? p_.n - 1 - step : step;
      double* found = x + row * kColumns;
      for (std::size_t c = 0; c < columns; ++c)
        found[c] = static_cast<double>(b[row * p_.columns + c]);
      for (std::size_t k = upwards ? row + 1 : 0; k < (upwards ? p_.n : row); ++k) {
        const auto factor = static_cast<double>(a[row * down + k * right]);
        for (std::size_t c = 0; c < columns; ++c)
          found[c] -= factor * x[k * kColumns + c];
      }
      const double pivot = p_.unit ? 1 : static_cast<double>(a[row * (down + right)]);
      for (std::size_t c = 0; c < columns; ++c)
        y[row * p_.columns + c] = static_cast<T>(found[c] /= pivot);
    }
  }

  Problem p_;
  std::size_t pieces_, slots_;
};

std::unique_ptr<Kernel> LowerSolve(OpContext& context) {
  Problem problem = ProblemOf(context);
  const DataType type = context.In(problem.a).type;
  if (type == DataType::kDouble) return std::make_unique<SolveKernel<double>>(std::move(problem));
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<SolveKernel<float>>(std::move(problem)));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef Def(const char* type) {
  return OpDef(type)
      .Infer(InferSolve)
      .Lower(LowerSolve)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp solves({Def("MatrixTriangularSolve"), Def("AclnnTriangularSolve")});

}  // namespace
}  // namespace foothold
