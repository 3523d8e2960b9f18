// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices taken apart, distances between rows, products by channels.
#include <cmath>
#include <limits>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kReal = {ACL_FLOAT, ACL_DOUBLE};
constexpr const char* kInfinite = "what is not finite has no factors";
constexpr const char* kPrecise = "factors are float or double";

using Matrix = std::vector<Values>;  // rows

Matrix MatrixOf(const Block& x, std::size_t number) {
  const auto rows = static_cast<std::size_t>(x.dims.end()[-2]),
             columns = static_cast<std::size_t>(x.dims.back());
  Matrix out(rows);
  for (std::size_t i = 0; i < rows * columns; ++i)
    out[i / columns].push_back(x.values[number * rows * columns + i]);
  return out;
}
std::size_t CountOf(const Block& x) {
  return nn::CountOf(Dims(x.dims.begin(), x.dims.end() - 2));
}
void Append(const Matrix& matrix, std::size_t rows, std::size_t columns, Block& block) {
  for (std::size_t i = 0; i < rows; ++i)
    block.values.insert(block.values.end(), matrix[i].begin(),
                        matrix[i].begin() + static_cast<std::ptrdiff_t>(columns));
}
Block Shaped(const Block& x, std::int64_t rows, std::int64_t columns) {
  Block out{x.dims, {}};
  out.dims.end()[-2] = rows;
  out.dims.back() = columns;
  return out;
}
Matrix Identity(std::size_t size) {
  Matrix out(size, Values(size, 0));
  for (std::size_t i = 0; i < size; ++i)
    out[i][i] = 1;
  return out;
}
Matrix Product(const Matrix& a, const Matrix& b) {
  Matrix out(a.size(), Values(b[0].size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < b[0].size(); ++j)
        out[i][j] += a[i][k] * b[k][j];
  return out;
}

// By whole reflections, one for each column.
std::vector<Block> Qr(const Given& in, bool complete) {
  const std::int64_t m = in[0].dims.end()[-2], n = in[0].dims.back(), width = complete ? m : std::min(m, n);
  Block q = Shaped(in[0], m, width), r = Shaped(in[0], width, n);
  for (std::size_t number = 0; number < CountOf(in[0]); ++number) {
    Matrix a = MatrixOf(in[0], number), all = Identity(a.size());
    for (std::size_t k = 0; k < a.size() && k < a[0].size(); ++k) {
      Values v(a.size(), 0);
      double length = 0, tail = 0;
      for (std::size_t i = k; i < a.size(); ++i) {
        v[i] = a[i][k];
        length += v[i] * v[i];
        if (i > k) tail += v[i] * v[i];
      }
      if (tail == 0) continue;
      v[k] += v[k] < 0 ? -std::sqrt(length) : std::sqrt(length);
      double square = 0;
      for (const double x : v)
        square += x * x;
      Matrix reflection = Identity(a.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j)
          reflection[i][j] -= 2 * v[i] * v[j] / square;
      a = Product(reflection, a);
      all = Product(all, reflection);
    }
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < i && j < a[0].size(); ++j)
        a[i][j] = 0;
    Append(all, all.size(), static_cast<std::size_t>(width), q);
    Append(a, static_cast<std::size_t>(width), a[0].size(), r);
  }
  return {q, r};
}

// Singular values of matrices with two rows or two columns.
Block SingularValues(const Given& in) {
  Block out{in[0].dims, {}};
  out.dims.pop_back();
  out.dims.back() = 2;
  for (std::size_t number = 0; number < CountOf(in[0]); ++number) {
    const Matrix a = MatrixOf(in[0], number);
    double p = 0, q = 0, r = 0;
    const bool tall = a.size() >= a[0].size();
    for (std::size_t i = 0; i < (tall ? a.size() : a[0].size()); ++i) {
      const double x = tall ? a[i][0] : a[0][i], y = tall ? a[i][1] : a[1][i];
      p += x * x;
      q += y * y;
      r += x * y;
    }
    const double middle = (p + q) / 2, reach = std::hypot((p - q) / 2, r);
    out.values.push_back(std::sqrt(middle + reach));
    out.values.push_back(std::sqrt((p * q - r * r) / (middle + reach)));
  }
  return out;
}

