// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

struct Solved {
  bool upper, transpose, unit;
};

// Well conditioned: the diagonal is far from 0.
TensorValue Matrices(DataType type, const Dims& dims, std::size_t n) {
  std::vector<double> values = Numbers(Random(type, dims, 3));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = values[i] / 2 + (i % (n * n) % (n + 1) == 0 ? 2 : 0);
  return Tensor(type, dims, values);
}

// The triangle that counts, as the solver sees it, times X.
double Product(const std::vector<double>& a, const std::vector<double>& x, const Solved& form, std::size_t n,
               std::size_t columns, std::size_t row, std::size_t column) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = form.transpose ? k : row, j = form.transpose ? row : k;
    const bool inside = form.upper ? j >= i : j <= i;
    const double factor = i == j && form.unit ? 1 : inside ? a[i * n + j] : 0;
    sum += factor * x[k * columns + column];
  }
  return sum;
}

TEST(AclnnTriangularSolve, FindsWhatGivesTheRightSide) {
  constexpr std::size_t kN = 17, kColumns = 40;
  for (const DataType type : {DataType::kFloat, DataType::kDouble, DataType::kBfloat16})
    for (const Solved form : {Solved{false, false, false}, Solved{true, false, false},
                              Solved{false, true, true}, Solved{true, true, false}}) {
      const TensorValue a = Matrices(type, {2, 1, kN, kN}, kN), b = Random(type, {3, kN, kColumns}, 5);
      OpRun run("AclnnTriangularSolve");
      run.Late("self", b).Late("A", a).Attr("upper", form.upper).Attr("transpose", form.transpose);
      const auto found = run.Attr("unitriangular", form.unit).Out("x").RunAll();
      ASSERT_EQ(found[0].dims(), (Dims{2, 3, kN, kColumns}));
      const std::vector<double> all_a = Numbers(a), all_b = Numbers(b), all_x = Numbers(found[0]);
      for (std::size_t batch = 0; batch < 6; ++batch) {
        const auto at = [](const std::vector<double>& from, std::size_t i, std::size_t size) {
          const auto begin = from.begin() + static_cast<std::ptrdiff_t>(i * size);
          return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size));
        };
        const std::vector<double> m = at(all_a, batch / 3, kN * kN), x = at(all_x, batch, kN * kColumns);
        for (std::size_t row = 0; row < kN; ++row)
          for (std::size_t column = 0; column < kColumns; ++column)
            EXPECT_NEAR(Product(m, x, form, kN, kColumns, row, column),
                        all_b[(batch % 3 * kN + row) * kColumns + column],
                        type == DataType::kBfloat16 ? 0.1 : 1e-5);
      }
    }
}

TEST(MatrixTriangularSolve, IsLowerUnlessToldOtherwise) {
  const TensorValue a = Floats({2, 2}, {2, 3, 1, 4}), b = Floats({2, 1}, {2, 9});
  ExpectNear(OpRun("MatrixTriangularSolve").Late("matrix", a).Late("rhs", b).Out("y").Run(), {1, 2});
  ExpectNear(
      OpRun("MatrixTriangularSolve").Late("matrix", a).Late("rhs", b).Attr("lower", false).Out("y").Run(),
      {(2 - 3 * 2.25) / 2, 2.25});
  ExpectNear(
      OpRun("MatrixTriangularSolve").Late("matrix", a).Late("rhs", b).Attr("adjoint", true).Out("y").Run(),
      {(2 - 2.25) / 2, 2.25});
}

TEST(MatrixTriangularSolve, RefusesOtherShapes) {
  const auto solve = [](const TensorValue& a, const TensorValue& b) {
    return OpRun("MatrixTriangularSolve").Late("matrix", a).Late("rhs", b).Out("y").Run();
  };
  EXPECT_THROW(solve(Floats({1, 2}, {1, 2}), Floats({1, 1}, {1})), Error);
  EXPECT_THROW(solve(Floats({1, 1}, {1}), Floats({2, 1}, {1, 2})), Error);
  EXPECT_THROW(solve(Floats({1, 1}, {1}), Floats({1}, {1})), Error);
  EXPECT_THROW(solve(Int32s({1, 1}, {1}), Int32s({1, 1}, {1})), Error);
  EXPECT_EQ(solve(Floats({0, 0}, {}), Floats({0, 3}, {})).dims(), (Dims{0, 3}));
}

TEST(Dot, SumsTheProducts) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble,
                              DataType::kInt8, DataType::kUint8, DataType::kInt32})
    ExpectNear(OpRun("Dot")
                   .Late("input_x", Tensor(type, {3}, {1, 2, 3}))
                   .Late("input_y", Tensor(type, {3}, {4, 5, 6}))
                   .Out("output")
                   .Run(),
               {32});
  const TensorValue a = Random(DataType::kFloat, {100003}, 1), b = Random(DataType::kFloat, {100003}, 2);
  double sum = 0;
  for (std::size_t i = 0; i < 100003; ++i)
    sum += static_cast<double>(a.As<float>()[i]) * static_cast<double>(b.As<float>()[i]);
  const TensorValue found = OpRun("Dot").Late("input_x", a).Late("input_y", b).Out("output").Run();
  EXPECT_EQ(found.dims(), Dims{});
  ExpectNear(found, {sum});
  ExpectNear(
      OpRun("Dot").Late("input_x", Floats({0}, {})).Late("input_y", Floats({0}, {})).Out("output").Run(),
      {0});
  OpRun other("Dot");
  EXPECT_THROW(other.In("input_x", Floats({1}, {1})).In("input_y", Floats({2}, {1, 2})).Out("output").Run(),
               Error);
}

}  // namespace
}  // namespace foothold
