// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Points of images, and images that are summed from columns.
#include "samples/table.h"

namespace samples {
namespace {

// From -1 to 1, corners in the middle of the outermost pixels or at their edges.
double PointAt(std::int64_t i, std::int64_t extent, bool corners) {
  if (extent <= 1) return 0;
  const double point = -1 + 2 * static_cast<double>(i) / static_cast<double>(extent - 1);
  return corners ? point : point * static_cast<double>(extent - 1) / static_cast<double>(extent);
}

Block AffineGrid(const Given& in) {
  const std::vector<double>& size = in.List("size");
  const auto h = static_cast<std::int64_t>(size[2]), w = static_cast<std::int64_t>(size[3]);
  const bool corners = in.Flag("corners");
  Block out{{static_cast<std::int64_t>(size[0]), h, w, 2}, {}};
  for (std::int64_t n = 0; n < out.dims[0]; ++n)
    for (std::int64_t y = 0; y < h; ++y)
      for (std::int64_t x = 0; x < w; ++x)
        for (std::int64_t row = 0; row < 2; ++row) {
          const double* theta = in[0].values.data() + n * 6 + row * 3;
          out.values.push_back(theta[0] * PointAt(x, w, corners) + theta[1] * PointAt(y, h, corners) +
                               theta[2]);
        }
  return out;
}

// Columns of windows of 2 by 3 that lie 1 apart in images without a border.
Block FromColumns(const Given& in) {
  constexpr std::int64_t kHeight = 2, kWidth = 3;
  const auto h = static_cast<std::int64_t>(in.List("size")[0]),
             w = static_cast<std::int64_t>(in.List("size")[1]);
  const std::int64_t n = in[0].dims[0], c = in[0].dims[1] / (kHeight * kWidth);
  const std::int64_t rows = h - kHeight + 1, columns = w - kWidth + 1;
  Block out{{n, c, h, w}, Values(static_cast<std::size_t>(n * c * h * w))};
  for (std::int64_t image = 0; image < n * c; ++image)
    for (std::int64_t place = 0; place < kHeight * kWidth; ++place)
      for (std::int64_t window = 0; window < rows * columns; ++window) {
        const std::int64_t y = window / columns + place / kWidth, x = window % columns + place % kWidth;
        out.values[static_cast<std::size_t>((image * h + y) * w + x)] +=
            in[0].values[static_cast<std::size_t>((image * kHeight * kWidth + place) * rows * columns +
                                                  window)];
      }
  return out;
}

constexpr const char* kSums = "what is no number spreads over sums";

const Table grids({
    Functions("AffineGrid")
        .Types(FloatTypes())
        .Without(Part::kSpecial, kSums)
        .Calls(NN(AffineGrid), {X(0), V("size"), V("corners"), Y(0)})
        .Form({{2, 2, 3}}, {{"size", {2, 3, 4, 5}}, {"corners", true}})
        .Form({{2, 2, 3}}, {{"size", {2, 1, 3, 1}}, {"corners", false}})
        .Form({{0, 2, 3}}, {{"size", {0, 1, 3, 2}}, {"corners", false}})
        .Within(2)
        .Is(AffineGrid),
    Functions("Im2colBackward")
        .Types(FloatTypes())
        .Without(Part::kSpecial, kSums)
        .Calls(NN(Im2colBackward), {X(0), V("size"), {2, 3}, {1, 1}, {0, 0}, {1, 1}, Y(0)})
        .Form({{2, 12, 6}}, {{"size", {4, 4}}})
        .Form({{0, 12, 6}}, {{"size", {4, 4}}})
        .Within(4)
        .Is(FromColumns),
});

}  // namespace
}  // namespace samples
