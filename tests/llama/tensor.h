// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors as ggml lays them out: `ne` counts elements, the dimension whose elements lie side by side first,
// `nb` is bytes from one to the next. Quantised tensors lie in memory as the backend of llama.cpp puts them:
// all weights, then all scales, both row by row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "llama/call.h"

namespace llama {

// The numbers are ggml's.
enum class Type : int {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ8_0 = 8,
  kI8 = 24,
  kI16 = 25,
  kI32 = 26,
  kI64 = 27,
  kBf16 = 30
};

constexpr std::int64_t kGroup = 32;  // weights that share a scale

struct Tensor {
  Type type = Type::kF32;
  std::array<std::int64_t, 4> ne{1, 1, 1, 1};
  std::array<std::size_t, 4> nb{};
  char* data = nullptr;

  std::int64_t size() const { return ne[0] * ne[1] * ne[2] * ne[3]; }
  std::int64_t rows() const { return ne[1] * ne[2] * ne[3]; }
};

aclDataType TypeOf(Type type);
std::int64_t ByteSize(aclDataType type);
std::size_t BytesOf(const Tensor& tensor);  // of all of a contiguous one
bool IsContiguous(const Tensor& tensor);
bool IsQuantized(Type type);

// Contiguous.
Tensor Lay(Type type, std::array<std::int64_t, 4> ne, char* data);
// Contiguous, in memory of its own.
Tensor Make(Backend& backend, Type type, std::array<std::int64_t, 4> ne);

// All four dimensions, the other way round.
Described All(const Tensor& tensor);
// The first `rank` dimensions at an index of the others.
Described Slice(const Tensor& tensor, std::size_t rank, std::int64_t third = 0, std::int64_t fourth = 0);
// As All, with the first two dimensions exchanged.
Described Transposed(const Tensor& tensor);
// The same elements of a contiguous tensor as other dimensions.
Described Reshaped(const Tensor& tensor, Dims dims);

}  // namespace llama
