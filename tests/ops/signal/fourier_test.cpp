// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Number = std::complex<double>;
using Line = std::vector<Number>;

Line ByDefinition(const Line& x, bool inverse) {
  Line y(x.size());
  const auto n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double turn = static_cast<double>(j * k % x.size()) / n * 2 * std::numbers::pi;
      y[k] += x[j] * std::polar(inverse ? 1 / n : 1.0, inverse ? turn : -turn);
    }
  return y;
}

// A tensor of pairs under the type of complex numbers, and back.
TensorValue Complexes(TensorValue pairs) {
  Dims dims = pairs.dims();
  dims.pop_back();
  const bool wide = pairs.type().type == DataType::kDouble;
  pairs.set_type({wide ? DataType::kComplex128 : DataType::kComplex64, Format::kNd, dims});
  return pairs;
}
TensorValue Pairs(TensorValue complexes) {
  Dims dims = complexes.dims();
  dims.push_back(2);
  const bool wide = complexes.type().type == DataType::kComplex128;
  complexes.set_type({wide ? DataType::kDouble : DataType::kFloat, Format::kNd, dims});
  return complexes;
}

Line LineAt(const std::vector<double>& parts, std::size_t first, std::size_t stride, std::size_t count) {
  Line line;
  for (std::size_t k = 0; k < count; ++k)
    line.emplace_back(parts[2 * (first + k * stride)], parts[2 * (first + k * stride) + 1]);
  return line;
}

std::vector<double> Flat(const Line& line) {
  std::vector<double> parts;
  for (const Number& number : line) {
    parts.push_back(number.real());
    parts.push_back(number.imag());
  }
  return parts;
}

TEST(Fft, HasAnyLength) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 31, 37, 60, 64, 74, 101, 120, 128, 240})
    for (const bool inverse : {false, true})
      for (const DataType type : {DataType::kFloat, DataType::kDouble}) {
        SCOPED_TRACE(n);
        const TensorValue x = Random(type, {2, n, 2}, static_cast<unsigned>(n));
        const TensorValue y = OpRun(inverse ? "IFFT" : "FFT").In("x", Complexes(x)).Out("y").Run();
        EXPECT_EQ(y.dims(), (Dims{2, n}));
        std::vector<double> expected;
        for (std::size_t row = 0; row < 2; ++row)
          for (const double part : Flat(ByDefinition(
                   LineAt(Numbers(x), row * static_cast<std::size_t>(n), 1, static_cast<std::size_t>(n)),
                   inverse)))
            expected.push_back(part);
        ExpectNear(Pairs(y), expected, type == DataType::kFloat ? 1e-6 : 1e-12);
      }
}

TEST(Fft2D, GoesAlongBothAxes) {
  const std::size_t rows = 6, columns = 5;
  const TensorValue x = Random(DataType::kDouble, {6, 5, 2}, 3);
  for (const bool inverse : {false, true}) {
    std::vector<double> parts = Numbers(x);
    const auto transform = [&](std::size_t first, std::size_t stride, std::size_t count) {
      const Line line = ByDefinition(LineAt(parts, first, stride, count), inverse);
      for (std::size_t k = 0; k < count; ++k) {
        parts[2 * (first + k * stride)] = line[k].real();
        parts[2 * (first + k * stride) + 1] = line[k].imag();
      }
    };
    for (std::size_t row = 0; row < rows; ++row)
      transform(row * columns, 1, columns);
    for (std::size_t column = 0; column < columns; ++column)
      transform(column, columns, rows);
    ExpectNear(Pairs(OpRun(inverse ? "IFFT2D" : "FFT2D").In("x", Complexes(x)).Out("y").Run()), parts, 1e-12);
  }
}

TEST(Rfft, GivesHalfASpectrumAndTakesItBack) {
  for (const double length : {8.0, 7.0, 12.0, 5.0}) {
    const TensorValue x = Random(DataType::kFloat, {3, 8}, 4);
    const auto n = static_cast<std::size_t>(length);
    const TensorValue y = OpRun("RFFT").In("input", x).In("fft_length", Int32s({1}, {length})).Out("y").Run();
    EXPECT_EQ(y.dims(), (Dims{3, static_cast<std::int64_t>(n / 2 + 1)}));
    std::vector<double> expected, kept;
    for (std::size_t row = 0; row < 3; ++row) {
      Line line(n);
      for (std::size_t k = 0; k < n; ++k) {
        line[k] = k < 8 ? Numbers(x)[row * 8 + k] : 0;
        kept.push_back(line[k].real());
      }
      Line whole = ByDefinition(line, false);
      whole.resize(n / 2 + 1);
      for (const double part : Flat(whole))
        expected.push_back(part);
    }
    ExpectNear(Pairs(y), expected, 1e-5);
    ExpectNear(OpRun("IRFFT").In("x", y).In("fft_length", Int32s({1}, {length})).Out("y").Run(), kept, 1e-5);
  }
}

