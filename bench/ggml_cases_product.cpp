// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases of products, and of windows.
#include <fmt/format.h>

#include "ggml_cases.h"

namespace bench {

using T = GgmlTensor*;

void AddProducts(Cases& cases) {
  const Type types[] = {Type::kF32, Type::kF16, Type::kBf16, Type::kQ4_0, Type::kQ8_0};
  for (const Type type : types)
    for (const auto& [columns, rows] : {std::pair{16, 1}, std::pair{16, 2}, std::pair{16, 9},
                                        std::pair{16, 16}, std::pair{77, 33}, std::pair{128, 1}})
      for (const std::int64_t depth : {32, 256, 1056})
        for (const auto& [batch, times] :
             {std::pair{Ne{1, 1}, Ne{1, 1}}, std::pair{Ne{3, 1}, Ne{1, 1}}, std::pair{Ne{3, 1}, Ne{2, 1}},
              std::pair{Ne{3, 2}, Ne{1, 1}}, std::pair{Ne{3, 2}, Ne{2, 1}}, std::pair{Ne{3, 2}, Ne{1, 2}},
              std::pair{Ne{3, 2}, Ne{2, 2}}, std::pair{Ne{1, 1}, Ne{4, 1}}})
          cases.push_back({fmt::format("MUL_MAT {} {}x{}x{} batch {} times {}", Text(type), columns, rows,
                                       depth, Text(batch), Text(times)),
                           kProducts,
                           [=, columns = columns, rows = rows, batch = batch, times = times](CaseGraph& g) {
                             const T w = g.Input(type, {depth, columns, batch[0], batch[1]});
                             return g.Node("ggml_mul_mat", w,
                                           g.F32({depth, rows, batch[0] * times[0], batch[1] * times[1]}));
                           }});
  for (const Type type : {Type::kF32, Type::kF16, Type::kBf16})
    for (const std::array<int, 4> places :
         {std::array{0, 2, 1, 3}, std::array{0, 1, 3, 2}, std::array{0, 3, 2, 1}})
      for (const std::int64_t rows : {1, 8})
        cases.push_back(
            {fmt::format("MUL_MAT {} {} permuted {}{}{}", Text(type), rows, places[1], places[2], places[3]),
             kProducts, [=](CaseGraph& g) {
               const auto permuted = [&](Type t, std::int64_t second) {
                 const Ne wanted{256, second, 2, 3};
                 Ne stored(4);
                 for (std::size_t i = 0; i < 4; ++i)
                   stored[i] = wanted[static_cast<std::size_t>(places[i])];
                 return g.Permuted(g.Input(t, stored), places);
               };
               const T w = permuted(type, 16);
               return g.Node("ggml_mul_mat", w, permuted(Type::kF32, rows));
             }});
  cases.push_back({"MUL_MAT f16 with halves", kProducts, [](CaseGraph& g) {
                     return g.Node("ggml_mul_mat", g.Input(Type::kF16, {128, 45, 2, 1}),
                                   g.Input(Type::kF16, {128, 8, 2, 1}));
                   }});
  for (const Type type : {Type::kF32, Type::kF16, Type::kQ4_0, Type::kQ8_0})
    for (const auto& [experts, used] : {std::pair{4, 1}, std::pair{4, 2}, std::pair{8, 4}})
      for (const bool shared : {false, true})
        for (const int tokens : {1, 5, 33})
          for (const std::int64_t depth : {32, 256})
            cases.push_back({fmt::format("MUL_MAT_ID {} {} of {} shared {} tokens {} depth {}", Text(type),
                                         used, experts, shared, tokens, depth),
                             kProducts, [=, experts = experts, used = used](CaseGraph& g) {
                               const T w = g.Input(type, {depth, 64, experts});
                               const T x = g.F32({depth, shared ? 1 : used, tokens});
                               Contents ids;
                               for (std::int64_t i = 0; i < tokens * experts; ++i)
                                 ids.indices.push_back((i * 3 + i / experts) % experts);
                               const T all = g.Input(Type::kI32, {experts, tokens}, ids);
                               const T chosen = g.Node("ggml_view_2d", all, std::int64_t{used},
                                                       std::int64_t{tokens}, all->nb[1], std::size_t{0});
                               return g.Node("ggml_mul_mat_id", w, x, chosen);
                             }});
  for (const Ne& batch : {Ne{1, 1}, Ne{3, 1}, Ne{3, 2}})
    for (const Ne& times : {Ne{1, 1}, Ne{2, 1}, Ne{1, 2}, Ne{2, 2}})
      for (const bool transposed : {false, true})
        for (const std::int64_t depth : {1, 16})
          cases.push_back({fmt::format("OUT_PROD {} {} depth {} transposed {}", Text(batch), Text(times),
                                       depth, transposed),
                           kProducts, [=](CaseGraph& g) {
                             const T x = g.F32({25, depth, batch[0], batch[1]});
                             const Ne outer{batch[0] * times[0], batch[1] * times[1]};
                             const T y =
                                 transposed ? g.Node("ggml_transpose", g.F32({depth, 10, outer[0], outer[1]}))
                                            : g.F32({10, depth, outer[0], outer[1]});
                             return g.Node("ggml_out_prod", x, y);
                           }});
}

void AddImages(Cases& cases) {
  for (const int kind : {0, 1})
    for (const int kernel : {1, 3})
      for (const int stride : {1, 2})
        for (const int pad : {0, 1})
          if (pad <= kernel / 2)
            cases.push_back({fmt::format("POOL_2D {} kernel {} stride {} pad {}", kind, kernel, stride, pad),
                             kUsual, [=](CaseGraph& g) {
                               return g.Node("ggml_pool_2d", g.F32({10, 10, 3, 1}), kind, kernel, kernel,
                                             stride, stride, static_cast<float>(pad),
                                             static_cast<float>(pad));
                             }});
  for (const Type type : {Type::kF32, Type::kF16})
    for (const int stride : {1, 3})
      for (const int pad : {0, 3})
        for (const int dilation : {1, 3})
          for (const bool two : {true, false})
            cases.push_back({fmt::format("IM2COL {} stride {} pad {} dilation {} two {}", Text(type), stride,
                                         pad, dilation, two),
                             kUsual, [=](CaseGraph& g) {
                               const T kernel = g.Input(type, two ? Ne{3, 3, 2, 2} : Ne{3, 2, 2, 1});
                               const T x = g.F32(two ? Ne{20, 20, 2, 2} : Ne{20, 2, 2, 1});
                               return g.Node("ggml_im2col", kernel, x, stride, two ? stride : 0, pad,
                                             two ? pad : 0, dilation, two ? dilation : 0, two,
                                             static_cast<int>(type));
                             }});
  for (const auto& [x, kernel, stride] :
       {std::tuple{Ne{197, 32, 1, 1}, Ne{16, 32, 32, 1}, 1}, std::tuple{Ne{3, 2, 1, 1}, Ne{2, 3, 2, 1}, 3},
        std::tuple{Ne{3, 2, 1, 1}, Ne{3, 1, 2, 1}, 1}, std::tuple{Ne{2, 1, 1, 1}, Ne{3, 1, 1, 1}, 1},
        std::tuple{Ne{13, 2, 1, 1}, Ne{1337, 3, 2, 1}, 2}})
    cases.push_back({fmt::format("CONV_TRANSPOSE_1D {} {} {}", Text(x), Text(kernel), stride), kProducts,
                     [=, x = x, kernel = kernel, stride = stride](CaseGraph& g) {
                       const T weight = g.F32(kernel);
                       return g.Node("ggml_conv_transpose_1d", weight, g.F32(x), stride, 0, 1);
                     }});
  for (const std::int64_t taps : {3, 4, 9})
    for (const std::int64_t channels : {256, 1024})
      for (const std::int64_t sequences : {1, 4})
        cases.push_back({fmt::format("SSM_CONV taps {} channels {} sequences {}", taps, channels, sequences),
                         kUsual, [=](CaseGraph& g) {
                           const T x = g.F32({taps - 1 + 32, channels, sequences});
                           return g.Node("ggml_ssm_conv", x, g.F32({taps, channels}));
                         }});
  cases.push_back(
      {"TIMESTEP_EMBEDDING", kUsual, [](CaseGraph& g) {
         return g.Node("ggml_timestep_embedding", g.Input(Type::kF32, {2}, {0, 1000}), 320, 10000);
       }});
  for (const auto& [tokens, sequences] :
       {std::pair{1, 1}, std::pair{32, 1}, std::pair{32, 4}, std::pair{128, 4}})
    cases.push_back(
        {fmt::format("GATED_LINEAR_ATTN tokens {} sequences {}", tokens, sequences), kUsual,
         [=, tokens = tokens, sequences = sequences](CaseGraph& g) {
           const Ne ne{64, 4, tokens};
           const T k = g.F32(ne), v = g.F32(ne), q = g.F32(ne), gate = g.Input(Type::kF32, ne, {0, 1});
           return g.Node("ggml_gated_linear_attn", k, v, q, gate, g.F32({64 * 64 * 4, sequences}), 0.125f);
         }});
}

}  // namespace bench
