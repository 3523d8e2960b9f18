// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The two halves of a norm: the sum of powers, and the root of it.
#include <algorithm>
#include <cmath>

#include "samples/blocks.h"
#include "samples/table.h"

namespace samples {
namespace {

Sample Sum(const char* op, Setting power) {
  return Operator(op)
      .With("p", power)
      .Form({{2, 3, 4}}, {{"axes", {1}}, {"keepdim", false}})
      .Form({{2, 3}}, {{"axes", {-1, 0}}, {"keepdim", true}})
      .Form({{0, 3}}, {{"axes", {0}}, {"keepdim", false}})
      .Is([](const Given& in) {
        const double p = in.Number("p");
        return Reduced(in[0], in.List("axes"), in.Flag("keepdim"), [p](const Values& line) {
          double sum = 0;
          for (const double x : line)
            sum += std::pow(std::fabs(x), p);
          return sum;
        });
      });
}

Sample Root(const char* op, Setting power) {
  return Operator(op)
      .With("p", power)
      .With("epsilon", 0.5)
      .Range(0, 4)
      .Form({{2, 3, 4}})
      .Form({{0, 3}})
      .Form({{}})
      .Is([](const Given& in) {
        Block out = in[0];
        for (double& x : out.values)
          x = std::max(std::pow(x, 1 / in.Number("p")), in.Number("epsilon"));
        return out;
      })
      .Without(Part::kSpecial, "sums of powers are numbers of 0 and more");
}

const Table halves({
    Sum("LpNormReduce", 3),
    Sum("LpNormReduceV2", 2.5),
    Root("LpNormUpdate", 3),
    Root("LpNormUpdateV2", 2.5),
});

}  // namespace
}  // namespace samples
