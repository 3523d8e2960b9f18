// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lines, images and volumes of other sizes: along each axis a result is a weighted sum of elements.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kSums = "a weight of 0 times an infinity";

// How much of each element a result is.
using Weigh = Values (*)(int result, int in, int out, bool align);

double Step(int in, int out, bool align) {
  if (align) return out > 1 ? static_cast<double>(in - 1) / (out - 1) : 0;
  return static_cast<double>(in) / out;
}
double Keys(double distance, double a) {
  const double x = std::fabs(distance);
  if (x < 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
}

Values NearestExact(int result, int in, int out, bool) {
  Values weights(static_cast<std::size_t>(in), 0);
  weights[static_cast<std::size_t>(std::min((2 * result + 1) * in / (2 * out), in - 1))] = 1;
  return weights;
}
Values Linear(int result, int in, int out, bool align) {
  const double step = Step(in, out, align);
  const double at = align ? result * step : std::max((result + 0.5) * step - 0.5, 0.0);
  Values weights(static_cast<std::size_t>(in), 0);
  const int low = std::min(static_cast<int>(at), in - 1), high = std::min(low + 1, in - 1);
  weights[static_cast<std::size_t>(low)] += 1 - (at - low);
  weights[static_cast<std::size_t>(high)] += at - low;
  return weights;
}
Values Cubic(int result, int in, int out, bool align) {
  const double step = Step(in, out, align), at = align ? result * step : (result + 0.5) * step - 0.5;
  Values weights(static_cast<std::size_t>(in), 0);
  for (int k = -1; k < 3; ++k) {
    const int place = static_cast<int>(std::floor(at)) + k;
    weights[static_cast<std::size_t>(std::min(std::max(place, 0), in - 1))] += Keys(at - place, -0.75);
  }
  return weights;
}
Values Smooth(int result, int in, int out, double (*filter)(double)) {
  const double step = Step(in, out, false), width = std::max(step, 1.0);
  Values weights;
  double sum = 0;
  for (int k = 0; k < in; ++k) {
    weights.push_back(filter((k + 0.5 - (result + 0.5) * step) / width));
    sum += weights.back();
  }
  for (double& weight : weights)
    weight /= sum;
  return weights;
}
Values SmoothLinear(int result, int in, int out, bool) {
  return Smooth(result, in, out, [](double x) { return std::max(1 - std::fabs(x), 0.0); });
}
Values SmoothCubic(int result, int in, int out, bool) {
  return Smooth(result, in, out, [](double x) { return Keys(x, -0.5); });
}

Block Resized(const Given& in, Weigh weigh) {
  const std::vector<double>& size = in.List("size");
  Block out = in[0];
  for (std::size_t i = 0; i < size.size(); ++i)
    out = AlongAxis(out, static_cast<double>(i + 2), [&](const Values& line) {
      Values results;
      for (int r = 0; r < static_cast<int>(size[i]); ++r) {
        const Values weights =
            weigh(r, static_cast<int>(line.size()), static_cast<int>(size[i]), in.Flag("align"));
        double sum = 0;
        for (std::size_t k = 0; k < line.size(); ++k)
          sum += weights[k] * line[k];
        results.push_back(sum);
      }
      return results;
    });
  if (out.values.empty())
    for (std::size_t i = 0; i < size.size(); ++i)
      out.dims[i + 2] = static_cast<std::int64_t>(size[i]);
  return out;
}

Block Returned(const Given& in, Weigh weigh) {
  const std::vector<double>&size = in.List("size"), &from = in.List("from");
  Block out = in[0];
  for (std::size_t i = 0; i < size.size(); ++i)
    out = AlongAxis(out, static_cast<double>(i + 2), [&](const Values& line) {
      Values results(static_cast<std::size_t>(from[i + 2]), 0);
      for (int r = 0; r < static_cast<int>(size[i]); ++r) {
        const Values weights =
            weigh(r, static_cast<int>(from[i + 2]), static_cast<int>(size[i]), in.Flag("align"));
        for (std::size_t k = 0; k < results.size(); ++k)
          results[k] += weights[k] * line[static_cast<std::size_t>(r)];
      }
      return results;
    });
  if (out.values.empty())
    for (std::size_t i = 0; i < size.size(); ++i)
      out.dims[i + 2] = static_cast<std::int64_t>(from[i + 2]);
  return out;
}

template <Weigh weigh>
Sample Forward(const char* name) {
  return Functions(name).Types(kFloating).Within(4).Without(Part::kSpecial, kSums).Is([](const Given& in) {
    return Resized(in, weigh);
  });
}
template <Weigh weigh>
Sample Backward(const char* name) {
  return Functions(name).Types(kFloating).Within(16).Without(Part::kSpecial, kSums).Is([](const Given& in) {
    return Returned(in, weigh);
  });
}

Sample Images(Sample sample, bool aligned) {
  sample.Form({{2, 3, 5, 7}}, {{"size", {8, 4}}, {"align", false}})
      .Form({{1, 2, 4, 9}}, {{"size", {3, 20}}, {"align", false}})
      .Form({{0, 2, 4, 5}}, {{"size", {3, 2}}, {"align", false}});
  if (aligned) sample.Form({{2, 3, 5, 7}}, {{"size", {8, 1}}, {"align", true}});
  return sample;
}

Sample ImagesBack(Sample sample, bool aligned) {
  sample.Form({{2, 3, 8, 4}}, {{"size", {8, 4}}, {"from", {2, 3, 5, 7}}, {"align", false}})
      .Form({{1, 2, 3, 20}}, {{"size", {3, 20}}, {"from", {1, 2, 4, 9}}, {"align", false}})
      .Form({{0, 2, 3, 2}}, {{"size", {3, 2}}, {"from", {0, 2, 4, 5}}, {"align", false}});
  if (aligned) sample.Form({{2, 3, 8, 1}}, {{"size", {8, 1}}, {"from", {2, 3, 5, 7}}, {"align", true}});
  return sample;
}

const Arguments kForward{X(0), V("size"), V("align"), 0.0, 0.0, Y(0)},
    kBackward{X(0), V("size"), V("from"), V("align"), 0.0, 0.0, Y(0)};

const Table weighted({
    Images(Forward<Cubic>("Bicubic2d").Calls(NN(UpsampleBicubic2d), kForward), true),
    ImagesBack(Backward<Cubic>("Bicubic2dGradient").Calls(NN(UpsampleBicubic2dBackward), kBackward), true),
    ImagesBack(Backward<Linear>("Bilinear2dGradient").Calls(NN(UpsampleBilinear2dBackwardV2), kBackward),
               true),
    Images(Forward<SmoothLinear>("SmoothBilinear2d").Calls(NN(UpsampleBilinear2dAA), kForward), false),
    ImagesBack(
        Backward<SmoothLinear>("SmoothBilinear2dGradient").Calls(NN(UpsampleBilinear2dAABackward), kBackward),
        false),
    Images(Forward<SmoothCubic>("SmoothBicubic2d").Calls(NN(UpsampleBicubic2dAA), kForward), false),
    ImagesBack(Backward<SmoothCubic>("SmoothBicubic2dGradient").Calls(NN(UpsampleBicubic2dAAGrad), kBackward),
               false),
});

const Table nearest({
    Forward<NearestExact>("NearestExact1d")
        .Calls(NN(UpsampleNearestExact1d), {X(0), V("size"), 0.0, Y(0)})
        .Form({{2, 3, 5}}, {{"size", {8}}})
        .Form({{2, 3, 9}}, {{"size", {4}}})
        .Form({{0, 3, 5}}, {{"size", {8}}}),
    Backward<NearestExact>("NearestExact1dGradient")
        .Calls(NN(UpsampleNearestExact1dBackward), {X(0), V("size"), V("from"), 0.0, Y(0)})
        .Form({{2, 3, 8}}, {{"size", {8}}, {"from", {2, 3, 5}}})
        .Form({{0, 3, 4}}, {{"size", {4}}, {"from", {0, 3, 9}}}),
    Images(Forward<NearestExact>("NearestExact2d")
               .Calls(NN(UpsampleNearestExact2d), {X(0), V("size"), 0.0, 0.0, Y(0)}),
           false),
    ImagesBack(Backward<NearestExact>("NearestExact2dGradient")
                   .Calls(NN(UpsampleNearestExact2dBackward), {X(0), V("size"), V("from"), 0.0, 0.0, Y(0)}),
               false),
    Forward<NearestExact>("NearestExact3d")
        .Calls(NN(UpsampleNearestExact3d), {X(0), V("size"), 0.0, 0.0, 0.0, Y(0)})
        .Form({{2, 2, 3, 4, 5}}, {{"size", {5, 3, 8}}})
        .Form({{0, 2, 3, 4, 5}}, {{"size", {5, 3, 8}}}),
    Backward<NearestExact>("NearestExact3dGradient")
        .Calls(NN(UpsampleNearestExact3dBackward), {X(0), V("size"), V("from"), 0.0, 0.0, 0.0, Y(0)})
        .Form({{2, 2, 5, 3, 8}}, {{"size", {5, 3, 8}}, {"from", {2, 2, 3, 4, 5}}})
        .Form({{0, 2, 5, 3, 8}}, {{"size", {5, 3, 8}}, {"from", {0, 2, 3, 4, 5}}}),
});

}  // namespace
}  // namespace samples
