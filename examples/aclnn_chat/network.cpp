// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "network.h"

#include <aclnnop/aclnn_add_rms_norm.h>
#include <aclnnop/aclnn_argmax.h>
#include <aclnnop/aclnn_embedding.h>
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_rms_norm.h>
#include <aclnnop/aclnn_rotary_position_embedding.h>
#include <aclnnop/aclnn_swi_glu.h>

#include <cmath>
#include <utility>

namespace {

const double kEpsilon = 1e-5;
const double kRotaryBase = 10000;
const int64_t kMaskSide = 2048;  // of the mask that sparse mode 3 wants, whatever the lengths
const int64_t kCausalFromTheEnd = 3;
const int64_t kAllTokens = 2147483647;

size_t HalfBytes(int64_t count) {
  return static_cast<size_t>(count) * sizeof(aclFloat16);
}

size_t Bytes(const Halves& values) {
  return values.size() * sizeof(aclFloat16);
}

std::vector<uint8_t> UpperTriangle(int64_t side) {
  std::vector<uint8_t> mask(static_cast<size_t>(side * side), 0);
  for (int64_t row = 0; row < side; ++row)
    std::fill(mask.begin() + row * side + row + 1, mask.begin() + (row + 1) * side, uint8_t{1});
  return mask;
}

}  // namespace

Network::Layer::Layer(const LayerWeights& weights, const Sizes& s, WeightType type)
    : attention_norm(weights.attention_norm.data(), Bytes(weights.attention_norm)),
      unit_norm(weights.unit_norm.data(), Bytes(weights.unit_norm)),
      query(weights.query, s.heads * s.head, s.width, type),
      key(weights.key, s.kv_heads * s.head, s.width, type),
      value(weights.value, s.kv_heads * s.head, s.width, type),
      output(weights.output, s.width, s.heads * s.head, type),
      gate_up(weights.gate_up, 2 * s.hidden, s.width, type),
      down(weights.down, s.width, s.hidden, type),
      keys(HalfBytes(s.context * s.kv_heads * s.head)),
      values(HalfBytes(s.context * s.kv_heads * s.head)) {}

Network::Network(Device& device, const WeightsFile& file, WeightType type)
    : device_(device),
      sizes_(file.sizes),
      head_(file.embedding, sizes_.vocabulary, sizes_.width, WeightType::kFloat16),
      embedding_(file.embedding.data(), Bytes(file.embedding)),
      norm_(file.norm.data(), Bytes(file.norm)),
      cos_(HalfBytes(sizes_.context * sizes_.head)),
      sin_(HalfBytes(sizes_.context * sizes_.head)),
      hidden_(UpperTriangle(kMaskSide).data(), kMaskSide * kMaskSide),
      tokens_(static_cast<size_t>(sizes_.context) * sizeof(int32_t)),
      state_(new Buffer(HalfBytes(sizes_.context * sizes_.width))),
      sum_(new Buffer(HalfBytes(sizes_.context * sizes_.width))),
      normed_(HalfBytes(sizes_.context * sizes_.width)),
      root_(static_cast<size_t>(sizes_.context) * sizeof(float)),
      change_(HalfBytes(sizes_.context * sizes_.width)),
      query_(HalfBytes(sizes_.context * sizes_.heads * sizes_.head)),
      rotated_(HalfBytes(sizes_.context * sizes_.heads * sizes_.head)),
      key_(HalfBytes(sizes_.context * sizes_.kv_heads * sizes_.head)),
      attended_(HalfBytes(sizes_.context * sizes_.heads * sizes_.head)),
      gates_(HalfBytes(sizes_.context * 2 * sizes_.hidden)),
      gated_(HalfBytes(sizes_.context * sizes_.hidden)),
      scores_(HalfBytes(sizes_.context * sizes_.vocabulary)) {
  for (const LayerWeights& weights : file.layers)
    layers_.emplace_back(new Layer(weights, sizes_, type));
  MakeRotation();
}

