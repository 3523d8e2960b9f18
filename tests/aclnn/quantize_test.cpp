// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From floating-point numbers to int8, alone and at the end of norms and gated units.
#include <algorithm>
#include <cmath>

#include "aclnn/quantized_values.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h"
#include "aclnnop/aclnn_add_rms_norm_quant.h"
#include "aclnnop/aclnn_add_rms_norm_quant_v2.h"
#include "aclnnop/aclnn_ascend_quant.h"
#include "aclnnop/aclnn_ascend_quant_v3.h"
#include "aclnnop/aclnn_dequant_swiglu_quant.h"
#include "aclnnop/aclnn_dequant_swiglu_quant_v2.h"
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_dynamic_quant_v3.h"

namespace nn {
namespace {

constexpr aclDataType kHalves[] = {ACL_FLOAT16, ACL_BF16};
constexpr Layout kInputs[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed};

TEST_F(Nn, AscendQuantMultipliesByScalesOfColumns) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : kInputs) {
      const Tensor x = In(type, {5, 12}, Spread(60), layout), scale = In(type, {12}, Spread(12, 4, 6)),
                   offset = In(type, {12}, Spread(12, -9, 9, 2));
      const Tensor y = Out(ACL_INT8, {5, 12}, Layout::kPaddedRows);
      for (const bool twice : {false, true}) {
        Run(NN(AscendQuant), x, scale, offset, twice, "round", ACL_INT8, y);
        Values expected = x.Read();
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const double factor = scale.Read()[i % 12];
          expected[i] = ToInt8(expected[i] * factor * (twice ? factor : 1) + offset.Read()[i % 12]);
        }
        ExpectInt8(y.Read(), expected);
      }
    }
}

TEST_F(Nn, AscendQuantV3TakesAnAxisAndRoundsDown) {
  const Tensor x = In(ACL_FLOAT16, {3, 8}, Spread(24, -40, 40)), scale = In(ACL_FLOAT, {3}, {0.5, 2, 9});
  const Tensor y = Out(ACL_INT8, {3, 8});
  Run(NN(AscendQuantV3), x, scale, nullptr, false, "floor", ACL_INT8, 0, y);
  Values expected = x.Read();
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = std::clamp(std::floor(expected[i] * scale.Read()[i / 8]), -128.0, 127.0);
  ExpectInt8(y.Read(), expected);
}

TEST_F(Nn, AscendQuantRefusesOtherTypesAndRoundings) {
  const Tensor x = In(ACL_FLOAT16, {3, 8}, Spread(24)), scale = In(ACL_FLOAT16, {1}, {2});
  const Tensor y = Out(ACL_INT8, {3, 8});
  ExpectRefused(161002, "upwards", NN(AscendQuant), x, scale, nullptr, false, "upwards", ACL_INT8, y);
  ExpectRefused(561003, "int8", NN(AscendQuant), x, scale, nullptr, false, "round", ACL_INT32, y);
  ExpectRefused(161002, "axis", NN(AscendQuantV3), x, scale.View(Role::kIn, {2}, {0}, 0), nullptr, false,
                "round", ACL_INT8, 5, y);
}

TEST_F(Nn, DynamicQuantFindsTheScaleOfEachRow) {
  for (const aclDataType type : kHalves)
    for (const Layout layout : kInputs) {
      const Tensor x = In(type, {6, 20}, Spread(120), layout), smooth = In(type, {20}, Spread(20, 0.5, 2, 2));
      const Tensor y = Out(ACL_INT8, {6, 20}), scale = Out(ACL_FLOAT, {6});
      Run(NN(DynamicQuant), x, nullptr, y, scale);
      const QuantizedRows plain = QuantizeRows(x.Read(), 20);
      ExpectInt8(y.Read(), plain.values);
      ExpectClose(scale.Read(), plain.scales, 1e-6);
      Run(NN(DynamicQuantV2), x, smooth, nullptr, ACL_INT8, y, scale, nullptr);
      Values smoothed = x.Read();
      for (std::size_t i = 0; i < smoothed.size(); ++i)
        smoothed[i] *= smooth.Read()[i % 20];
      ExpectInt8(y.Read(), QuantizeRows(smoothed, 20).values);
    }
}

