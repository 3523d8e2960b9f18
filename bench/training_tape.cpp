// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "training_tape.h"

#include <all_ops.h>
#include <fmt/format.h>

#include <cmath>

namespace bench {
namespace {

constexpr float kEpsilon = 1e-5F;

ge::TensorDesc DescOf(const Dims& dims, ge::DataType type = ge::DT_FLOAT) {
  return ge::TensorDesc(ge::Shape(dims), dims.size() == 4 ? ge::FORMAT_NCHW : ge::FORMAT_ND, type);
}

template <typename T>
ge::Tensor TensorOf(const std::vector<T>& values, const Dims& dims, ge::DataType type) {
  return ge::Tensor(DescOf(dims, type), reinterpret_cast<const std::uint8_t*>(values.data()),
                    values.size() * sizeof(T));
}

ge::Operator Constant(const std::string& name, const ge::Tensor& tensor) {
  return ge::op::Const(name.c_str()).set_attr_value(tensor);
}

}  // namespace

Tape::Tape(const TrainingArrays& arrays, Optimizer optimizer, float rate)
    : arrays_(arrays), optimizer_(optimizer), rate_(Number(rate)) {}

Value Tape::Make(const char* type, const Inputs& inputs, const char* port, const Dims& dims,
                 const Attributes& attributes) {
  ge::Operator node = ge::OperatorFactory::CreateOperator(fmt::format("{}_{}", type, ++nodes_).c_str(), type);
  for (const auto& [name, value] : inputs) {
    node.SetInput(name, value.node, value.port.c_str());
    if (!value.variable.empty()) readers_[value.variable].push_back(node);
  }
  if (attributes) attributes(node);
  return {node, port, dims, ++values_, {}};
}

Value Tape::Output(const Value& of, const char* port, const Dims& dims) {
  return {of.node, port, dims, ++values_, {}};
}

Value Tape::Input(const std::string& name, const Dims& dims, ge::DataType type) {
  auto data = ge::op::Data(name.c_str()).set_attr_index(static_cast<std::int64_t>(inputs_.size()));
  data.update_input_desc_x(DescOf(dims, type));
  data.update_output_desc_y(DescOf(dims, type));
  inputs_.push_back(data);
  return {data, "y", dims, -1, {}};
}

Value Tape::Floats(const std::vector<float>& values, const Dims& dims) {
  const std::string name = fmt::format("constant_{}", ++nodes_);
  return {Constant(name, TensorOf(values, dims, ge::DT_FLOAT)), "y", dims, -1, {}};
}

Value Tape::Number(float value) {
  return Floats({value}, {});
}

Value Tape::Integers(const Dims& values) {
  const Dims dims = {static_cast<std::int64_t>(values.size())};
  const std::vector<std::int32_t> narrow(values.begin(), values.end());
  const std::string name = fmt::format("constant_{}", ++nodes_);
  return {Constant(name, TensorOf(narrow, dims, ge::DT_INT32)), "y", dims, -1, {}};
}

Value Tape::Variable(const std::string& name, const Dims& dims) {
  const auto [found, fresh] = made_.emplace(name, Value{});
  if (!fresh) return found->second;
  ge::op::Variable variable(name.c_str());
  variable.update_input_desc_x(DescOf(dims));
  variable.update_output_desc_y(DescOf(dims));
  variables_.push_back(name);
  return found->second = {variable, "y", dims, ++values_, name};
}

Value Tape::Weight(const std::string& name) {
  const bool fresh = made_.count(name) == 0;
  const Value weight = Variable(name, arrays_.at(name).dims);
  if (fresh)
    OnTheWayBack(weight,
                 [=, this](const Value& gradient) { weight_gradients_.emplace_back(name, gradient); });
  return weight;
}

void Tape::OnTheWayBack(const Value& of, std::function<void(const Value&)> backward) {
  backward_.emplace_back(of, std::move(backward));
}

void Tape::AddGradient(const Value& of, const Value& gradient) {
  if (of.number < 0) return;  // nobody learns from it
  const auto [found, fresh] = gradients_.emplace(of.number, gradient);
  if (!fresh) found->second = Make("Add", {{"x1", found->second}, {"x2", gradient}}, "y", of.dims);
}

Value Tape::Product(const Value& a, bool transposed_a, const Value& b, bool transposed_b, const Dims& dims) {
  const bool many = dims.size() > 2;
  return Make(many ? "BatchMatMulV2" : "MatMulV2", {{"x1", a}, {"x2", b}}, "y", dims,
              [&](ge::Operator& node) {
                node.SetAttr(many ? "adj_x1" : "transpose_x1", transposed_a);
                node.SetAttr(many ? "adj_x2" : "transpose_x2", transposed_b);
              });
}

Value Tape::Transpose(const Value& x, const Dims& order, const Dims& dims) {
  return Make("TransposeD", {{"x", x}}, "y", dims, [&](ge::Operator& node) { node.SetAttr("perm", order); });
}

Value Tape::Sum(const Value& x, const Dims& axes, const Dims& dims) {
  return Make("ReduceSumD", {{"x", x}}, "y", dims, [&](ge::Operator& node) { node.SetAttr("axes", axes); });
}

Value Tape::Scale(const Value& x, float factor) {
  return Make("Muls", {{"x", x}}, "y", x.dims, [&](ge::Operator& node) { node.SetAttr("value", factor); });
}

Value Tape::Reshape(const Value& x, const Dims& dims) {
  const Value y = Make("Reshape", {{"x", x}, {"shape", Integers(dims)}}, "y", dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(x, Make("Reshape", {{"x", gradient}, {"shape", Integers(x.dims)}}, "y", x.dims));
  });
  return y;
}

