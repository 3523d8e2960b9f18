// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Parts of complex numbers.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

// Of real and imaginary part, one after the other.
Block Parts(const Given& in, double (*function)(double real, double imaginary)) {
  Block out{in[0].dims, {}};
  for (std::size_t i = 0; i + 1 < in[0].values.size(); i += 2)
    out.values.push_back(function(in[0].values[i], in[0].values[i + 1]));
  return out;
}

Sample OfComplex(const char* op) {
  return Operator(op)
      .Types({ACL_COMPLEX64})
      .Form({{2, 3, 4}})
      .Form({{0, 3}})
      .Form({{}})
      .Without(Part::kHalf, "there are no complex numbers of half types")
      .Without(Part::kSpecial, "parts are apart");
}

const Table parts({
    OfComplex("Real").Gives({ACL_FLOAT}).Is([](const Given& in) {
      return Parts(in, [](double real, double) { return real; });
    }),
    OfComplex("Imag").Gives({ACL_FLOAT}).Is([](const Given& in) {
      return Parts(in, [](double, double imaginary) { return imaginary; });
    }),
    OfComplex("ComplexAbs").Gives({ACL_FLOAT}).Is([](const Given& in) {
      return Parts(in, [](double real, double imaginary) { return std::hypot(real, imaginary); });
    }),
    OfComplex("Conj").Is([](const Given& in) {
      Block out = in[0];
      for (std::size_t i = 1; i < out.values.size(); i += 2)
        out.values[i] = -out.values[i];
      return out;
    }),
});

}  // namespace
}  // namespace samples
