// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling to a size, gradients by places, and what undoes a pooling.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

std::size_t Size(const Dims& dims, std::size_t begin, std::size_t end) {
  std::size_t size = 1;
  for (std::size_t i = begin; i < end; ++i)
    size *= static_cast<std::size_t>(dims[i]);
  return size;
}

// visit(place) for what lies in a window over the last `axes` dimensions.
template <typename Visit>
void ForWindow(const Dims& in, const Dims& out, std::size_t axes, std::size_t window, Visit visit) {
  const std::size_t first = in.size() - axes;
  std::vector<std::int64_t> begin(axes), end(axes);
  for (std::size_t i = axes; i-- > 0;) {
    const std::int64_t size = in[first + i], pooled = out[first + i];
    const auto at = static_cast<std::int64_t>(window % static_cast<std::size_t>(pooled));
    window /= static_cast<std::size_t>(pooled);
    begin[i] = at * size / pooled;
    end[i] = ((at + 1) * size + pooled - 1) / pooled;
  }
  for (std::size_t place = 0; place < Size(in, first, in.size()); ++place) {
    bool inside = true;
    std::size_t rest = place;
    for (std::size_t i = axes; i-- > 0;) {
      const auto at = static_cast<std::int64_t>(rest % static_cast<std::size_t>(in[first + i]));
      rest /= static_cast<std::size_t>(in[first + i]);
      inside = inside && at >= begin[i] && at < end[i];
    }
    if (inside) visit(place);
  }
}

Dims Pooled(const Given& in) {
  Dims dims = in[0].dims;
  const std::vector<double>& size = in.List("size");
  for (std::size_t i = 0; i < size.size(); ++i)
    dims[dims.size() - size.size() + i] = static_cast<std::int64_t>(size[i]);
  return dims;
}

Block Average(const Given& in) {
  Block out{Pooled(in), {}};
  const std::size_t points = Size(in[0].dims, in[0].dims.size() - 3, in[0].dims.size());
  const std::size_t windows = Size(out.dims, out.dims.size() - 3, out.dims.size());
  for (std::size_t i = 0; i < nn::CountOf(out.dims); ++i) {
    double sum = 0, count = 0;
    ForWindow(in[0].dims, out.dims, 3, i % windows, [&](std::size_t place) {
      sum += in[0].values[i / windows * points + place];
      ++count;
    });
    out.values.push_back(sum / count);
  }
  return out;
}

std::vector<Block> Maximum(const Given& in) {
  Block out{Pooled(in), {}}, places{Pooled(in), {}};
  const std::size_t points = Size(in[0].dims, in[0].dims.size() - 3, in[0].dims.size());
  const std::size_t windows = Size(out.dims, out.dims.size() - 3, out.dims.size());
  for (std::size_t i = 0; i < nn::CountOf(out.dims); ++i) {
    double best = -1, most = 0;
    ForWindow(in[0].dims, out.dims, 3, i % windows, [&](std::size_t place) {
      const double value = in[0].values[i / windows * points + place];
      if (best < 0 || value > most) best = static_cast<double>(place), most = value;
    });
    out.values.push_back(most);
    places.values.push_back(best);
  }
  return {out, places};
}

// What arrives, and what was pooled.
Block AverageGradient(const Given& in, std::size_t axes) {
  Block out{in[1].dims, Values(in[1].values.size(), 0)};
  const std::size_t points = Size(in[1].dims, in[1].dims.size() - axes, in[1].dims.size());
  const std::size_t windows = Size(in[0].dims, in[0].dims.size() - axes, in[0].dims.size());
  for (std::size_t i = 0; i < in[0].values.size(); ++i) {
    double count = 0;
    ForWindow(in[1].dims, in[0].dims, axes, i % windows, [&](std::size_t) { ++count; });
    ForWindow(in[1].dims, in[0].dims, axes, i % windows, [&](std::size_t place) {
      out.values[i / windows * points + place] += in[0].values[i] / count;
    });
  }
  return out;
}

// Elements at places of larger planes: added, or put there.
Block AtPlaces(const Block& from, const Block& places, const Dims& dims, std::size_t axes, bool add) {
  Block out{dims, Values(nn::CountOf(dims), 0)};
  const std::size_t points = Size(dims, dims.size() - axes, dims.size());
  const std::size_t windows = Size(from.dims, from.dims.size() - axes, from.dims.size());
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    double& to = out.values[i / windows * points + static_cast<std::size_t>(places.values[i])];
    to = add ? to + from.values[i] : from.values[i];
  }
  return out;
}

Block Unpooled(const Given& in) {
  const std::vector<double>& size = in.List("size");
  Dims dims(in[0].dims.begin(), in[0].dims.end() - static_cast<std::ptrdiff_t>(size.size()));
  for (const double one : size)
    dims.push_back(static_cast<std::int64_t>(one));
  return AtPlaces(in[0], in[1], dims, size.size(), false);
}

// No place twice in a plane.
Values Places(const Form& form) {
  Values places;
  for (std::size_t i = 0; i < nn::CountOf(form.dims[1]); ++i)
    places.push_back(static_cast<double>(i * 7 % 24));
  return places;
}

