// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows times the matrix of their group.
#include <algorithm>

#include "aclnn/fractals.h"
#include "aclnn/quantized_values.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_v2.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h"
#include "aclnnop/aclnn_grouped_matmul_v4.h"
#include "aclnnop/aclnn_grouped_matmul_v5.h"
#include "aclnnop/aclnn_grouped_matmul_weight_nz.h"
#include "aclnnop/aclnn_quant_grouped_matmul_dequant.h"

namespace nn {
namespace {

constexpr std::size_t kRows = 7, kDepth = 32, kColumns = 24, kGroups = 3;
constexpr std::size_t kEnds[] = {2, 2, 7};

std::size_t GroupOf(std::size_t row) {
  return static_cast<std::size_t>(std::upper_bound(kEnds, kEnds + kGroups, row) - kEnds);
}

// Rows times [groups, depth, columns].
Values Products(const Values& x, const Values& weights) {
  Values out(kRows * kColumns, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < kDepth; ++k)
      out[i] += x[i / kColumns * kDepth + k] *
                weights[(GroupOf(i / kColumns) * kDepth + k) * kColumns + i % kColumns];
  return out;
}

// Scales of the columns of each group, and of rows if there are some.
Values Scaled(Values products, const Values& columns, const Values& rows) {
  for (std::size_t i = 0; i < products.size(); ++i)
    products[i] *=
        columns[GroupOf(i / kColumns) * kColumns + i % kColumns] * (rows.empty() ? 1 : rows[i / kColumns]);
  return products;
}

Tensor GroupList(std::int64_t kind) {
  return In(ACL_INT64, {3}, kind == 0 ? Values{2, 2, 7} : Values{2, 0, 5});
}

Tensor Rows(aclDataType type, Layout layout) {
  const Values values = type == ACL_INT8 ? SpreadInts(kRows * kDepth, -128, 127) : Spread(kRows * kDepth);
  return In(type, {kRows, kDepth}, values, layout);
}

Tensor Weights(aclDataType type, Layout layout) {
  constexpr std::size_t count = kGroups * kDepth * kColumns;
  return In(type, {kGroups, kDepth, kColumns},
            type == ACL_INT8 ? SpreadInts(count, -128, 127, 2) : Spread(count, -1, 1, 2), layout);
}

TEST_F(Nn, GroupedMatmulDividesRowsAmongMatrices) {
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : {Layout::kContiguous, Layout::kTransposed, Layout::kPaddedRows})
      for (const std::int64_t kind : {0, 1}) {
        const Tensor x = Rows(type, layout), weight = Weights(type, layout), list = GroupList(kind);
        const Tensor out = Out(type, {kRows, kColumns}, Layout::kPaddedRows);
        Run(NN(GroupedMatmulV4), List{&x}, List{&weight}, none, none, none, none, none, none, list, none,
            none, none, 3, 0, kind, 0, List{&out}, none, none);
        EXPECT_LT(Nmse(out.Read(), Products(x.Read(), weight.Read())), 1e-4);
        Run(NN(GroupedMatmulV5), List{&x}, List{&weight}, none, none, none, none, none, none, list, none,
            none, none, 3, 0, kind, 0, Ints{1}, List{&out}, none, none);
        EXPECT_LT(Nmse(out.Read(), Products(x.Read(), weight.Read())), 1e-4);
      }
}

TEST_F(Nn, GroupedMatmulScalesProductsOfInt8) {
  const auto none = nullptr;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    const Tensor x = Rows(ACL_INT8, Layout::kPaddedRows), weight = Weights(ACL_INT8, Layout::kTransposed);
    const Tensor list = GroupList(1), out = Out(type, {kRows, kColumns});
    const Tensor scale = In(ACL_BF16, {kGroups, kColumns}, Spread(kGroups * kColumns, 1e-4, 1e-3)),
                 token = In(ACL_FLOAT, {kRows}, Spread(kRows, 0.5, 2));
    Run(NN(GroupedMatmulV4), List{&x}, List{&weight}, none, List{&scale}, none, none, none, List{&token},
        list, none, none, none, 3, 0, 1, 0, List{&out}, none, none);
    ExpectClose(out.Read(), Scaled(Products(x.Read(), weight.Read()), scale.Read(), token.Read()),
                Tolerance(type));
  }
}

TEST_F(Nn, GroupedMatmulPairsListsUp) {
  const auto none = nullptr;
  const Tensor x = In(ACL_FLOAT16, {2, 16}, Spread(32)), y = In(ACL_FLOAT16, {3, 8}, Spread(24));
  const Tensor a = In(ACL_FLOAT16, {16, 4}, Spread(64)), b = In(ACL_FLOAT16, {8, 5}, Spread(40));
  const Tensor p = Out(ACL_FLOAT16, {2, 4}), q = Out(ACL_FLOAT16, {3, 5});
  Run(NN(GroupedMatmulV4), List{&x, &y}, List{&a, &b}, none, none, none, none, none, none, none, none, none,
      none, 0, -1, 0, 0, List{&p, &q}, none, none);
  const auto product = [](const Tensor& left, const Tensor& right, std::size_t depth, std::size_t columns) {
    Values out(left.size() / depth * columns, 0.0);
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t k = 0; k < depth; ++k)
        out[i] += left.Read()[i / columns * depth + k] * right.Read()[k * columns + i % columns];
    return out;
  };
  EXPECT_LT(Nmse(p.Read(), product(x, a, 16, 4)), 1e-4);
  EXPECT_LT(Nmse(q.Read(), product(y, b, 8, 5)), 1e-4);
}

