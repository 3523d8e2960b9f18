// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/matmul.h"

#include <algorithm>
#include <optional>

#include "kernels/half_product.h"
#include "kernels/plain_product.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/element_types.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/matrix/half_weights.h"
#include "ops/matrix/integer_product.h"
#include "ops/matrix/matmul_shape.h"
#include "ops/matrix/packed_weights.h"
#include "ops/matrix/stored_operands.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// The same operation under two names of attributes.
MatMulShape ShapeOf(const OpContext& context) {
  const Node& node = context.node();
  const bool first = node.Bool("transpose_x1", false) || node.Bool("adj_x1", false);
  const bool second = node.Bool("transpose_x2", false) || node.Bool("adj_x2", false);
  return ViewedShapeOf(context, context.Port("x1"), first, context.Port("x2"), second);
}

// -1: not connected.
int PortOf(const OpContext& context, const char* name) {
  const int port = context.node().InputIndex(name);
  return port >= 0 && context.Has(port) ? port : -1;
}

int BiasPort(const OpContext& context) {
  return PortOf(context, "bias");
}

// Operands of different floating-point types are multiplied in float, and what the program says about the
// output counts; where they are alike, only an attribute of ours asks for something else.
DataType OutputType(const OpContext& context, DataType left, DataType right) {
  const PortDesc& said = context.node().outputs().at(0).desc;
  if (!ComputesInFloat(left)) return ProductType(left);
  if (context.node().FindAttribute(kProductType) != nullptr)
    return static_cast<DataType>(context.node().Int(kProductType, 0));
  if (left == right) return left;
  return said.set && ComputesInFloat(said.type) ? said.type : DataType::kFloat;
}

void InferMatMul(OpContext& context) {
  const TensorType& left = context.In("x1");
  const TensorType& right = context.In("x2");
  if (left.type != right.type && !(ComputesInFloat(left.type) && ComputesInFloat(right.type)))
    context.Refuse("x1 is {} and x2 is {}; they must have the same type, or be float, float16 or bfloat16",
                   ToString(left), ToString(right));
  const MatMulShape shape = ShapeOf(context);
  if (const int bias = BiasPort(context); bias >= 0 && !BroadcastsTo(context.InDims(bias), shape.out))
    context.Refuse("bias {} does not broadcast to {}", ToString(context.In(bias)), ToString(shape.out));
  context.SetOut(0, OutputType(context, left.type, right.type), shape.out, left.format);
}

// `Plan` multiplies operands of type `Left` and `Right`.
template <typename Plan, typename Left, typename Right>
class FloatMatMul : public Kernel {
 public:
  FloatMatMul(Plan plan, int right) : plan_(std::move(plan)), right_(right) {}
  void AddColumnBias(int port) { column_bias_ = port; }
  // What passes let a product do (compiler/passes/fuse_products.h).
  void FinishWith(int residual_port, const ActivationSpec& activation) {
    residual_ = residual_port;
    activation_ = activation;
  }
  void AddBias(int port, BroadcastBias bias) {
    bias_port_ = port;
    bias_ = std::move(bias);
  }

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }
  void Run(const RunArgs& args) const override {
    GemmEpilogue finish{.activation = activation_};
    if (column_bias_ >= 0) finish.column_bias = args.In<float>(column_bias_);
    if (residual_ >= 0) finish.residual = args.In<float>(residual_);
    plan_.Run(args.In<Left>(0), args.In<Right>(right_), args.Out<float>(0), finish, args.workspace);
    if (bias_port_ >= 0) bias_.AddTo(args.Out<float>(0), args.In<float>(bias_port_));
  }

 private:
  Plan plan_;
  int right_;
  int column_bias_ = -1;
  int residual_ = -1;
  ActivationSpec activation_;
  int bias_port_ = -1;
  BroadcastBias bias_;
};

template <typename T>
class PlainMatMulKernel : public Kernel {
 public:
  PlainMatMulKernel(MatMulShape shape, int bias_port, BroadcastBias bias)
      : shape_(std::move(shape)), bias_port_(bias_port), bias_(std::move(bias)) {}

