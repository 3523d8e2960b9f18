// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One step of training for a variable: gradient descent, momentum, Adagrad, RMSProp, Adam, AdamW. Variables
// and slots are updated where they stand; the first is output 0, and the D forms give the slots back as
// outputs too. Each is written as a formula, so that all of it is one pass over memory.
#include <cmath>

#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// Writes a formula down step by step.
class Update {
 public:
  explicit Update(const OpContext& context) : context_(context) { formula_.dims = context.InDims(0); }

  // A tensor shaped as the variable; a scalar.
  int Tensor(const char* name) {
    if (!context_.Has(name)) context_.Refuse("input '{}' is not connected", name);
    const int port = context_.Port(name);
    if (context_.InDims(port) != formula_.dims)
      context_.Refuse("'{}' is {}, expected {} as the variable is", name, ToString(context_.InDims(port)),
                      ToString(formula_.dims));
    return Operand(port, formula_.dims);
  }
  int Scalar(const char* name) {
    const int port = context_.Port(name);
    if (ElementCount(context_.InDims(port)) != 1)
      context_.Refuse("'{}' is {}, expected a scalar", name, ToString(context_.InDims(port)));
    return Operand(port, {});
  }

  // Steps may be named only after all operands are.
  int Step(const char* function, std::vector<int> operands, std::vector<float> params = {}) {
    formula_.steps.push_back({function, std::move(operands), std::move(params)});
    return static_cast<int>(formula_.operands.size() + formula_.steps.size()) - 1;
  }
  int OneMinus(int value) { return Step("Affine", {value}, {-1, 1}); }

  // `value` is the new content of the input, and of the output of that name if there is one.
  void Keep(const char* name, int value) {
    const int output = context_.node().OutputIndex(name);
    const int input = context_.Port(name);
    if (output >= 0) {
      formula_.results.push_back({value, output});
    } else {
      formula_.results.push_back({value, 0, input});
    }
  }

  // The value of an output that is no input.
  void Give(int output, int value) { formula_.results.push_back({value, output}); }

  ElementFormula Take() { return std::move(formula_); }
  const Node& node() const { return context_.node(); }
  float Required(const char* name) const {
    if (node().FindAttribute(name) == nullptr) context_.Refuse("attribute '{}' is required", name);
    return node().Float(name, 0);
  }

 private:
  int Operand(int port, Dims dims) {
    formula_.operands.push_back({port, std::move(dims)});
    return static_cast<int>(formula_.operands.size()) - 1;
  }

  const OpContext& context_;
  ElementFormula formula_;
};

void GradientDescent(Update& u) {
  const int var = u.Tensor("var"), alpha = u.Scalar("alpha"), delta = u.Tensor("delta");
  u.Keep("var", u.Step("NegMulAdd", {alpha, delta, var}));
}

void Momentum(Update& u) {
  const int var = u.Tensor("var"), accum = u.Tensor("accum"), lr = u.Scalar("lr"), grad = u.Tensor("grad"),
            momentum = u.Scalar("momentum");
  const int speed = u.Step("MulAdd", {accum, momentum, grad});
  const int way = u.node().Bool("use_nesterov", false) ? u.Step("MulAdd", {speed, momentum, grad}) : speed;
  u.Keep("var", u.Step("NegMulAdd", {lr, way, var}));
  u.Keep("accum", speed);
}

void AdagradStep(Update& u, int var, int accum, int lr, int grad, int epsilon) {
  int sum = accum;
  if (u.node().Bool("update_slots", true)) sum = u.Step("MulAdd", {grad, grad, accum});
  int root = u.Step("Sqrt", {sum});
  if (epsilon >= 0) root = u.Step("Add", {root, epsilon});
  const int way = u.Step("Div", {u.Step("Mul", {lr, grad}), root});
  u.Keep("var", u.Step("Sub", {var, way}));
  if (sum != accum) return u.Keep("accum", sum);
  // A slot that stays as it is still has an output in the D forms.
  if (u.node().OutputIndex("accum") >= 0) u.Keep("accum", u.Step("Affine", {accum}, {1, 0}));
}

