// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Discrete Fourier transforms of any length: passes of small radices, and a convolution with a chirp for
// lengths with large prime factors. A plan holds tables and is constant after its construction. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace foothold {

template <typename T>
struct Complex {
  T re{}, im{};

  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <typename T>
class FourierPlan {
 public:
  explicit FourierPlan(std::size_t length);  // at least 1

  std::size_t length() const { return length_; }
  // Scratch memory of a transform, in complex numbers.
  std::size_t ScratchNumbers() const;
  // In place. y[k] = sum of x[j] exp(-2 pi i j k / length); the inverse has the other sign and is not scaled.
  void Forward(Complex<T>* line, Complex<T>* scratch) const;
  void Inverse(Complex<T>* line, Complex<T>* scratch) const;

 private:
  void RunPasses(Complex<T>* line, Complex<T>* scratch) const;
  void RunPass(std::size_t radix, std::size_t rest, std::size_t stride, const Complex<T>* x,
               Complex<T>* y) const;
  void RunChirp(Complex<T>* line, Complex<T>* scratch) const;
  void MakeChirp();

  std::size_t length_;
  std::vector<std::size_t> radices_;     // their product is the length, or empty: by chirp
  std::vector<Complex<T>> roots_;        // exp(-2 pi i k / length)
  std::unique_ptr<FourierPlan> longer_;  // for the convolution
  std::vector<Complex<T>> chirp_;
  std::vector<Complex<T>> filter_;  // the transform of the conjugate chirp
};

extern template class FourierPlan<float>;
extern template class FourierPlan<double>;

}  // namespace foothold
