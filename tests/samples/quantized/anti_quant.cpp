// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whole numbers that stand for others by a scale.
#include "samples/table.h"

namespace samples {
namespace {

const Table scales({
    Functions("AscendAntiQuant")
        .Types({ACL_FLOAT16, ACL_BF16})
        .TypeOf(0, ACL_INT8)
        .Whole(0, -100, 100)
        .Without(Part::kSpecial, "whole numbers are all numbers")
        .Calls(NN(AscendAntiQuant), {X(0), X(1), X(2), TypeOfY(0), false, Y(0)})
        .Form({{2, 3, 8}, {8}, {8}})
        .Form({{2, 8}, {1}, {1}})
        .Form({{0, 8}, {8}, {8}})
        .Within(2)
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return (x[0] + x[2]) * x[1]; });
        }),
});

}  // namespace
}  // namespace samples
