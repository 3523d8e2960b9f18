// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rotary embeddings: tables of cosines and sines are made on the stream, from frequencies that come from the
// host.
#include <algorithm>
#include <cmath>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_threshold.h"
#include "llama/nodes.h"

namespace llama {
namespace {

void CopyFrequencies(Backend& backend, const RopeParams& params, char* to) {
  std::vector<float> table(static_cast<std::size_t>(params.dims / 2));
  const float step = std::pow(params.base, -2.0f / static_cast<float>(params.dims));
  float value = 1;
  for (float& frequency : table) {
    frequency = value;
    value *= step;
  }
  const std::size_t bytes = table.size() * sizeof(float);
  Check(
      aclrtMemcpyAsync(to, bytes, backend.Table(table), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, backend.stream()),
      "frequencies");
}

// Where the number of turns over the original length is `turns`.
float DimensionOf(const RopeParams& params, float turns) {
  constexpr float kPi = 3.14159265358979f;
  return static_cast<float>(params.dims) *
         std::log(static_cast<float>(params.original_length) / (turns * 2 * kPi)) /
         (2 * std::log(params.base));
}

// Frequencies of long contexts: a ramp from those of the training to scaled ones.
void Blend(Backend& backend, const RopeParams& params, const Described& theta) {
  const std::int64_t count = params.dims / 2;
  const float low = std::max(0.0f, std::floor(DimensionOf(params, params.fast)));
  const float high =
      std::min(static_cast<float>(params.dims - 1), std::ceil(DimensionOf(params, params.slow)));
  const Buffer buffer(backend.pool(), static_cast<std::size_t>(count) * sizeof(float));
  const Described ramp(ACL_FLOAT, {1, 1, 1, count}, buffer.data());
  Run(backend, NN(Arange), Scalar{0}, Scalar{static_cast<float>(count)}, Scalar{1}, ramp);
  Run(backend, NN(InplaceSubs), ramp, Scalar{low}, Scalar{1});
  Run(backend, NN(InplaceDivs), ramp, Scalar{std::max(0.001f, high - low)});
  Run(backend, NN(InplaceThreshold), ramp, Scalar{0}, Scalar{0});
  Run(backend, NN(InplaceClampMax), ramp, Scalar{1});
  // scale * ramped + 1 - ramped, where ramped = (1 - ramp) * extrapolation.
  Run(backend, NN(InplaceMuls), ramp, Scalar{-1});
  Run(backend, NN(InplaceAdds), ramp, Scalar{1}, Scalar{1});
  Run(backend, NN(InplaceMuls), ramp, Scalar{params.extrapolation * (1 - params.scale)});
  Run(backend, NN(InplaceAdds), ramp, Scalar{params.scale}, Scalar{1});
  Run(backend, NN(InplaceMul), theta, ramp);
}

float Magnitude(const RopeParams& params) {
  if (params.extrapolation == 0) return params.attention;
  return params.attention * (1 + 0.1f * std::log(1 / params.scale));
}

using Turn = void (*)(Backend&, const Described&, const Described&);

// Cosines or sines of [1, rows, 1, pairs] for both elements of each pair.
void FillTable(Backend& backend, const Described& angles, Turn turn, const RopeParams& params,
               const Described& table) {
  const Buffer buffer(backend.pool(),
                      static_cast<std::size_t>(angles.dims[1] * angles.dims[3]) * sizeof(float));
  const Described once(ACL_FLOAT, angles.dims, buffer.data());
  turn(backend, angles, once);
  if (Magnitude(params) != 1) Run(backend, NN(InplaceMuls), once, Scalar{Magnitude(params)});
  if (params.halves) return Run(backend, NN(Repeat), once, Ints{1, 1, 1, 2}, table);
  Run(backend, NN(RepeatInterleaveIntWithDim), once, 2, 3, angles.dims[3] * 2, table);
}

// Heads of which only the first elements turn: those pass through tensors of their own, the rest is copied.
Described Front(const Described& x, std::int64_t depth) {
  Described front = x;
  front.dims[3] = depth;
  return front;
}

Described Back(const Described& x, std::int64_t depth) {
  Described back = x;
  back.dims[3] -= depth;
  back.offset += depth;
  return back;
}

}  // namespace

void Rope(Backend& backend, In x, In positions, const Tensor* factors, const RopeParams& params, In out) {
  const std::int64_t rows = x.ne[2], pairs = params.dims / 2, depth = params.dims;
  const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); };
  const Buffer frequencies(backend.pool(), bytes(pairs)), turns(backend.pool(), bytes(rows * pairs)),
      cosines(backend.pool(), bytes(rows * depth)), sines(backend.pool(), bytes(rows * depth));
  const Described theta(ACL_FLOAT, {1, 1, 1, pairs}, frequencies.data());
  CopyFrequencies(backend, params, frequencies.data());
  if (factors != nullptr)
    Run(backend, NN(InplaceDiv), theta, Described(ACL_FLOAT, {1, 1, 1, pairs}, factors->data));
  if (params.extrapolation != 0) {
    Blend(backend, params, theta);
  } else if (params.scale != 1) {
    Run(backend, NN(InplaceMuls), theta, Scalar{params.scale});
  }
  const Described angles(ACL_FLOAT, {1, rows, 1, pairs}, turns.data());
  Run(backend, NN(Mul), Described(ACL_INT32, {1, rows, 1, 1}, positions.data), theta, angles);
  Described cosine(ACL_FLOAT, {1, rows, 1, depth}, cosines.data());
  Described sine(ACL_FLOAT, {1, rows, 1, depth}, sines.data());
  FillTable(
      backend, angles, [](Backend& b, const Described& a, const Described& t) { Run(b, NN(Cos), a, t); },
      params, cosine);
  FillTable(
      backend, angles, [](Backend& b, const Described& a, const Described& t) { Run(b, NN(Sin), a, t); },
      params, sine);
  // Halves are converted before and behind.
  const Buffer wide(backend.pool(), bytes(x.size())), turned(backend.pool(), bytes(x.size()));
  const Tensor wide_x = Lay(Type::kF32, x.ne, wide.data()), wide_out = Lay(Type::kF32, x.ne, turned.data());
  const bool half = x.type != Type::kF32;
  if (half) Copy(backend, x, wide_x);
  const Tensor from = half ? wide_x : x, to = half ? wide_out : out;
  const int mode = params.halves ? 0 : 1;
  if (depth == x.ne[0]) {
    Run(backend, NN(RotaryPositionEmbedding), All(from), cosine, sine, mode, All(to));
  } else {
    const Buffer front(backend.pool(), bytes(x.rows() * depth)),
        front_out(backend.pool(), bytes(x.rows() * depth));
    const Described a(ACL_FLOAT, {x.ne[3], rows, x.ne[1], depth}, front.data());
    const Described b(ACL_FLOAT, {x.ne[3], rows, x.ne[1], depth}, front_out.data());
    Run(backend, NN(InplaceCopy), a, Front(All(from), depth));
    Run(backend, NN(RotaryPositionEmbedding), a, cosine, sine, mode, b);
    Run(backend, NN(InplaceCopy), Front(All(to), depth), b);
    Run(backend, NN(InplaceCopy), Back(All(to), depth), Back(All(from), depth));
  }
  if (half) Copy(backend, to, out);
}

}  // namespace llama
