// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Layers whose definition changed in opsets 18 to 21: pooling, normalisation, resizing, sampling, spectra and
// quantisation. Every number is worked out by hand or by the formula of the standard.
#include <gtest/gtest.h>

#include <cmath>

#include "onnx/operator_case.h"

namespace foothold {
namespace {

using Proto = ::onnx::TensorProto;
using Node = ::onnx::NodeProto;

class NewerLayers : public testing::TestWithParam<OperatorCase> {};

TEST_P(NewerLayers, ComputeWhatTheStandardSays) {
  for (int opset = GetParam().opsets.first; opset <= GetParam().opsets.second; ++opset)
    EXPECT_EQ(RunCase(GetParam(), opset), "") << "opset " << opset;
}

// Planes of which windows are looked at.
std::vector<OperatorCase> Windows() {
  const Numbers row = Float({1, 1, 3}, {1, 2, 3});
  const auto window = [](std::int64_t kernel, std::int64_t stride) {
    return All({With("kernel_shape", Shape{kernel}), With("strides", Shape{stride})});
  };
  return {
      {"sums powers",
       "LpPool",
       {18, 21},
       {row},
       window(2, 1),
       {Float({1, 1, 2}, {std::sqrt(5.0), std::sqrt(13.0)})}},
      {"goes over the end if told so",
       "LpPool",
       {18, 21},
       {row},
       All({window(2, 2), With("ceil_mode", 1)}),
       {Float({1, 1, 2}, {std::sqrt(5.0), 3})}},
      {"sums over the padding",
       "LpPool",
       {18, 21},
       {row},
       All({window(2, 2), With("pads", Shape{1, 0}), With("p", 1)}),
       {Float({1, 1, 2}, {1, 5})}},
      {"counts what is inside at the end",
       "AveragePool",
       {19, 21},
       {row},
       All({window(2, 2), With("ceil_mode", 1)}),
       {Float({1, 1, 2}, {1.5, 3})}},
      {"counts the padding if told so",
       "AveragePool",
       {19, 21},
       {row},
       All({window(3, 1), With("pads", Shape{1, 1}), With("count_include_pad", 1)}),
       {Float({1, 1, 3}, {1, 2, 5.0 / 3})}},
      {"leaves out windows that begin behind the end",
       "AveragePool",
       {19, 21},
       {Float({1, 1, 4}, {1, 2, 3, 4})},
       All({window(2, 4), With("pads", Shape{0, 1}), With("ceil_mode", 1)}),
       {Float({1, 1, 1}, {1.5})}},
      {"leaves out windows that begin behind the end",
       "LpPool",
       {18, 21},
       {Float({1, 1, 4}, {3, 4, 5, 6})},
       All({window(2, 4), With("pads", Shape{0, 1}), With("ceil_mode", 1)}),
       {Float({1, 1, 1}, {5})}},
      {"leaves out windows that begin behind the end",
       "MaxPool",
       {18, 21},
       {Float({1, 1, 4}, {1, 2, 3, 4})},
       All({window(2, 4), With("pads", Shape{0, 1}), With("ceil_mode", 1)}),
       {Float({1, 1, 1}, {2})}},
      {"with windows of neighbours",
       "AveragePool",
       {19, 21},
       {row},
       All({window(2, 1), With("dilations", Shape{1})}),
       {Float({1, 1, 2}, {1.5, 2.5})}},
  };
}

std::vector<OperatorCase> Normalised() {
  // Two groups of two channels with one element each; groups have mean 2 and 6, deviation 1 and 2.
  const Numbers x = Float({1, 4, 1}, {1, 3, 4, 8});
  const auto groups = All({With("num_groups", 2), [](Node& node) { SetFloat(node, "epsilon", 0); }});
  return {
      {"with a scale for each group",
       "GroupNormalization",
       {18, 20},
       {x, Const(Float({2}, {2, 10})), Const(Float({2}, {0, 1}))},
       groups,
       {Float({1, 4, 1}, {-2, 2, -9, 11})}},
      {"with a scale for each channel",
       "GroupNormalization",
       {21, 21},
       {x, Const(Float({4}, {1, 2, 3, 4})), Const(Float({4}, {0, 1, 2, 3}))},
       groups,
       {Float({1, 4, 1}, {-1, 3, -1, 7})}},
  };
}

std::vector<OperatorCase> Resized() {
  const Numbers plane = Float({1, 1, 2, 2}, {1, 2, 3, 4});
  const auto linear = WithText("mode", "linear");
  return {
      {"by scales of some axes",
       "Resize",
       {18, 21},
       {plane, None(), Const(Float({1}, {2}))},
       With("axes", Shape{3}),
       {Float({1, 1, 2, 4}, {1, 1, 2, 2, 3, 3, 4, 4})}},
      {"to sizes of some axes",
       "Resize",
       {18, 21},
       {plane, None(), None(), Const(Int64({2}, {1, 4}))},
       With("axes", Shape{-2, -1}),
       {Float({1, 1, 1, 4}, {1, 1, 2, 2})}},
      {"to sizes of axes in another order",
       "Resize",
       {18, 21},
       {plane, None(), None(), Const(Int64({2}, {4, 2}))},
       With("axes", Shape{3, 2}),
       {Float({1, 1, 2, 4}, {1, 1, 2, 2, 3, 3, 4, 4})}},
      {"of a part of some axes",
       "Resize",
       {18, 21},
       {Float({1, 1, 1, 5}, {1, 2, 3, 4, 5}), Const(Float({2}, {0.25, 0.75})), None(),
        Const(Int64({1}, {3}))},
       All({linear, With("axes", Shape{3}),
            WithText("coordinate_transformation_mode", "tf_crop_and_resize")}),
       {Float({1, 1, 1, 3}, {2, 3, 4})}},
      // 3 of 4 * 0.9 = 3.6 places: the middle of the output is the middle of the input.
      {"keeps the middle where it is",
       "Resize",
       {19, 21},
       {Float({1, 1, 1, 4}, {0, 10, 20, 30}), None(), Const(Float({4}, {1, 1, 1, 0.9}))},
       All({linear, WithText("coordinate_transformation_mode", "half_pixel_symmetric")}),
       {Float({1, 1, 1, 3}, {15 - 10 / 0.9, 15, 15 + 10 / 0.9})}},
  };
}

std::vector<OperatorCase> Sampled() {
  const Numbers plane = Float({1, 1, 2, 2}, {1, 2, 3, 4});
  // The middle, a corner, and a place outside.
  const Numbers grid = Float({1, 1, 3, 2}, {0, 0, -1, -1, 3, 0});
  const auto corners = With("align_corners", 1);
  return {
      {"between elements",
       "GridSample",
       {20, 21},
       {plane, grid},
       corners,
       {Float({1, 1, 1, 3}, {2.5, 1, 0})}},
      {"under its new name",
       "GridSample",
       {20, 21},
       {plane, grid},
       All({corners, WithText("mode", "linear")}),
       {Float({1, 1, 1, 3}, {2.5, 1, 0})}},
      {"at the border",
       "GridSample",
       {20, 21},
       {plane, grid},
       All({corners, WithText("padding_mode", "border")}),
       {Float({1, 1, 1, 3}, {2.5, 1, 3})}},
      {"the nearest",
       "GridSample",
       {20, 21},
       {plane, Float({1, 1, 2, 2}, {-0.9, -0.9, 0.8, 0.7})},
       All({corners, WithText("mode", "nearest")}),
       {Float({1, 1, 1, 2}, {1, 4})}},
      {"with cubes, through the elements",
       "GridSample",
       {20, 21},
       {plane, Float({1, 1, 2, 2}, {-1, -1, 1, -1})},
       All({corners, WithText("mode", "cubic")}),
       {Float({1, 1, 1, 2}, {1, 2})}},
      {"in a volume",
       "GridSample",
       {20, 21},
       {Float({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), Float({1, 1, 1, 2, 3}, {0, 0, 0, 1, 1, -1})},
       corners,
       {Float({1, 1, 1, 1, 2}, {4.5, 4})}},
      {"the nearest in a volume",
       "GridSample",
       {20, 21},
       {Float({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), Float({1, 1, 1, 1, 3}, {0.9, -0.9, 0.9})},
       All({corners, WithText("mode", "nearest")}),
       {Float({1, 1, 1, 1, 1}, {6})}},
      // 1, i, ... along the last but one axis: the sum, then x0 - x1 for two points.
      {"along the last but one axis",
       "DFT",
       {20, 21},
       {Float({1, 2, 1}, {3, 5})},
       kPlain,
       {Float({1, 2, 2}, {8, 0, -2, 0})}},
      {"along the axis of an input",
       "DFT",
       {20, 21},
       {Float({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}), None(), Const(Int64({}, {1}))},
       kPlain,
       {Float({1, 2, 3, 2}, {5, 0, 7, 0, 9, 0, -3, 0, -3, 0, -3, 0})}},
      {"of as many elements as asked for",
       "DFT",
       {20, 21},
       {Float({1, 4, 1}, {3, 5, 7, 9}), Const(Int64({}, {2}))},
       kPlain,
       {Float({1, 2, 2}, {8, 0, -2, 0})}},
      {"back again",
       "DFT",
       {20, 21},
       {Float({1, 2, 2}, {8, 0, -2, 0})},
       With("inverse", 1),
       {Float({1, 2, 2}, {3, 0, 5, 0})}},
      {"of one side",
       "DFT",
       {20, 21},
       {Float({1, 4, 1}, {1, 2, 3, 4})},
       With("onesided", 1),
       {Float({1, 3, 2}, {10, 0, -2, 2, -2, 0})}},
  };
}

std::vector<OperatorCase> Quantised() {
  const Numbers x = Float({2, 2}, {1, -3, 10, 300});
  const Numbers two = Const(Float({}, {2}));
  const Numbers rows = Const(Float({2}, {1, 10}));
  return {
      // Halves go to the even neighbour.
      {"to bytes", "QuantizeLinear", {19, 21}, {x, two}, kPlain, {Of(Proto::UINT8, {2, 2}, {0, 0, 5, 150})}},
      {"to the type of the zero point",
       "QuantizeLinear",
       {19, 21},
       {x, two, Const(Of(Proto::INT8, {}, {1}))},
       With("saturate", 1),
       {Of(Proto::INT8, {2, 2}, {1, -1, 6, 127})}},
      {"with a scale for each row",
       "QuantizeLinear",
       {19, 21},
       {x, rows, Const(Of(Proto::UINT8, {2}, {5, 0}))},
       With("axis", 0),
       {Of(Proto::UINT8, {2, 2}, {6, 2, 1, 30})}},
      {"to the type asked for",
       "QuantizeLinear",
       {21, 21},
       {x, two},
       With("output_dtype", Proto::INT8),
       {Of(Proto::INT8, {2, 2}, {0, -2, 5, 127})}},
      {"to numbers of two bytes",
       "QuantizeLinear",
       {21, 21},
       {x, two},
       With("output_dtype", Proto::INT16),
       {Of(Proto::INT16, {2, 2}, {0, -2, 5, 150})}},
      {"to numbers of two bytes without a sign",
       "QuantizeLinear",
       {21, 21},
       {Float({3}, {-1, 3, 1e6}), Const(Float({}, {1})), Const(Of(Proto::UINT16, {}, {10}))},
       kPlain,
       {Of(Proto::UINT16, {3}, {9, 13, 65535})}},
      {"of halves",
       "QuantizeLinear",
       {19, 21},
       {Of(Proto::FLOAT16, {2}, {1, 8}), Const(Of(Proto::FLOAT16, {}, {2}))},
       kPlain,
       {Of(Proto::UINT8, {2}, {0, 4})}},
      {"with a scale for each row",
       "DequantizeLinear",
       {19, 21},
       {Of(Proto::UINT8, {2, 2}, {6, 2, 1, 30}), rows, Const(Of(Proto::UINT8, {2}, {5, 0}))},
       With("axis", 0),
       {Float({2, 2}, {1, -3, 10, 300})}},
      {"along the last axis",
       "DequantizeLinear",
       {19, 21},
       {Of(Proto::INT8, {2, 2}, {1, 2, 3, -4}), rows},
       With("axis", -1),
       {Float({2, 2}, {1, 20, 3, -40})}},
      {"of numbers of two bytes",
       "DequantizeLinear",
       {21, 21},
       {Of(Proto::INT16, {2}, {1000, -3}), two, Const(Of(Proto::INT16, {}, {-1}))},
       kPlain,
       {Float({2}, {2002, -4})}},
      {"of sums",
       "DequantizeLinear",
       {19, 21},
       {Of(Proto::INT32, {2}, {70000, -3}), two},
       kPlain,
       {Float({2}, {140000, -6})}},
      {"to the type of the scale",
       "DequantizeLinear",
       {19, 21},
       {Of(Proto::INT8, {2}, {3, -3}), Const(Of(Proto::FLOAT16, {}, {0.5}))},
       kPlain,
       {Of(Proto::FLOAT16, {2}, {1.5, -1.5})}},
      {"of quantised numbers",
       "QLinearMatMul",
       {21, 21},
       {Of(Proto::UINT8, {1, 2}, {3, 5}), two, Const(Of(Proto::UINT8, {}, {1})),
        Of(Proto::UINT8, {2, 1}, {4, 6}), Const(Float({}, {0.5})), Const(Of(Proto::UINT8, {}, {2})),
        Const(Float({}, {4})), Const(Of(Proto::UINT8, {}, {7}))},
       kPlain,
       {Of(Proto::UINT8, {1, 1}, {12})}},
  };
}

INSTANTIATE_TEST_SUITE_P(Windows, NewerLayers, testing::ValuesIn(Windows()));
INSTANTIATE_TEST_SUITE_P(Normalised, NewerLayers, testing::ValuesIn(Normalised()));
INSTANTIATE_TEST_SUITE_P(Resized, NewerLayers, testing::ValuesIn(Resized()));
INSTANTIATE_TEST_SUITE_P(Sampled, NewerLayers, testing::ValuesIn(Sampled()));
INSTANTIATE_TEST_SUITE_P(Quantised, NewerLayers, testing::ValuesIn(Quantised()));

}  // namespace
}  // namespace foothold