TEST_F(Nn, DynamicQuantSmoothsGroupsOfRowsByScalesOfTheirOwn) {
  const Tensor x = In(ACL_FLOAT16, {5, 8}, Spread(40)), smooth = In(ACL_FLOAT16, {2, 8}, Spread(16, 0.5, 2));
  const Tensor ends = In(ACL_INT32, {2}, {2, 5}), y = Out(ACL_INT8, {5, 8}), scale = Out(ACL_FLOAT, {5});
  Run(NN(DynamicQuantV2), x, smooth, ends, ACL_INT8, y, scale, nullptr);
  Values smoothed = x.Read();
  for (std::size_t i = 0; i < smoothed.size(); ++i)
    smoothed[i] *= smooth.Read()[(i < 16 ? 0 : 8) + i % 8];
  ExpectInt8(y.Read(), QuantizeRows(smoothed, 8).values);
}

// The smallest number becomes -128, the largest 127.
TEST_F(Nn, DynamicQuantWithAnOffsetUsesAllOfInt8) {
  for (const bool third : {false, true}) {
    const Tensor x = In(ACL_BF16, {3, 16}, Spread(48, 1, 5)), y = Out(ACL_INT8, {3, 16}),
                 scale = Out(ACL_FLOAT, {3}), offset = Out(ACL_FLOAT, {3});
    if (third)
      Run(NN(DynamicQuantV3), x, nullptr, nullptr, ACL_INT8, false, "pertoken", y, scale, offset);
    else
      Run(NN(DynamicQuantV2), x, nullptr, nullptr, ACL_INT8, y, scale, offset);
    const Values values = x.Read();
    Values expected, scales, offsets;
    for (std::size_t row = 0; row < 3; ++row) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * 16);
      const auto [low, high] = std::minmax_element(first, first + 16);
      scales.push_back((*high - *low) / 255);
      offsets.push_back(127 - *high / scales.back());
      for (std::size_t i = 0; i < 16; ++i)
        expected.push_back(ToInt8(values[row * 16 + i] / scales.back() + offsets.back()));
    }
    ExpectInt8(y.Read(), expected);
    ExpectClose(scale.Read(), scales, 1e-6);
    ExpectClose(offset.Read(), offsets, 1e-5);
  }
}

TEST_F(Nn, DynamicQuantV3HasOneScaleForATensor) {
  const Tensor x = In(ACL_FLOAT16, {4, 8}, Spread(32), Layout::kPaddedRows), y = Out(ACL_INT8, {4, 8}),
               scale = Out(ACL_FLOAT, {1});
  Run(NN(DynamicQuantV3), x, nullptr, nullptr, ACL_INT8, true, "pertensor", y, scale, nullptr);
  const QuantizedRows all = QuantizeRows(x.Read(), 32);
  ExpectInt8(y.Read(), all.values);
  ExpectClose(scale.Read(), all.scales, 1e-6);
  ExpectRefused(561003, "perchannel", NN(DynamicQuantV3), x, nullptr, nullptr, ACL_INT8, true, "perchannel",
                y, scale, nullptr);
  ExpectRefused(161002, "perhaps", NN(DynamicQuantV3), x, nullptr, nullptr, ACL_INT8, true, "perhaps", y,
                scale, nullptr);
  ExpectRefused(161002, "offsetOut", NN(DynamicQuantV3), x, nullptr, nullptr, ACL_INT8, false, "pertoken", y,
                scale, nullptr);
  ExpectRefused(561003, "int8", NN(DynamicQuantV2), x, nullptr, nullptr, ACL_INT32, y, scale, nullptr);
  ExpectRefused(161002, "scaleOut", NN(DynamicQuant), x, nullptr, y, scale);
}

// x1 + x2, divided by its root mean square, times gamma, plus beta.
struct Norm {
  Values sum, normed;
};
Norm NormOf(const Tensor& x1, const Tensor& x2, const Tensor& gamma, const Tensor* beta) {
  Norm made{x1.Read(), {}};
  const Values second = x2.Read(), factors = gamma.Read();
  const std::size_t width = factors.size();
  for (std::size_t i = 0; i < second.size(); ++i)
    made.sum[i] += second[i];
  for (std::size_t i = 0; i < second.size(); ++i) {
    double squares = 0;
    for (std::size_t k = i / width * width; k < i / width * width + width; ++k)
      squares += made.sum[k] * made.sum[k];
    made.normed.push_back(made.sum[i] / std::sqrt(squares / static_cast<double>(width) + 1e-5) *
                              factors[i % width] +
                          (beta == nullptr ? 0 : beta->Read()[i % width]));
  }
  return made;
}

