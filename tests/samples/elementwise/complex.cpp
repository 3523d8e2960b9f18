// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a complex number has: its parts, its magnitude, its conjugate.
#include <cmath>

#include "aclnn/elements.h"
#include "samples/table.h"

namespace samples {
namespace {

constexpr const char* kNoHalves = "complex numbers have none";

Sample OfComplex(Sample sample) {
  return sample.Types({ACL_COMPLEX64})
      .Holds(0, [](const Form& form) { return nn::Spread(2 * nn::CountOf(form.dims[0]), -2, 2, 1); })
      .Without(Part::kHalf, kNoHalves)
      .Form({{2, 3, 4}})
      .Form({{0, 3}})
      .Form({{}});
}

// One number of each complex one.
Sample PartOf(Sample sample, double (*part)(double real, double imaginary)) {
  return OfComplex(std::move(sample)).Gives({ACL_FLOAT}).Is([part](const Given& in) {
    Block out{in[0].dims, {}};
    for (std::size_t e = 0; e < in[0].values.size(); e += 2)
      out.values.push_back(part(in[0].values[e], in[0].values[e + 1]));
    return out;
  });
}

const Table parts({
    PartOf(Operator("Real").Calls(NN(Real)), [](double real, double) { return real; }),
    PartOf(Operator("Imag"), [](double, double imaginary) { return imaginary; }),
    PartOf(Operator("ComplexAbs"), [](double real, double imaginary) { return std::hypot(real, imaginary); }),
    OfComplex(Operator("Conj")).Is([](const Given& in) {
      Block out = in[0];
      for (std::size_t e = 1; e < out.values.size(); e += 2)
        out.values[e] = -out.values[e];
      return out;
    }),
});

}  // namespace
}  // namespace samples