const Table adaptive({
    Functions("AdaptiveAvgPool3d")
        .Types(kFloating)
        .Calls(NN(AdaptiveAvgPool3d), {X(0), V("size"), Y(0)})
        .Form({{2, 3, 4, 5, 7}}, {{"size", {2, 3, 4}}})
        .Form({{3, 4, 5, 7}}, {{"size", {1, 5, 3}}})
        .Form({{0, 3, 4, 5, 7}}, {{"size", {2, 3, 4}}})
        .Within(4)
        .Without(Part::kSpecial, "infinities of both signs in one window")
        .Is(Average),
    Functions("AdaptiveMaxPool3d")
        .Types(kFloating)
        .Calls(NN(AdaptiveMaxPool3d), {X(0), V("size"), Y(0), Y(1)})
        .Gives({kSame, ACL_INT32})
        .Form({{2, 3, 4, 5, 7}}, {{"size", {2, 3, 4}}})
        .Form({{3, 4, 5, 7}}, {{"size", {1, 5, 3}}})
        .Form({{0, 3, 4, 5, 7}}, {{"size", {2, 3, 4}}})
        .Without(Part::kSpecial, "of several that are no numbers one is named")
        .Are(Maximum),
    Functions("AdaptiveAvgPool2dGradient")
        .Types(kFloating)
        .Calls(NN(AdaptiveAvgPool2dBackward), {X(0), X(1), Y(0)})
        .Form({{2, 3, 3, 4}, {2, 3, 5, 7}})
        .Form({{3, 3, 4}, {3, 5, 7}})
        .Form({{0, 3, 4}, {0, 5, 7}})
        .Within(8)
        .Without(Part::kSpecial, "infinities of both signs in one window")
        .Is([](const Given& in) { return AverageGradient(in, 2); }),
    Functions("AdaptiveAvgPool3dGradient")
        .Types(kFloating)
        .Calls(NN(AdaptiveAvgPool3dBackward), {X(0), X(1), Y(0)})
        .Form({{2, 3, 2, 3, 4}, {2, 3, 4, 5, 7}})
        .Form({{3, 2, 3, 4}, {3, 4, 5, 7}})
        .Form({{0, 2, 3, 4}, {0, 4, 5, 7}})
        .Within(8)
        .Without(Part::kSpecial, "infinities of both signs in one window")
        .Is([](const Given& in) { return AverageGradient(in, 3); }),
});

const Table places({
    Functions("AdaptiveMaxPool2dGradient")
        .Types(kFloating)
        .Calls(NN(AdaptiveMaxPool2dBackward), {X(0), X(1), X(2), Y(0)})
        .TypeOf(2, ACL_INT64)
        .Whole(2, 0, 34)
        .Form({{2, 3, 3, 4}, {2, 3, 5, 7}, {2, 3, 3, 4}})
        .Form({{3, 3, 4}, {3, 5, 7}, {3, 3, 4}})
        .Form({{0, 3, 4}, {0, 5, 7}, {0, 3, 4}})
        .Within(4)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is([](const Given& in) { return AtPlaces(in[0], in[2], in[1].dims, 2, true); }),
    Functions("AdaptiveMaxPool3dGradient")
        .Types(kFloating)
        .Calls(NN(AdaptiveMaxPool3dBackward), {X(0), X(1), X(2), Y(0)})
        .TypeOf(2, ACL_INT32)
        .Whole(2, 0, 139)
        .Form({{2, 3, 2, 3, 4}, {2, 3, 4, 5, 7}, {2, 3, 2, 3, 4}})
        .Form({{3, 2, 3, 4}, {3, 4, 5, 7}, {3, 2, 3, 4}})
        .Form({{0, 2, 3, 4}, {0, 4, 5, 7}, {0, 2, 3, 4}})
        .Within(4)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Is([](const Given& in) { return AtPlaces(in[0], in[2], in[1].dims, 3, true); }),
    Functions("MaxUnpool2d")
        .Types(kFloating)
        .Calls(NN(MaxUnpool2d), {X(0), X(1), V("size"), Y(0)})
        .TypeOf(1, ACL_INT64)
        .Holds(1, Places)
        .Form({{2, 3, 3, 2}, {2, 3, 3, 2}}, {{"size", {6, 4}}})
        .Form({{3, 3, 2}, {3, 3, 2}}, {{"size", {6, 4}}})
        .Form({{0, 3, 3, 2}, {0, 3, 3, 2}}, {{"size", {6, 4}}})
        .Is(Unpooled),
    Functions("MaxUnpool3d")
        .Types(kFloating)
        .Calls(NN(MaxUnpool3d), {X(0), X(1), V("size"), {2.0, 2.0, 2.0}, {0.0, 0.0, 0.0}, Y(0)})
        .TypeOf(1, ACL_INT64)
        .Holds(1, Places)
        .Form({{2, 3, 1, 3, 2}, {2, 3, 1, 3, 2}}, {{"size", {2, 3, 4}}})
        .Form({{3, 1, 3, 2}, {3, 1, 3, 2}}, {{"size", {2, 3, 4}}})
        .Form({{0, 3, 1, 3, 2}, {0, 3, 1, 3, 2}}, {{"size", {2, 3, 4}}})
        .Is(Unpooled),
});

}  // namespace
}  // namespace samples
