// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "llama/model.h"

#include <cmath>
#include <cstring>

namespace llama {
namespace {

void Append(std::vector<char>& bytes, const void* from, std::size_t count) {
  const auto* const first = static_cast<const char*>(from);
  bytes.insert(bytes.end(), first, first + count);
}

void PackPlain(Weight& weight, const std::vector<float>& values) {
  for (const float value : values) {
    if (weight.type == Type::kF32) {
      weight.values.push_back(double{value});
      Append(weight.bytes, &value, sizeof value);
      continue;
    }
    const aclFloat16 half = aclFloatToFloat16(value);
    weight.values.push_back(double{aclFloat16ToFloat(half)});
    Append(weight.bytes, &half, sizeof half);
  }
}

float Largest(const std::vector<float>& values, std::size_t first) {
  float largest = 0;
  for (std::size_t i = first; i < first + kGroup; ++i)
    largest = std::max(largest, std::fabs(values[i]));
  return largest;
}

void PackGroups(Weight& weight, const std::vector<float>& values) {
  const bool four = weight.type == Type::kQ4_0;
  std::vector<aclFloat16> scales;
  std::vector<int> numbers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kGroup == 0) scales.push_back(aclFloatToFloat16(Largest(values, i) / (four ? 7.0f : 127.0f)));
    const float scale = aclFloat16ToFloat(scales.back());
    const float most = four ? 7.0f : 127.0f;
    numbers.push_back(static_cast<int>(std::fmax(-most, std::fmin(most, std::round(values[i] / scale)))));
    weight.values.push_back(double{scale} * numbers.back());
  }
  for (std::size_t i = 0; i < numbers.size(); i += four ? 2 : 1) {
    const int packed = four ? (numbers[i] & 15) | (numbers[i + 1] & 15) << 4 : numbers[i] & 255;
    weight.bytes.push_back(static_cast<char>(packed));
  }
  Append(weight.bytes, scales.data(), scales.size() * sizeof(aclFloat16));
}

Weight Random(Type type, std::int64_t depth, std::int64_t columns, std::uint32_t seed) {
  const float size = 1.7f / std::sqrt(static_cast<float>(depth));
  return Pack(type, depth, columns, Noise(static_cast<std::size_t>(depth * columns), seed, size));
}

Weight NearOne(std::uint32_t seed) {
  std::vector<float> values = Noise(Model::kWidth, seed, 0.5f);
  for (float& value : values)
    value += 1;
  return Pack(Type::kF32, Model::kWidth, 1, values);
}

}  // namespace

Weight Pack(Type type, std::int64_t depth, std::int64_t columns, const std::vector<float>& values) {
  Weight weight{type, depth, columns, {}, {}};
  if (IsQuantized(type)) {
    PackGroups(weight, values);
  } else {
    PackPlain(weight, values);
  }
  return weight;
}

std::vector<float> Noise(std::size_t count, std::uint32_t seed, float size) {
  std::vector<float> values(count);
  std::uint32_t state = seed * 2654435761u + 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (static_cast<float>(state >> 8) / static_cast<float>(1u << 23) - 1.0f) * size;
  }
  return values;
}

Model::Model()
    : embedding(Pack(Type::kF16, kWidth, kTokens, Noise(kWidth * kTokens, 1, 1))),
      query(Random(Type::kF16, kWidth, kHeads * kDepth, 2)),
      key(Random(Type::kF16, kWidth, kKvHeads * kDepth, 3)),
      value(Random(Type::kF32, kWidth, kKvHeads * kDepth, 4)),
      joined(Random(Type::kQ8_0, kHeads * kDepth, kWidth, 5)),
      gate_up(Random(Type::kF16, kWidth, 2 * kInner, 6)),
      down(Random(Type::kQ4_0, kInner, kWidth, 7)),
      head(Random(Type::kF16, kWidth, kTokens, 8)),
      norm(NearOne(9)),
      inner_norm(NearOne(10)),
      last_norm(NearOne(11)) {}

}  // namespace llama