// A product of a matrix with itself, and something on the diagonal.
Values Positive(const Form& form) {
  const Block given{form.dims[0], nn::Spread(nn::CountOf(form.dims[0]), -1, 1, 5)};
  Block out{form.dims[0], {}};
  for (std::size_t number = 0; number < CountOf(given); ++number) {
    const Matrix a = MatrixOf(given, number);
    Matrix product = Identity(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j)
        for (std::size_t k = 0; k < a.size(); ++k)
          product[i][j] += a[i][k] * a[j][k];
    Append(product, a.size(), a.size(), out);
  }
  return out.values;
}

Block Cholesky(const Given& in, bool upper) {
  Block out{in[0].dims, {}};
  for (std::size_t number = 0; number < CountOf(in[0]); ++number) {
    const Matrix a = MatrixOf(in[0], number);
    Matrix l(a.size(), Values(a.size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = a[i][j];
        for (std::size_t k = 0; k < j; ++k)
          rest -= l[i][k] * l[j][k];
        l[i][j] = i == j ? std::sqrt(rest) : rest / l[j][j];
      }
    Matrix turned = l;
    for (std::size_t i = 0; upper && i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j)
        turned[i][j] = l[j][i];
    Append(turned, a.size(), a.size(), out);
  }
  return out;
}

double Minor(const Matrix& a, std::size_t row, std::size_t column) {
  const std::size_t r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
  return a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
}
double Determinant(const Matrix& a) {
  return a[0][0] * Minor(a, 0, 0) + a[0][1] * Minor(a, 0, 1) + a[0][2] * Minor(a, 0, 2);
}

Block Inverse(const Given& in) {
  Block out{in[0].dims, {}};
  for (std::size_t number = 0; number < CountOf(in[0]); ++number) {
    const Matrix a = MatrixOf(in[0], number);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        out.values.push_back(Minor(a, j, i) / Determinant(a));
  }
  return out;
}

std::vector<Block> Slogdet(const Given& in) {
  Block sign{Dims(in[0].dims.begin(), in[0].dims.end() - 2), {}}, log = sign;
  for (std::size_t number = 0; number < CountOf(in[0]); ++number) {
    const double determinant = Determinant(MatrixOf(in[0], number));
    sign.values.push_back(determinant > 0 ? 1 : -1);
    log.values.push_back(std::log(std::fabs(determinant)));
  }
  return {sign, log};
}

Sample Exact(Sample sample) {
  return sample.Types(kReal).Within(64).Without(Part::kHalf, kPrecise).Without(Part::kSpecial, kInfinite);
}

const Table factors({
    Exact(Functions("LinalgQr"))
        .Calls(NN(LinalgQr), {X(0), 0, Y(0), Y(1)})
        .Gives({kSame, kSame})
        .Form({{2, 5, 3}})
        .Form({{3, 5}})
        .Form({{4, 4}})
        .Form({{0, 4, 3}})
        .Are([](const Given& in) { return Qr(in, false); }),
    Exact(Functions("CompleteQr"))
        .Calls(NN(LinalgQr), {X(0), 1, Y(0), Y(1)})
        .Gives({kSame, kSame})
        .Form({{2, 5, 3}})
        .Form({{3, 5}})
        .Form({{0, 4, 3}})
        .Are([](const Given& in) { return Qr(in, true); }),
    Exact(Functions("SingularValues"))
        .Calls(NN(Svd), {X(0), false, false, Y(0), X(1), X(1)})
        .Form({{2, 5, 2}, {0}})
        .Form({{2, 6}, {0}})
        .Form({{0, 3, 2}, {0}})
        .Is(SingularValues),
    Exact(Functions("LinalgCholesky"))
        .Calls(NN(LinalgCholesky), {X(0), false, Y(0)})
        .Holds(0, Positive)
        .Form({{2, 5, 5}})
        .Form({{1, 1}})
        .Form({{0, 3, 3}})
        .Is([](const Given& in) { return Cholesky(in, false); }),
    Exact(Functions("UpperCholesky"))
        .Calls(NN(LinalgCholesky), {X(0), true, Y(0)})
        .Holds(0, Positive)
        .Form({{2, 5, 5}})
        .Form({{0, 3, 3}})
        .Is([](const Given& in) { return Cholesky(in, true); }),
    Exact(Functions("Inverse"))
        .Calls(NN(Inverse))
        .Holds(0, Positive)
        .Form({{4, 3, 3}})
        .Form({{3, 3}})
        .Form({{0, 3, 3}})
        .Is(Inverse),
    Exact(Functions("Slogdet"))
        .Calls(NN(Slogdet))
        .Gives({kSame, kSame})
        .Form({{4, 3, 3}})
        .Form({{3, 3}})
        .Form({{0, 3, 3}})
        .Are(Slogdet),
});

Block Cross(const Given& in) {
  Block out = in[0];
  const auto axis = static_cast<std::size_t>(in.Number("dim"));
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const Dims place = nn::PlaceOf(i, out.dims);
    const auto at = [&](std::size_t which, std::int64_t step) {
      Dims other = place;
      other[axis] = (other[axis] + step) % 3;
      return in[which].values[nn::NumberOf(other, out.dims)];
    };
    out.values[i] = at(0, 1) * at(1, 2) - at(0, 2) * at(1, 1);
  }
  return out;
}

