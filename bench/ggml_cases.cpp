// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ggml_cases.h"

#include <fmt/format.h>

#include <cmath>

namespace bench {
namespace {

using llama::Type;
using Cases = std::vector<Case>;
using T = GgmlTensor*;

constexpr double kUsual = 1e-7, kProducts = 5e-4, kSoftMax = 1e-6;
const Type kFloats[] = {Type::kF32, Type::kF16, Type::kBf16};

std::string Text(const Ne& ne) {
  return fmt::format("[{}]", fmt::join(ne, ","));
}

const char* Text(Type type) {
  switch (type) {
    case Type::kF32:
      return "f32";
    case Type::kF16:
      return "f16";
    case Type::kBf16:
      return "bf16";
    case Type::kQ4_0:
      return "q4_0";
    case Type::kQ8_0:
      return "q8_0";
    case Type::kI8:
      return "i8";
    case Type::kI16:
      return "i16";
    case Type::kI32:
      return "i32";
    case Type::kI64:
      return "i64";
  }
  return "";
}

Ne Times(const Ne& ne, const Ne& times) {
  Ne product = ne;
  for (std::size_t i = 0; i < 4; ++i)
    product[i] *= times[i];
  return product;
}

void AddBinary(Cases& cases) {
  const std::pair<const char*, const char*> nodes[] = {
      {"ADD", "ggml_add"}, {"SUB", "ggml_sub"}, {"MUL", "ggml_mul"}, {"DIV", "ggml_div"}};
  const std::pair<Ne, Ne> shapes[] = {
      {{1, 1, 8, 1}, {1, 1, 1, 1}},      {{1, 1, 1, 1}, {32, 1, 1, 1}},     {{1, 1, 320, 320}, {1, 1, 1, 1}},
      {{10, 5, 1, 1}, {1, 1, 1, 1}},     {{10, 5, 4, 1}, {1, 1, 1, 1}},     {{10, 5, 4, 3}, {1, 1, 1, 1}},
      {{10, 5, 4, 3}, {2, 1, 1, 1}},     {{10, 5, 4, 3}, {1, 2, 1, 1}},     {{10, 5, 4, 3}, {1, 1, 2, 1}},
      {{10, 5, 4, 3}, {1, 1, 1, 2}},     {{10, 5, 4, 3}, {1, 1, 2, 2}},     {{10, 5, 4, 3}, {1, 2, 2, 2}},
      {{10, 5, 4, 3}, {2, 2, 2, 2}},     {{1280, 1, 1, 1}, {1, 1, 1, 1}},   {{1280, 1, 1, 1}, {1, 16, 16, 1}},
      {{1280, 1, 1, 1}, {1, 256, 1, 1}}, {{16, 16, 1280, 1}, {1, 1, 1, 1}}, {{1, 1, 1280, 1}, {16, 16, 1, 1}},
      {{1, 1, 1920, 1}, {16, 16, 1, 1}}, {{33, 5, 1, 1}, {1, 7, 1, 1}}};
  const std::pair<Type, Type> types[] = {
      {Type::kF32, Type::kF32}, {Type::kF16, Type::kF16}, {Type::kF16, Type::kF32}};
  for (const auto& [name, function] : nodes)
    for (const auto& [left, right] : types)
      for (const auto& [small, times] : shapes)
        cases.push_back(
            {fmt::format("{} {} {} {} x {}", name, Text(left), Text(right), Text(small), Text(times)), kUsual,
             [=, function = function, left = left, right = right, small = small,
              times = times](CaseGraph& g) {
               const T x = g.Input(left, Times(small, times), {0.9f, 1.1f});
               return g.Node(function, x, g.Input(right, small, {0.9f, 1.1f}));
             }});
  // Both sides views with permuted dimensions.
  for (const auto& [name, function] : nodes)
    cases.push_back({fmt::format("{} f32 permuted", name), kUsual, [function = function](CaseGraph& g) {
                       const T x = g.Permuted(g.Input(Type::kF32, {8, 6, 4, 3}, {0.9f, 1.1f}), {0, 2, 1, 3});
                       const T y = g.Permuted(g.Input(Type::kF32, {8, 6, 1, 3}, {0.9f, 1.1f}), {0, 2, 1, 3});
                       return g.Node(function, x, y);
                     }});
  cases.push_back({"ADD1 f32", kUsual, [](CaseGraph& g) {
                     return g.Node("ggml_add1", g.F32({10, 5, 4, 3}), g.F32({1}));
                   }});
  for (const int in_place : {0, 1})
    cases.push_back({fmt::format("ACC in place {}", in_place), kUsual, [=](CaseGraph& g) {
                       const T x = g.F32({256, 17, 2, 3}), y = g.F32({128, 16, 2, 3});
                       return g.Node(in_place ? "ggml_acc_inplace" : "ggml_acc", x, y, std::size_t{256 * 4},
                                     std::size_t{256 * 17 * 4}, std::size_t{256 * 17 * 2 * 4},
                                     std::size_t{64 * 4});
                     }});
  for (const int in_place : {0, 1})
    cases.push_back({fmt::format("SET in place {}", in_place), kUsual, [=](CaseGraph& g) {
                       const T x = g.F32({12, 10, 8, 3}), y = g.F32({6, 5, 4, 3});
                       return g.Node(in_place ? "ggml_set_inplace" : "ggml_set", x, y, std::size_t{12 * 4},
                                     std::size_t{120 * 4}, std::size_t{960 * 4}, std::size_t{24 * 4});
                     }});
}

void AddUnary(Cases& cases) {
  const std::pair<const char*, Contents> nodes[] = {
      {"abs", {-150, 150}},        {"sgn", {-150, 150}},         {"neg", {-150, 150}},
      {"step", {-150, 150}},       {"tanh", {-150, 150}},        {"elu", {-150, 150}},
      {"relu", {-150, 150}},       {"sigmoid", {-150, 150}},     {"gelu", {-150, 150}},
      {"gelu_quick", {-150, 150}}, {"gelu_erf", {-150, 150}},    {"silu", {-150, 150}},
      {"hardswish", {-150, 150}},  {"hardsigmoid", {-150, 150}}, {"exp", {-10, 10}},
      {"softplus", {-150, 150}},   {"sqr", {-10, 10}},           {"sqrt", {0, 100}},
      {"log", {0.01f, 100}},       {"sin", {-100, 100}},         {"cos", {-100, 100}}};
  for (const auto& [name, contents] : nodes)
    for (const Type type : {Type::kF32, Type::kF16})
      for (const bool view : {false, true})
        cases.push_back({fmt::format("UNARY {} {}{}", name, Text(type), view ? " rows of a view" : ""),
                         kUsual, [=, name = name, contents = contents](CaseGraph& g) {
                           const T x = view ? g.Spaced(type, {128, 2, 2, 2}, {0, 1}, contents)
                                            : g.Input(type, {128, 2, 2, 2}, contents);
                           return g.Node((std::string("ggml_") + name).c_str(), x);
                         }});
  for (const Type type : {Type::kF32, Type::kF16}) {
    cases.push_back({fmt::format("CLAMP {}", Text(type)), kUsual, [=](CaseGraph& g) {
                       return g.Node("ggml_clamp", g.Input(type, {10, 5, 4, 3}), -0.5f, 0.5f);
                     }});
    cases.push_back({fmt::format("LEAKY_RELU {}", Text(type)), kUsual, [=](CaseGraph& g) {
                       return g.Node("ggml_leaky_relu", g.Input(type, {10, 5, 4, 3}), 0.1f, false);
                     }});
  }
  cases.push_back({"SCALE", kUsual, [](CaseGraph& g) {
                     return g.Node("ggml_scale", g.F32({10, 10, 10, 10}), 2.0f);
                   }});
  cases.push_back({"FILL", kUsual, [](CaseGraph& g) {
                     return g.Node("ggml_fill", g.F32({303, 207, 11, 3}), -152.0f);
                   }});
  cases.push_back(
      {"ARANGE", kUsual, [](CaseGraph& g) { return g.Node("ggml_arange", 0.0f, 1048.0f, 1.0f); }});
  cases.push_back(
      {"ARANGE of halves", kUsual, [](CaseGraph& g) { return g.Node("ggml_arange", 0.0f, 10.0f, 0.5f); }});
}

void AddGlu(Cases& cases) {
  for (const char* name : {"reglu", "geglu", "swiglu", "geglu_erf", "geglu_quick"})
    for (const Type type : {Type::kF32, Type::kF16})
      for (const bool view : {false, true})
        for (const std::string way : {"", "_swapped", "_split"})
          cases.push_back({fmt::format("GLU {}{} {}{}", name, way, Text(type), view ? " of a view" : ""),
                           kUsual, [=](CaseGraph& g) {
                             const std::string function = std::string("ggml_") + name + way;
                             const auto input = [&] {
                               return view ? g.Spaced(type, {128, 2, 2, 2}, {0}, {-150, 150})
                                           : g.Input(type, {128, 2, 2, 2}, {-150, 150});
                             };
                             if (way != "_split") return g.Node(function.c_str(), input());
                             const T a = input();
                             return g.Node(function.c_str(), a, input());
                           }});
}

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

}  // namespace

GgmlTensor* CaseGraph::Input(llama::Type type, Ne ne, Contents contents) {
  const T tensor = graph_.Input(static_cast<GgmlType>(type), ne);
  inputs_[tensor] = std::move(contents);
  return tensor;
}

GgmlTensor* CaseGraph::Spaced(llama::Type type, Ne ne, const std::vector<int>& doubled, Contents contents) {
  Ne wide = ne;
  wide.resize(4, 1);
  for (const int dimension : doubled)
    wide[static_cast<std::size_t>(dimension)] *= 2;
  const T whole = Input(type, wide, std::move(contents));
  return Node("ggml_view_4d", whole, ne[0], ne[1], ne[2], ne[3], whole->nb[1], whole->nb[2], whole->nb[3],
              std::size_t{0});
}

std::vector<Case> AllCases() {
  Cases cases;
  for (const auto add : {AddBinary, AddUnary, AddGlu, AddCopies, AddRows, AddNorms, AddSoftMax, AddProducts,
                         AddAttention, AddRope, AddReductions, AddShapes, AddImages})
    add(cases);
  return cases;
}

}  // namespace bench
