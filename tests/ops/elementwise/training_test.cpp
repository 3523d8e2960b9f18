// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

struct Gradient {
  const char* type;
  const char *first, *second, *output;
  double (*exact)(double, double);
};

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
// Derivatives by differences, so that they come from another place than the kernels.
template <typename Function>
double Slope(Function function, double x) {
  return (function(x + 1e-5) - function(x - 1e-5)) / 2e-5;
}

const Gradient kGradients[] = {
    {"ReluGrad", "gradients", "features", "backprops", [](double g, double x) { return x > 0 ? g : 0; }},
    {"Relu6Grad", "gradients", "features", "backprops",
     [](double g, double x) { return x > 0 && x < 6 ? g : 0; }},
    {"LeakyReluGrad", "gradients", "features", "backprops", [](double g, double x) { return x > 0 ? g : 0; }},
    {"SoftplusGrad", "gradients", "features", "backprops", [](double g, double x) { return g * Sigmoid(x); }},
    {"EluGrad", "grads", "activations", "y", [](double g, double a) { return a > 0 ? g : g * (a + 1); }},
    {"SigmoidGrad", "y", "dy", "z", [](double y, double g) { return g * y * (1 - y); }},
    {"TanhGrad", "y", "dy", "z", [](double y, double g) { return g * (1 - y * y); }},
    {"SqrtGrad", "y", "dy", "z", [](double y, double g) { return g * 0.5 / y; }},
    {"RsqrtGrad", "y", "dy", "z", [](double y, double g) { return -0.5 * g * y * y * y; }},
    {"ReciprocalGrad", "y", "dy", "z", [](double y, double g) { return -g * y * y; }},
    {"GeluGrad", "dy", "x", "z",
     [](double g, double x) {
       return g * Slope(
                      [](double v) {
                        return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
                      },
                      x);
     }},
    {"SwishGrad", "grad", "x", "grad_x",
     [](double g, double x) { return g * Slope([](double v) { return v * Sigmoid(v); }, x); }},
};

class Gradients : public testing::TestWithParam<Gradient> {};

TEST_P(Gradients, AreWhatArrivesTimesTheDerivative) {
  const Gradient& test = GetParam();
  const std::vector<double> a = {0.5, 1.5, 2, 0.25, -1.25, 3, 1}, b = {-1, 2, 0.5, 7, 0.125, -3, 6.5};
  for (const DataType type : {DataType::kFloat, DataType::kBfloat16}) {
    OpRun run(test.type);
    run.In(test.first, Tensor(type, {7}, a)).In(test.second, Tensor(type, {7}, b)).Out(test.output);
    std::vector<double> expected;
    for (std::size_t i = 0; i < a.size(); ++i)
      expected.push_back(test.exact(a[i], b[i]));
    ExpectNear(run.Run(), expected, type == DataType::kFloat ? 1e-5 : 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, Gradients, testing::ValuesIn(kGradients),
                         [](const auto& info) { return std::string(info.param.type); });

TEST(Assign, WritesTheValue) {
  for (const DataType type : {DataType::kFloat, DataType::kInt64, DataType::kBool}) {
    OpRun run("Assign");
    ExpectNear(
        run.In("ref", Tensor(type, {2}, {0, 0})).In("value", Tensor(type, {2}, {1, 0})).Out("ref").Run(),
        {1, 0});
  }
  OpRun shapes("Assign");
  EXPECT_THROW(shapes.In("ref", Floats({2}, {0, 0})).In("value", Floats({1}, {1})).Out("ref").Run(), Error);
  OpRun loose("Assign");
  loose.In("ref", Floats({2}, {0, 0}))
      .In("value", Floats({1, 2}, {1, 2}))
      .Attr("validate_shape", false)
      .Out("ref");
  EXPECT_EQ(loose.Run().dims(), (Dims{1, 2}));
}

TEST(Assign, AddsAndSubtracts) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kInt32}) {
    OpRun add("AssignAdd"), subtract("AssignSub");
    const TensorValue x = Tensor(type, {2}, {5, 6}), v = Tensor(type, {2}, {1, 2});
    ExpectNear(add.In("ref", x).In("value", v).Out("ref").Run(), {6, 8});
    ExpectNear(subtract.In("var", x).In("value", v).Out("var").Run(), {4, 4});
  }
  OpRun counter("AssignAdd");
  ExpectNear(counter.In("ref", Tensor(DataType::kInt64, {}, {41}))
                 .In("value", Tensor(DataType::kInt64, {1}, {1}))
                 .Out("ref")
                 .Run(),
             {42});
}

