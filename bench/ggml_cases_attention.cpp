// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases of attention and rotary embeddings.
#include <fmt/format.h>
#include <cmath>

#include "ggml_cases.h"

namespace bench {

using T = GgmlTensor*;

struct Attention {
  std::int64_t depth, heads, ratio, keys, rows, batch;
};

void AddAttention(Cases& cases) {
  for (const Attention& a :
       {Attention{64, 4, 1, 113, 1, 1}, Attention{64, 4, 4, 512, 3, 1}, Attention{128, 4, 4, 1024, 1, 1},
        Attention{128, 8, 8, 113, 35, 1}, Attention{40, 4, 1, 113, 3, 1}, Attention{72, 4, 4, 512, 75, 1},
        Attention{80, 4, 1, 113, 32, 3}, Attention{96, 4, 4, 512, 1, 1}, Attention{256, 4, 1, 512, 3, 1},
        Attention{192, 2, 2, 113, 3, 1}, Attention{512, 2, 1, 113, 1, 3}, Attention{128, 2, 16, 113, 64, 1}})
    for (const bool mask : {true, false})
      for (const float bias : {0.0f, 8.0f})
        for (const bool permuted : {false, true})
          if (mask || bias == 0)
            cases.push_back(
                {fmt::format("FLASH_ATTN_EXT depth {} heads {}x{} keys {} rows {} batch {} mask {} bias {} "
                             "permuted {}",
                             a.depth, a.heads, a.ratio, a.keys, a.rows, a.batch, mask, bias, permuted),
                 kProducts, [=](CaseGraph& g) {
                   const auto laid = [&](Type type, std::int64_t second, std::int64_t third) {
                     return permuted
                                ? g.Permuted(g.Input(type, {a.depth, third, second, a.batch}), {0, 2, 1, 3})
                                : g.Input(type, {a.depth, second, third, a.batch});
                   };
                   const T q = laid(Type::kF32, a.rows, a.heads * a.ratio);
                   const T k = laid(Type::kF16, a.keys, a.heads), v = laid(Type::kF16, a.keys, a.heads);
                   const T m = mask ? g.Input(Type::kF16, {a.keys, a.rows, 1, a.batch}) : nullptr;
                   return g.Node("ggml_flash_attn_ext", q, k, v, m,
                                 1 / std::sqrt(static_cast<float>(a.depth)), bias, 0.0f);
                 }});
}

void AddRope(Cases& cases) {
  struct Shape {
    Ne ne;
    int dims, mode;
  };
  for (const Shape& s :
       {Shape{{128, 32, 2, 1}, 128, 0}, Shape{{128, 40, 2, 1}, 128, 0}, Shape{{64, 1, 2, 1}, 64, 2},
        Shape{{64, 71, 2, 1}, 64, 2}, Shape{{80, 32, 2, 1}, 20, 2}, Shape{{80, 32, 2, 1}, 32, 2},
        Shape{{80, 32, 4, 1}, 32, 0}, Shape{{128, 12, 512, 1}, 128, 2}})
    for (const Type type : {Type::kF32, Type::kF16})
      for (const bool factors : {false, true})
        for (const auto& [scale, extrapolation, attention] :
             {std::tuple{1.0f, 0.0f, 1.0f}, std::tuple{1.4245f, 0.7465f, 1.4245f},
              std::tuple{1.4245f, 0.0f, 1.0f}})
          for (const bool view : {false, true})
            cases.push_back(
                {fmt::format("ROPE {} {} dims {} mode {} factors {} scale {} extrapolation {}{}", Text(type),
                             Text(s.ne), s.dims, s.mode, factors, scale, extrapolation,
                             view ? " of a view" : ""),
                 kUsual,
                 [=, scale = scale, extrapolation = extrapolation, attention = attention](CaseGraph& g) {
                   const T x = view ? g.Spaced(type, s.ne, {0, 1}) : g.Input(type, s.ne);
                   const T positions = g.Input(Type::kI32, {s.ne[2]}, {0, 1000});
                   const T f = factors ? g.Input(Type::kF32, {s.dims / 2}, {0.9f, 1.1f}) : nullptr;
                   return g.Node("ggml_rope_ext", x, positions, f, s.dims, s.mode, 512, 10000.0f, scale,
                                 extrapolation, attention, 1.0f, 1.0f);
                 }});
}

}  // namespace bench