TEST_F(Nn, AddRmsNormQuantDividesOrMultipliesByScales) {
  for (const aclDataType type : kHalves)
    for (const bool divides : {true, false}) {
      const Tensor x1 = In(type, {4, 32}, Spread(128), Layout::kPaddedRows),
                   x2 = In(type, {4, 32}, Spread(128, -1, 1, 2)), gamma = In(type, {32}, Spread(32, 0.5, 2));
      const Tensor scale = In(ACL_FLOAT, {32}, divides ? Spread(32, 0.02, 0.05) : Spread(32, 20, 50)),
                   zero = In(ACL_INT32, {32}, SpreadInts(32, -5, 5));
      const Tensor y = Out(ACL_INT8, {4, 32}), x = Out(type, {4, 32});
      Run(NN(AddRmsNormQuant), x1, x2, gamma, scale, nullptr, zero, nullptr, -1, 1e-5, divides, y, nullptr,
          x);
      const Norm norm = NormOf(x1, x2, gamma, nullptr);
      Values expected = norm.normed;
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] =
            ToInt8(expected[i] * std::pow(scale.Read()[i % 32], divides ? -1 : 1) + zero.Read()[i % 32]);
      ExpectInt8(y.Read(), expected);
      ExpectClose(x.Read(), norm.sum, Tolerance(type));
    }
}

TEST_F(Nn, AddRmsNormQuantV2AddsBetaAndTellsTheNorm) {
  const Tensor x1 = In(ACL_BF16, {3, 16}, Spread(48)), x2 = In(ACL_BF16, {3, 16}, Spread(48, -1, 1, 2)),
               gamma = In(ACL_BF16, {16}, Spread(16, 0.5, 2)), beta = In(ACL_BF16, {16}, Spread(16));
  const Tensor first = In(ACL_FLOAT, {1}, {0.04}), second = In(ACL_FLOAT, {1}, {0.1});
  const Tensor y1 = Out(ACL_INT8, {3, 16}), y2 = Out(ACL_INT8, {3, 16}), x = Out(ACL_BF16, {3, 16}),
               told = Out(ACL_BF16, {3, 16}, Layout::kPaddedRows);
  Run(NN(AddRmsNormQuantV2), x1, x2, gamma, first, second, nullptr, nullptr, beta, -1, 1e-5, true, y1, y2, x,
      told);
  const Norm norm = NormOf(x1, x2, gamma, &beta);
  Values one, two;
  for (const double value : norm.normed)
    one.push_back(ToInt8(value / 0.04)), two.push_back(ToInt8(value / 0.1));
  ExpectInt8(y1.Read(), one);
  ExpectInt8(y2.Read(), two);
  ExpectClose(told.Read(), norm.normed, Tolerance(ACL_BF16));
  ExpectRefused(561003, "axis", NN(AddRmsNormQuantV2), x1, x2, gamma, first, second, nullptr, nullptr, beta,
                0, 1e-5, true, y1, y2, x, told);
  const Tensor wrong = In(ACL_FLOAT, {3}, {1, 1, 1});
  ExpectRefused(161002, "scales1", NN(AddRmsNormQuantV2), x1, x2, gamma, wrong, nullptr, nullptr, nullptr,
                nullptr, -1, 1e-5, true, y1, nullptr, x, nullptr);
}

TEST_F(Nn, AddRmsNormDynamicQuantGivesTheOutputsItsMaskNames) {
  for (const aclDataType type : kHalves) {
    const Tensor x1 = In(type, {2, 3, 16}, Spread(96)), x2 = In(type, {2, 3, 16}, Spread(96, -1, 1, 2)),
                 gamma = In(type, {16}, Spread(16, 0.5, 2)), smooth = In(type, {16}, Spread(16, 0.5, 2, 3));
    const Tensor y1 = Out(ACL_INT8, {2, 3, 16}), y2 = Out(ACL_INT8, {2, 3, 16}),
                 x = Out(type, {2, 3, 16}, Layout::kTransposed), scale1 = Out(ACL_FLOAT, {2, 3}),
                 scale2 = Out(ACL_FLOAT, {2, 3});
    Run(NN(AddRmsNormDynamicQuantV2), x1, x2, gamma, nullptr, smooth, nullptr, 1e-5, Bools{true, true}, y1,
        y2, x, scale1, scale2);
    Norm norm = NormOf(x1, x2, gamma, nullptr);
    const QuantizedRows plain = QuantizeRows(norm.normed, 16);
    ExpectInt8(y1.Read(), plain.values);
    ExpectClose(scale1.Read(), plain.scales, 1e-5);
    for (std::size_t i = 0; i < norm.normed.size(); ++i)
      norm.normed[i] *= smooth.Read()[i % 16];
    ExpectInt8(y2.Read(), QuantizeRows(norm.normed, 16).values);
    ExpectClose(x.Read(), norm.sum, Tolerance(type));
    Run(NN(AddRmsNormDynamicQuantV2), x1, x2, gamma, nullptr, nullptr, nullptr, 1e-5, Bools{true, false}, y1,
        nullptr, x, scale1, nullptr);
    ExpectInt8(y1.Read(), plain.values);
    Run(NN(AddRmsNormDynamicQuantV2), x1, x2, gamma, nullptr, nullptr, nullptr, 1e-5, nullptr, y1, nullptr, x,
        scale1, nullptr);
    ExpectInt8(y1.Read(), plain.values);
    ExpectRefused(161002, "output_mask", NN(AddRmsNormDynamicQuantV2), x1, x2, gamma, nullptr, nullptr,
                  nullptr, 1e-5, Bools{true}, y1, nullptr, x, scale1, nullptr);
  }
}

