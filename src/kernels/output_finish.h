// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What convolutions on blocks of channels and products of matrices do with a sum when it is complete: add a
// bias and a residual, then apply an activation. Values; any thread.
#pragma once

#include <limits>

namespace foothold {

enum class Activation : unsigned char {
  kClip,       // into [low, high]; NaN passes. The defaults leave everything as it is, Relu is [0, infinity]
  kLeakyRelu,  // x < 0 ? slope * x : x
  kSigmoid,
  kSilu,       // x * sigmoid(x)
  kHardSwish,  // x * min(max(x / 6 + 1 / 2, 0), 1)
  kGelu,       // x * (1 + erf(x / sqrt(2))) / 2
  kTanhGelu,   // the same with the tanh that comes near it
};

struct ActivationSpec {
  Activation kind = Activation::kClip;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  float slope = 0;
};

// Pointers to where a run of outputs begins; null: nothing to add.
struct OutputFinish {
  const float* bias = nullptr;      // one for each channel, blocks filled up
  const float* residual = nullptr;  // laid out like the output
  ActivationSpec activation;
};

}  // namespace foothold
