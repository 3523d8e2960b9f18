// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is drawn where chance has no choice: what it is otherwise is a matter of averages (tests/aclnn).
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

Block Filled(const Dims& dims, double value) {
  return {dims, Values(nn::CountOf(dims), value)};
}

Sample Tensors(Sample sample) {
  return sample.TypeOf(1, ACL_INT64)
      .TypeOf(2, ACL_INT64)
      .Form({{3, 4, 5}, {1}, {1}})
      .Form({{7}, {}, {}})
      .Form({{0, 3}, {1}, {1}})
      .Without(Part::kSpecial, "what is drawn does not depend on what was there");
}

const Table certain({
    Functions("DropoutGenMaskV2")
        .Types({ACL_UINT8})
        .Calls(NN(DropoutGenMaskV2), {V("shape"), 1.0, 5, 7, 0, Y(0)})
        .Form({}, {{"shape", {3, 4, 5}}})
        .Form({}, {{"shape", {1024}}})
        .Without(Part::kHalf, "a mask is bits")
        .Without(Part::kEmpty, "a mask of nothing is nothing")
        .Is([](const Given& in) {
          double count = 1;
          for (const double size : in.List("shape"))
            count *= size;
          return Filled({static_cast<std::int64_t>(std::ceil(count / 128)) * 16}, 0);
        }),
    Functions("DropoutGenMaskV2Tensor")
        .Types({ACL_UINT8})
        .Calls(NN(DropoutGenMaskV2Tensor), {V("shape"), 0.0, X(0), X(1), 7, 0, Y(0)})
        .TypeOf(0, ACL_INT64)
        .TypeOf(1, ACL_INT64)
        .Form({{1}, {1}}, {{"shape", {1024}}})
        .Without(Part::kHalf, "a mask is bits")
        .Without(Part::kEmpty, "a mask of nothing is nothing")
        .Is([](const Given&) { return Filled({128}, 255); }),
    Tensors(Functions("InplaceUniformTensor").Types(kFloating))
        .InPlace(NN(InplaceUniformTensor), {X(0), 1.5, 1.5, X(1), X(2), 3})
        .Is([](const Given& in) { return Filled(in[0].dims, 1.5); }),
    Tensors(Functions("InplaceNormalTensor").Types(kFloating))
        .InPlace(NN(InplaceNormalTensor), {X(0), 2.5, 0.0, X(1), X(2), 3})
        .Is([](const Given& in) { return Filled(in[0].dims, 2.5); }),
    Tensors(
        Functions("InplaceRandomTensor").Types(kFloating + std::vector<aclDataType>{ACL_INT32, ACL_INT64}))
        .InPlace(NN(InplaceRandomTensor), {X(0), 4, 5, X(1), X(2), 3})
        .Is([](const Given& in) { return Filled(in[0].dims, 4); }),
    Functions("MultinomialTensor")
        .Types({ACL_FLOAT, ACL_FLOAT16})
        .Calls(NN(MultinomialTensor), {X(0), 3, true, X(1), X(2), 3, Y(0)})
        .TypeOf(1, ACL_INT64)
        .TypeOf(2, ACL_INT64)
        .Gives({ACL_INT64})
        .Holds(0,
               [](const Form& form) {
                 Values chances(nn::CountOf(form.dims[0]), 0);
                 for (std::size_t i = 2; i < chances.size(); i += 5)
                   chances[i] = 0.75;
                 return chances;
               })
        .Form({{4, 5}, {1}, {1}})
        .Form({{5}, {1}, {1}})
        .Without(Part::kEmpty, "there are classes")
        .Without(Part::kSpecial, "chances are numbers")
        .Is([](const Given& in) {
          return Filled(in[0].dims.size() == 2 ? Dims{in[0].dims[0], 3} : Dims{3}, 2);
        }),
    Functions("InplaceBernoulliTensor")
        .Types(kFloating + std::vector<aclDataType>{ACL_INT32, ACL_BOOL})
        .InPlace(NN(InplaceBernoulliTensor), {X(0), X(1), 5, 7})
        .TypeOf(1, ACL_FLOAT)
        .Whole(1, 0, 1)
        .Form({{3, 4, 5}, {3, 4, 5}})
        .Form({{3, 4, 5}, {5}})
        .Form({{3, 4}, {}})
        .Form({{0, 3}, {3}})
        .Without(Part::kSpecial, "chances are numbers")
        .Is([](const Given& in) {
          const Given only({Filled(in[0].dims, 0), in[1]}, in.settings(), in.type);
          return ElementByElement(only, [](const double* x) { return x[1]; });
        }),
    Functions("BernoulliTensor")
        .Types(kFloating)
        .Calls(NN(BernoulliTensor), {X(0), X(1), 5, 7, Y(0)})
        .TypeOf(1, ACL_FLOAT)
        .Whole(1, 0, 1)
        .Form({{3, 4, 5}, {3, 4, 5}})
        .Form({{0, 3}, {3}})
        .Without(Part::kSpecial, "chances are numbers")
        .Is([](const Given& in) {
          return Block{in[0].dims, in[1].dims == in[0].dims ? in[1].values : Values()};
        }),
});

// A slope that is certain, and the noise, which is written where it is read.
std::vector<Block> Relu(const Given& in) {
  Block y = in[0], noise = in[0];
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    noise.values[i] = y.values[i] > 0 ? 1 : 0.25;
    y.values[i] *= noise.values[i];
  }
  return {noise, y};
}

const Table slopes({
    Functions("RReluWithNoise")
        .Types(kFloating)
        .Calls(NN(RReluWithNoise), {X(0), X(1), 0.25, 0.25, true, 5, 7, Y(0)})
        .Changes({1})
        .Gives({kSame, kSame})
        .Form({{3, 4, 5}, {3, 4, 5}})
        .Form({{0, 3}, {0, 3}})
        .Are(Relu),
    Functions("InplaceRReluWithNoise")
        .Types(kFloating)
        .Calls(NN(InplaceRReluWithNoise), {X(0), X(1), 0.25, 0.25, true, 5, 7})
        .Changes({1, 0})
        .Gives({kSame, kSame})
        .Form({{3, 4, 5}, {3, 4, 5}})
        .Form({{0, 3}, {0, 3}})
        .Are(Relu),
});

}  // namespace
}  // namespace samples