Value Tape::Convolution(const Value& x, const std::string& name, std::int64_t stride) {
  const Value filter = Weight(name + ".weight");
  const std::int64_t pad = filter.dims[2] / 2;
  const auto window = [=](ge::Operator& node) {
    node.SetAttr("strides", Dims{1, 1, stride, stride});
    node.SetAttr("pads", Dims{pad, pad, pad, pad});
    node.SetAttr("data_format", "NCHW");
  };
  const auto extent = [&](std::int64_t size) { return (size + 2 * pad - filter.dims[2]) / stride + 1; };
  const Dims dims = {x.dims[0], filter.dims[0], extent(x.dims[2]), extent(x.dims[3])};
  const Value y = Make("Conv2D", {{"x", x}, {"filter", filter}}, "y", dims, window);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(filter, Make("Conv2DBackpropFilter",
                             {{"x", x}, {"filter_size", Integers(filter.dims)}, {"out_backprop", gradient}},
                             "y", filter.dims, window));
    if (x.number < 0) return;
    AddGradient(x, Make("Conv2DBackpropInput",
                        {{"input_size", Integers(x.dims)}, {"filter", filter}, {"out_backprop", gradient}},
                        "y", x.dims, window));
  });
  return y;
}

Value Tape::BatchNorm(const Value& x, const std::string& name) {
  const Value weight = Weight(name + ".weight"), bias = Weight(name + ".bias");
  const Value mean = Variable(name + ".running_mean", weight.dims),
              variance = Variable(name + ".running_var", weight.dims);
  const Value y =
      Make("BatchNormV3",
           {{"x", x}, {"weight", weight}, {"bias", bias}, {"running_mean", mean}, {"running_var", variance}},
           "y", x.dims, [](ge::Operator& node) { node.SetAttr("epsilon", kEpsilon); });
  const Value saved = Output(y, "save_mean", weight.dims), inverse = Output(y, "save_rstd", weight.dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    const Value dx = Make("BatchNormGradV3",
                          {{"dy", gradient},
                           {"x", x},
                           {"weight", weight},
                           {"running_mean", mean},
                           {"running_var", variance},
                           {"save_mean", saved},
                           {"save_rstd", inverse}},
                          "dx", x.dims, [](ge::Operator& node) { node.SetAttr("epsilon", kEpsilon); });
    AddGradient(x, dx);
    AddGradient(weight, Output(dx, "dweight", weight.dims));
    AddGradient(bias, Output(dx, "dbias", bias.dims));
  });
  return y;
}

Value Tape::Relu(const Value& x) {
  const Value y = Make("Relu", {{"x", x}}, "y", x.dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(x, Make("ReluGrad", {{"gradients", gradient}, {"features", y}}, "backprops", x.dims));
  });
  return y;
}

