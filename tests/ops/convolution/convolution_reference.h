// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions by their definition, in double and always in the order NCHW / OIHW, with conversions from and
// to the layouts of tensors. For the tests of convolutions.
#pragma once

#include <string>
#include <vector>

#include "ops/op_run.h"

namespace foothold {

// A four-dimensional array in the order of its letters ("NCHW", "HWCN" ...), read by meaning.
struct Array4 {
  std::vector<double> values;
  std::int64_t dims[4];  // N C H W, for a filter O I H W

  double& At(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    return values[static_cast<std::size_t>(((n * dims[1] + c) * dims[2] + h) * dims[3] + w)];
  }
  double At(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) const {
    return const_cast<Array4*>(this)->At(n, c, h, w);
  }
};

inline Array4 Zeros(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return {std::vector<double>(static_cast<std::size_t>(n * c * h * w)), {n, c, h, w}};
}

// The position of each of N C H W in a tensor with this format.
inline std::vector<std::size_t> OrderOf(Format format) {
  if (format == Format::kNhwc) return {0, 3, 1, 2};
  if (format == Format::kHwcn) return {3, 2, 0, 1};
  return {0, 1, 2, 3};
}

inline Dims DimsIn(Format format, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  const auto order = OrderOf(format);
  Dims dims(4);
  dims[order[0]] = n;
  dims[order[1]] = c;
  dims[order[2]] = h;
  dims[order[3]] = w;
  return dims;
}

template <typename Visit>
void ForEachElement(Format format, const Dims& dims, Visit&& visit) {
  const auto order = OrderOf(format);
  std::int64_t i[4];
  std::size_t flat = 0;
  for (i[0] = 0; i[0] < dims[0]; ++i[0])
    for (i[1] = 0; i[1] < dims[1]; ++i[1])
      for (i[2] = 0; i[2] < dims[2]; ++i[2])
        for (i[3] = 0; i[3] < dims[3]; ++i[3])
          visit(flat++, i[order[0]], i[order[1]], i[order[2]], i[order[3]]);
}

inline Array4 ByMeaning(const TensorValue& value, Format format) {
  const auto order = OrderOf(format);
  const Dims& d = value.dims();
  Array4 array = Zeros(d[order[0]], d[order[1]], d[order[2]], d[order[3]]);
  const auto numbers = Numbers(value);
  ForEachElement(format, d, [&](std::size_t flat, auto n, auto c, auto h, auto w) {
    array.At(n, c, h, w) = numbers[flat];
  });
  return array;
}

inline std::vector<double> InFormat(const Array4& array, Format format) {
  std::vector<double> values(array.values.size());
  const Dims dims = DimsIn(format, array.dims[0], array.dims[1], array.dims[2], array.dims[3]);
  ForEachElement(format, dims, [&](std::size_t flat, auto n, auto c, auto h, auto w) {
    values[flat] = array.At(n, c, h, w);
  });
  return values;
}

struct ConvolutionCase {
  std::int64_t n, c, h, w, out, kh, kw;
  std::int64_t stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
  std::int64_t groups = 1;

