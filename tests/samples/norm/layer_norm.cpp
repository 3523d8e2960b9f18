// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows brought to mean 0 and variance 1, scaled and shifted.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

constexpr double kEpsilon = 1e-3;

struct Moments {
  double mean = 0, scale = 0;
};

Moments MomentsOf(const double* row, std::size_t length) {
  Moments moments;
  double square = 0;
  for (std::size_t i = 0; i < length; ++i)
    moments.mean += row[i] / static_cast<double>(length);
  for (std::size_t i = 0; i < length; ++i)
    square += (row[i] - moments.mean) * (row[i] - moments.mean) / static_cast<double>(length);
  moments.scale = 1 / std::sqrt(square + kEpsilon);
  return moments;
}

// The result, means and scales of rows.
std::vector<Block> Normalized(const Block& x, const Values& gamma, const Values& beta) {
  const std::size_t length = gamma.size();
  Dims rows = x.dims;
  rows.back() = 1;
  std::vector<Block> out{x, {rows, {}}, {rows, {}}};
  for (std::size_t row = 0; row < nn::CountOf(rows); ++row) {
    const Moments moments = MomentsOf(x.values.data() + row * length, length);
    for (std::size_t i = 0; i < length; ++i) {
      double& value = out[0].values[row * length + i];
      value = (value - moments.mean) * moments.scale * gamma[i] + beta[i];
    }
    out[1].values.push_back(moments.mean);
    out[2].values.push_back(moments.scale);
  }
  return out;
}

std::vector<Block> LayerNorm(const Given& in) {
  return Normalized(in[0], in[1].values, in[2].values);
}

std::vector<Block> AddLayerNorm(const Given& in) {
  Block sum = in[0];
  for (std::size_t e = 0; e < sum.values.size(); ++e)
    sum.values[e] += in[1].values[e] + in[4].values[e % in[4].values.size()];
  std::vector<Block> out = Normalized(sum, in[2].values, in[3].values);
  out.push_back(sum);
  return out;
}

constexpr const char* kRows = "what is no number spreads over its row";

const Table layer_norms({
    Functions("FastLayerNorm")
        .Types(FloatTypes())
        .Gives({kSame, ACL_FLOAT, ACL_FLOAT})
        .Calls(NN(FastLayerNorm), {X(0), V("shape"), X(1), X(2), kEpsilon, Y(0), Y(1), Y(2)})
        .Calls(NN(LayerNormWithImplMode), {X(0), V("shape"), X(1), X(2), kEpsilon, Y(0), Y(1), Y(2), 0})
        .Without(Part::kSpecial, kRows)
        .Form({{2, 3, 8}, {8}, {8}}, {{"shape", {8}}})
        .Form({{0, 8}, {8}, {8}}, {{"shape", {8}}})
        .Within(2)
        .Are(LayerNorm),
    Functions("AddLayerNorm")
        .Types(FloatTypes())
        .Gives({kSame, ACL_FLOAT, ACL_FLOAT, kSame})
        .Calls(NN(AddLayerNorm), {X(0), X(1), X(2), X(3), X(4), kEpsilon, true, Y(0), Y(1), Y(2), Y(3)})
        .Without(Part::kSpecial, kRows)
        .Form({{2, 3, 8}, {2, 3, 8}, {8}, {8}, {8}})
        .Form({{5, 8}, {5, 8}, {8}, {8}, {5, 8}})
        .Form({{0, 8}, {0, 8}, {8}, {8}, {8}})
        .Within(4)
        .Are(AddLayerNorm),
});

}  // namespace
}  // namespace samples