Value Tape::Gelu(const Value& x) {
  const Value y = Make("Gelu", {{"x", x}}, "y", x.dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(x, Make("GeluGrad", {{"dy", gradient}, {"x", x}, {"y", y}}, "z", x.dims));
  });
  return y;
}

Value Tape::Add(const Value& a, const Value& b) {
  const Value y = Make("Add", {{"x1", a}, {"x2", b}}, "y", a.dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(a, gradient);
    if (b.dims == a.dims) return AddGradient(b, gradient);
    Dims leading(a.dims.size() - b.dims.size());
    for (std::size_t i = 0; i < leading.size(); ++i)
      leading[i] = static_cast<std::int64_t>(i);
    AddGradient(b, Sum(gradient, leading, b.dims));
  });
  return y;
}

Value Tape::MaxPool2(const Value& x) {
  const auto window = [](ge::Operator& node) {
    node.SetAttr("ksize", Dims{1, 1, 2, 2});
    node.SetAttr("strides", Dims{1, 1, 2, 2});
  };
  const Dims dims = {x.dims[0], x.dims[1], x.dims[2] / 2, x.dims[3] / 2};
  const Value y = Make("MaxPoolV3", {{"x", x}}, "y", dims, window);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(x, Make("MaxPoolV3Grad", {{"orig_input", x}, {"orig_output", y}, {"grad", gradient}},
                        "out_grad", x.dims, window));
  });
  return y;
}

Value Tape::AveragePlanes(const Value& x) {
  const Dims dims = {x.dims[0], x.dims[1]};
  const Value y = Make("ReduceMeanD", {{"x", x}}, "y", dims, [](ge::Operator& node) {
    node.SetAttr("axes", Dims{2, 3});
  });
  OnTheWayBack(y, [=, this](const Value& gradient) {
    const Value part = Scale(gradient, 1.0F / static_cast<float>(x.dims[2] * x.dims[3]));
    const Dims points = {x.dims[0], x.dims[1], 1, 1};
    const Value point = Make("Reshape", {{"x", part}, {"shape", Integers(points)}}, "y", points);
    AddGradient(x, Make("BroadcastToD", {{"x", point}}, "y", x.dims,
                        [&](ge::Operator& node) { node.SetAttr("shape", x.dims); }));
  });
  return y;
}

// The weight is [outputs, inputs], as PyTorch has it.
Value Tape::Linear(const Value& x, const std::string& name) {
  const Value weight = Weight(name + ".weight"), bias = Weight(name + ".bias");
  const Value y =
      Make("MatMulV2", {{"x1", x}, {"x2", weight}, {"bias", bias}}, "y", {x.dims[0], weight.dims[0]},
           [](ge::Operator& node) { node.SetAttr("transpose_x2", true); });
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(weight, Product(gradient, true, x, false, weight.dims));
    AddGradient(bias, Sum(gradient, {0}, bias.dims));
    AddGradient(x, Product(gradient, false, weight, false, x.dims));
  });
  return y;
}

Value Tape::LayerNorm(const Value& x, const std::string& name) {
  const Value gamma = Weight(name + ".weight"), beta = Weight(name + ".bias");
  const Value y =
      Make("LayerNormV3", {{"x", x}, {"gamma", gamma}, {"beta", beta}}, "y", x.dims, [](ge::Operator& node) {
        node.SetAttr("begin_norm_axis", std::int64_t{-1});
        node.SetAttr("begin_params_axis", std::int64_t{-1});
        node.SetAttr("epsilon", kEpsilon);
      });
  const Value mean = Output(y, "mean", {x.dims[0], 1}), rstd = Output(y, "rstd", {x.dims[0], 1});
  OnTheWayBack(y, [=, this](const Value& gradient) {
    const Value dx =
        Make("LayerNormGradV3",
             {{"dy", gradient}, {"x", x}, {"rstd", rstd}, {"mean", mean}, {"gamma", gamma}}, "pd_x", x.dims);
    AddGradient(x, dx);
    AddGradient(gamma, Output(dx, "pd_gamma", gamma.dims));
    AddGradient(beta, Output(dx, "pd_beta", beta.dims));
  });
  return y;
}

