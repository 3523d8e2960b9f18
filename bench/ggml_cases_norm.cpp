// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases of norms and sums.
#include <fmt/format.h>

#include "ggml_cases.h"

namespace bench {

using T = GgmlTensor*;

void AddNorms(Cases& cases) {
  for (const Ne& ne : {Ne{64, 5, 4, 3}, Ne{1025, 5, 4, 3}, Ne{33, 1, 1, 1}, Ne{4096, 1, 2, 1}})
    for (const float epsilon : {0.0f, 1e-6f, 1e-4f, 1e-1f, 10.f})
      for (const bool view : {false, true})
        for (const char* name : {"norm", "rms_norm", "l2_norm"})
          cases.push_back({fmt::format("NORM {} {} {}{}", name, Text(ne), epsilon, view ? " of a view" : ""),
                           kUsual, [=](CaseGraph& g) {
                             const T x = view ? g.Spaced(Type::kF32, ne, {0, 1}) : g.F32(ne);
                             return g.Node((std::string("ggml_") + name).c_str(), x, epsilon);
                           }});
  cases.push_back({"RMS_NORM in place", kUsual, [](CaseGraph& g) {
                     return g.Node("ggml_rms_norm_inplace", g.F32({64, 5, 4, 3}), 1e-6f);
                   }});
  for (const Ne& ne : {Ne{64, 64, 320, 1}, Ne{9, 9, 1280, 1}, Ne{16, 16, 64, 3}})
    cases.push_back({fmt::format("GROUP_NORM {}", Text(ne)), kUsual,
                     [=](CaseGraph& g) { return g.Node("ggml_group_norm", g.F32(ne), 32, 1e-6f); }});
}

void AddSoftMax(Cases& cases) {
  for (const Ne& ne : {Ne{16, 16, 1, 1}, Ne{13, 15, 1, 1}, Ne{32, 2, 32, 1}, Ne{200, 3, 16, 3},
                       Ne{1024, 1, 4, 1}, Ne{15, 16, 12, 2}})
    for (const float scale : {1.0f, 0.1f})
      for (const float bias : {0.0f, 8.0f})
        for (const int mask : {0, 1, 2})
          if (mask != 0 || bias == 0)
            cases.push_back({fmt::format("SOFT_MAX {} scale {} bias {} mask {}", Text(ne), scale, bias, mask),
                             kSoftMax, [=](CaseGraph& g) {
                               const T x = g.F32(ne);
                               T m = nullptr;
                               if (mask != 0)
                                 m = g.Input(mask == 1 ? Type::kF32 : Type::kF16, {ne[0], ne[1], 1, ne[3]});
                               return g.Node("ggml_soft_max_ext", x, m, scale, bias);
                             }});
}

void AddReductions(Cases& cases) {
  for (const Ne& ne : {Ne{10, 5, 4, 3}, Ne{33, 256, 1, 1}, Ne{32769, 1, 1, 1}}) {
    for (const char* name : {"sum", "sum_rows", "mean", "cumsum"})
      cases.push_back(
          {fmt::format("REDUCE {} {}", name, Text(ne)), kUsual, [=](CaseGraph& g) {
             return g.Node((std::string("ggml_") + name).c_str(), g.Input(Type::kF32, ne, {0, 1}));
           }});
    cases.push_back({fmt::format("ARGMAX {}", Text(ne)), 0, [=](CaseGraph& g) {
                       return g.Node("ggml_argmax", g.F32({ne[0], ne[1], 1, 1}));
                     }});
  }
  for (const char* name : {"sum", "sum_rows", "mean"})
    cases.push_back({fmt::format("REDUCE {} permuted", name), kUsual, [=](CaseGraph& g) {
                       return g.Node((std::string("ggml_") + name).c_str(),
                                     g.Permuted(g.Input(Type::kF32, {11, 5, 6, 3}, {0, 1}), {0, 2, 3, 1}));
                     }});
  for (const int order : {0, 1})
    for (const Ne& ne : {Ne{8, 1, 1, 1}, Ne{16, 10, 10, 10}, Ne{60, 10, 10, 10}, Ne{1025, 2, 1, 3}})
      cases.push_back({fmt::format("ARGSORT {} {}", Text(ne), order), kUsual,
                       [=](CaseGraph& g) { return g.Node("ggml_argsort", g.F32(ne), order); }});
  cases.push_back({"COUNT_EQUAL", 0, [](CaseGraph& g) {
                     const T x = g.Input(Type::kI32, {4, 500, 1, 1}, {0, 2});
                     return g.Node("ggml_count_equal", x, g.Input(Type::kI32, {4, 500, 1, 1}, {0, 2}));
                   }});
  for (const Ne& ne : {Ne{10, 5, 4, 3}, Ne{30000, 1, 1, 1}})
    cases.push_back({fmt::format("CROSS_ENTROPY_LOSS {}", Text(ne)), kUsual, [=](CaseGraph& g) {
                       const T x = g.F32(ne);
                       return g.Node("ggml_cross_entropy_loss", x, g.Node("ggml_soft_max", g.F32(ne)));
                     }});
}

}  // namespace bench