  void Run(const RunArgs& args) const override {
    const auto [rows, columns, depth] = shape_.size;
    for (std::size_t i = 0; i < shape_.left_at.size(); ++i)
      PlainMatMul(args.In<T>(0) + shape_.left_at[i], shape_.left.row, shape_.left.column,
                  args.In<T>(1) + shape_.right_at[i], shape_.right.row, shape_.right.column,
                  args.Out<T>(0) + i * rows * columns, rows, columns, depth);
    if (bias_port_ >= 0) bias_.AddTo(args.Out<T>(0), args.In<T>(bias_port_));
  }

 private:
  MatMulShape shape_;
  int bias_port_;
  BroadcastBias bias_;
};

std::string WayOfPacking(RightForm form, const MatMulShape& shape, const TensorValue& right) {
  return fmt::format("{}{} {} {} {} {} {}", form == RightForm::kNarrow ? "narrow " : "",
                     DataTypeName(right.type().type), shape.size.depth, shape.size.columns, shape.right.row,
                     shape.right.column, shape.right_matrices);
}

// Floats where they are there already, for a larger product or from a model: then narrow ones only add to
// the memory.
RightForm FormOfConstant(const MatMulShape& shape, const TensorValue& right) {
  if (FormOfWeights(shape.size) == RightForm::kPacked) return RightForm::kPacked;
  const std::vector<WeightPacking> known = PackingsOf(right);
  const auto knows = [&](RightForm form) {
    return std::any_of(known.begin(), known.end(), [&](const WeightPacking& packing) {
      return packing.way == WayOfPacking(form, shape, right);
    });
  };
  return knows(RightForm::kPacked) && !knows(RightForm::kNarrow) ? RightForm::kPacked : RightForm::kNarrow;
}

TensorValue PackedRight(const MatMulPlan& plan, RightForm form, const MatMulShape& shape,
                        const TensorValue& right) {
  const auto words = static_cast<std::int64_t>(plan.PackedRightBytes() / sizeof(float));
  const DataType type = form == RightForm::kNarrow ? DataType::kUint32 : DataType::kFloat;
  return SharedPacking(right, WayOfPacking(form, shape, right), {type, Format::kNd, {words}},
                       [&](TensorValue& packed) {
                         plan.PackRightMatrices(AsFloats(right).As<float>(), packed.MutableAs<float>());
                       });
}

// Nothing if the weights stay float.
std::optional<TensorValue> HalvedRight(const OpContext& context, const MatMulShape& shape,
                                       const HalfProductPlan& plan, const TensorValue& right) {
  const bool allowed = MayHalveWeights(context.node()) && shape.left_of.size() == 1 &&
                       shape.right_matrices == 1 && context.In("x1").type == DataType::kFloat &&
                       context.In("x2").type == DataType::kFloat;
  if (!allowed || !plan.Fits(right.As<float>())) return std::nullopt;
  const std::string way = fmt::format("half {} {} {} {}", shape.size.depth, shape.size.columns,
                                      shape.right.row, shape.right.column);
  const auto halves = static_cast<std::int64_t>(plan.PackedHalves());
  return SharedPacking(right, way, {DataType::kFloat16, Format::kNd, {halves}}, [&](TensorValue& packed) {
    plan.Pack(right.As<float>(), packed.MutableAs<std::uint16_t>());
  });
}

// Operands are given to the plan as floats, unless they are bytes to it.
template <typename Left, typename Right, typename Plan>
std::unique_ptr<Kernel> MakeFloat(OpContext& context, const MatMulShape& shape, Plan plan, int right) {
  auto kernel = std::make_unique<FloatMatMul<Plan, Left, Right>>(std::move(plan), right);
  kernel->FinishWith(PortOf(context, "residual"), ActivationAttribute(context.node()));
  if (const int bias = BiasPort(context); bias >= 0) {
    const Dims& dims = context.InDims(bias);
    if (IsColumnBias(dims, shape.out) && dims.back() == static_cast<std::int64_t>(shape.size.columns))
      kernel->AddColumnBias(bias);
    else
      kernel->AddBias(bias, BroadcastBias(dims, shape.out));
  }
  std::vector<int> as_they_are;
  if (std::is_same_v<Left, std::byte>) as_they_are = {context.Port("x1"), right};
  return ThroughFloat(context, std::move(kernel), as_they_are);
}

bool IsWholeFloat(const OpContext& context) {
  return context.In("x1").type == DataType::kFloat && context.In("x2").type == DataType::kFloat;
}