Value Tape::Embedding(const Value& indices, const std::string& name) {
  const Value table = Weight(name + ".weight");
  Dims dims = indices.dims;
  dims.push_back(table.dims[1]);
  const Value y = Make("GatherV2", {{"x", table}, {"indices", indices}, {"axis", Integers({0})}}, "y", dims);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    AddGradient(table, Make("EmbeddingDenseGrad", {{"grad", gradient}, {"indices", indices}}, "y", table.dims,
                            [&](ge::Operator& node) { node.SetAttr("num_weights", table.dims[0]); }));
  });
  return y;
}

// Queries, keys and values of [batch, heads, length, width of a head].
std::vector<Value> Tape::Heads(const Value& qkv, std::int64_t heads) {
  const std::int64_t batch = qkv.dims[0], length = qkv.dims[1], width = qkv.dims[2] / 3 / heads;
  const Value apart = Make("Reshape", {{"x", qkv}, {"shape", Integers({batch, length, 3, heads, width})}},
                           "y", {batch, length, 3, heads, width});
  const Value turned = Transpose(apart, {2, 0, 3, 1, 4}, {3, batch, heads, length, width});
  const auto parts = ge::op::Unpack(fmt::format("heads_{}", ++nodes_).c_str())
                         .create_dynamic_output_y(3)
                         .set_input_x(turned.node)
                         .set_attr_num(3);
  std::vector<Value> all;
  for (const char* port : {"y0", "y1", "y2"})
    all.push_back({parts, port, {batch, heads, length, width}, ++values_, {}});
  return all;
}

Value Tape::Attention(const Value& qkv, std::int64_t heads, const Value& mask) {
  const std::vector<Value> parts = Heads(qkv, heads);
  const Value q = parts[0], k = parts[1], v = parts[2];
  const std::int64_t batch = q.dims[0], length = q.dims[2], width = q.dims[3];
  const float factor = 1.0F / std::sqrt(static_cast<float>(width));
  const Dims square = {batch, heads, length, length};
  const Value scores = Scale(Product(q, false, k, true, square), factor);
  const Value masked = Make("Add", {{"x1", scores}, {"x2", mask}}, "y", square);
  const Value shares = Make("SoftmaxV2", {{"x", masked}}, "y", square);
  const Value found = Product(shares, false, v, false, q.dims);
  const Dims lines = {batch, length, heads * width};
  const Value turned = Transpose(found, {0, 2, 1, 3}, {batch, length, heads, width});
  const Value y = Make("Reshape", {{"x", turned}, {"shape", Integers(lines)}}, "y", lines);
  OnTheWayBack(y, [=, this](const Value& gradient) {
    const Dims apart = {batch, length, heads, width};
    const Value d_turned = Make("Reshape", {{"x", gradient}, {"shape", Integers(apart)}}, "y", apart);
    const Value d_found = Transpose(d_turned, {0, 2, 1, 3}, q.dims);
    const Value d_shares = Product(d_found, false, v, true, square);
    const Value d_masked =
        Make("SoftmaxGrad", {{"softmax", shares}, {"grad_softmax", d_shares}}, "grad_x", square);
    const Value d_scores = Scale(d_masked, factor);
    const auto pack = ge::op::Pack(fmt::format("heads_{}", ++nodes_).c_str())
                          .create_dynamic_input_x(3)
                          .set_dynamic_input_x(0, Product(d_scores, false, k, false, q.dims).node)
                          .set_dynamic_input_x(1, Product(d_scores, true, q, false, q.dims).node)
                          .set_dynamic_input_x(2, Product(shares, true, d_found, false, q.dims).node)
                          .set_attr_axis(0)
                          .set_attr_N(3);
    const Value packed = {pack, "y", {3, batch, heads, length, width}, ++values_, {}};
    const Value back = Transpose(packed, {1, 3, 0, 2, 4}, {batch, length, 3, heads, width});
    AddGradient(qkv, Make("Reshape", {{"x", back}, {"shape", Integers(qkv.dims)}}, "y", qkv.dims));
  });
  return y;
}

