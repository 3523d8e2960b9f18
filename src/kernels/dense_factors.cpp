// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/dense_factors.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

constexpr int kMostSweeps = 60;
constexpr double kSmall = 1e-15;

double Dot(const double* a, const double* b, std::size_t count) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k)
      sums[k] += a[i + k] * b[i + k];
  for (; i < count; ++i)
    sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void AddMultiple(double factor, const double* x, double* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    y[i] += factor * x[i];
}

// Free of overflow and of what is too small to square.
double Length(const double* x, std::size_t count) {
  double most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::isnan(x[i]) ? x[i] : std::max(most, std::abs(x[i]));
  if (most == 0 || !std::isfinite(most)) return most;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += (x[i] / most) * (x[i] / most);
  return most * std::sqrt(sum);
}

// Takes (1, v) off a column in proportion: the reflection without its first, implied element.
void Reflect(const double* v, double scale, double* column, std::size_t behind) {
  const double share = scale * (column[0] + Dot(v, column + 1, behind));
  column[0] -= share;
  AddMultiple(-share, v, column + 1, behind);
}

void Rotate(double* a, double* b, std::size_t count, double cosine, double sine) {
  for (std::size_t i = 0; i < count; ++i) {
    const double x = a[i], y = b[i];
    a[i] = cosine * x - sine * y;
    b[i] = sine * x + cosine * y;
  }
}

// Makes two columns orthogonal; false: they are.
bool RotatePair(double* a, double* b, double* va, double* vb, std::size_t n) {
  const double aa = Dot(a, a, n), bb = Dot(b, b, n), ab = Dot(a, b, n);
  if (!(std::abs(ab) > kSmall * std::sqrt(aa) * std::sqrt(bb))) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double tangent = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = cosine * tangent;
  Rotate(a, b, n, cosine, sine);
  Rotate(va, vb, n, cosine, sine);
  return true;
}

// Some direction that the other columns do not have.
void FillColumn(double* u, std::size_t rows, std::size_t n, std::size_t column, const double* lengths) {
  double* const to = u + column * rows;
  for (std::size_t axis = 0; axis < rows; ++axis) {
    std::fill_n(to, rows, 0.0);
    to[axis] = 1;
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t other = 0; other < n; ++other)
        if (other != column && (other < column || lengths[other] > 0))
          AddMultiple(-Dot(u + other * rows, to, rows), u + other * rows, to, rows);
    const double length = Length(to, rows);
    if (length < 0.5 / std::sqrt(static_cast<double>(rows))) continue;
    for (std::size_t i = 0; i < rows; ++i)
      to[i] /= length;
    return;
  }
}

}  // namespace

void ReflectColumns(double* a, std::size_t rows, std::size_t columns, double* scales) {
  for (std::size_t k = 0; k < std::min(rows, columns); ++k) {
    double* column = a + k * rows + k;
    const std::size_t behind = rows - k - 1;
    const double tail = Length(column + 1, behind);
    scales[k] = 0;
    if (tail == 0) continue;
    const double first = column[0], length = std::hypot(first, tail),
                 turned = std::signbit(first) ? length : -length;
    scales[k] = (turned - first) / turned;
    for (std::size_t i = 1; i <= behind; ++i)
      column[i] /= first - turned;
    column[0] = turned;
    for (std::size_t j = k + 1; j < columns; ++j)
      Reflect(column + 1, scales[k], a + j * rows + k, behind);
  }
}

void UnfoldReflections(const double* a, std::size_t rows, std::size_t columns, const double* scales,
                       double* q, std::size_t width) {
  std::fill_n(q, rows * width, 0.0);
  for (std::size_t i = 0; i < std::min(rows, width); ++i)
    q[i * rows + i] = 1;
  for (std::size_t k = std::min(rows, columns); k-- > 0;)
    for (std::size_t j = k; j < width; ++j)
      Reflect(a + k * rows + k + 1, scales[k], q + j * rows + k, rows - k - 1);
}

void OrthogonalizeColumns(double* a, std::size_t n, double* v) {
  std::fill_n(v, n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    v[i * n + i] = 1;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (std::size_t p = 0; p + 1 < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q)
        if (RotatePair(a + p * n, a + q * n, v + p * n, v + q * n, n)) rotated = true;
  }
}

void NormalizeColumns(double* u, std::size_t rows, std::size_t n, double* lengths) {
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    lengths[j] = Length(u + j * rows, rows);
    most = std::max(most, lengths[j]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (lengths[j] <= most * 1e-300) lengths[j] = 0;
    for (std::size_t i = 0; lengths[j] > 0 && i < rows; ++i)
      u[j * rows + i] /= lengths[j];
  }
  for (std::size_t j = 0; j < n; ++j)
    if (lengths[j] == 0) FillColumn(u, rows, n, j, lengths);
}

bool SplitSymmetric(double* a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < k; ++j)
      AddMultiple(-a[j * n + k], a + j * n + k, a + k * n + k, n - k);
    const double square = a[k * n + k];
    if (!(square > 0) || !std::isfinite(square)) return false;
    const double root = std::sqrt(square);
    for (std::size_t i = k; i < n; ++i)
      a[k * n + i] /= root;
  }
  return true;
}

void Invert(double* a, std::size_t n, double* inverse) {
  std::fill_n(inverse, n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    inverse[i * n + i] = 1;
  // Columns of both are combined until a is the identity.
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t j = k + 1; j < n; ++j)
      if (std::abs(a[j * n + k]) > std::abs(a[pivot * n + k])) pivot = j;
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
      std::swap_ranges(inverse + k * n, inverse + k * n + n, inverse + pivot * n);
    }
    const double scale = 1 / a[k * n + k];
    for (std::size_t i = 0; i < n; ++i) {
      a[k * n + i] *= scale;
      inverse[k * n + i] *= scale;
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (j == k) continue;
      const double factor = -a[j * n + k];
      AddMultiple(factor, a + k * n, a + j * n, n);
      AddMultiple(factor, inverse + k * n, inverse + j * n, n);
    }
  }
}

}  // namespace foothold