double Norm(const Values& difference, double p) {
  double sum = 0, most = 0;
  for (const double d : difference) {
    sum += p == 0 ? d != 0 : std::pow(std::fabs(d), p);
    most = std::max(most, std::fabs(d));
  }
  return std::isinf(p) ? most : p == 0 ? sum : std::pow(sum, 1 / p);
}

// Rows of x [batch, P, M] and y [batch, R, M].
Values Differences(const Block& x, const Block& y, std::size_t row, std::size_t other) {
  const auto width = static_cast<std::size_t>(x.dims.back());
  Values out;
  for (std::size_t k = 0; k < width; ++k)
    out.push_back(x.values[row * width + k] - y.values[other * width + k]);
  return out;
}

Block Distances(const Given& in) {
  Block out{in[0].dims, {}};
  out.dims.back() = in[1].dims.end()[-2];
  const auto first = static_cast<std::size_t>(in[0].dims.end()[-2]),
             second = static_cast<std::size_t>(out.dims.back());
  for (std::size_t row = 0; row < CountOf(in[0]) * first; ++row)
    for (std::size_t j = 0; j < second; ++j)
      out.values.push_back(Norm(Differences(in[0], in[1], row, row / first * second + j), in.Number("p")));
  return out;
}

// What arrives, both rows, and the distances: the slope of the distance by small steps.
Block DistanceGradient(const Given& in) {
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  const auto first = static_cast<std::size_t>(in[1].dims.end()[-2]),
             second = static_cast<std::size_t>(in[2].dims.end()[-2]);
  const auto width = static_cast<std::size_t>(in[1].dims.back());
  for (std::size_t i = 0; i < out.values.size(); ++i)
    for (std::size_t j = 0; j < second; ++j) {
      const std::size_t row = i / width;
      Values behind = Differences(in[1], in[2], row, row / first * second + j), before = behind;
      behind[i % width] += 1e-6;
      before[i % width] -= 1e-6;
      out.values[i] += in[0].values[row * second + j] *
                       (Norm(behind, in.Number("p")) - Norm(before, in.Number("p"))) / 2e-6;
    }
  return out;
}

Block Rows(const Dims& dims, unsigned seed) {
  return {dims, nn::Spread(nn::CountOf(dims), -2, 2, seed)};
}