TEST(ApplyMomentum, UpdatesTheVariableAndItsSlot) {
  for (const bool nesterov : {false, true}) {
    TensorValue accum = Floats({2}, {1, -2});
    OpRun run("ApplyMomentum");
    run.In("var", Floats({2}, {10, 20}))
        .In("accum", accum)
        .In("lr", Floats({}, {0.5}))
        .In("grad", Floats({2}, {3, 4}));
    run.In("momentum", Floats({1}, {0.25})).Attr("use_nesterov", nesterov).Out("var");
    const double speed[] = {3.25, 3.5};
    const TensorValue var = run.Run();
    ExpectNear(accum, {speed[0], speed[1]});
    if (nesterov) {
      ExpectNear(var, {10 - 0.5 * (3 + 0.25 * speed[0]), 20 - 0.5 * (4 + 0.25 * speed[1])});
    } else {
      ExpectNear(var, {10 - 0.5 * speed[0], 20 - 0.5 * speed[1]});
    }
  }
}

TEST(ApplyMomentum, GivesTheSlotBackInItsOtherForm) {
  const TensorValue accum = Floats({2}, {1, -2});
  OpRun run("ApplyMomentumD");
  run.In("var", Floats({2}, {10, 20}))
      .In("accum", accum)
      .In("lr", Floats({}, {0.5}))
      .In("grad", Floats({2}, {3, 4}));
  const auto both = run.In("momentum", Floats({1}, {0.25})).Out("var").Out("accum").RunAll();
  ExpectNear(both[0], {10 - 0.5 * 3.25, 20 - 0.5 * 3.5});
  ExpectNear(both[1], {3.25, 3.5});
  ExpectNear(accum, {1, -2});  // here the output has memory of its own
}

TEST(ApplyMomentum, RefusesWhatCannotBeUpdated) {
  OpRun shapes("ApplyMomentum");
  shapes.In("var", Floats({2}, {1, 2})).In("accum", Floats({1}, {1})).In("lr", Floats({}, {1}));
  EXPECT_THROW(shapes.In("grad", Floats({2}, {1, 2})).In("momentum", Floats({}, {1})).Out("var").Run(),
               Error);
  OpRun constant("ApplyMomentum");
  constant.In("var", Floats({1}, {1})).In("accum", Floats({1}, {1})).In("lr", Floats({}, {1}));
  constant.In("grad", Floats({1}, {1})).In("momentum", Floats({}, {1})).Out("var");
  constant.node().inputs()[1].source.node->set_type("Const");
  EXPECT_THROW(constant.Run(), Error);
}

TEST(Sgd, AccumulatesFromTheSecondStepOn) {
  for (const bool nesterov : {false, true}) {
    TensorValue accum = Floats({2}, {5, 7}), stat = Floats({2}, {1, 0});
    OpRun run("SGD");
    run.In("parameters", Floats({2}, {10, 20})).In("gradient", Floats({2}, {3, 4}));
    run.In("learning_rate", Floats({}, {0.5})).In("accum", accum).In("momentum", Floats({1}, {0.25}));
    run.In("stat", stat).Attr("dampening", 0.5f).Attr("weight_decay", 0.1f).Attr("nesterov", nesterov);
    const double change[] = {3 + 0.1 * 10, 4 + 0.1 * 20};
    const double speed[] = {change[0], 0.25 * 7 + 0.5 * change[1]};
    const auto way = [&](int i) { return nesterov ? change[i] + 0.25 * speed[i] : speed[i]; };
    ExpectNear(run.Out("parameters").Run(), {10 - 0.5 * way(0), 20 - 0.5 * way(1)});
    ExpectNear(accum, {speed[0], speed[1]});
    ExpectNear(stat, {0, 0});
  }
}

TEST(ApplyGradientDescent, MovesAgainstTheGradient) {
  OpRun run("ApplyGradientDescent");
  run.In("var", Floats({2}, {1, 2}))
      .In("alpha", Floats({}, {0.5}))
      .In("delta", Floats({2}, {4, -4}))
      .Out("var");
  ExpectNear(run.Run(), {-1, 4});
}

