// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of functions that took elements several times.
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kSums = "sums of infinities of both signs";

// What arrives, and what was padded; paddings from the last dimension on.
Block Padded(const Given& in, bool reflects) {
  const std::vector<double>& padding = in.List("padding");
  Block out = in[0];
  for (std::size_t i = 0; i < padding.size() / 2; ++i) {
    const std::size_t axis = in[1].dims.size() - 1 - i;
    const auto before = static_cast<std::int64_t>(padding[2 * i]), size = in[1].dims[axis];
    out = AlongAxis(out, static_cast<double>(axis), [&](const Values& line) {
      Values sums(static_cast<std::size_t>(size), 0);
      for (std::size_t k = 0; k < line.size(); ++k) {
        std::int64_t at = static_cast<std::int64_t>(k) - before;
        if (!reflects) at = std::min(std::max<std::int64_t>(at, 0), size - 1);
        if (at < 0) at = -at;
        if (at >= size) at = 2 * size - 2 - at;
        sums[static_cast<std::size_t>(at)] += line[k];
      }
      return sums;
    });
  }
  if (out.values.empty()) out.dims = in[1].dims;
  return out;
}

Sample Padding(const char* name, bool reflects) {
  return Functions(name)
      .Types(kFloating)
      .Within(8)
      .Without(Part::kSpecial, kSums)
      .Is([reflects](const Given& in) { return Padded(in, reflects); });
}
Sample Lines(Sample sample) {
  return sample.Form({{2, 3, 9}, {2, 3, 5}}, {{"padding", {3, 1}}})
      .Form({{3, 5}, {3, 5}}, {{"padding", {2, -2}}})
      .Form({{0, 9}, {0, 5}}, {{"padding", {3, 1}}});
}
Sample Images(Sample sample) {
  return sample.Form({{2, 3, 6, 9}, {2, 3, 4, 5}}, {{"padding", {3, 1, 0, 2}}})
      .Form({{3, 6, 7}, {3, 4, 5}}, {{"padding", {1, 1, 1, 1}}})
      .Form({{0, 6, 9}, {0, 4, 5}}, {{"padding", {3, 1, 0, 2}}});
}
Sample Volumes(Sample sample) {
  return sample.Form({{2, 2, 5, 6, 9}, {2, 2, 3, 4, 5}}, {{"padding", {3, 1, 0, 2, 1, 1}}})
      .Form({{2, 5, 6, 7}, {2, 3, 4, 5}}, {{"padding", {1, 1, 1, 1, 2, 0}}})
      .Form({{0, 5, 6, 9}, {0, 3, 4, 5}}, {{"padding", {3, 1, 0, 2, 1, 1}}});
}

const Arguments kArguments{X(0), X(1), V("padding"), Y(0)};

const Table paddings({
    Lines(Padding("ReflectionPad1d", true).Calls(NN(ReflectionPad1dBackward), kArguments)),
    Images(Padding("ReflectionPad2d", true).Calls(NN(ReflectionPad2dBackward), kArguments)),
    Volumes(Padding("ReflectionPad3d", true).Calls(NN(ReflectionPad3dBackward), kArguments)),
    Lines(Padding("ReplicationPad1d", false).Calls(NN(ReplicationPad1dBackward), kArguments)),
    Images(Padding("ReplicationPad2d", false).Calls(NN(ReplicationPad2dBackward), kArguments)),
    Volumes(Padding("ReplicationPad3d", false).Calls(NN(ReplicationPad3dBackward), kArguments)),
});

Block Unfolded(const Given& in) {
  Block out{{}, {}};
  for (const double size : in.List("dims"))
    out.dims.push_back(static_cast<std::int64_t>(size));
  out.values.assign(nn::CountOf(out.dims), 0);
  const auto axis = static_cast<std::size_t>(in.Number("dim"));
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[0].dims);
    const std::int64_t k = place.back();
    place.pop_back();
    place[axis] = place[axis] * static_cast<std::int64_t>(in.Number("step")) + k;
    out.values[nn::NumberOf(place, out.dims)] += in[0].values[i];
  }
  return out;
}

