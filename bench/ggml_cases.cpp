// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ggml_cases.h"

#include <fmt/format.h>

namespace bench {

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

GgmlTensor* CaseGraph::Input(llama::Type type, Ne ne, Contents contents) {
  GgmlTensor* const tensor = graph_.Input(static_cast<GgmlType>(type), ne);
  inputs_[tensor] = std::move(contents);
  return tensor;
}

GgmlTensor* CaseGraph::Spaced(llama::Type type, Ne ne, const std::vector<int>& doubled, Contents contents) {
  Ne wide = ne;
  wide.resize(4, 1);
  for (const int dimension : doubled)
    wide[static_cast<std::size_t>(dimension)] *= 2;
  GgmlTensor* const whole = Input(type, wide, std::move(contents));
  return Node("ggml_view_4d", whole, ne[0], ne[1], ne[2], ne[3], whole->nb[1], whole->nb[2], whole->nb[3],
              std::size_t{0});
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const auto add : {AddBinary, AddUnary, AddGlu, AddCopies, AddRows, AddNorms, AddSoftMax, AddProducts,
                         AddAttention, AddRope, AddReductions, AddShapes, AddImages})
    add(cases);
  return cases;
}

}  // namespace bench