ge::Graph Tape::Finish(const Value& scores, const Value& labels) {
  const std::int64_t rows = scores.dims[0];
  const Value losses =
      Make("SparseSoftmaxCrossEntropyWithLogits", {{"features", scores}, {"labels", labels}}, "loss", {rows});
  const Value mean = Make("ReduceMeanD", {{"x", losses}}, "y", {},
                          [](ge::Operator& node) { node.SetAttr("axes", Dims{0}); });
  AddGradient(scores, Scale(Output(losses, "backprop", scores.dims), 1.0F / static_cast<float>(rows)));
  for (std::size_t i = backward_.size(); i-- > 0;) {
    const auto found = gradients_.find(backward_[i].first.number);
    if (found != gradients_.end()) backward_[i].second(found->second);
  }
  if (optimizer_ == Optimizer::kAdamW)
    powers_ = {Input("beta1_power", {}, ge::DT_FLOAT), Input("beta2_power", {}, ge::DT_FLOAT)};
  std::vector<ge::Operator> targets;
  AddUpdates(targets);
  ge::Graph graph("step");
  graph.SetInputs(inputs_).SetOutputs(std::vector<ge::Operator>{mean.node}).SetTargets(targets);
  return graph;
}

// A weight may change only when all who read it have done so.
void Tape::AddUpdates(std::vector<ge::Operator>& targets) {
  for (const auto& [name, gradient] : weight_gradients_) {
    ge::Operator update = Update(name, gradient);
    for (const ge::Operator& reader : readers_[name])
      update.AddControlInput(reader);
    targets.push_back(update);
  }
}

ge::Operator Tape::Update(const std::string& name, const Value& gradient) {
  const auto node = [&](const char* type) {
    return ge::OperatorFactory::CreateOperator((name + "_update").c_str(), type);
  };
  const auto slot = [&](const char* suffix) { return Variable(name + suffix, gradient.dims); };
  const auto connect = [](ge::Operator& to, const char* port, const Value& value) {
    to.SetInput(port, value.node, value.port.c_str());
  };
  const Value& weight = made_.at(name);
  ge::Operator update = node(optimizer_ == Optimizer::kMomentum ? "ApplyMomentum" : "ApplyAdamW");
  connect(update, "var", weight);
  connect(update, "grad", gradient);
  if (optimizer_ == Optimizer::kMomentum) {
    connect(update, "accum", slot(".momentum"));
    connect(update, "lr", rate_);
    connect(update, "momentum", Number(0.9F));
    return update;
  }
  connect(update, "m", slot(".m"));
  connect(update, "v", slot(".v"));
  connect(update, "beta1_power", powers_.at(0));
  connect(update, "beta2_power", powers_.at(1));
  connect(update, "lr", rate_);
  connect(update, "weight_decay", Number(0.01F));
  connect(update, "beta1", Number(0.9F));
  connect(update, "beta2", Number(0.999F));
  connect(update, "epsilon", Number(1e-8F));
  return update;
}

const Dims& Tape::DimsOf(const std::string& variable) const {
  return made_.at(variable).dims;
}

ge::Tensor Tape::InitialOf(const std::string& variable) const {
  const Dims& dims = DimsOf(variable);
  const auto found = arrays_.find(variable);
  if (found == arrays_.end())
    return TensorOf(std::vector<float>(static_cast<std::size_t>(CountOf(dims))), dims, ge::DT_FLOAT);
  return TensorOf(found->second.bytes, dims, ge::DT_FLOAT);
}

ge::Graph Tape::MakeSetting() const {
  std::vector<ge::Operator> inputs, assigned;
  for (const std::string& name : variables_) {
    const ge::TensorDesc desc = DescOf(DimsOf(name));
    auto data =
        ge::op::Data((name + "_value").c_str()).set_attr_index(static_cast<std::int64_t>(inputs.size()));
    data.update_input_desc_x(desc);
    data.update_output_desc_y(desc);
    ge::op::Variable variable(name.c_str());
    variable.update_input_desc_x(desc);
    variable.update_output_desc_y(desc);
    inputs.push_back(data);
    assigned.push_back(ge::op::Assign((name + "_set").c_str()).set_input_ref(variable).set_input_value(data));
  }
  ge::Graph graph("set");
  graph.SetInputs(inputs).SetTargets(assigned);
  return graph;
}

}  // namespace bench