TEST_F(Nn, GroupedMatmulTakesFractals) {
  const auto none = nullptr;
  const Tensor x = Rows(ACL_BF16, Layout::kContiguous), plain = Weights(ACL_BF16, Layout::kContiguous);
  const Tensor weight = Folded(plain, {kGroups, 2, 2, 16, 16}), list = GroupList(0);
  const Tensor out = Out(ACL_BF16, {kRows, kColumns});
  Run(NN(GroupedMatmulWeightNz), List{&x}, List{&weight}, none, none, none, none, none, none, list, none,
      none, none, 3, 0, 0, 0, none, 0, List{&out}, none, none);
  EXPECT_LT(Nmse(out.Read(), Products(x.Read(), plain.Read())), 1e-4);
  ExpectRefused(561003, "quantGroupSize", NN(GroupedMatmulWeightNz), List{&x}, List{&weight}, none, none,
                none, none, none, none, list, none, none, none, 3, 0, 0, 0, none, 32, List{&out}, none, none);
}

TEST_F(Nn, GroupedMatmulSaysWhatDoesNotFit) {
  const auto none = nullptr;
  const Tensor x = Rows(ACL_FLOAT16, Layout::kContiguous), weight = Weights(ACL_FLOAT16, Layout::kContiguous);
  const Tensor list = GroupList(0), out = Out(ACL_FLOAT16, {kRows, kColumns}),
               wrong = Out(ACL_FLOAT16, {kRows, 3});
  const auto refused = [&](aclnnStatus code, const char* word, const Tensor* offset, std::int64_t type,
                           std::int64_t split, const Tensor& result) {
    ExpectRefused(code, word, NN(GroupedMatmulV4), List{&x}, List{&weight}, none, none, List{offset}, none,
                  none, none, list, none, none, none, split, type, 0, 0, List{&result}, none, none);
  };
  refused(561003, "groupType", nullptr, 2, 3, out);
  refused(561003, "offset", &x, 0, 3, out);
  refused(161002, "split_item", nullptr, 0, 7, out);
  refused(161002, "'out'", nullptr, 0, 3, wrong);
}

TEST_F(Nn, GroupedMatmulSwigluQuantGatesAndQuantises) {
  const auto none = nullptr;
  const Tensor x = Rows(ACL_INT8, Layout::kPaddedRows), plain = Weights(ACL_INT8, Layout::kContiguous);
  const Tensor scale = In(ACL_FLOAT, {kGroups, kColumns}, Spread(kGroups * kColumns, 1e-4, 1e-3)),
               token = In(ACL_FLOAT, {kRows}, Spread(kRows, 0.5, 2));
  const Tensor fractals = Folded(plain, {kGroups, 1, 2, 16, 32});
  const Tensor out = Out(ACL_INT8, {kRows, kColumns / 2}), scales = Out(ACL_FLOAT, {kRows});
  const QuantizedRows expected =
      QuantizeRows(Gated(Scaled(Products(x.Read(), plain.Read()), scale.Read(), token.Read()), kColumns / 2),
                   kColumns / 2);
  const auto check = [&] {
    ExpectInt8(out.Read(), expected.values);
    ExpectClose(scales.Read(), expected.scales, 1e-5);
  };
  Run(NN(GroupedMatmulSwigluQuant), x, plain, none, none, scale, token, GroupList(0), out, scales, none);
  check();
  Run(NN(GroupedMatmulSwigluQuantV2), x, List{&plain}, List{&scale}, none, none, token, none, GroupList(1), 0,
      0, 0, 1, none, out, scales);
  check();
  Run(NN(GroupedMatmulSwigluQuantWeightNzV2), x, List{&fractals}, List{&scale}, none, none, token, none,
      GroupList(0), 0, 0, 0, 0, none, out, scales);
  check();
  ExpectRefused(561003, "quantMode", NN(GroupedMatmulSwigluQuantV2), x, List{&plain}, List{&scale}, none,
                none, token, none, GroupList(1), 0, 0, 1, 1, none, out, scales);
  ExpectRefused(161002, "scales", NN(GroupedMatmulSwigluQuant), x, plain, none, none, token, token,
                GroupList(0), out, scales, none);
}

TEST_F(Nn, QuantGroupedMatmulDequantQuantisesRowsFirst) {
  const Tensor x = Rows(ACL_FLOAT16, Layout::kPaddedRows), weight = Weights(ACL_INT8, Layout::kTransposed);
  const Tensor scale = In(ACL_FLOAT, {kGroups, kColumns}, Spread(kGroups * kColumns, 1e-4, 1e-3));
  const Tensor out = Out(ACL_FLOAT16, {kRows, kColumns});
  const auto none = nullptr;
  Run(NN(QuantGroupedMatmulDequant), x, weight, scale, GroupList(0), none, none, none, none, "pertoken",
      false, out);
  const QuantizedRows rows = QuantizeRows(x.Read(), kDepth);
  EXPECT_LT(Nmse(out.Read(), Scaled(Products(rows.values, weight.Read()), scale.Read(), rows.scales)), 1e-4);
  ExpectRefused(161002, "pertensor", NN(QuantGroupedMatmulDequant), x, weight, scale, GroupList(0), none,
                none, none, none, "pertensor", false, out);
  ExpectRefused(561003, "biasOptional", NN(QuantGroupedMatmulDequant), x, weight, scale, GroupList(0), scale,
                none, none, none, "pertoken", false, out);
}

}  // namespace
}  // namespace nn