// [N, channels * kernel, positions] with kernels of 2 by 3, padding 1, stride 2 and 1.
Block FromColumns(const Given& in) {
  const int height = 5, width = 6, rows = 3, columns = 6;
  const auto batch = in[0].dims[0], channels = in[0].dims[1] / 6;
  Block out{{batch, channels, height, width}, {}};
  out.values.assign(nn::CountOf(out.dims), 0);
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    const auto position = static_cast<int>(i % static_cast<std::size_t>(rows * columns));
    const std::size_t line = i / static_cast<std::size_t>(rows * columns);
    const int tap = static_cast<int>(line % 6);
    const int y = position / columns * 2 + tap / 3 - 1, x = position % columns + tap % 3 - 1;
    if (y >= 0 && y < height && x >= 0 && x < width)
      out.values[(line / 6 * height + static_cast<std::size_t>(y)) * width + static_cast<std::size_t>(x)] +=
          in[0].values[i];
  }
  return out;
}

double Coordinate(std::int64_t i, std::int64_t size, bool align) {
  if (size == 1) return 0;
  const double at = -1 + 2 * static_cast<double>(i) / static_cast<double>(size - 1);
  return align ? at : at * static_cast<double>(size - 1) / static_cast<double>(size);
}

// The points [x, y, 1] of an image of 3 by 4, transformed.
Block Grid(const Given& in) {
  Block out{{in[0].dims[0], 3, 4, 2}, {}};
  for (std::int64_t n = 0; n < in[0].dims[0]; ++n)
    for (std::int64_t h = 0; h < 3; ++h)
      for (std::int64_t w = 0; w < 4; ++w)
        for (std::size_t c = 0; c < 2; ++c) {
          const double* row = &in[0].values[static_cast<std::size_t>(n) * 6 + c * 3];
          out.values.push_back(row[0] * Coordinate(w, 4, in.Flag("align")) +
                               row[1] * Coordinate(h, 3, in.Flag("align")) + row[2]);
        }
  return out;
}

const Table windows({
    Functions("UnfoldGradient")
        .Types(kFloating)
        .Calls(NN(UnfoldGrad), {X(0), V("dims"), V("dim"), V("size"), V("step"), Y(0)})
        .Form({{2, 3, 4, 3}}, {{"dims", {2, 8, 4}}, {"dim", 1}, {"size", 3}, {"step", 2}})
        .Form({{5, 2}}, {{"dims", {6}}, {"dim", 0}, {"size", 2}, {"step", 1}})
        .Form({{0, 5, 2}}, {{"dims", {0, 6}}, {"dim", 1}, {"size", 2}, {"step", 1}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is(Unfolded),
    Functions("Im2colGradient")
        .Types(kFloating)
        .Calls(NN(Im2colBackward), {X(0), {5.0, 6.0}, {2.0, 3.0}, {1.0, 1.0}, {1.0, 1.0}, {2.0, 1.0}, Y(0)})
        .Form({{2, 12, 18}})
        .Within(8)
        .Without(Part::kEmpty, "an image has pixels")
        .Without(Part::kSpecial, kSums)
        .Is(FromColumns),
    Functions("AffineGrid")
        .Types(FloatTypes())
        .Calls(NN(AffineGrid), {X(0), V("size"), V("align"), Y(0)})
        .Form({{2, 2, 3}}, {{"size", {2, 5, 3, 4}}, {"align", false}})
        .Form({{2, 2, 3}}, {{"size", {2, 5, 3, 4}}, {"align", true}})
        .Form({{0, 2, 3}}, {{"size", {0, 5, 3, 4}}, {"align", true}})
        .Within(4)
        .Without(Part::kSpecial, "a coordinate of 0 times an infinity")
        .Is(Grid),
});

}  // namespace
}  // namespace samples
