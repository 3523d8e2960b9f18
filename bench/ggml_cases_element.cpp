// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Cases that work element by element.
#include <fmt/format.h>

#include "ggml_cases.h"

namespace bench {

using T = GgmlTensor*;

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

}  // namespace bench