void Adagrad(Update& u) {
  const int var = u.Tensor("var"), accum = u.Tensor("accum"), lr = u.Scalar("lr"), grad = u.Tensor("grad");
  AdagradStep(u, var, accum, lr, grad, -1);
}

void AdagradV2(Update& u) {
  const int var = u.Tensor("var"), accum = u.Tensor("accum"), lr = u.Scalar("lr");
  const int epsilon = u.Scalar("epsilon"), grad = u.Tensor("grad");
  AdagradStep(u, var, accum, lr, grad, epsilon);
}

void AdagradV2D(Update& u) {
  const int var = u.Tensor("var"), accum = u.Tensor("accum"), lr = u.Scalar("lr"), grad = u.Tensor("grad");
  AdagradStep(u, var, accum, lr, grad, u.Step("Affine", {lr}, {0, u.Required("epsilon")}));
}

// ms += (grad^2 - ms) (1 - rho); mom = mom momentum + lr grad / sqrt(ms + epsilon); var -= mom.
struct RmsProp {
  int var, ms, mom, lr, grad, rho, momentum, epsilon;

  void Write(Update& u) const {
    const int change = u.Step("Sub", {u.Step("Square", {grad}), ms});
    const int mean = u.Step("MulAdd", {change, u.OneMinus(rho), ms});
    const int root = u.Step("Sqrt", {u.Step("Add", {mean, epsilon})});
    const int way = u.Step("Div", {u.Step("Mul", {lr, grad}), root});
    const int speed = u.Step("MulAdd", {mom, momentum, way});
    u.Keep("var", u.Step("Sub", {var, speed}));
    u.Keep("ms", mean);
    u.Keep("mom", speed);
  }
};

void RMSProp(Update& u) {
  RmsProp step{};
  step.var = u.Tensor("var"), step.ms = u.Tensor("ms"), step.mom = u.Tensor("mom"), step.lr = u.Scalar("lr");
  step.rho = u.Scalar("rho"), step.momentum = u.Scalar("momentum"), step.epsilon = u.Scalar("epsilon");
  step.grad = u.Tensor("grad");
  step.Write(u);
}

void RMSPropD(Update& u) {
  RmsProp step{};
  step.var = u.Tensor("var"), step.ms = u.Tensor("ms"), step.mom = u.Tensor("mom"), step.lr = u.Scalar("lr");
  step.grad = u.Tensor("grad");
  const auto constant = [&](const char* name) { return u.Step("Affine", {step.lr}, {0, u.Required(name)}); };
  step.rho = constant("rho"), step.momentum = constant("momentum"), step.epsilon = constant("epsilon");
  step.Write(u);
}

void Adam(Update& u) {
  const int var = u.Tensor("var"), m = u.Tensor("m"), v = u.Tensor("v"), power1 = u.Scalar("beta1_power"),
            power2 = u.Scalar("beta2_power"), lr = u.Scalar("lr"), beta1 = u.Scalar("beta1"),
            beta2 = u.Scalar("beta2"), epsilon = u.Scalar("epsilon"), grad = u.Tensor("grad");
  const int root2 = u.Step("Sqrt", {u.OneMinus(power2)});
  const int rate = u.Step("Div", {u.Step("Mul", {lr, root2}), u.OneMinus(power1)});
  const int rest1 = u.OneMinus(beta1);
  const int mean = u.Step("MulAdd", {u.Step("Sub", {grad, m}), rest1, m});
  const int change = u.Step("Sub", {u.Step("Square", {grad}), v});
  const int spread = u.Step("MulAdd", {change, u.OneMinus(beta2), v});
  const int size = u.Step("Add", {u.Step("Sqrt", {spread}), epsilon});
  int way = mean;
  if (u.node().Bool("use_nesterov", false))
    way = u.Step("MulAdd", {mean, beta1, u.Step("Mul", {grad, rest1})});
  const int fraction = u.Step("Div", {u.Step("Mul", {rate, way}), size});
  u.Keep("var", u.Step("Sub", {var, fraction}));
  u.Keep("m", mean);
  u.Keep("v", spread);
}

