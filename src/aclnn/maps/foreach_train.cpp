// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lists of tensors in training: gradients that were scaled, norms, steps of optimisers.
#include "aclnn/maps/element.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/parts.h"

namespace foothold::aclnn {
namespace {

Term Member(Call& call, std::string_view list, std::size_t index) {
  const Value value = call.In(list, index);
  return {call, call.To(value, TypeIn(Domain::kFloat, TypeOf(value).type))};
}

// Whether one is found goes from member to member.
void MapUnscale(Call& call) {
  const Value inverse = OnlyElement(call, "invScale", DataType::kFloat);
  Value found = OnlyElement(call, "foundInf", DataType::kFloat);
  for (std::size_t i = 0; i < call.ListSize("scaledGrads"); ++i) {
    const Value gradient = call.In("scaledGrads", i);
    if (ElementCount(DimsOf(gradient)) == 0) continue;
    Op unscaled =
        call.OwnOp("AclnnUnscale", {{"x", gradient}, {"inv", inverse}, {"found", found}}, {"x", "new_found"});
    call.Out("scaledGrads", unscaled.Out(0), i);
    found = unscaled.Out(1);
  }
  call.OutElements("foundInf", found);
}

// The factor grows after so many steps without infinities, as long as it stays finite.
void MapUpdateScale(Call& call) {
  const auto only = [&](const char* name, DataType type) {
    return Term{call, OnlyElement(call, name, type)};
  };
  const Term scale = only("currentScale", DataType::kFloat), found = only("foundInf", DataType::kFloat);
  const Term next = only("growthTracker", DataType::kInt32) + 1;
  const Term reached = Apply("Equal", next, next.Like(static_cast<double>(call.GetInt("growthInterval"))));
  const Term grown = scale * call.GetReal("growthFactor");
  const Term kept = Select(And(reached, Apply("IsFinite", grown)), grown, scale);
  const Term none = Apply("Equal", found, found.Like(0));
  call.OutElements("updatedScale", Select(none, kept, scale * call.GetReal("backoffFactor")));
  call.OutElements("updatedGrowthTracker", Select(And(none, Apply("LogicalNot", reached)), next, 0));
}

void MapNorms(Call& call) {
  const double p = call.GetNumber("scalar").real();
  for (std::size_t i = 0; i < call.ListSize("x"); ++i) {
    const Term x = Member(call, "x", i);
    const std::int64_t count = ElementCount(x.dims());
    if (count == 0) {
      call.OutElements("out", x.Like(0), i);
      continue;
    }
    call.OutElements("out",
                     call.Op("LpNormV2", {call.Reshape(x, {count})})
                         .Set("p", static_cast<float>(p))
                         .Set("axes", std::vector<std::int64_t>{0})
                         .Set("keepdim", false)
                         .Set("epsilon", 0.0f),
                     i);
  }
}

void MapLogarithms(Call& call, float base) {
  for (std::size_t i = 0; i < call.ListSize("out"); ++i)
    call.Out("out", call.Op("Log", {Member(call, "x", i)}).Set("base", base), i);
}

// x1 + a number of the device * (x2 op x3).
void MapWithProducts(Call& call, const char* op) {
  const Value scalars = call.In("scalars");
  const Value flat = call.Reshape(scalars, {ElementCount(DimsOf(scalars))});
  for (std::size_t i = 0; i < call.ListSize("out"); ++i) {
    const Term x = Member(call, "x1", i), product = Apply(op, Member(call, "x2", i), Member(call, "x3", i));
    const Value number = call.Reshape(Part(call, flat, 0, static_cast<std::int64_t>(i), 1), {});
    call.Out("out", x + product * Term{call, call.To(number, x.type())}, i);
  }
}

constexpr std::pair<int, const char*> kRoundings[] = {{1, "Rint"}, {2, "Floor"}, {3, "Ceil"}, {5, "Trunc"}};

Term Rounded(const Term& x, std::int64_t mode) {
  if (mode == 7) return x - Apply("Trunc", x);
  for (const auto& [number, op] : kRoundings)
    if (mode == number) return Apply(op, x);
  x.call().Refuse("'roundMode' is {}; 1 (round), 2 (floor), 3 (ceil), 5 (trunc) or 7 (frac) is expected",
                  mode);
}

void MapRoundings(Call& call) {
  for (std::size_t i = 0; i < call.ListSize("out"); ++i)
    call.Out("out", Rounded(Member(call, "x", i), call.GetNumber("roundMode").integer), i);
}

// The mode is on the device.
void MapRoundingsOfTensor(Call& call) {
  const Term mode{call, OnlyElement(call, "roundMode", DataType::kInt32)};
  for (std::size_t i = 0; i < call.ListSize("out"); ++i) {
    const Term x = Member(call, "x", i);
    Term rounded = Rounded(x, 7);
    for (const auto& [number, op] : kRoundings)
      rounded = Select(Apply("Equal", mode, mode.Like(number)), Apply(op, x), rounded);
    call.Out("out", rounded, i);
  }
}

struct Sgd {
  explicit Sgd(Call& call)
      : decay(call.GetReal("weightDecay")),
        momentum(call.GetReal("momentum")),
        rate(call.GetReal("lr")),
        dampening(call.GetReal("dampening")),
        nesterov(call.GetFlag("nesterov")),
        maximize(call.GetFlag("maximize")),
        first(call.GetFlag("isFirstStep")) {}
  double decay, momentum, rate, dampening;
  bool nesterov, maximize, first;
};

// Gradients are left without the factor they came with.
void MapSgd(Call& call) {
  const Sgd sgd(call);
  const char *const params = "paramsRef", *const gradients = "gradsRef",
                    *const moments = "momentumBufferListOptionalRef";
  for (std::size_t i = 0; i < call.ListSize(params); ++i) {
    const Term param = Member(call, params, i);
    Term gradient = Member(call, gradients, i);
    if (call.Has("gradScaleOptional")) {
      gradient = gradient / Term{call, OnlyElement(call, "gradScaleOptional", gradient.type())};
      call.Out(gradients, gradient, i);
    }
    if (sgd.maximize) gradient = -gradient;
    if (sgd.decay != 0) gradient = gradient + param * sgd.decay;
    if (sgd.momentum != 0 && call.HasMember(moments, i)) {
      const Term moment =
          sgd.first ? gradient : Member(call, moments, i) * sgd.momentum + gradient * (1 - sgd.dampening);
      call.Out(moments, moment, i);
      gradient = sgd.nesterov ? gradient + moment * sgd.momentum : moment;
    }
    call.Out(params, param - gradient * sgd.rate, i);
  }
}

const RegisterMapping foreach_train_maps({
    {"aclnnForeachNonFiniteCheckAndUnscale", MapUnscale},
    {"aclnnAmpUpdateScale", MapUpdateScale},
    {"aclnnForeachNorm", MapNorms},
    {"aclnnForeachLog2", [](Call& call) { MapLogarithms(call, 2); }},
    {"aclnnForeachLog10", [](Call& call) { MapLogarithms(call, 10); }},
    {"aclnnForeachAddcdivScalarList", [](Call& call) { MapWithProducts(call, "RealDiv"); }},
    {"aclnnForeachAddcmulScalarList", [](Call& call) { MapWithProducts(call, "Mul"); }},
    {"aclnnForeachRoundOffNumber", MapRoundingsOfTensor},
    {"aclnnForeachRoundOffNumberV2", MapRoundings},
    {"aclnnFusedSgd", MapSgd},
});

}  // namespace
}  // namespace foothold::aclnn
