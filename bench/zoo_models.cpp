// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "zoo_models.h"

#include <parser/onnx_parser.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>

#include "graph_benches.h"

namespace bench {
namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;

constexpr int kOnnxFloat = 1;
constexpr int kOnnxInt64 = 7;

void FillFloats(PeerTensor& tensor, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0F, 0.5F);
  std::vector<float> values(tensor.ElementCount());
  std::generate(values.begin(), values.end(), [&] { return normal(generator); });
  tensor.bytes.resize(values.size() * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
}

// The first whole numbers a network takes are words; then comes the mask, all words count; then their types,
// all 0.
void FillWords(PeerTensor& tensor, std::size_t index) {
  std::vector<std::int64_t> values(tensor.ElementCount(), index == 1 ? 1 : 0);
  for (std::size_t i = 0; index == 0 && i < values.size(); ++i)
    values[i] = static_cast<std::int64_t>((i * 7919 + 3) % 37);
  tensor.bytes.resize(values.size() * sizeof(std::int64_t));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
}

}  // namespace

std::vector<std::filesystem::path> FindModels(const std::string& folder,
                                              const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> models;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const bool wanted = names.empty() || std::count(names.begin(), names.end(), entry.path().stem().string());
    if (wanted && entry.path().extension() == ".onnx") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  if (models.empty()) {
    std::cerr << "no such models in " << folder << ": tools/zoo/make_zoo.py writes them\n";
    std::exit(1);
  }
  return models;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void FillInputs(std::vector<PeerTensor>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::int64_t& dim : inputs[i].shape)
      dim = std::max<std::int64_t>(dim, 1);
    inputs[i].type == kOnnxInt64 ? FillWords(inputs[i], i) : FillFloats(inputs[i], static_cast<unsigned>(i));
  }
}

std::vector<ge::Tensor> ToTensors(const std::vector<PeerTensor>& tensors) {
  std::vector<ge::Tensor> made;
  for (const PeerTensor& tensor : tensors) {
    const ge::DataType type = tensor.type == kOnnxFloat ? ge::DT_FLOAT : ge::DT_INT64;
    made.emplace_back(ge::TensorDesc(ge::Shape(tensor.shape), ge::FORMAT_ND, type), tensor.bytes.data(),
                      tensor.bytes.size());
  }
  return made;
}

Network::Network(const std::filesystem::path& path, const Options& session_options)
    : session_(session_options) {
  ge::Graph graph("model");
  CheckGe(ge::aclgrphParseONNX(path.c_str(), Options{}, graph));
  CheckGe(session_.AddGraph(1, graph));
}

std::vector<ge::Tensor> Network::Run(const std::vector<ge::Tensor>& inputs) {
  std::vector<ge::Tensor> outputs;
  CheckGe(session_.RunGraph(1, inputs, outputs));
  return outputs;
}

}  // namespace bench