// Where the largest v so far is, with 'amsgrad'.
int MostOf(Update& u) {
  return u.node().Bool("amsgrad", false) ? u.Tensor("max_grad_norm") : -1;
}

void AdamW(Update& u) {
  const int var = u.Tensor("var"), m = u.Tensor("m"), v = u.Tensor("v"), power1 = u.Scalar("beta1_power"),
            power2 = u.Scalar("beta2_power"), lr = u.Scalar("lr"), decay = u.Scalar("weight_decay"),
            beta1 = u.Scalar("beta1"), beta2 = u.Scalar("beta2"), epsilon = u.Scalar("epsilon"),
            grad = u.Tensor("grad"), most = MostOf(u);
  const int way = u.node().Bool("maximize", false) ? u.Step("Neg", {grad}) : grad;
  const int kept = u.Step("NegMulAdd", {u.Step("Mul", {lr, decay}), var, var});
  const int mean = u.Step("MulAdd", {u.Step("Sub", {way, m}), u.OneMinus(beta1), m});
  const int change = u.Step("Sub", {u.Step("Square", {way}), v});
  const int spread = u.Step("MulAdd", {change, u.OneMinus(beta2), v});
  const int largest = most < 0 ? spread : u.Step("Maximum", {most, spread});
  const int root = u.Step("Sqrt", {u.Step("Div", {largest, u.OneMinus(power2)})});
  const int rate = u.Step("Div", {lr, u.OneMinus(power1)});
  const int fraction = u.Step("Div", {u.Step("Mul", {rate, mean}), u.Step("Add", {root, epsilon})});
  u.Keep("var", u.Step("Sub", {kept, fraction}));
  u.Keep("m", mean);
  u.Keep("v", spread);
  if (most >= 0) u.Keep("max_grad_norm", largest);
}

// 1 - beta^step, which is nearly 0 at first: without the difference of two numbers near 1.
int Correction(Update& u, int step, int log_beta) {
  return u.Step("Neg", {u.Step("Expm1", {u.Step("Mul", {step, log_beta})})});
}

// An operator of our own that changes nothing where it stands: the outputs are the new var, m, v and, with
// 'amsgrad', the largest v. 'step' counts from 1, 'kept' is what weight decay leaves, 1 - lr decay.
void AclnnAdamW(Update& u) {
  const int var = u.Tensor("var"), m = u.Tensor("m"), v = u.Tensor("v"), grad = u.Tensor("grad"),
            step = u.Scalar("step"), lr = u.Scalar("lr"), share = u.Scalar("kept"), beta1 = u.Scalar("beta1"),
            beta2 = u.Scalar("beta2"), log1 = u.Scalar("log_beta1"), log2 = u.Scalar("log_beta2"),
            epsilon = u.Scalar("epsilon"), most = MostOf(u);
  const int way = u.node().Bool("maximize", false) ? u.Step("Neg", {grad}) : grad;
  const int rest1 = u.OneMinus(beta1), rest2 = u.OneMinus(beta2);
  const int mean = u.Step("MulAdd", {way, rest1, u.Step("Mul", {m, beta1})});
  const int spread = u.Step("MulAdd", {u.Step("Square", {way}), rest2, u.Step("Mul", {v, beta2})});
  const int largest = most < 0 ? spread : u.Step("Maximum", {most, spread});
  const int fair = u.Step("Div", {largest, Correction(u, step, log2)});
  const int size = u.Step("Add", {u.Step("Sqrt", {fair}), epsilon});
  const int fraction = u.Step("Div", {mean, u.Step("Mul", {Correction(u, step, log1), size})});
  u.Give(0, u.Step("NegMulAdd", {lr, fraction, u.Step("Mul", {var, share})}));
  u.Give(1, mean);
  u.Give(2, spread);
  if (most >= 0) u.Give(3, largest);
}

