// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxMelWeightMatrix: triangles that sum a spectrum into bands of equal width on the mel scale. Inputs, all
// scalars: number of bands, length of the transform, sample rate, lower and upper edge in hertz. Attribute
// dtype: the type of the matrix [length / 2 + 1, bands].
#include <cmath>

#include "ops/data/rule_arguments.h"
#include "ops/op.h"

namespace foothold {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

struct Mel {
  std::int64_t bands, length, rate;
  double low, high;

  std::int64_t rows() const { return length / 2 + 1; }
};

double ToMel(double hertz) {
  return 2595 * std::log10(1 + hertz / 700);
}
double ToHertz(double mel) {
  return 700 * (std::pow(10, mel / 2595) - 1);
}

Mel MelOf(const OpContext& context) {
  const auto whole = [&](int port) { return static_cast<std::int64_t>(Scalar(context.Needed(port))); };
  const Mel mel{whole(0), whole(1), whole(2), Scalar(context.Needed(3)), Scalar(context.Needed(4))};
  if (mel.bands <= 0 || mel.length <= 0 || mel.rate <= 0 || mel.bands > kMostElements / mel.rows())
    context.Refuse("there cannot be {} bands of a transform of {} at rate {}", mel.bands, mel.length,
                   mel.rate);
  return mel;
}

// The rows at which the triangles begin, culminate and end.
std::vector<std::int64_t> EdgesOf(const OpContext& context, const Mel& mel) {
  const double low = ToMel(mel.low);
  const double step = (ToMel(mel.high) - low) / static_cast<double>(mel.bands + 2);
  std::vector<std::int64_t> edges;
  for (std::int64_t i = 0; i < mel.bands + 2; ++i) {
    const double hertz = ToHertz(low + step * static_cast<double>(i));
    const double row =
        std::floor(static_cast<double>(mel.length + 1) * hertz / static_cast<double>(mel.rate));
    if (!(row >= 0 && row < static_cast<double>(mel.rows())))
      context.Refuse("an edge at {} hertz is outside a spectrum of {} values at rate {}", hertz, mel.rows(),
                     mel.rate);
    edges.push_back(static_cast<std::int64_t>(row));
  }
  return edges;
}

// Calls set(row, band, weight); what is set later counts.
template <typename Set>
void Triangles(const std::vector<std::int64_t>& edges, std::int64_t bands, Set&& set) {
  for (std::int64_t band = 0; band < bands; ++band) {
    const auto i = static_cast<std::size_t>(band);
    const std::int64_t begin = edges[i], top = edges[i + 1], end = edges[i + 2];
    if (begin == top) set(top, band, 1.0);
    for (std::int64_t row = begin; begin < top && row <= top; ++row)
      set(row, band, static_cast<double>(row - begin) / static_cast<double>(top - begin));
    for (std::int64_t row = top; row < end; ++row)
      set(row, band, static_cast<double>(end - row) / static_cast<double>(end - top));
  }
}

std::vector<TensorValue> EvaluateMel(const OpContext& context) {
  const Mel mel = MelOf(context);
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat);
  TensorValue matrix(TensorType{type, Format::kNd, {mel.rows(), mel.bands}});
  StoreNumber(context, matrix, 0);
  const std::size_t bytes = BytesPerElement(type);
  TensorValue one(TensorType{type, Format::kNd, {}});
  Triangles(EdgesOf(context, mel), mel.bands, [&](std::int64_t row, std::int64_t band, double weight) {
    StoreNumber(context, one, weight);
    std::copy_n(one.data(), bytes,
                matrix.mutable_data() + static_cast<std::size_t>(row * mel.bands + band) * bytes);
  });
  return {matrix};
}

const RegisterOp mel_weight_matrix(OpDef("OnnxMelWeightMatrix").Evaluate(EvaluateMel));

}  // namespace
}  // namespace foothold
