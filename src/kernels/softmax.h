// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Softmax and its logarithm. Input and output may be the same memory. Any thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/element_convert.h"

namespace foothold {

enum class SoftmaxKind { kSoftmax, kLogSoftmax };

// Of [outer, count, inner]; the type is float, float16 or bfloat16.
struct SoftmaxSizes {
  ElementType type = ElementType::kFloat;
  std::size_t outer = 1, count = 1, inner = 1;
};
std::size_t SoftmaxWorkspace(const SoftmaxSizes& sizes);
// Over the middle dimension.
void SoftmaxElements(SoftmaxKind kind, const SoftmaxSizes& sizes, const std::byte* input, std::byte* output,
                     std::byte* workspace);
// The same on floats.
void SoftmaxFloats(SoftmaxKind kind, const float* input, std::size_t outer, std::size_t count,
                   std::size_t inner, float* output);

// From the output of a softmax over rows and the gradient of that output to the gradient of the input.
void SoftmaxGradientRows(SoftmaxKind kind, const float* output, const float* gradient, std::size_t rows,
                         std::size_t count, float* input_gradient);

// Groups of elements anywhere in a tensor: every group starts at one of `groups`, its elements lie at
// `elements` from there.
struct ElementGroups {
  std::vector<std::size_t> groups, elements;
};

// Calls body(first) for every group, several at a time.
template <typename Body>
void ForEachGroup(const ElementGroups& where, Body&& body) {
  ParallelFor(where.groups.size(), 1 + 4096 / (1 + where.elements.size()),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                  body(where.groups[i]);
              });
}

template <typename T>
void SoftmaxGroups(SoftmaxKind kind, const T* input, const ElementGroups& where, T* output) {
  ForEachGroup(where, [&](std::size_t first) {
    T most = -std::numeric_limits<T>::infinity();
    for (const std::size_t i : where.elements)
      most = input[first + i] > most || input[first + i] != input[first + i] ? input[first + i] : most;
    T sum{};
    for (const std::size_t i : where.elements)
      sum += std::exp(input[first + i] - most);
    const T shift = most + std::log(sum);
    for (const std::size_t i : where.elements)
      output[first + i] =
          kind == SoftmaxKind::kSoftmax ? std::exp(input[first + i] - most) / sum : input[first + i] - shift;
  });
}

// The same as SoftmaxGradientRows.
template <typename T>
void SoftmaxGradientGroups(SoftmaxKind kind, const T* output, const T* gradient, const ElementGroups& where,
                           T* input_gradient) {
  const bool plain = kind == SoftmaxKind::kSoftmax;
  ForEachGroup(where, [&](std::size_t first) {
    T sum{};
    for (const std::size_t i : where.elements)
      sum += plain ? gradient[first + i] * output[first + i] : gradient[first + i];
    for (const std::size_t i : where.elements) {
      const T y = output[first + i], dy = gradient[first + i];
      input_gradient[first + i] = plain ? y * (dy - sum) : dy - std::exp(y) * sum;
    }
  });
}

}  // namespace foothold