Values Dequantized(const Tensor& x, const Tensor& weight, const Tensor& token, bool left) {
  const std::size_t width = weight.size();
  Values rows = x.Read();
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] *= weight.Read()[i % width] * token.Read()[i / width];
  if (left) return Gated(rows, width / 2);
  Values swapped(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    swapped[i] = rows[i / width * width + (i + width / 2) % width];
  return Gated(swapped, width / 2);
}

TEST_F(Nn, DequantSwigluQuantGatesSumsAndFindsScales) {
  const Tensor x = In(ACL_INT32, {4, 24}, SpreadInts(96, -900, 900), Layout::kPaddedRows),
               weight = In(ACL_FLOAT, {24}, Spread(24, 0.01, 0.02)),
               token = In(ACL_FLOAT, {4}, {1, 0.5, 2, 0.1});
  const Tensor y = Out(ACL_INT8, {4, 12}), scale = Out(ACL_FLOAT, {4});
  for (const bool left : {true, false}) {
    Run(NN(DequantSwigluQuant), x, weight, token, nullptr, nullptr, nullptr, nullptr, left, "dynamic", y,
        scale);
    const QuantizedRows expected = QuantizeRows(Dequantized(x, weight, token, left), 12);
    ExpectInt8(y.Read(), expected.values);
    ExpectClose(scale.Read(), expected.scales, 1e-5);
  }
  ExpectRefused(161002, "sometimes", NN(DequantSwigluQuant), x, weight, token, nullptr, nullptr, nullptr,
                nullptr, true, "sometimes", y, scale);
  ExpectRefused(561003, "biasOptional", NN(DequantSwigluQuant), x, weight, token, weight, nullptr, nullptr,
                nullptr, true, "dynamic", y, scale);
}

TEST_F(Nn, DequantSwigluQuantV2HasScalesOfGroups) {
  const Tensor x = In(ACL_INT32, {5, 8}, SpreadInts(40, -900, 900)),
               weight = In(ACL_FLOAT, {2, 8}, Spread(16, 0.01, 0.02)),
               token = In(ACL_FLOAT, {5}, Spread(5, 1, 2)), counts = In(ACL_INT64, {2}, {3, 2});
  const Tensor y = Out(ACL_INT8, {5, 4}), scale = Out(ACL_FLOAT, {5});
  Run(NN(DequantSwigluQuantV2), x, weight, token, nullptr, nullptr, nullptr, counts, true, "dynamic",
      ACL_INT8, "rint", -1, 0, 7.0, 1.702, 1.0, y, scale);
  Values rows = x.Read();
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] *= weight.Read()[(i < 24 ? 0 : 8) + i % 8] * token.Read()[i / 8];
  ExpectInt8(y.Read(), QuantizeRows(Gated(rows, 4), 4).values);
  ExpectRefused(561003, "swigluMode", NN(DequantSwigluQuantV2), x, weight, token, nullptr, nullptr, nullptr,
                counts, true, "dynamic", ACL_INT8, "rint", -1, 1, 7.0, 1.702, 1.0, y, scale);
}

TEST_F(Nn, DequantSwigluQuantTakesHalvesAndAScale) {
  for (const aclDataType type : kHalves) {
    const Tensor x = In(type, {3, 16}, Spread(48)), scale = In(ACL_FLOAT, {8}, Spread(8, 20, 40));
    const Tensor y = Out(ACL_INT8, {3, 8}), unused = Out(ACL_FLOAT, {3});
    Run(NN(DequantSwigluQuant), x, nullptr, nullptr, nullptr, scale, nullptr, nullptr, true, "static", y,
        unused);
    Values expected = Gated(x.Read(), 8);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = ToInt8(expected[i] * scale.Read()[i % 8]);
    ExpectInt8(y.Read(), expected);
  }
}

}  // namespace
}  // namespace nn
