// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases that move elements.
#include <fmt/format.h>

#include "ggml_cases.h"

namespace bench {

using T = GgmlTensor*;

void AddCopies(Cases& cases) {
  for (const Type from : kFloats)
    for (const Type to : kFloats)
      for (const std::array<int, 4> places :
           {std::array{0, 1, 2, 3}, std::array{0, 2, 1, 3}, std::array{1, 0, 2, 3}, std::array{0, 3, 1, 2},
            std::array{3, 1, 2, 0}})
        cases.push_back({fmt::format("CPY {} to {}, places {}{}{}{}", Text(from), Text(to), places[0],
                                     places[1], places[2], places[3]),
                         from == to ? 0.0 : kUsual, [=](CaseGraph& g) {
                           const T x = g.Permuted(g.Input(from, {256, 4, 3, 2}), places);
                           const T y = g.Input(to, {x->ne[0], x->ne[1], x->ne[2], x->ne[3]});
                           return g.Node("ggml_cpy", x, y);
                         }});
  for (const Type type : {Type::kF32, Type::kF16, Type::kBf16}) {
    cases.push_back({fmt::format("CPY {} to other dimensions", Text(type)), 0.0, [=](CaseGraph& g) {
                       const T x = g.Permuted(g.Input(type, {8, 6, 4, 2}), {1, 0, 2, 3});
                       return g.Node("ggml_cpy", x, g.Input(type, {48, 8, 1, 1}));
                     }});
    cases.push_back({fmt::format("CPY {} into permuted", Text(type)), 0.0, [=](CaseGraph& g) {
                       const T x = g.Input(type, {8, 6, 4, 2});
                       return g.Node("ggml_cpy", x, g.Permuted(g.Input(type, {8, 4, 6, 2}), {0, 2, 1, 3}));
                     }});
    for (const Ne& ne : {Ne{10, 10, 10, 1}, Ne{2, 1, 1, 1}, Ne{2, 1, 3, 5}, Ne{2, 3, 5, 7}, Ne{1, 4, 4, 1}})
      for (const auto& [way, function] : {std::pair{"transposed", "ggml_transpose"}, std::pair{"plain", ""}})
        cases.push_back({fmt::format("CONT {} {} {}", Text(type), Text(ne), way), 0.0,
                         [=, function = function](CaseGraph& g) {
                           const T x = g.Input(type, ne);
                           return g.Node("ggml_cont", *function != 0 ? g.Node(function, x) : x);
                         }});
    cases.push_back({fmt::format("DUP {} permuted", Text(type)), 0.0, [=](CaseGraph& g) {
                       return g.Node("ggml_dup", g.Permuted(g.Input(type, {10, 10, 5, 1}), {0, 2, 1, 3}));
                     }});
  }
  for (const Type type : {Type::kF32, Type::kF16, Type::kBf16, Type::kI8, Type::kI16, Type::kI32, Type::kI64})
    for (const int dimension : {0, 1, 2, 3})
      for (const bool views : {false, true})
        cases.push_back({fmt::format("CONCAT {} {}{}", Text(type), dimension, views ? " of views" : ""), 0.0,
                         [=](CaseGraph& g) {
                           Ne ne{11, 12, 13, 14};
                           const Contents c{-100, 100};
                           const T x = views ? g.Spaced(type, ne, {1, 2}, c) : g.Input(type, ne, c);
                           ne[static_cast<std::size_t>(dimension)] = 7;
                           const T y = views ? g.Spaced(type, ne, {1, 3}, c) : g.Input(type, ne, c);
                           return g.Node("ggml_concat", x, y, dimension);
                         }});
  for (const Type type : {Type::kF32, Type::kI32, Type::kI16})
    for (const Ne& times : {Ne{1, 1, 1, 1}, Ne{2, 1, 1, 1}, Ne{1, 2, 1, 1}, Ne{1, 1, 2, 1}, Ne{1, 1, 1, 2}})
      cases.push_back({fmt::format("REPEAT {} {}", Text(type), Text(times)), 0.0, [=](CaseGraph& g) {
                         const T target = g.Input(type, Times({10, 5, 4, 3}, times), {-100, 100});
                         return g.Node("ggml_repeat", g.Input(type, {10, 5, 4, 3}, {-100, 100}), target);
                       }});
}

void AddRows(Cases& cases) {
  for (const Type type : {Type::kF32, Type::kF16, Type::kBf16, Type::kQ8_0})
    for (const std::int64_t batch : {1, 7})
      for (const bool view : {false, true})
        cases.push_back({fmt::format("GET_ROWS {} {}{}", Text(type), batch, view ? " of a view" : ""), kUsual,
                         [=](CaseGraph& g) {
                           const T x = view && type != Type::kQ8_0 ? g.Spaced(type, {256, 5, batch, 1}, {0})
                                                                   : g.Input(type, {256, 5, batch, 1});
                           return g.Node("ggml_get_rows", x, g.Input(Type::kI32, {4, batch}, {0, 4}));
                         }});
  for (const Type type : kFloats)
    for (const Type index : {Type::kI64, Type::kI32})
      for (const Ne& ne : {Ne{256, 5, 1, 1}, Ne{256, 11, 1, 7}, Ne{31, 3, 7, 1}, Ne{33, 5, 2, 3}})
        for (const bool view : {false, true})
          cases.push_back(
              {fmt::format("SET_ROWS {} {} {}{}", Text(type), Text(index), Text(ne),
                           view ? " of a view" : ""),
               kUsual, [=](CaseGraph& g) {
                 const T to = g.Input(type, ne);
                 const T rows = view ? g.Spaced(Type::kF32, {ne[0], 3, ne[2], ne[3]}, {0})
                                     : g.F32({ne[0], 3, ne[2], ne[3]});
                 const T places = g.Input(index, {3, ne[2] > 2 ? 1 : ne[2], 1}, {0, 0, {2, 0, 1}});
                 return g.Node("ggml_set_rows", to, rows, places);
               }});
}

void AddShapes(Cases& cases) {
  cases.push_back({"DIAG", 0, [](CaseGraph& g) { return g.Node("ggml_diag", g.F32({10, 1, 4, 3})); }});
  for (const int past : {0, 5})
    cases.push_back({fmt::format("DIAG_MASK_INF {}", past), 0, [=](CaseGraph& g) {
                       return g.Node("ggml_diag_mask_inf", g.F32({10, 10, 3, 2}), past);
                     }});
  for (const int kind : {0, 1, 2, 3})
    cases.push_back({fmt::format("TRI {}", kind), 0, [=](CaseGraph& g) {
                       return g.Node("ggml_tri", g.F32({10, 10, 4, 3}), kind);
                     }});
  cases.push_back({"PAD", 0, [](CaseGraph& g) {
                     return g.Node("ggml_pad", g.F32({512, 512, 1, 1}), 1, 1, 0, 0);
                   }});
  cases.push_back({"PAD both sides", 0, [](CaseGraph& g) {
                     return g.Node("ggml_pad_ext", g.F32({11, 22, 33, 4}), 1, 2, 3, 4, 5, 6, 7, 8);
                   }});
  for (const Ne& ne : {Ne{512, 34, 2, 1}, Ne{3000, 384, 4, 1}})
    cases.push_back({fmt::format("PAD_REFLECT_1D {}", Text(ne)), 0,
                     [=](CaseGraph& g) { return g.Node("ggml_pad_reflect_1d", g.F32(ne), 10, 9); }});
  cases.push_back({"UPSCALE twice", 0, [](CaseGraph& g) {
                     return g.Node("ggml_upscale", g.F32({512, 512, 3, 2}), 2, 0);
                   }});
  cases.push_back({"UPSCALE to a size", 0, [](CaseGraph& g) {
                     return g.Node("ggml_interpolate", g.F32({2, 5, 7, 11}), std::int64_t{5}, std::int64_t{7},
                                   std::int64_t{7}, std::int64_t{11}, std::uint32_t{0});
                   }});
  for (const Ne& ne : {Ne{10, 3, 4, 2}, Ne{11, 11, 1, 1}, Ne{64, 64, 2, 2}})
    cases.push_back({fmt::format("SOLVE_TRI {}", Text(ne)), kUsual, [=](CaseGraph& g) {
                       const T a = g.Input(Type::kF32, {ne[0], ne[0], ne[2], ne[3]}, {1.0f, 1.01f});
                       const T b = g.Input(Type::kF32, {ne[1], ne[0], ne[2], ne[3]}, {0.1f, 1.0f});
                       return g.Node("ggml_solve_tri", a, b, true, true, false);
                     }});
}

}  // namespace bench