TEST(Dft, GoesAlongAnyAxis) {
  const TensorValue x = Random(DataType::kFloat, {2, 6, 3, 2}, 5);
  for (const bool inverse : {false, true}) {
    const TensorValue y = OpRun("OnnxDft")
                              .In("input", x)
                              .NoInput("dft_length")
                              .Attr("axis", std::int64_t{1})
                              .Attr("inverse", inverse)
                              .Out("output")
                              .Run();
    EXPECT_EQ(y.dims(), x.dims());
    std::vector<double> expected(72);
    for (std::size_t outer = 0; outer < 2; ++outer)
      for (std::size_t inner = 0; inner < 3; ++inner) {
        const Line line = ByDefinition(LineAt(Numbers(x), outer * 18 + inner, 3, 6), inverse);
        for (std::size_t k = 0; k < 6; ++k) {
          expected[2 * (outer * 18 + k * 3 + inner)] = line[k].real();
          expected[2 * (outer * 18 + k * 3 + inner) + 1] = line[k].imag();
        }
      }
    ExpectNear(y, expected, 1e-5);
  }
}

TEST(Dft, TakesRealNumbersALengthAndOneSide) {
  const auto run = [](double length) {
    return OpRun("OnnxDft")
        .In("input", Floats({1, 4, 1}, {1, 2, 3, 4}))
        .In("dft_length", Tensor(DataType::kInt64, {}, {length}))
        .Attr("onesided", true)
        .Out("output")
        .Run();
  };
  EXPECT_EQ(run(4).dims(), (Dims{1, 3, 2}));
  ExpectNear(run(4), {10, 0, -2, 2, -2, 0}, 1e-6);
  ExpectNear(run(2), {3, 0, -1, 0}, 1e-6);
  EXPECT_EQ(run(6).dims(), (Dims{1, 4, 2}));
  EXPECT_THROW(run(0), Error);
  EXPECT_THROW(OpRun("OnnxDft").In("input", Floats({1, 4, 3}, std::vector<double>(12))).Out("output").Run(),
               Error);
}

TEST(Stft, TransformsPiecesOfASignal) {
  const std::size_t samples = 20, length = 8, hop = 3, window = 6, pieces = 5;
  const TensorValue x = Random(DataType::kDouble, {2, 20}, 6), w = Random(DataType::kDouble, {6}, 7);
  for (const bool onesided : {true, false})
    for (const bool normalized : {true, false}) {
      const TensorValue y = OpRun("STFT")
                                .In("x", x)
                                .In("window", w)
                                .Attr("n_fft", std::int64_t{8})
                                .Attr("hop_length", std::int64_t{3})
                                .Attr("win_length", std::int64_t{6})
                                .Attr("onesided", onesided)
                                .Attr("normalized", normalized)
                                .Attr("return_complex", false)
                                .Out("y")
                                .Run();
      const std::size_t frequencies = onesided ? 5 : 8;
      EXPECT_EQ(y.dims(), (Dims{2, static_cast<std::int64_t>(frequencies), 5, 2}));
      std::vector<double> expected(2 * frequencies * pieces * 2);
      for (std::size_t batch = 0; batch < 2; ++batch)
        for (std::size_t piece = 0; piece < pieces; ++piece) {
          Line line(length);
          for (std::size_t k = 0; k < window; ++k)
            line[1 + k] = Numbers(x)[batch * samples + piece * hop + 1 + k] * Numbers(w)[k];
          const Line spectrum = ByDefinition(line, false);
          const double scale = normalized ? 1 / std::sqrt(8.0) : 1;
          for (std::size_t k = 0; k < frequencies; ++k) {
            expected[2 * ((batch * frequencies + k) * pieces + piece)] = spectrum[k].real() * scale;
            expected[2 * ((batch * frequencies + k) * pieces + piece) + 1] = spectrum[k].imag() * scale;
          }
        }
      ExpectNear(y, expected, 1e-12);
    }
}

TEST(Stft, GivesComplexNumbersAndNoPieceOfAShortSignal) {
  const auto run = [](std::int64_t length) {
    return OpRun("STFT")
        .In("x", Random(DataType::kFloat, {6}, 1))
        .NoInput("window")
        .Attr("n_fft", length)
        .Out("y")
        .Run();
  };
  EXPECT_EQ(run(4).type().type, DataType::kComplex64);
  EXPECT_EQ(run(4).dims(), (Dims{3, 3}));
  EXPECT_EQ(run(7).dims(), (Dims{4, 0}));
  EXPECT_THROW(run(0), Error);
}

}  // namespace
}  // namespace foothold