std::unique_ptr<Kernel> LowerFloat(OpContext& context, MatMulShape shape) {
  const int right_port = context.Port("x2");
  const TensorValue* constant = shape.left_of.empty() ? nullptr : context.Value(right_port);
  const bool floats = constant != nullptr || IsWholeFloat(context);
  constexpr std::size_t kFewRows = 32;  // read weights as they are, once
  const bool packs = shape.dense || (shape.in_a_row && shape.size.rows >= kFewRows);
  if (!floats || !packs || IsFractal(context))
    return MakeFloat<std::byte, std::byte>(context, shape, StoredPlanOf(context, shape), right_port);
  MergeRows(shape);
  const RightForm form = constant != nullptr ? FormOfConstant(shape, *constant) : RightForm::kAsGiven;
  MatMulPlan plan(shape.size, shape.left, shape.right, shape.left_of, shape.right_of, shape.right_matrices,
                  form);
  if (constant == nullptr) return MakeFloat<float, float>(context, shape, std::move(plan), right_port);
  context.SetUnused(right_port);
  HalfProductPlan halved(shape.size, shape.left, shape.right);
  if (auto right = HalvedRight(context, shape, halved, *constant))
    return MakeFloat<float, std::uint16_t>(context, shape, std::move(halved),
                                           context.AddConstant(std::move(*right)));
  const int right = context.AddConstant(PackedRight(plan, form, shape, *constant));
  return MakeFloat<float, float>(context, shape, std::move(plan), right);
}

std::unique_ptr<Kernel> LowerPlain(OpContext& context, MatMulShape shape) {
  const DataType type = context.In("x1").type;
  const int bias = BiasPort(context);
  if (IsFractal(context) || (type == DataType::kInt8 && !shape.dense))
    context.Unsupported("no kernel multiplies {} in fractals, or int8 as views", DataTypeName(type));
  if (bias >= 0 && context.In(bias).type != ProductType(type))
    context.Unsupported("no kernel adds a bias of {} to a product of {}", DataTypeName(context.In(bias).type),
                        DataTypeName(ProductType(type)));
  BroadcastBias adding = bias >= 0 ? BroadcastBias(context.InDims(bias), shape.out) : BroadcastBias();
  if (type == DataType::kInt8)
    return LowerIntegerProduct(context, {std::move(shape), -1, -1, bias, std::move(adding)});
  const auto refuse = [&]() -> std::unique_ptr<Kernel> {
    context.Unsupported("no kernel for {}; floating-point and integer types have one", DataTypeName(type));
  };
  return VisitType(
      type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_same_v<T, bool> || kIsHalf<T> || std::is_same_v<T, float> ||
                      std::is_same_v<T, std::int8_t>)
          return refuse();
        else
          return std::make_unique<PlainMatMulKernel<T>>(std::move(shape), bias, std::move(adding));
      },
      refuse);
}

std::unique_ptr<Kernel> LowerMatMul(OpContext& context) {
  if (context.Has("offset_w")) context.SetUnused(context.Port("offset_w"));
  const int bias = BiasPort(context);
  const bool floats = ComputesInFloat(context.In("x1").type);
  if (floats && bias >= 0 && !ComputesInFloat(context.In(bias).type))
    context.Unsupported("no kernel adds a bias of {} to a floating-point product",
                        DataTypeName(context.In(bias).type));
  return floats ? LowerFloat(context, ShapeOf(context)) : LowerPlain(context, ShapeOf(context));
}

// Where a constant on the right is packed, a dense left side is worth more.
bool ReadsMatrices(const OpContext& context, int port, const StridedView& view) {
  if (view.dims.empty() || context.Value(context.Port("x2")) != nullptr) return false;
  if (!ComputesInFloat(context.In(port).type)) return context.In(port).type != DataType::kInt8;
  return !IsFractal(context) || port == context.Port("x1");
}

OpDef MatMul(const char* type) {
  return OpDef(type)
      .Infer(InferMatMul)
      .Lower(LowerMatMul)
      .ReadsViews({"x1", "x2"}, ReadsMatrices)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble, DataType::kInt8,
              DataType::kUint8, DataType::kInt16, DataType::kUint16, DataType::kInt32, DataType::kUint32,
              DataType::kInt64, DataType::kUint64});
}

const RegisterOp matmul(std::vector<OpDef>{MatMul("MatMul"), MatMul("MatMulV2"), MatMul("BatchMatMul"),
                                           MatMul("BatchMatMulV2")});

}  // namespace
}  // namespace foothold
