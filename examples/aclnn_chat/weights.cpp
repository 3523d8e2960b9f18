// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "weights.h"

#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_weight_quant_batch_matmul_v2.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

namespace {

void Read(std::ifstream& file, void* to, size_t bytes) {
  if (file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes))) return;
  std::fprintf(stderr, "the weights file is missing or too short; --model says in which folder it is\n");
  std::exit(1);
}

Halves ReadHalves(std::ifstream& file, int64_t count) {
  Halves values(static_cast<size_t>(count));
  Read(file, values.data(), values.size() * sizeof(aclFloat16));
  return values;
}

std::string ReadPiece(std::ifstream& file) {
  unsigned char length = 0;
  Read(file, &length, 1);
  std::string piece(length, ' ');
  if (length > 0) Read(file, &piece[0], length);
  return piece;
}

LayerWeights ReadLayer(std::ifstream& file, const Sizes& s) {
  LayerWeights layer;
  const int64_t width = s.width;
  layer.attention_norm = ReadHalves(file, width);
  layer.query = ReadHalves(file, width * s.heads * s.head);
  layer.key = ReadHalves(file, width * s.kv_heads * s.head);
  layer.value = ReadHalves(file, width * s.kv_heads * s.head);
  layer.output = ReadHalves(file, width * s.heads * s.head);
  layer.unit_norm = ReadHalves(file, width);
  layer.gate_up = ReadHalves(file, width * 2 * s.hidden);
  layer.down = ReadHalves(file, width * s.hidden);
  return layer;
}

// The scale of a group makes its largest weight the largest whole number.
float ScaleOf(const aclFloat16* group, int largest) {
  float most = 0;
  for (int64_t i = 0; i < Matrix::kGroup; ++i)
    most = std::max(most, std::fabs(aclFloat16ToFloat(group[i])));
  return most / static_cast<float>(largest);
}

int Rounded(float value, int largest) {
  return std::min(std::max(static_cast<int>(std::nearbyint(value)), -largest - 1), largest);
}

}  // namespace

WeightsFile ReadWeights(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char mark[8];
  Read(file, mark, sizeof mark);
  if (std::memcmp(mark, "FHCHAT01", sizeof mark) != 0) {
    std::fprintf(stderr, "%s is not a weights file of this program\n", path.c_str());
    std::exit(1);
  }
  WeightsFile read;
  Read(file, &read.sizes, sizeof read.sizes);
  for (int32_t i = 0; i < read.sizes.vocabulary; ++i)
    read.pieces.push_back(ReadPiece(file));
  read.embedding = ReadHalves(file, int64_t{read.sizes.vocabulary} * read.sizes.width);
  for (int32_t i = 0; i < read.sizes.layers; ++i)
    read.layers.push_back(ReadLayer(file, read.sizes));
  read.norm = ReadHalves(file, read.sizes.width);
  return read;
}

Matrix::Matrix(const Halves& values, int64_t outputs, int64_t inputs, WeightType type)
    : outputs_(outputs), inputs_(inputs), type_(type) {
  if (type == WeightType::kFloat16)
    weights_.reset(new Buffer(values.data(), values.size() * sizeof(aclFloat16)));
  else
    Quantise(values);
}

// Two INT4 share a byte: the first in its low half, the second in its high half.
void Matrix::Quantise(const Halves& values) {
  const bool packed = type_ == WeightType::kInt4;
  const int largest = packed ? 7 : 127;
  std::vector<uint8_t> whole(values.size() / (packed ? 2 : 1), 0);
  Halves scales;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kGroup == 0) scales.push_back(aclFloatToFloat16(ScaleOf(&values[i], largest)));
    const float scale = std::max(aclFloat16ToFloat(scales.back()), 1e-8F);
    const int value = Rounded(aclFloat16ToFloat(values[i]) / scale, largest);
    if (packed)
      whole[i / 2] = static_cast<uint8_t>(whole[i / 2] | (value & 15) << (i % 2 * 4));
    else
      whole[i] = static_cast<uint8_t>(value);
  }
  weights_.reset(new Buffer(whole.data(), whole.size()));
  scales_.reset(new Buffer(scales.data(), scales.size() * sizeof(aclFloat16)));
}

// The products want [inputs, outputs]; strides show them the matrix that way, and nothing is copied.
void Matrix::Multiply(Device& device, const Tensor& rows, const Tensor& out) const {
  if (type_ == WeightType::kFloat16) {
    const Tensor weight(*weights_, ACL_FLOAT16, {inputs_, outputs_}, 0, {1, inputs_});
    ACLNN(device, Mm, rows, weight, out, 0);
    return;
  }
  const aclDataType type = type_ == WeightType::kInt8 ? ACL_INT8 : ACL_INT4;
  const int64_t groups = inputs_ / kGroup;
  const Tensor weight(*weights_, type, {inputs_, outputs_}, 0, {1, inputs_});
  const Tensor scale(*scales_, ACL_FLOAT16, {groups, outputs_}, 0, {1, groups});
  ACLNN(device, WeightQuantBatchMatmulV2, rows, weight, scale, nullptr, nullptr, nullptr, nullptr,
        static_cast<int>(kGroup), out);
}
