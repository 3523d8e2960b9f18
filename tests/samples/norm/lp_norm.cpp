// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The two halves of a norm: sums of powers, and their roots.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

constexpr const char* kSums = "what is no number spreads over sums";

Block SumOfPowers(const Given& in) {
  const double p = in.Number("p");
  return Reduced(in[0], in.List("axes"), in.Flag("keepdim"), [=](const Values& line) {
    double sum = 0;
    for (const double value : line)
      sum += std::pow(std::fabs(value), p);
    return sum;
  });
}

Block Root(const Given& in) {
  const double p = in.Number("p"), least = in.Number("epsilon");
  return ElementByElement(in, [=](const double* x) { return std::max(std::pow(*x, 1 / p), least); });
}

Sample OfPowers(const char* op, Setting first, Setting second) {
  return Operator(op)
      .Types(FloatTypes())
      .Without(Part::kSpecial, kSums)
      .Form({{2, 3, 4}}, {{"p", first}, {"axes", {1}}, {"keepdim", false}})
      .Form({{2, 3, 4}}, {{"p", second}, {"axes", {0, 2}}, {"keepdim", true}})
      .Form({{0, 3}}, {{"p", first}, {"axes", {1}}, {"keepdim", false}})
      .Within(4)
      .Is(SumOfPowers);
}

Sample OfRoots(const char* op, Setting first, Setting second) {
  return Operator(op)
      .Types(FloatTypes())
      .Without(Part::kSpecial, kSums)
      .Range(0.1, 4)
      .Form({{2, 3, 4}}, {{"p", first}, {"epsilon", 0.5}})
      .Form({{7}}, {{"p", second}, {"epsilon", 1e-6}})
      .Form({{0, 3}}, {{"p", first}, {"epsilon", 0.5}})
      .Within(2)
      .Is(Root);
}

const Table norms({
    OfPowers("LpNormReduce", 2, 3),
    OfPowers("LpNormReduceV2", 2.0, 1.5),
    OfRoots("LpNormUpdate", 2, 3),
    OfRoots("LpNormUpdateV2", 2.0, 1.5),
});

}  // namespace
}  // namespace samples