// Pair i of a head is elements i and i + head / 2: both turn by the same angle.
void Network::MakeRotation() {
  Halves cos, sin;
  for (int64_t position = 0; position < sizes_.context; ++position) {
    for (int64_t i = 0; i < sizes_.head; ++i) {
      const double pair = static_cast<double>(i % (sizes_.head / 2));
      const double angle = static_cast<double>(position) * std::pow(kRotaryBase, -2 * pair / sizes_.head);
      cos.push_back(aclFloatToFloat16(static_cast<float>(std::cos(angle))));
      sin.push_back(aclFloatToFloat16(static_cast<float>(std::sin(angle))));
    }
  }
  cos_.Upload(cos.data(), Bytes(cos));
  sin_.Upload(sin.data(), Bytes(sin));
}

size_t Network::weight_bytes() const {
  size_t bytes = head_.bytes();
  for (const auto& layer : layers_) {
    for (const Matrix* one :
         {&layer->query, &layer->key, &layer->value, &layer->output, &layer->gate_up, &layer->down})
      bytes += one->bytes();
  }
  return bytes;
}

int32_t Network::Next(const std::vector<int32_t>& tokens) {
  Read(tokens);
  Score(static_cast<int64_t>(tokens.size()) - 1, 1);
  const Tensor scores(scores_, ACL_FLOAT16, {1, sizes_.vocabulary});
  const Tensor best(tokens_, ACL_INT32, {1});
  ACLNN(device_, ArgMax, scores, 1, false, best);
  device_.Wait();
  int32_t next = 0;
  tokens_.Download(&next, sizeof next);
  return next;
}

Halves Network::Scores(const std::vector<int32_t>& tokens) {
  Read(tokens);
  Score(0, static_cast<int64_t>(tokens.size()));
  device_.Wait();
  Halves scores(tokens.size() * static_cast<size_t>(sizes_.vocabulary));
  scores_.Download(scores.data(), Bytes(scores));
  return scores;
}

void Network::Read(const std::vector<int32_t>& tokens) {
  const int64_t count = static_cast<int64_t>(tokens.size());
  tokens_.Upload(tokens.data(), tokens.size() * sizeof(int32_t));
  {
    const Tensor table(embedding_, ACL_FLOAT16, {sizes_.vocabulary, sizes_.width});
    const Tensor numbers(tokens_, ACL_INT32, {count});
    const Tensor rows(*state_, ACL_FLOAT16, {count, sizes_.width});
    ACLNN(device_, Embedding, table, numbers, rows);
  }
  Norm(layers_.front()->attention_norm, count);
  for (size_t i = 0; i < layers_.size(); ++i) {
    Attend(*layers_[i], count);
    AddAndNorm(layers_[i]->unit_norm, count);
    Gate(*layers_[i], count);
    AddAndNorm(i + 1 < layers_.size() ? layers_[i + 1]->attention_norm : norm_, count);
  }
  position_ += count;
}