  std::int64_t OutHeight() const { return (h + top + bottom - dilation_h * (kh - 1) - 1) / stride_h + 1; }
  std::int64_t OutWidth() const { return (w + left + right - dilation_w * (kw - 1) - 1) / stride_w + 1; }
};

// Calls visit(n, o, oh, ow, ic, i, kh, kw, ih, iw) for every product of the convolution; ic is the channel of
// the image, i that of the filter.
template <typename Visit>
void ForEachTerm(const ConvolutionCase& c, Visit&& visit) {
  const std::int64_t in = c.c / c.groups, out = c.out / c.groups;
  for (std::int64_t n = 0; n < c.n; ++n)
    for (std::int64_t o = 0; o < c.out; ++o)
      for (std::int64_t oh = 0; oh < c.OutHeight(); ++oh)
        for (std::int64_t ow = 0; ow < c.OutWidth(); ++ow)
          for (std::int64_t i = 0; i < in; ++i)
            for (std::int64_t kh = 0; kh < c.kh; ++kh)
              for (std::int64_t kw = 0; kw < c.kw; ++kw) {
                const std::int64_t ih = oh * c.stride_h - c.top + kh * c.dilation_h;
                const std::int64_t iw = ow * c.stride_w - c.left + kw * c.dilation_w;
                if (ih >= 0 && ih < c.h && iw >= 0 && iw < c.w)
                  visit(n, o, oh, ow, o / out * in + i, i, kh, kw, ih, iw);
              }
}

inline Array4 Convolved(const ConvolutionCase& c, const Array4& x, const Array4& filter) {
  Array4 y = Zeros(c.n, c.out, c.OutHeight(), c.OutWidth());
  ForEachTerm(c, [&](auto n, auto o, auto oh, auto ow, auto ic, auto i, auto kh, auto kw, auto ih, auto iw) {
    y.At(n, o, oh, ow) += x.At(n, ic, ih, iw) * filter.At(o, i, kh, kw);
  });
  return y;
}

inline Array4 InputGradient(const ConvolutionCase& c, const Array4& dy, const Array4& filter) {
  Array4 dx = Zeros(c.n, c.c, c.h, c.w);
  ForEachTerm(c, [&](auto n, auto o, auto oh, auto ow, auto ic, auto i, auto kh, auto kw, auto ih, auto iw) {
    dx.At(n, ic, ih, iw) += dy.At(n, o, oh, ow) * filter.At(o, i, kh, kw);
  });
  return dx;
}

inline Array4 FilterGradient(const ConvolutionCase& c, const Array4& x, const Array4& dy) {
  Array4 dw = Zeros(c.out, c.c / c.groups, c.kh, c.kw);
  ForEachTerm(c, [&](auto n, auto o, auto oh, auto ow, auto ic, auto i, auto kh, auto kw, auto ih, auto iw) {
    dw.At(o, i, kh, kw) += dy.At(n, o, oh, ow) * x.At(n, ic, ih, iw);
  });
  return dw;
}

inline void AddChannelBias(Array4& y, const std::vector<double>& bias) {
  for (std::int64_t n = 0; n < y.dims[0]; ++n)
    for (std::int64_t c = 0; c < y.dims[1]; ++c)
      for (std::int64_t h = 0; h < y.dims[2]; ++h)
        for (std::int64_t w = 0; w < y.dims[3]; ++w)
          y.At(n, c, h, w) += bias[static_cast<std::size_t>(c)];
}

// strides, dilations, pads and groups, in the order of the layout.
inline void SetWindow(OpRun& run, const ConvolutionCase& c, Format format) {
  const bool last = format == Format::kNhwc;
  run.Attr("strides", last ? Ints{1, c.stride_h, c.stride_w, 1} : Ints{1, 1, c.stride_h, c.stride_w});
  run.Attr("dilations",
           last ? Ints{1, c.dilation_h, c.dilation_w, 1} : Ints{1, 1, c.dilation_h, c.dilation_w});
  run.Attr("pads", Ints{c.top, c.bottom, c.left, c.right});
  run.Attr("groups", c.groups);
}

inline double ConvolutionTolerance(DataType type) {
  return type == DataType::kFloat16 ? 4e-3 : type == DataType::kBfloat16 ? 3e-2 : 3e-5;
}

// Shapes that meet every path: pointwise, strided, dilated, uneven pads, groups, depthwise, large blocks.
inline std::vector<ConvolutionCase> ConvolutionCases() {
  return {
      {1, 1, 1, 1, 1, 1, 1},
      {2, 3, 5, 7, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1},
      {1, 8, 9, 10, 17, 1, 1},
      {1, 5, 11, 8, 6, 3, 2, 2, 3, 1, 1, 2, 1, 0, 3},
      {1, 4, 12, 12, 5, 3, 3, 1, 2, 3, 2, 2, 2, 3, 1},
      {2, 6, 8, 8, 9, 3, 3, 2, 2, 1, 1, 0, 1, 1, 0, 3},
      {1, 8, 7, 19, 8, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 8},
      {1, 4, 9, 21, 8, 3, 5, 2, 2, 1, 1, 1, 1, 2, 2, 4},
      {1, 40, 14, 14, 100, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1},
      {1, 3, 4, 4, 2, 7, 7, 2, 2, 1, 1, 3, 3, 3, 3},
      {1, 2, 3, 3, 2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2},
      {0, 2, 3, 3, 2, 2, 2},
  };
}

}  // namespace foothold