TEST(ApplyAdam, FollowsItsDefinition) {
  const double beta1 = 0.9, beta2 = 0.999, lr = 0.01, epsilon = 1e-8, power1 = 0.81, power2 = 0.998;
  const std::vector<double> var = {1, -2, 3}, m = {0.1, 0.2, -0.3}, v = {0.01, 0.04, 0.09},
                            g = {0.5, -0.25, 0.125};
  for (const bool nesterov : {false, true})
    for (const bool all : {false, true}) {
      TensorValue mean = Floats({3}, m), spread = Floats({3}, v);
      OpRun run(all ? "ApplyAdamD" : "ApplyAdam");
      run.In("var", Floats({3}, var)).In("m", mean).In("v", spread).In("beta1_power", Floats({}, {power1}));
      run.In("beta2_power", Floats({}, {power2}))
          .In("lr", Floats({}, {lr}))
          .In("beta1", Floats({1}, {beta1}));
      run.In("beta2", Floats({}, {beta2})).In("epsilon", Floats({}, {epsilon})).In("grad", Floats({3}, g));
      run.Attr("use_nesterov", nesterov).Out("var");
      if (all) run.Out("m").Out("v");
      const auto outputs = run.RunAll();
      std::vector<double> new_var, new_m, new_v;
      for (std::size_t i = 0; i < 3; ++i) {
        new_m.push_back(beta1 * m[i] + (1 - beta1) * g[i]);
        new_v.push_back(beta2 * v[i] + (1 - beta2) * g[i] * g[i]);
        const double way = nesterov ? beta1 * new_m[i] + (1 - beta1) * g[i] : new_m[i];
        new_var.push_back(var[i] -
                          lr * std::sqrt(1 - power2) / (1 - power1) * way / (std::sqrt(new_v[i]) + epsilon));
      }
      ExpectNear(outputs[0], new_var, 1e-5);
      ExpectNear(all ? outputs[1] : mean, new_m, 1e-5);
      ExpectNear(all ? outputs[2] : spread, new_v, 1e-5);
    }
}

struct AdamWState {
  std::vector<double> var = {1, -2, 3}, m = {0.1, 0.2, -0.3}, v = {0.01, 0.04, 0.09}, most = {0.5, 0, 0.001};
};

constexpr double kRate = 0.01, kBeta1 = 0.9, kBeta2 = 0.999, kDecay = 0.1, kEpsilon = 1e-8;

AdamWState AdamWStep(AdamWState s, const std::vector<double>& g, double step, bool amsgrad, bool maximize) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double way = maximize ? -g[i] : g[i];
    s.var[i] *= 1 - kRate * kDecay;
    s.m[i] = kBeta1 * s.m[i] + (1 - kBeta1) * way;
    s.v[i] = kBeta2 * s.v[i] + (1 - kBeta2) * way * way;
    s.most[i] = std::max(s.most[i], s.v[i]);
    const double spread = (amsgrad ? s.most[i] : s.v[i]) / (1 - std::pow(kBeta2, step));
    s.var[i] -= kRate * s.m[i] / (1 - std::pow(kBeta1, step)) / (std::sqrt(spread) + kEpsilon);
  }
  return s;
}

TEST(ApplyAdamW, FollowsItsDefinition) {
  const std::vector<double> g = {0.5, -0.25, 0.125};
  for (const bool amsgrad : {false, true})
    for (const bool maximize : {false, true}) {
      const AdamWState old, expected = AdamWStep(old, g, 3, amsgrad, maximize);
      TensorValue most = Floats({3}, old.most);
      OpRun ge("ApplyAdamW");
      ge.In("var", Floats({3}, old.var)).In("m", Floats({3}, old.m)).In("v", Floats({3}, old.v));
      ge.In("beta1_power", Floats({}, {std::pow(kBeta1, 3)}));
      ge.In("beta2_power", Floats({}, {std::pow(kBeta2, 3)}));
      ge.In("lr", Floats({}, {kRate})).In("weight_decay", Floats({}, {kDecay}));
      ge.In("beta1", Floats({}, {kBeta1}))
          .In("beta2", Floats({}, {kBeta2}))
          .In("epsilon", Floats({}, {kEpsilon}));
      ge.In("grad", Floats({3}, g))
          .In("max_grad_norm", most)
          .Attr("amsgrad", amsgrad)
          .Attr("maximize", maximize);
      const auto found = ge.Out("var").Out("m").Out("v").RunAll();
      ExpectNear(found[0], expected.var, 1e-5);
      ExpectNear(found[1], expected.m, 1e-6);
      ExpectNear(found[2], expected.v, 1e-6);
      ExpectNear(most, amsgrad ? expected.most : old.most, 1e-6);
    }
}

// A step size of 0.01 and a decay of 0.1.
OpRun& AddAdamWNumbers(OpRun& run) {
  const auto number = [&](const char* port, double value) { run.Late(port, Floats({}, {value})); };
  number("lr", 0.01);
  number("kept", 1 - 0.01 * 0.1);
  number("beta1", 0.9);
  number("beta2", 0.999);
  number("log_beta1", std::log(0.9));
  number("log_beta2", std::log(0.999));
  number("epsilon", 1e-8);
  return run;
}

