// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The network: a decoder whose every step is a call of aclnn. It reads tokens and says which comes next, and
// keeps the keys and values of what it has read.
#ifndef ACLNN_CHAT_NETWORK_H
#define ACLNN_CHAT_NETWORK_H

#include <memory>
#include <vector>

#include "device.h"
#include "weights.h"

class Network {
 public:
  Network(Device& device, const WeightsFile& file, WeightType type);

  // Reads tokens after those it has read, and returns the most likely next one.
  int32_t Next(const std::vector<int32_t>& tokens);
  // Reads tokens and returns scores [tokens, vocabulary] for the token after each.
  Halves Scores(const std::vector<int32_t>& tokens);

  void Forget() { position_ = 0; }
  // How many more tokens fit.
  size_t room() const { return static_cast<size_t>(sizes_.context - position_); }
  size_t weight_bytes() const;

 private:
  struct Layer {
    Layer(const LayerWeights& weights, const Sizes& sizes, WeightType type);
    Buffer attention_norm, unit_norm;
    Matrix query, key, value, output, gate_up, down;
    Buffer keys, values;  // of all tokens read so far
  };

  void MakeRotation();
  // Leaves what the head needs in normed_, a row for each token.
  void Read(const std::vector<int32_t>& tokens);
  void Attend(const Layer& layer, int64_t count);
  void Rotate(const Buffer& from, const Buffer& to, int64_t heads, int64_t count, int64_t first);
  void FusedAttention(const Layer& layer, int64_t count);
  void Gate(const Layer& layer, int64_t count);
  void Norm(const Buffer& weight, int64_t count);
  // Adds change_ to the state, and norms it.
  void AddAndNorm(const Buffer& weight, int64_t count);
  void Score(int64_t first, int64_t count);

  Device& device_;
  const Sizes sizes_;
  Matrix head_;
  Buffer embedding_, norm_;
  std::vector<std::unique_ptr<Layer>> layers_;
  Buffer cos_, sin_;  // by position
  Buffer hidden_;     // 1 where a token may not look
  int64_t position_ = 0;

  // What is computed on the way, with room for all tokens of a conversation.
  Buffer tokens_;
  std::unique_ptr<Buffer> state_, sum_;
  Buffer normed_, root_, change_, query_, rotated_, key_, attended_, gates_, gated_, scores_;
};

#endif  // ACLNN_CHAT_NETWORK_H
