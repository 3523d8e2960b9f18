// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lists of tensors in training: gradients that were scaled, norms, steps of optimisers.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes();

// Two gradients, whether one was found, and the factor.
std::vector<Block> Unscaled(const Given& in) {
  std::vector<Block> out = {in[0], in[1], in[2]};
  for (std::size_t m = 0; m < 2; ++m)
    for (double& x : out[m].values) {
      if (!std::isfinite(x)) out[2].values[0] = 1;
      x *= in[3].values[0];
    }
  return out;
}

// The factor and how long it has been good: it grows after three steps.
std::vector<Block> Updated(const Given& in) {
  const double scale = in[0].values[0], good = in[1].values[0];
  if (in[2].values[0] != 0) return {{in[0].dims, {scale * 0.5}}, {in[1].dims, {0}}};
  if (good + 1 == 3) return {{in[0].dims, {scale * 2}}, {in[1].dims, {0}}};
  return {{in[0].dims, {scale}}, {in[1].dims, {good + 1}}};
}

Sample Scaling(const char* name, double good, double found) {
  return Functions(name)
      .Types({ACL_FLOAT})
      .Calls(NN(AmpUpdateScale), {X(0), X(1), X(2), 2.0, 0.5, 3, X(0), X(1)})
      .Changes({0, 1})
      .TypeOf(1, ACL_INT32)
      .Gives({kSame, ACL_INT32})
      .Whole(1, static_cast<int>(good), static_cast<int>(good))
      .Whole(2, static_cast<int>(found), static_cast<int>(found))
      .Form({{1}, {1}, {1}})
      .Without(Part::kHalf, "the factor is a float")
      .Without(Part::kEmpty, "there is a factor")
      .Without(Part::kSpecial, "the factor is finite")
      .Without(Part::kView, "there is one element")
      .Are(Updated);
}

const Table scales({
    Functions("ForeachNonFiniteCheckAndUnscale")
        .Types(kFloating)
        .Calls(NN(ForeachNonFiniteCheckAndUnscale), {Xs({0, 1}), X(2), X(3)})
        .Changes({0, 1, 2})
        .TypeOf(2, ACL_FLOAT)
        .TypeOf(3, ACL_FLOAT)
        .Whole(2, 0, 0)
        .Gives({kSame, kSame, ACL_FLOAT})
        .Form({{3, 4}, {5}, {1}, {1}})
        .Form({{0}, {5}, {1}, {1}})
        .Are(Unscaled),
    Scaling("GrowingScale", 2, 0),
    Scaling("KeptScale", 0, 0),
    Scaling("ShrinkingScale", 1, 1),
});

// Each of two members by itself.
std::vector<Block> OfMembers(const Given& in, double (*function)(double)) {
  std::vector<Block> out = {in[0], in[1]};
  for (Block& member : out)
    for (double& x : member.values)
      x = function(x);
  return out;
}

std::vector<Block> Norms(const Given& in, double p) {
  std::vector<Block> out;
  for (std::size_t m = 0; m < 2; ++m) {
    double sum = 0;
    for (const double x : in[m].values)
      sum += std::pow(std::fabs(x), p);
    out.push_back({{}, {std::pow(sum, 1 / p)}});
  }
  return out;
}

Sample Members(const char* name) {
  return Functions(name).Types(kFloating).Gives({kSame, kSame}).Form({{3, 4}, {5}}).Form({{0}, {2}});
}

double Frac(double x) {
  return x - std::trunc(x);
}

