// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Caffe's inner product: x flattened from an axis on, times a matrix of weights, plus a bias.
#include "kernels/matmul.h"
#include "kernels/plain_product.h"
#include "ops/convolution/convolution_types.h"
#include "ops/data/rule_arguments.h"
#include "ops/matrix/matmul_shape.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct Connection {
  MatMulSize size;
  MatMulStrides weights;
  Dims out;
  int bias = -1;
};

std::int64_t OutputsOf(const OpContext& context) {
  const std::int64_t outputs = RequiredInt(context, "num_output");
  if (outputs < 0 || outputs > kMostExtent)
    context.Refuse("num_output is {}, which is out of range", outputs);
  return outputs;
}

Connection ConnectionOf(const OpContext& context) {
  const Dims& x = context.In("x").dims;
  const std::size_t axis = AxisIn(context, context.node().Int("axis", 1), x.size(), "attribute 'axis'");
  ElementCount(x);
  const std::int64_t outputs = OutputsOf(context);
  const auto columns = static_cast<std::size_t>(outputs);
  Connection made{
      .size = {Product(x, 0, axis), columns, Product(x, axis, x.size())}, .weights = {}, .out = {}};
  const Dims& w = context.In("w").dims;
  const auto depth = static_cast<std::int64_t>(made.size.depth);
  if (ElementCount(w) != ElementCount({outputs, depth}))
    context.Refuse("w is {}; {} outputs of {} inputs each were expected", ToString(w), outputs, depth);
  const bool transposed = context.node().Bool("transpose", false);
  made.weights = transposed ? MatMulStrides{columns, 1} : MatMulStrides{1, made.size.depth};
  made.out = Dims(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(axis));
  made.out.push_back(outputs);
  if (context.Has("b")) {
    made.bias = context.Port("b");
    if (ElementCount(context.InDims(made.bias)) != outputs)
      context.Refuse("b is {}; it must have {} elements", ToString(context.In(made.bias)), outputs);
  }
  return made;
}

void InferConnection(OpContext& context) {
  CheckSameType(context, "x", "w");
  const TensorType& x = context.In("x");
  context.SetOut(0, ProductType(x.type), ConnectionOf(context).out, Format::kNd);
}

class FloatConnection : public Kernel {
 public:
  FloatConnection(MatMulPlan plan, int weights, int bias)
      : plan_(std::move(plan)), weights_(weights), bias_(bias) {}
  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }
  void Run(const RunArgs& args) const override {
    GemmEpilogue finish;
    if (bias_ >= 0) finish.column_bias = args.In<float>(bias_);
    plan_.Run(args.In<float>(0), args.In<float>(weights_), args.Out<float>(0), finish, args.workspace);
  }

 private:
  MatMulPlan plan_;
  int weights_, bias_;
};

template <typename In, typename Out>
class PlainConnection : public Kernel {
 public:
  explicit PlainConnection(Connection connection) : connection_(std::move(connection)) {}
  void Run(const RunArgs& args) const override {
    const auto [rows, columns, depth] = connection_.size;
    PlainMatMul(args.In<In>(0), depth, 1, args.In<In>(1), connection_.weights.row, connection_.weights.column,
                args.Out<Out>(0), rows, columns, depth);
    if (connection_.bias < 0) return;
    for (std::size_t i = 0; i < rows * columns; ++i)
      args.Out<Out>(0)[i] = PlusWrapping(args.Out<Out>(0)[i], args.In<Out>(connection_.bias)[i % columns]);
  }

 private:
  Connection connection_;
};

std::unique_ptr<Kernel> LowerFloats(OpContext& context, const Connection& connection) {
  int weights = context.Port("w");
  const TensorValue* constant = context.Value(weights);
  MatMulPlan plan(connection.size, {connection.size.depth, 1}, connection.weights, {0}, {0}, 1,
                  constant != nullptr ? FormOfWeights(connection.size) : RightForm::kAsGiven);
  if (constant != nullptr) {
    const auto floats = static_cast<std::int64_t>(plan.PackedRightBytes() / sizeof(float));
    TensorValue packed(TensorType{DataType::kFloat, Format::kNd, {floats}});
    plan.PackRightMatrices(AsFloats(*constant).As<float>(), packed.MutableAs<float>());
    context.SetUnused(weights);
    weights = context.AddConstant(std::move(packed));
  }
  return ThroughFloat(context, std::make_unique<FloatConnection>(std::move(plan), weights, connection.bias));
}

std::unique_ptr<Kernel> LowerConnection(OpContext& context) {
  Ignore(context, {"offset_w"});
  const Connection connection = ConnectionOf(context);
  const DataType type = context.In("x").type;
  CheckBiasType(context, connection.bias, ProductType(type));
  if (ComputesInFloat(type)) return LowerFloats(context, connection);
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    return std::make_unique<PlainConnection<typename decltype(in)::Type, typename decltype(out)::Type>>(
        connection);
  });
}

const RegisterOp fully_connection(
    OpDef("FullyConnection").Infer(InferConnection).Lower(LowerConnection).Types(ConvolutionTypes()));

}  // namespace
}  // namespace foothold