// The new keys and values go straight to their place behind those of earlier tokens.
void Network::Attend(const Layer& layer, int64_t count) {
  const int64_t heads = sizes_.heads * sizes_.head, kv_heads = sizes_.kv_heads * sizes_.head;
  const Tensor rows(normed_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor query(query_, ACL_FLOAT16, {count, heads});
  const Tensor key(key_, ACL_FLOAT16, {count, kv_heads});
  const Tensor value(layer.values, ACL_FLOAT16, {count, kv_heads}, position_ * kv_heads);
  layer.query.Multiply(device_, rows, query);
  layer.key.Multiply(device_, rows, key);
  layer.value.Multiply(device_, rows, value);
  Rotate(query_, rotated_, sizes_.heads, count, 0);
  Rotate(key_, layer.keys, sizes_.kv_heads, count, position_);
  FusedAttention(layer, count);
  const Tensor attended(attended_, ACL_FLOAT16, {count, heads});
  const Tensor change(change_, ACL_FLOAT16, {count, sizes_.width});
  layer.output.Multiply(device_, attended, change);
}

// `first`: the row of `to` that the first result goes to.
void Network::Rotate(const Buffer& from, const Buffer& to, int64_t heads, int64_t count, int64_t first) {
  const int64_t head = sizes_.head, half_mode = 0;
  const Tensor x(from, ACL_FLOAT16, {1, count, heads, head});
  const Tensor cos(cos_, ACL_FLOAT16, {1, count, 1, head}, position_ * head);
  const Tensor sin(sin_, ACL_FLOAT16, {1, count, 1, head}, position_ * head);
  const Tensor y(to, ACL_FLOAT16, {1, count, heads, head}, first * heads * head);
  ACLNN(device_, RotaryPositionEmbedding, x, cos, sin, half_mode, y);
}

// Every token looks at itself and all before it; one alone needs no mask for that. Shifts, lengths of several
// sequences, quantised keys, pages and shared beginnings are not wanted.
void Network::FusedAttention(const Layer& layer, int64_t count) {
  const int64_t head = sizes_.head, length = position_ + count;
  const Tensor query(rotated_, ACL_FLOAT16, {1, count, sizes_.heads, head});
  Tensor key(layer.keys, ACL_FLOAT16, {1, length, sizes_.kv_heads, head});
  Tensor value(layer.values, ACL_FLOAT16, {1, length, sizes_.kv_heads, head});
  const TensorList keys(key), values(value);
  const Tensor mask(hidden_, ACL_UINT8, {kMaskSide, kMaskSide});
  const Tensor out(attended_, ACL_FLOAT16, {1, count, sizes_.heads, head});
  const bool masked = count > 1;
  aclTensor* const no = nullptr;
  char layout[] = "BSND";
  ACLNN(device_, FusedInferAttentionScoreV2, query, keys, values, no, masked ? mask : no, nullptr, nullptr,
        no, no, no, no, no, no, no, no, no, no, no, no, no, no, no, no, nullptr, sizes_.heads,
        1 / std::sqrt(static_cast<double>(head)), kAllTokens, kAllTokens, layout, sizes_.kv_heads,
        masked ? kCausalFromTheEnd : 0, 0, 0, 0, false, 0, 0, out, no);
}

void Network::Gate(const Layer& layer, int64_t count) {
  const Tensor rows(normed_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor gates(gates_, ACL_FLOAT16, {count, 2 * sizes_.hidden});
  const Tensor gated(gated_, ACL_FLOAT16, {count, sizes_.hidden});
  const Tensor change(change_, ACL_FLOAT16, {count, sizes_.width});
  layer.gate_up.Multiply(device_, rows, gates);
  ACLNN(device_, SwiGlu, gates, 1, gated);
  layer.down.Multiply(device_, gated, change);
}

void Network::Norm(const Buffer& weight, int64_t count) {
  const Tensor x(*state_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor gamma(weight, ACL_FLOAT16, {sizes_.width});
  const Tensor y(normed_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor root(root_, ACL_FLOAT, {count, 1});
  ACLNN(device_, RmsNorm, x, gamma, kEpsilon, y, root);
}

void Network::AddAndNorm(const Buffer& weight, int64_t count) {
  const Tensor x(*state_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor change(change_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor gamma(weight, ACL_FLOAT16, {sizes_.width});
  const Tensor y(normed_, ACL_FLOAT16, {count, sizes_.width});
  const Tensor root(root_, ACL_FLOAT, {count, 1});
  const Tensor sum(*sum_, ACL_FLOAT16, {count, sizes_.width});
  ACLNN(device_, AddRmsNorm, x, change, gamma, kEpsilon, y, root, sum);
  std::swap(state_, sum_);
}

void Network::Score(int64_t first, int64_t count) {
  const Tensor rows(normed_, ACL_FLOAT16, {count, sizes_.width}, first * sizes_.width);
  const Tensor scores(scores_, ACL_FLOAT16, {count, sizes_.vocabulary});
  head_.Multiply(device_, rows, scores);
}
