// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is done with pictures: each call checks all it was given, then works on several cores and returns when
// it is done. Any format with a layout may be an input or an output, and the two may differ: pixels are cut
// out, scaled in the input's format, converted, and put in place, in this order. Pixels of the output outside
// the place stay as they are. Input and output must not share memory, but for ApplyLut. Fails with 100000 for
// wrong arguments. Any thread.
#pragma once

#include <array>
#include <cstdint>

#include "media/picture.h"

namespace foothold::media {

// Bilinear and nearest are OpenCV's for bytes, to the last bit; each plane is scaled on its own grid.
enum class Interpolation { kBilinear, kNearest, kBicubic };

enum class ColorMatrix : std::uint32_t {
  kBt601Wide = 0,
  kBt601Narrow = 1,
  kBt709Wide = 2,
  kBt709Narrow = 3,
  kBt2020Wide = 4,
  kBt2020Narrow = 5,
};

// The numbers of a matrix: RGB = to_rgb * (YUV - yuv_bias), YUV = to_yuv * RGB + rgb_bias. Row-major.
struct ColorCoefficients {
  std::array<double, 9> to_rgb;
  std::array<double, 3> yuv_bias;
  std::array<double, 9> to_yuv;
  std::array<double, 3> rgb_bias;
};
const ColorCoefficients& CoefficientsOf(ColorMatrix matrix);

struct TransformOptions {
  Interpolation interpolation = Interpolation::kBilinear;
  ColorMatrix matrix = ColorMatrix::kBt601Wide;
  const ColorCoefficients* coefficients = nullptr;  // in place of the matrix
};

// The whole input becomes the whole output.
void Resize(const Picture& in, const Picture& out, const TransformOptions& options = {});
// `crop` of the input becomes `paste` of the output; the sizes may differ.
void CropResizePaste(const Picture& in, const Region& crop, const Picture& out, const Region& paste,
                     const TransformOptions& options = {});
// Same size, another format.
void ConvertColor(const Picture& in, const Picture& out, const TransformOptions& options = {});

enum class BorderKind { kConstant, kReplicate, kReflect, kReflect101, kWrap };
struct Border {
  BorderKind kind = BorderKind::kConstant;
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;
  // Y U V if both pictures are YUV (or grey), else R G B, whatever the order in memory.
  std::array<double, 4> value{};
};
// The output is as large as the input and its borders together.
void MakeBorder(const Picture& in, const Picture& out, const Border& border,
                const TransformOptions& options = {});
// `crop` scaled to what the borders leave of the output, and the borders around it.
void CropResizeMakeBorder(const Picture& in, const Region& crop, const Picture& out, const Border& border,
                          const TransformOptions& options = {});

// Filtered with 5 x 5 numbers, sums divided and rounded, then every second pixel of every second row. Grey.
struct PyramidKernel {
  std::array<std::int8_t, 25> weights = {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, 36,
                                         24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1};
  std::uint16_t divisor = 256;
  BorderKind border = BorderKind::kReflect101;
  double border_value = 0;
};
void PyrDown(const Picture& in, const Picture& out, const PyramidKernel& kernel = {});

// Y U V or R G B, whatever the order in memory; a grey picture fills the first only.
using Histogram = std::array<std::array<std::uint32_t, 256>, 3>;
using LookupTable = std::array<std::array<std::uint8_t, 256>, 3>;
void CalcHist(const Picture& in, Histogram& counts);
// Same format and size; the output may be the input.
void ApplyLut(const Picture& in, const Picture& out, const LookupTable& table);

}  // namespace foothold::media