// 'stat' is above 0 as long as nothing has been accumulated.
void Sgd(Update& u) {
  const int var = u.Tensor("parameters"), grad = u.Tensor("gradient"), lr = u.Scalar("learning_rate"),
            accum = u.Tensor("accum"), momentum = u.Scalar("momentum"), stat = u.Tensor("stat");
  const int change = u.Step("Axpy", {grad, var}, {u.node().Float("weight_decay", 0)});
  const int damped = u.Step("MulBy", {change}, {1 - u.node().Float("dampening", 0)});
  const int later = u.Step("MulAdd", {accum, momentum, damped});
  const int speed = u.Step("Select", {u.Step("Threshold", {stat}, {0}), change, later});
  const int way = u.node().Bool("nesterov", false) ? u.Step("MulAdd", {speed, momentum, change}) : speed;
  u.Keep("parameters", u.Step("NegMulAdd", {lr, way, var}));
  u.Keep("accum", speed);
  u.Keep("stat", u.Step("Affine", {stat}, {0, 0}));
}

// Every output is an input of the same name, updated.
void Infer(OpContext& context) {
  for (int i = 0; i < context.outputs(); ++i) {
    const std::string& name = context.node().outputs()[static_cast<std::size_t>(i)].name;
    const int port = context.node().InputIndex(name);
    if (port < 0) context.Refuse("output '{}' is no input, and only inputs are updated", name);
    context.SetOut(i, context.In(port));
  }
}

void InferAclnnAdamW(OpContext& context) {
  const int expected = context.node().Bool("amsgrad", false) ? 4 : 3;
  if (context.outputs() != expected)
    context.Refuse("there are {} outputs, expected {}", context.outputs(), expected);
  for (int i = 0; i < expected; ++i)
    context.SetOut(i, context.In("var"));
}

OpDef Def(const char* type, void (*write)(Update&), void (*infer)(OpContext&)) {
  return OpDef(type).Infer(infer).Types(FloatTypes()).Lower([write](OpContext& context) {
    for (int port = 0; port < context.inputs(); ++port)
      if (context.Has(port) && !IsFloatType(context.In(port).type))
        context.Unsupported("no kernel for {}; float, float16 and bfloat16 are trained",
                            DataTypeName(context.In(port).type));
    Update update(context);
    write(update);
    const ElementFormula formula = update.Take();
    for (const auto& result : formula.results)
      if (result.updated_input >= 0) context.SetUpdated(result.updated_input);
    return LowerFormula(context, formula);
  });
}

OpDef InPlaceDef(const char* type, void (*write)(Update&)) {
  return Def(type, write, Infer).Stateful();
}

const RegisterOp optimizers({
    InPlaceDef("ApplyGradientDescent", GradientDescent),
    InPlaceDef("ApplyMomentum", Momentum),
    InPlaceDef("ApplyMomentumD", Momentum),
    InPlaceDef("ApplyAdagrad", Adagrad),
    InPlaceDef("ApplyAdagradD", Adagrad),
    InPlaceDef("ApplyAdagradV2", AdagradV2),
    InPlaceDef("ApplyAdagradV2D", AdagradV2D),
    InPlaceDef("ApplyRMSProp", RMSProp),
    InPlaceDef("ApplyRMSPropD", RMSPropD),
    InPlaceDef("ApplyAdam", Adam),
    InPlaceDef("ApplyAdamD", Adam),
    InPlaceDef("ApplyAdamW", AdamW),
    Def("AclnnApplyAdamW", AclnnAdamW, InferAclnnAdamW),
    InPlaceDef("SGD", Sgd),
});

}  // namespace
}  // namespace foothold
