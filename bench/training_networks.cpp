// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "training_networks.h"

#include <fmt/format.h>

namespace bench {
namespace {

// The data without the dimension that counts the batches.
Value BatchOf(Tape& tape, const TrainingArrays& arrays, const char* name) {
  const TrainingArray& array = arrays.at(name);
  return tape.Input(name, Dims(array.dims.begin() + 1, array.dims.end()),
                    array.integers ? ge::DT_INT32 : ge::DT_FLOAT);
}

Value ConvolutionAndNorm(Tape& tape, const Value& x, const std::string& prefix, int number,
                         std::int64_t stride) {
  const Value y = tape.Convolution(x, fmt::format("{}conv{}", prefix, number), stride);
  return tape.BatchNorm(y, fmt::format("{}bn{}", prefix, number));
}

Value DigitsScores(Tape& tape, const TrainingArrays&, Value x) {
  for (const int layer : {1, 2})
    x = tape.MaxPool2(tape.Relu(ConvolutionAndNorm(tape, x, "", layer, 1)));
  return tape.Linear(tape.Reshape(x, {x.dims[0], CountOf(x.dims) / x.dims[0]}), "fc");
}

Value ResidualBlock(Tape& tape, const Value& x, const std::string& prefix, std::int64_t stride) {
  const Value half = tape.Relu(ConvolutionAndNorm(tape, x, prefix, 1, stride));
  const Value y = ConvolutionAndNorm(tape, half, prefix, 2, 1);
  return tape.Relu(tape.Add(y, stride == 1 ? x : ConvolutionAndNorm(tape, x, prefix, 3, stride)));
}

Value ResNetScores(Tape& tape, const TrainingArrays&, Value x) {
  x = tape.Relu(ConvolutionAndNorm(tape, x, "", 1, 1));
  for (int block = 0; block < 8; ++block)
    x = ResidualBlock(tape, x, fmt::format("blocks.{}.", block), block > 0 && block % 2 == 0 ? 2 : 1);
  return tape.Linear(tape.AveragePlanes(x), "fc");
}

constexpr std::int64_t kHeads = 4;

// No position sees those after it.
Value CausalMask(Tape& tape, std::int64_t length) {
  std::vector<float> mask(static_cast<std::size_t>(length * length));
  for (std::int64_t row = 0; row < length; ++row)
    for (std::int64_t column = row + 1; column < length; ++column)
      mask[static_cast<std::size_t>(row * length + column)] = -1e9F;
  return tape.Floats(mask, {length, length});
}

Value TransformerLayer(Tape& tape, const Value& x, const std::string& prefix, const Value& mask,
                       const Dims& image) {
  const Value qkv = tape.Linear(tape.LayerNorm(x, prefix + "norm1"), prefix + "qkv");
  const Value seen = tape.Attention(tape.Reshape(qkv, {image[0], image[1], 3 * image[2]}), kHeads, mask);
  const Value y = tape.Add(x, tape.Linear(tape.Reshape(seen, x.dims), prefix + "out"));
  const Value up = tape.Gelu(tape.Linear(tape.LayerNorm(y, prefix + "norm2"), prefix + "up"));
  return tape.Add(y, tape.Linear(up, prefix + "down"));
}

Value TransformerScores(Tape& tape, const TrainingArrays& arrays, const Value& tokens) {
  const Value sum = tape.Add(tape.Embedding(tokens, "token"), tape.Weight("position.weight"));
  const Value mask = CausalMask(tape, tokens.dims[1]);
  Value x = tape.Reshape(sum, {sum.dims[0] * sum.dims[1], sum.dims[2]});
  for (int layer = 0; arrays.count(fmt::format("layers.{}.qkv.weight", layer)) > 0; ++layer)
    x = TransformerLayer(tape, x, fmt::format("layers.{}.", layer), mask, sum.dims);
  return tape.Linear(tape.LayerNorm(x, "norm"), "head");
}

struct Network {
  const char* name;
  Optimizer optimizer;
  float rate;
  Value (*scores)(Tape&, const TrainingArrays&, Value);
};
constexpr Network kNetworks[] = {
    {"digits", Optimizer::kMomentum, 0.02F, DigitsScores},
    {"resnet18_32", Optimizer::kMomentum, 0.01F, ResNetScores},
    {"transformer4", Optimizer::kAdamW, 3e-4F,
     [](Tape& tape, const TrainingArrays& arrays, Value x) { return TransformerScores(tape, arrays, x); }},
};

}  // namespace

const std::vector<std::string>& TrainingNetworks() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Network& network : kNetworks)
      all.emplace_back(network.name);
    return all;
  }();
  return names;
}

TrainingStep MakeTrainingStep(const std::string& network, const TrainingArrays& arrays) {
  for (const Network& known : kNetworks) {
    if (known.name != network) continue;
    auto tape = std::make_unique<Tape>(arrays, known.optimizer, known.rate);
    const Value inputs = BatchOf(*tape, arrays, "inputs");
    Value labels = BatchOf(*tape, arrays, "labels");
    const Value scores = known.scores(*tape, arrays, inputs);
    if (labels.dims.size() > 1) labels = tape->Reshape(labels, {CountOf(labels.dims)});
    ge::Graph graph = tape->Finish(scores, labels);
    return {std::move(graph), std::move(tape), known.optimizer};
  }
  std::fprintf(stderr, "there is no network '%s'\n", network.c_str());
  std::exit(1);
}

}  // namespace bench