Sample Distance(const char* name, double p) {
  return Functions(name)
      .Types(kReal)
      .Calls(NN(Cdist), {X(0), X(1), V("p"), 1, Y(0)})
      .With("p", p)
      .Form({{2, 3, 5}, {2, 4, 5}})
      .Form({{3, 5}, {1, 5}})
      .Form({{0, 3, 5}, {0, 4, 5}})
      .Within(4)
      .Without(Part::kHalf, "the caller has cast them")
      .Without(Part::kSpecial, "differences of infinities")
      .Is(Distances);
}

Sample DistanceSlope(const char* name, double p) {
  return Functions(name)
      .Types({ACL_DOUBLE})
      .Calls(NN(CdistBackward), {X(0), X(1), X(2), X(3), V("p"), Y(0)})
      .With("p", p)
      .Holds(1, [](const Form& form) { return Rows(form.dims[1], 3).values; })
      .Holds(2, [](const Form& form) { return Rows(form.dims[2], 4).values; })
      .Holds(3,
             [p](const Form& form) {
               const Settings settings{{"p", p}};
               const Given in({Rows(form.dims[1], 3), Rows(form.dims[2], 4)}, settings, ACL_DOUBLE);
               return Distances(in).values;
             })
      .Form({{2, 3, 4}, {2, 3, 5}, {2, 4, 5}, {2, 3, 4}})
      .Form({{0, 3, 4}, {0, 3, 5}, {0, 4, 5}, {0, 3, 4}})
      .Within(1e6)
      .Without(Part::kHalf, "slopes by small steps are exact in double")
      .Without(Part::kSpecial, "differences of infinities")
      .Is(DistanceGradient);
}

const Table distances({
    Functions("LinalgCross")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE, ACL_INT32})
        .Calls(NN(LinalgCross), {X(0), X(1), V("dim"), Y(0)})
        .Form({{2, 3, 4}, {2, 3, 4}}, {{"dim", 1}})
        .Form({{3}, {3}}, {{"dim", 0}})
        .Form({{3, 0}, {3, 0}}, {{"dim", 0}})
        .Within(2)
        .Without(Part::kSpecial, "differences of infinities")
        .Is(Cross),
    Distance("Cdist2", 2),
    Distance("Cdist1", 1),
    Distance("Cdist0", 0),
    Distance("Cdist3", 3),
    Distance("CdistMost", std::numeric_limits<double>::infinity()),
    DistanceSlope("CdistGradient3", 3),
    DistanceSlope("CdistGradient2", 2),
    Functions("Pdist")
        .Types(kReal)
        .Calls(NN(Pdist), {X(0), 2.0, Y(0)})
        .Form({{5, 3}})
        .Form({{1, 3}})
        .Within(4)
        .Without(Part::kHalf, "the caller has cast them")
        .Without(Part::kEmpty, "pairs of nothing")
        .Without(Part::kSpecial, "differences of infinities")
        .Is([](const Given& in) {
          Block out{{}, {}};
          const auto rows = static_cast<std::size_t>(in[0].dims[0]);
          for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = i + 1; j < rows; ++j)
              out.values.push_back(Norm(Differences(in[0], in[0], i, j), 2));
          out.dims = {static_cast<std::int64_t>(out.values.size())};
          return out;
        }),
});

Block Multiplied(const Given& in, double beta) {
  const std::size_t left = in.size() - 2;
  Block out{in[left].dims, {}};
  out.dims.back() = in[left + 1].dims.back();
  for (std::size_t number = 0; number < CountOf(in[left]); ++number) {
    const Matrix product = Product(MatrixOf(in[left], number), MatrixOf(in[left + 1], number));
    Append(product, product.size(), product[0].size(), out);
  }
  for (std::size_t i = 0; left > 0 && i < out.values.size(); ++i)
    out.values[i] = 2 * out.values[i] + beta * in[0].values[i];
  return out;
}

