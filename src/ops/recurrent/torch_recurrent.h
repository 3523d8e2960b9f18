// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What steps of recurrent layers share: the way through time, and products with weights of the states. Used
// by kernels; any thread.
#pragma once

#include <algorithm>
#include <type_traits>

#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "ops/op.h"

namespace foothold {

// [steps, batch, gates * size], from the first step to the last or back. The port 'active' says how many
// rows, the first ones, take part in a step.
struct Steps {
  Steps(const OpContext& context, std::int64_t gates)
      : active(context.Has("active") ? context.Port("active") : -1),
        reverse(context.node().Bool("reverse", false)) {
    const Dims& x = context.InDims(0);
    if (x.size() != 3 || x[2] % gates != 0)
      context.Refuse("{} is no sequence of {} gates", ToString(context.In(0)), gates);
    count = static_cast<std::size_t>(x[0]);
    batch = static_cast<std::size_t>(x[1]);
    size = static_cast<std::size_t>(x[2] / gates);
    if (active >= 0 &&
        (context.In("active").type != DataType::kInt64 || ElementCount(context.In("active").dims) != x[0]))
      context.Refuse("active is {}, expected {} of int64", ToString(context.In("active")), count);
  }
  std::size_t At(std::size_t k) const { return reverse ? count - 1 - k : k; }
  std::size_t Rows(const RunArgs& args, std::size_t t) const {
    if (active < 0) return batch;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(args.In<std::int64_t>(active)[t], 0, static_cast<std::int64_t>(batch)));
  }
  Dims State() const { return {static_cast<std::int64_t>(batch), static_cast<std::int64_t>(size)}; }
  Dims States() const {
    return {static_cast<std::int64_t>(count), static_cast<std::int64_t>(batch),
            static_cast<std::int64_t>(size)};
  }
  std::size_t StateCount() const { return batch * size; }

  int active;
  bool reverse;
  std::size_t count = 0, batch = 0, size = 0;
};

// y [rows, columns] += x [rows, inner] w [inner, columns].
template <typename T>
void AddProduct(const T* x, const T* w, T* y, std::size_t rows, std::size_t inner, std::size_t columns) {
  constexpr std::size_t kStretch = 256;
  const std::size_t stretches = (columns + kStretch - 1) / kStretch;
  ParallelFor(rows * stretches, 1 + 65536 / (1 + inner * kStretch), [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::size_t row = piece / stretches, first = piece % stretches * kStretch;
      const std::size_t width = std::min(kStretch, columns - first);
      T* to = y + row * columns + first;
      const T* factors = x + row * inner;
      if constexpr (std::is_same_v<T, float>) {
        float product[kStretch];
        RunRowsGemv(factors, w + first, columns, inner, width, product, {});
        for (std::size_t c = 0; c < width; ++c)
          to[c] += product[c];
        continue;
      }
      std::size_t k = 0;
      for (; k + 4 <= inner; k += 4) {
        const T *w0 = w + k * columns + first, *w1 = w0 + columns, *w2 = w1 + columns, *w3 = w2 + columns;
        const T f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
        for (std::size_t c = 0; c < width; ++c)
          to[c] += (f0 * w0[c] + f1 * w1[c]) + (f2 * w2[c] + f3 * w3[c]);
      }
      for (; k < inner; ++k)
        for (std::size_t c = 0; c < width; ++c)
          to[c] += factors[k] * w[k * columns + first + c];
    }
  });
}

}  // namespace foothold
