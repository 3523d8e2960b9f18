// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes that work element by element.
#include <map>
#include <stdexcept>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_tanh.h"
#include "llama/nodes.h"

namespace llama {
namespace {

// x where y is repeated: a dimension that differs becomes two, [times, n] beside [1, n].
struct Broadcast {
  Described x, y, out;
};

void AddDimension(Described& to, std::int64_t size, std::int64_t stride) {
  to.dims.push_back(size);
  to.strides.push_back(stride);
}

// Dimension i of `from`, as [times, n] if that is not 1.
void Split(Described& to, const Described& from, std::size_t i, std::int64_t n, bool split) {
  if (split) AddDimension(to, from.dims[i] / n, from.strides[i] * n);
  AddDimension(to, n, from.strides[i]);
}

Broadcast Meet(In x, In y, In out) {
  const Described all_x = All(x), all_y = All(y), all_out = All(out);
  Broadcast meet{
      {all_x.type, {}, {}, x.data}, {all_y.type, {}, {}, y.data}, {all_out.type, {}, {}, out.data}};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int64_t n = all_y.dims[i];
    const bool split = n != all_x.dims[i];
    Split(meet.x, all_x, i, n, split);
    Split(meet.y, all_y, i, n, split);
    Split(meet.out, all_out, i, n, split);
  }
  return meet;
}

using UnaryCall = void (*)(Backend&, const Described& x, const Described& out);

#define UNARY(function) \
  [](Backend& backend, const Described& x, const Described& out) { Run(backend, NN(function), x, out); }

const std::map<std::string, UnaryCall>& UnaryCalls() {
  static const std::map<std::string, UnaryCall> calls = {
      {"ABS", UNARY(Abs)},
      {"NEG", UNARY(Neg)},
      {"EXP", UNARY(Exp)},
      {"LOG", UNARY(Log)},
      {"SQRT", UNARY(Sqrt)},
      {"SIN", UNARY(Sin)},
      {"COS", UNARY(Cos)},
      {"TANH", UNARY(Tanh)},
      {"SIGMOID", UNARY(Sigmoid)},
      {"RELU", UNARY(Relu)},
      {"SILU", UNARY(Silu)},
      {"SGN", UNARY(Sign)},
      {"HARDSIGMOID", UNARY(Hardsigmoid)},
      {"HARDSWISH", UNARY(Hardswish)},
      {"GELU", UNARY(Gelu)},
      {"GELU_ERF", UNARY(Gelu)},
      {"GELU_QUICK",
       [](Backend& b, const Described& x, const Described& out) { Run(b, NN(GeluV2), x, 0, out); }},
      {"STEP",
       [](Backend& b, const Described& x, const Described& out) { Run(b, NN(GtScalar), x, Scalar{0}, out); }},
      {"SQR", [](Backend& b, const Described& x, const Described& out) { Run(b, NN(Mul), x, x, out); }},
      {"ELU", [](Backend& b, const Described& x,
                 const Described& out) { Run(b, NN(Elu), x, Scalar{1}, Scalar{1}, Scalar{1}, out); }},
      {"SOFTPLUS", [](Backend& b, const Described& x,
                      const Described& out) { Run(b, NN(Softplus), x, Scalar{1}, Scalar{20}, out); }},
  };
  return calls;
}

// One half of the elements of each row.
Tensor Half(In x, bool second) {
  Tensor half = x;
  half.ne[0] /= 2;
  if (second) half.data += static_cast<std::size_t>(half.ne[0]) * x.nb[0];
  return half;
}

// [others, rows, elements], as gated units take it.
Described Rows(In x) {
  const Described all = All(x);
  return {all.type, {x.ne[3] * x.ne[2], x.ne[1], x.ne[0]}, {all.strides[1], all.strides[2], 1}, x.data};
}

void GeGlu(Backend& backend, const std::string& name, In x, bool swapped, In out) {
  const Buffer gelu(backend.pool(), BytesOf(out));
  Tensor side = Lay(out.type, out.ne, gelu.data());
  Run(backend, NN(GeGluV3), All(x), -1, name == "GEGLU" ? 0 : 1, !swapped, All(out), All(side));
}

}  // namespace

void Binary(Backend& backend, const std::string& name, In x, In y, In out) {
  const Broadcast meet = Meet(x, y, out);
  if (name == "ADD") return Run(backend, NN(Add), meet.x, meet.y, Scalar{1}, meet.out);
  if (name == "SUB") return Run(backend, NN(Sub), meet.x, meet.y, Scalar{1}, meet.out);
  if (name == "MUL") return Run(backend, NN(Mul), meet.x, meet.y, meet.out);
  if (name == "DIV") return Run(backend, NN(Div), meet.x, meet.y, meet.out);
  throw std::runtime_error("no node of two sources: " + name);
}

bool Unary(Backend& backend, const std::string& name, In x, In out) {
  const auto call = UnaryCalls().find(name);
  if (call == UnaryCalls().end()) return false;
  call->second(backend, All(x), All(out));
  return true;
}

void Scale(Backend& backend, In x, float factor, In out) {
  Run(backend, NN(Muls), All(x), Scalar{factor}, All(out));
}

void Clamp(Backend& backend, In x, float low, float high, In out) {
  Run(backend, NN(Clamp), All(x), Scalar{low}, Scalar{high}, All(out));
}

void LeakyRelu(Backend& backend, In x, float slope, In out) {
  Run(backend, NN(LeakyRelu), All(x), Scalar{slope}, All(out));
}

void Fill(Backend& backend, float value, In out) {
  Run(backend, NN(InplaceFillScalar), All(out), Scalar{value});
}

void Arange(Backend& backend, float start, float end, float step, In out) {
  Run(backend, NN(Arange), Scalar{start}, Scalar{end}, Scalar{step}, All(out));
}

void Glu(Backend& backend, const std::string& name, In x, const Tensor* gate, bool swapped, In out) {
  if (gate == nullptr && name == "SWIGLU" && !swapped) return Run(backend, NN(SwiGlu), Rows(x), 2, Rows(out));
  if (gate == nullptr && (name == "GEGLU" || name == "GEGLU_ERF"))
    return GeGlu(backend, name, x, swapped, out);
  static const std::map<std::string, const char*> functions = {{"SWIGLU", "SILU"},
                                                               {"REGLU", "RELU"},
                                                               {"GEGLU", "GELU"},
                                                               {"GEGLU_ERF", "GELU_ERF"},
                                                               {"GEGLU_QUICK", "GELU_QUICK"}};
  const Tensor first = gate == nullptr ? Half(x, swapped) : x;
  const Tensor second = gate == nullptr ? Half(x, !swapped) : *gate;
  Unary(backend, functions.at(name), first, out);
  Run(backend, NN(InplaceMul), All(out), All(second));
}

}  // namespace llama