const Table members({
    Members("ForeachNorm2")
        .Calls(NN(ForeachNorm), {Xs({0, 1}), 2.0, Ys({0, 1})})
        .Within(4)
        .Without(Part::kSpecial, "norms of infinities")
        .Are([](const Given& in) { return Norms(in, 2); }),
    Members("ForeachNorm1")
        .Calls(NN(ForeachNorm), {Xs({0, 1}), 1, Ys({0, 1})})
        .Within(4)
        .Without(Part::kSpecial, "norms of infinities")
        .Are([](const Given& in) { return Norms(in, 1); }),
    Members("ForeachLog2").Calls(NN(ForeachLog2)).Range(0.1, 4).Within(2).Are([](const Given& in) {
      return OfMembers(in, std::log2);
    }),
    Members("ForeachLog10").Calls(NN(ForeachLog10)).Range(0.1, 4).Within(2).Are([](const Given& in) {
      return OfMembers(in, std::log10);
    }),
    Members("ForeachRound")
        .Calls(NN(ForeachRoundOffNumberV2), {Xs({0, 1}), 1, Ys({0, 1})})
        .Are([](const Given& in) { return OfMembers(in, std::nearbyint); }),
    Members("ForeachFloor")
        .Calls(NN(ForeachRoundOffNumberV2), {Xs({0, 1}), 2, Ys({0, 1})})
        .Are([](const Given& in) { return OfMembers(in, std::floor); }),
    Members("ForeachFrac")
        .Calls(NN(ForeachRoundOffNumberV2), {Xs({0, 1}), 7, Ys({0, 1})})
        .Without(Part::kSpecial, "an infinity has nothing behind the point")
        .Are([](const Given& in) { return OfMembers(in, Frac); }),
    Functions("ForeachTruncOfTensor")
        .Types(kFloating)
        .Calls(NN(ForeachRoundOffNumber), {Xs({0, 1}), X(2), Ys({0, 1})})
        .TypeOf(2, ACL_INT8)
        .Whole(2, 5, 5)
        .Gives({kSame, kSame})
        .Form({{3, 4}, {5}, {}})
        .Form({{0}, {5}, {}})
        .Are([](const Given& in) { return OfMembers(in, std::trunc); }),
});

// x1 + a number * (x2 op x3), for lists of two.
std::vector<Block> WithProducts(const Given& in, bool divides) {
  std::vector<Block> out = {in[0], in[1]};
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t i = 0; i < out[m].values.size(); ++i) {
      const double a = in[2 + m].values[i], b = in[4 + m].values[i];
      out[m].values[i] += in[6].values[m] * (divides ? a / b : a * b);
    }
  return out;
}

Sample Products(const char* name) {
  return Functions(name)
      .Types(kFloating)
      .TypeOf(6, ACL_FLOAT)
      .Range(4, 0.5, 2)
      .Range(5, 0.5, 2)
      .Gives({kSame, kSame})
      .Form({{3, 4}, {5}, {3, 4}, {5}, {3, 4}, {5}, {2}})
      .Form({{0}, {5}, {0}, {5}, {0}, {5}, {2}})
      .Within(2)
      .Without(Part::kSpecial, "sums of infinities of both signs");
}

// Parameters, gradients and moments of two members: rate 0.1, momentum 0.5, dampening 0.25, decay 0.125.
std::vector<Block> Sgd(const Given& in, bool first, bool nesterov) {
  std::vector<Block> out = {in[0], in[1], in[2], in[3]};
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t i = 0; i < in[m].values.size(); ++i) {
      const double g = in[4 + m].values[i] + 0.125 * in[m].values[i];
      double& moment = out[2 + m].values[i];
      moment = first ? g : 0.5 * moment + 0.75 * g;
      out[m].values[i] -= 0.1 * (nesterov ? g + 0.5 * moment : moment);
    }
  return out;
}

Sample Step(const char* name, bool first, bool nesterov) {
  return Functions(name)
      .Types(kFloating)
      .Calls(NN(FusedSgd),
             {Xs({0, 1}), Xs({4, 5}), Xs({2, 3}), nullptr, 0.125, 0.5, 0.1, 0.25, nesterov, false, first})
      .Changes({0, 1, 2, 3})
      .Gives({kSame, kSame, kSame, kSame})
      .Form({{3, 4}, {5}, {3, 4}, {5}, {3, 4}, {5}})
      .Form({{0}, {5}, {0}, {5}, {0}, {5}})
      .Within(2)
      .Without(Part::kSpecial, "sums of infinities of both signs")
      .Are([=](const Given& in) { return Sgd(in, first, nesterov); });
}

const Table steps({
    Products("ForeachAddcmulScalarList")
        .Calls(NN(ForeachAddcmulScalarList), {Xs({0, 1}), Xs({2, 3}), Xs({4, 5}), X(6), Ys({0, 1})})
        .Are([](const Given& in) { return WithProducts(in, false); }),
    Products("ForeachAddcdivScalarList")
        .Calls(NN(ForeachAddcdivScalarList), {Xs({0, 1}), Xs({2, 3}), Xs({4, 5}), X(6), Ys({0, 1})})
        .Are([](const Given& in) { return WithProducts(in, true); }),
    Step("FirstSgd", true, false),
    Step("NesterovSgd", false, true),
});

}  // namespace
}  // namespace samples
