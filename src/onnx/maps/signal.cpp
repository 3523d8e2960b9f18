// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

// Since version 20 the axis is an input, and the last but one unless given.
std::int64_t DftAxis(const NodeImport& node) {
  if (node.version() < 20) return node.Int("axis", 1);
  if (!node.Has(2)) return -2;
  const auto axis = node.KnownNumber(2);
  if (!axis) node.Unsupported("the axis must be a constant");
  return static_cast<std::int64_t>(*axis);
}

void MapDft(NodeImport& node) {
  if (node.Int("inverse", 0) != 0 && node.Int("onesided", 0) != 0)
    node.Unsupported("the inverse of a one-sided spectrum is not supported");
  node.Out(0, node.Op("OnnxDft", {node.In(0), node.InOr(1)})
                  .Set("axis", DftAxis(node))
                  .Set("inverse", node.Int("inverse", 0) != 0)
                  .Set("onesided", node.Int("onesided", 0) != 0));
}

OutputRef AsInt64Scalar(NodeImport& node, int input) {
  return ReshapeTo(node, node.Cast(node.In(input), DataType::kInt64), {});
}

// Frames of the signal, one beside the other, each multiplied with the window and transformed.
void MapStft(NodeImport& node) {
  GraphBuilder& graph = node.builder();
  const OutputRef signal = node.In(0);
  const OutputRef step = AsInt64Scalar(node, 1);
  const OutputRef length = node.Has(3) ? AsInt64Scalar(node, 3) : DimensionOf(node, node.In(2), 0);
  const OutputRef spare = node.Op("Sub", {DimensionOf(node, signal, 1), length});
  const OutputRef frames = node.Op("Add", {node.Op("FloorDiv", {spare, step}), graph.Int(1)});
  const OutputRef begins = UnsqueezeAxes(node, node.Op("Mul", {CountTo(node, frames), step}), {1});
  const OutputRef places = node.Op("Add", {begins, CountTo(node, length)});
  OutputRef framed = node.Op("GatherV2", {signal, places, graph.Int(1)});
  if (node.Has(2)) framed = node.Op("Mul", {framed, UnsqueezeAxes(node, node.In(2), {1})});
  node.Out(0, node.Op("OnnxDft", {framed})
                  .Set("axis", std::int64_t{2})
                  .Set("onesided", node.Int("onesided", 1) != 0));
}

void MapMelWeightMatrix(NodeImport& node) {
  const DataType type = node.OutputType(0).type;
  node.Out(0, node.Op("OnnxMelWeightMatrix", {node.In(0), node.In(1), node.In(2), node.In(3), node.In(4)})
                  .Set("dtype", type == DataType::kUndefined ? DataType::kFloat : type));
}

// Words are numbers here; a pool of strings has no counterpart.
void MapTfIdfVectorizer(NodeImport& node) {
  if (node.HasAttribute("pool_strings")) node.Unsupported("strings are not supported");
  node.Out(0, node.Op("OnnxTfIdfVectorizer", {node.In(0)})
                  .Set("mode", node.Text("mode", "TF"))
                  .Set("min_gram_length", node.Int("min_gram_length", 1))
                  .Set("max_gram_length", node.Int("max_gram_length", 1))
                  .Set("max_skip_count", node.Int("max_skip_count", 0))
                  .Set("ngram_counts", node.IntList("ngram_counts"))
                  .Set("ngram_indexes", node.IntList("ngram_indexes"))
                  .Set("pool_int64s", node.IntList("pool_int64s"))
                  .Set("weights", node.FloatList("weights")));
}

const RegisterMapping dft("DFT", MapDft);
const RegisterMapping stft("STFT", MapStft);
const RegisterMapping mel_weight_matrix("MelWeightMatrix", MapMelWeightMatrix);
const RegisterMapping tf_idf_vectorizer("TfIdfVectorizer", MapTfIdfVectorizer);

}  // namespace
}  // namespace foothold::onnx