// Channels [N, 3, 5, 6] with two filters of 3 by 2 each, padding 1, stride 1 and 2.
Block Depthwise(const Given& in) {
  Block out{{in[0].dims[0], 6, 5, 4}, {}};
  for (std::int64_t n = 0; n < in[0].dims[0]; ++n)
    for (std::int64_t o = 0; o < 6; ++o)
      for (std::int64_t y = 0; y < 5; ++y)
        for (std::int64_t x = 0; x < 4; ++x) {
          double sum = in[2].values[static_cast<std::size_t>(o)];
          for (std::int64_t kh = 0; kh < 3; ++kh)
            for (std::int64_t kw = 0; kw < 2; ++kw) {
              const std::int64_t h = y + kh - 1, w = 2 * x + kw - 1;
              if (h >= 0 && h < 5 && w >= 0 && w < 6)
                sum += in[0].values[nn::NumberOf({n, o / 2, h, w}, in[0].dims)] *
                       in[1].values[nn::NumberOf({o, 0, kh, kw}, in[1].dims)];
            }
          out.values.push_back(sum);
        }
  return out;
}

// beta times a matrix, and twice the sum of the products of a batch.
Block AddedBatch(const Given& in) {
  Block out{{in[1].dims[1], in[2].dims[2]}, Values(nn::CountOf({in[1].dims[1], in[2].dims[2]}), 0)};
  for (std::size_t number = 0; number < CountOf(in[1]); ++number) {
    Block one{out.dims, {}};
    const Matrix product = Product(MatrixOf(in[1], number), MatrixOf(in[2], number));
    Append(product, product.size(), product[0].size(), one);
    for (std::size_t i = 0; i < one.values.size(); ++i)
      out.values[i] += 2 * one.values[i];
  }
  const std::size_t columns = static_cast<std::size_t>(out.dims[1]);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] += 3 * in[0].values[in[0].dims.size() == 2 ? i : i % columns];
  return out;
}

const Table products({
    Functions("Addbmm")
        .Types(FloatTypes())
        .Calls(NN(Addbmm), {X(0), X(1), X(2), 3.0, 2.0, Y(0), 0})
        .Form({{4, 5}, {3, 4, 6}, {3, 6, 5}})
        .Form({{5, 10}, {10, 5, 5}, {10, 5, 10}})
        .Form({{5}, {3, 4, 6}, {3, 6, 5}})
        .Form({{4, 5}, {0, 4, 6}, {0, 6, 5}})
        .Onto()
        .Within(16)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is(AddedBatch),
    Functions("MatmulWeightNz")
        .Types(FloatTypes())
        .Calls(NN(MatmulWeightNz), {X(0), X(1), Y(0), 0})
        .Form({{4, 6}, {6, 5}})
        .Without(Part::kEmpty, "weights have elements")
        .Within(8)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is([](const Given& in) { return Multiplied(in, 0); }),
    Functions("BatchMatMulWeightNz")
        .Types(FloatTypes())
        .Calls(NN(BatchMatMulWeightNz), {X(0), X(1), Y(0), 0})
        .Form({{3, 4, 6}, {3, 6, 5}})
        .Without(Part::kEmpty, "weights have elements")
        .Within(8)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is([](const Given& in) { return Multiplied(in, 0); }),
    Functions("AddmmWeightNz")
        .Types(FloatTypes())
        .Calls(NN(AddmmWeightNz), {X(0), X(1), X(2), 3.0, 2.0, Y(0), 0})
        .Form({{4, 5}, {4, 6}, {6, 5}})
        .Without(Part::kEmpty, "weights have elements")
        .Within(8)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is([](const Given& in) { return Multiplied(in, 3); }),
    Functions("ConvDepthwise2d")
        .Types(FloatTypes())
        .Calls(NN(ConvDepthwise2d),
               {X(0), X(1), {3.0, 2.0}, X(2), {1.0, 2.0}, {1.0, 1.0}, {1.0, 1.0}, Y(0), 0})
        .Form({{2, 3, 5, 6}, {6, 1, 3, 2}, {6}})
        .Without(Part::kEmpty, "images have pixels")
        .Within(8)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is(Depthwise),
});

}  // namespace
}  // namespace samples
