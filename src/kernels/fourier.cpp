// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace foothold {
namespace {

constexpr std::size_t kLargestRadix = 31;  // beyond, a chirp is less work

// exp(-pi i numerator / denominator)
Complex HalfTurns(std::size_t numerator, std::size_t denominator) {
  const double angle = std::numbers::pi * static_cast<double>(numerator) / static_cast<double>(denominator);
  return {std::cos(angle), -std::sin(angle)};
}

// Fours first: they have no multiplications of their own. Empty if a factor is too large.
std::vector<std::size_t> RadicesOf(std::size_t length) {
  std::vector<std::size_t> radices;
  const auto take = [&](std::size_t radix) {
    for (; length % radix == 0; length /= radix)
      radices.push_back(radix);
  };
  take(4);
  for (std::size_t radix = 2; radix <= kLargestRadix && length > 1; ++radix)
    take(radix);
  if (length > 1) radices.clear();
  return radices;
}

void Butterfly2(Complex* a) {
  const Complex sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

void Butterfly4(Complex* a) {
  const Complex even = a[0] + a[2], odd = a[1] + a[3], first = a[0] - a[2], second = a[1] - a[3];
  const Complex turned{second.im, -second.re};
  a[0] = even + odd;
  a[1] = first + turned;
  a[2] = even - odd;
  a[3] = first - turned;
}

// By definition, with every step-th of the roots.
void ButterflyOf(Complex* a, std::size_t radix, const Complex* roots, std::size_t step) {
  Complex sums[kLargestRadix];
  for (std::size_t t = 0; t < radix; ++t) {
    sums[t] = a[0];
    for (std::size_t r = 1; r < radix; ++r)
      sums[t] = sums[t] + a[r] * roots[r * t % radix * step];
  }
  std::copy_n(sums, radix, a);
}

}  // namespace

FourierPlan::FourierPlan(std::size_t length) : length_(length), radices_(RadicesOf(length)) {
  const bool by_chirp = length > 1 && radices_.empty();
  if (by_chirp) MakeChirp();
  for (std::size_t k = 0; k < length && !by_chirp; ++k)
    roots_.push_back(HalfTurns(2 * k, length));
}

void FourierPlan::MakeChirp() {
  const std::size_t size = std::bit_ceil(2 * length_ - 1);
  longer_ = std::make_unique<FourierPlan>(size);
  for (std::size_t k = 0; k < length_; ++k)
    chirp_.push_back(HalfTurns(k * k % (2 * length_), length_));
  filter_.assign(size, {});
  for (std::size_t k = 0; k < length_; ++k) {
    filter_[k] = {chirp_[k].re, -chirp_[k].im};
    filter_[k == 0 ? 0 : size - k] = filter_[k];
  }
  std::vector<Complex> scratch(longer_->ScratchNumbers());
  longer_->Forward(filter_.data(), scratch.data());
  for (Complex& number : filter_)
    number = {number.re / static_cast<double>(size), number.im / static_cast<double>(size)};
}

std::size_t FourierPlan::ScratchNumbers() const {
  return longer_ ? longer_->length() + longer_->ScratchNumbers() : length_;
}

void FourierPlan::Forward(Complex* line, Complex* scratch) const {
  if (longer_)
    RunChirp(line, scratch);
  else
    RunPasses(line, scratch);
}

// With real and imaginary parts exchanged before and after, the sign of the exponent is the other one.
void FourierPlan::Inverse(Complex* line, Complex* scratch) const {
  const auto exchange = [&] {
    for (std::size_t k = 0; k < length_; ++k)
      std::swap(line[k].re, line[k].im);
  };
  exchange();
  Forward(line, scratch);
  exchange();
}

// Stockham: every pass leaves the numbers in order, between two pieces of memory.
void FourierPlan::RunPasses(Complex* line, Complex* scratch) const {
  Complex *from = line, *to = scratch;
  std::size_t rest = length_, stride = 1;
  for (const std::size_t radix : radices_) {
    rest /= radix;
    RunPass(radix, rest, stride, from, to);
    stride *= radix;
    std::swap(from, to);
  }
  if (from != line) std::copy_n(from, length_, line);
}

void FourierPlan::RunPass(std::size_t radix, std::size_t rest, std::size_t stride, const Complex* x,
                          Complex* y) const {
  Complex a[kLargestRadix];
  for (std::size_t j = 0; j < rest; ++j)
    for (std::size_t k = 0; k < stride; ++k) {
      for (std::size_t r = 0; r < radix; ++r)
        a[r] = x[(j + rest * r) * stride + k];
      if (radix == 4)
        Butterfly4(a);
      else if (radix == 2)
        Butterfly2(a);
      else
        ButterflyOf(a, radix, roots_.data(), length_ / radix);
      for (std::size_t t = 0; t < radix; ++t)
        y[(radix * j + t) * stride + k] = t == 0 || j == 0 ? a[t] : a[t] * roots_[j * t * stride];
    }
}

// Bluestein: j k = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution.
void FourierPlan::RunChirp(Complex* line, Complex* scratch) const {
  const std::size_t size = longer_->length();
  Complex *work = scratch, *rest = scratch + size;
  for (std::size_t k = 0; k < length_; ++k)
    work[k] = line[k] * chirp_[k];
  std::fill(work + length_, work + size, Complex{});
  longer_->Forward(work, rest);
  for (std::size_t k = 0; k < size; ++k)
    work[k] = work[k] * filter_[k];
  longer_->Inverse(work, rest);
  for (std::size_t k = 0; k < length_; ++k)
    line[k] = work[k] * chirp_[k];
}

}  // namespace foothold