TEST(AclnnApplyAdamW, FollowsTheSameDefinition) {
  const std::vector<double> g = {0.5, -0.25, 0.125};
  for (const double step : {1.0, 2.0, 1000.0})
    for (const bool amsgrad : {false, true}) {
      const AdamWState old, expected = AdamWStep(old, g, step, amsgrad, false);
      OpRun run("AclnnApplyAdamW");
      run.Late("var", Floats({3}, old.var)).Late("m", Floats({3}, old.m)).Late("v", Floats({3}, old.v));
      amsgrad ? run.Late("max_grad_norm", Floats({3}, old.most)) : run.NoInput("max_grad_norm");
      run.Late("grad", Floats({3}, g)).Late("step", Floats({1}, {step})).Attr("amsgrad", amsgrad);
      AddAdamWNumbers(run).Out("y").Out("m0").Out("v0");
      if (amsgrad) run.Out("most0");
      const auto found = run.RunAll();
      ExpectNear(found[0], expected.var, 1e-5);
      ExpectNear(found[1], expected.m, 1e-6);
      ExpectNear(found[2], expected.v, 1e-6);
      if (amsgrad) ExpectNear(found[3], expected.most, 1e-6);
    }
  OpRun missing("AclnnApplyAdamW");
  missing.In("var", Floats({1}, {1})).In("m", Floats({1}, {1})).In("v", Floats({1}, {1}));
  missing.In("grad", Floats({1}, {1})).In("step", Floats({}, {1})).Attr("amsgrad", true);
  AddAdamWNumbers(missing).Out("y").Out("m0").Out("v0").Out("most0");
  EXPECT_THROW(missing.Run(), Error);
}

TEST(ApplyAdagrad, DividesByTheRootOfTheSum) {
  TensorValue accum = Floats({2}, {1, 4});
  OpRun run("ApplyAdagrad");
  run.In("var", Floats({2}, {1, 2}))
      .In("accum", accum)
      .In("lr", Floats({}, {0.5}))
      .In("grad", Floats({2}, {2, -1}));
  ExpectNear(run.Out("var").Run(), {1 - 0.5 * 2 / std::sqrt(5), 2 + 0.5 / std::sqrt(5)});
  ExpectNear(accum, {5, 5});
  OpRun still("ApplyAdagradV2D");
  still.In("var", Floats({1}, {1}))
      .In("accum", Floats({1}, {4}))
      .In("lr", Floats({}, {0.5}))
      .In("grad", Floats({1}, {2}));
  const auto both = still.Attr("epsilon", 1.0f).Attr("update_slots", false).Out("var").RunAll();
  ExpectNear(both[0], {1 - 0.5 * 2 / 3});
}

TEST(ApplyRMSProp, TakesItsNumbersFromInputsOrAttributes) {
  const double rho = 0.75, momentum = 0.5, epsilon = 0.25, lr = 0.1;
  const double ms = 1 + (4 - 1) * (1 - rho), mom = 0.5 * momentum + lr * 2 / std::sqrt(ms + epsilon);
  TensorValue mean = Floats({1}, {1}), speed = Floats({1}, {0.5});
  OpRun run("ApplyRMSProp");
  run.In("var", Floats({1}, {3}))
      .In("ms", mean)
      .In("mom", speed)
      .In("lr", Floats({}, {lr}))
      .In("rho", Floats({}, {rho}));
  run.In("momentum", Floats({}, {momentum}))
      .In("epsilon", Floats({}, {epsilon}))
      .In("grad", Floats({1}, {2}))
      .Out("var");
  ExpectNear(run.Run(), {3 - mom});
  ExpectNear(mean, {ms});
  ExpectNear(speed, {mom});
  OpRun other("ApplyRMSPropD");
  other.In("var", Floats({1}, {3}))
      .In("ms", Floats({1}, {1}))
      .In("mom", Floats({1}, {0.5}))
      .In("lr", Floats({}, {lr}));
  other.In("grad", Floats({1}, {2})).Attr("rho", 0.75f).Attr("momentum", 0.5f).Attr("epsilon", 0.25f);
  const auto all = other.Out("var").Out("ms").Out("mom").RunAll();
  ExpectNear(all[0], {3 - mom});
  ExpectNear(all[1], {ms});
  ExpectNear(all[2], {mom});
}

}  // namespace
}  // namespace foothold
