// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Discrete Fourier transforms of any length: passes of small radices, and a convolution with a chirp for
// lengths with large prime factors. In double, so that small values beside large ones are right in float. A
// plan holds tables and is constant after its construction. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace foothold {

struct Complex {
  double re = 0, im = 0;

  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

class FourierPlan {
 public:
  explicit FourierPlan(std::size_t length);  // at least 1

  std::size_t length() const { return length_; }
  // Scratch memory of a transform, in complex numbers.
  std::size_t ScratchNumbers() const;
  // In place. y[k] = sum of x[j] exp(-2 pi i j k / length); the inverse has the other sign and is not scaled.
  void Forward(Complex* line, Complex* scratch) const;
  void Inverse(Complex* line, Complex* scratch) const;

 private:
  void RunPasses(Complex* line, Complex* scratch) const;
  void RunPass(std::size_t radix, std::size_t rest, std::size_t stride, const Complex* x, Complex* y) const;
  void RunChirp(Complex* line, Complex* scratch) const;
  void MakeChirp();

  std::size_t length_;
  std::vector<std::size_t> radices_;     // their product is the length, or empty: by chirp
  std::vector<Complex> roots_;           // exp(-2 pi i k / length)
  std::unique_ptr<FourierPlan> longer_;  // for the convolution
  std::vector<Complex> chirp_;
  std::vector<Complex> filter_;  // the transform of the conjugate chirp
};

}  // namespace foothold
