// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <numeric>

#include "kernels/matmul.h"
#include "kernels/plain_product.h"
#include "kernels/strided_copy.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/matrix/einsum_plan.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

EinsumTerms TermsOf(const OpContext& context) {
  std::vector<Dims> shapes;
  for (const int port : DataPorts(context, "x")) {
    if (context.In(port).type != context.In(0).type)
      context.Refuse("operands are {} and {}; they must have one type", ToString(context.In(0)),
                     ToString(context.In(port)));
    shapes.push_back(context.InDims(port));
    ElementCount(shapes.back());
  }
  return ParseEinsum(context, context.node().Text("equation", ""), shapes);
}

void InferEinsum(OpContext& context) {
  context.SetOut(0, context.In(0).type, TermsOf(context).ResultDims(), Format::kNd);
}

// A tensor brought into the order a product wants; nothing to do where it has it already.
struct Arranged {
  StridedCopy copy;
  std::size_t bytes;
  bool needed;
};

Arranged Arrange(const EinsumTerms& terms, const LabelledTensor& tensor, const Labels& order,
                 std::size_t element) {
  const auto unit = static_cast<std::ptrdiff_t>(element);
  std::vector<CopyAxis> axes(order.size(), CopyAxis{1, 0, 0});
  std::ptrdiff_t dense = 1;
  bool as_it_is = true;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto at = std::find(tensor.labels.begin(), tensor.labels.end(), order[i]);
    const std::int64_t extent = terms.extents.at(order[i]);
    const std::ptrdiff_t stride =
        at == tensor.labels.end() ? 0 : tensor.strides[static_cast<std::size_t>(at - tensor.labels.begin())];
    axes[i] = {static_cast<std::size_t>(extent), stride * unit, dense * unit};
    as_it_is = as_it_is && (extent == 1 || stride == dense);
    dense = ElementCount({dense, extent});
  }
  const std::int64_t bytes = ElementCount({dense, static_cast<std::int64_t>(element)});
  return {StridedCopy(element, std::move(axes)), static_cast<std::size_t>(bytes), !as_it_is};
}

Labels Joined(const Labels& a, const Labels& b, const Labels& c) {
  Labels all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

std::size_t Count(const EinsumTerms& terms, const Labels& labels) {
  Dims dims;
  for (const int label : labels)
    dims.push_back(terms.extents.at(label));
  return ByteSize({DataType::kDouble, Format::kNd, dims}) / sizeof(double);  // of any type here must fit
}

std::vector<std::size_t> Counting(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Nothing but matrices of one element, which need no plan.
bool ElementByElement(const MatMulSize& size) {
  return size.rows == 1 && size.columns == 1 && size.depth == 1;
}

// One product of a chain; `port` is the input that is the right operand.
template <typename T>
struct ChainStep {
  Arranged left, right;
  std::size_t matrices;
  MatMulSize size;
  MatMulPlan plan;
  int port;

  std::size_t ProductBytes() const { return matrices * size.rows * size.columns * sizeof(T); }

  void Multiply(const T* a, const T* b, T* out, std::byte* workspace) const {
    const auto [rows, columns, depth] = size;
    if (depth == 0) {
      std::fill_n(out, matrices * rows * columns, T{});
    } else if (ElementByElement(size)) {
      for (std::size_t i = 0; i < matrices; ++i)
        out[i] = PlusProduct(T{}, a[i], b[i]);
    } else if constexpr (std::is_same_v<T, float>) {
      plan.Run(a, b, out, {}, workspace);
    } else {
      for (std::size_t i = 0; i < matrices; ++i)
        PlainMatMul(a + i * rows * depth, depth, 1, b + i * depth * columns, columns, 1,
                    out + i * rows * columns, rows, columns, depth);
    }
  }
};

std::size_t Aligned(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// The workspace holds two products, of which one is being made from the other, and both arranged operands.
template <typename T>
class EinsumKernel : public Kernel {
 public:
  EinsumKernel(std::vector<ChainStep<T>> steps, Arranged result)
      : steps_(std::move(steps)), result_(std::move(result)) {
    for (const ChainStep<T>& step : steps_) {
      product_ = std::max(product_, Aligned(step.ProductBytes()));
      left_ = std::max(left_, Aligned(step.left.bytes));
      right_ = std::max(right_, Aligned(step.right.bytes));
      plan_ = std::max(plan_, step.plan.WorkspaceBytes());
    }
  }

  std::size_t WorkspaceBytes() const override { return 2 * product_ + left_ + right_ + plan_; }

  void Run(const RunArgs& args) const override {
    std::byte* products[] = {args.workspace, args.workspace + product_};
    const std::byte* left = args.inputs[0];
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const bool last = i + 1 == steps_.size() && !result_.needed;
      std::byte* to = last ? args.outputs[0] : products[i % 2];
      RunStep(steps_[i], left, args.inputs[steps_[i].port], to, args.workspace + 2 * product_);
      left = to;
    }
    if (result_.needed) result_.copy.Run(left, args.outputs[0]);
  }

 private:
  void RunStep(const ChainStep<T>& step, const std::byte* left, const std::byte* right, std::byte* to,
               std::byte* scratch) const {
    if (step.left.needed) {
      step.left.copy.Run(left, scratch);
      left = scratch;
    }
    if (step.right.needed) {
      step.right.copy.Run(right, scratch + left_);
      right = scratch + left_;
    }
    step.Multiply(reinterpret_cast<const T*>(left), reinterpret_cast<const T*>(right),
                  reinterpret_cast<T*>(to), scratch + left_ + right_);
  }

  std::vector<ChainStep<T>> steps_;
  Arranged result_;
  std::size_t product_ = 0, left_ = 0, right_ = 0, plan_ = 0;
};

template <typename T>
ChainStep<T> MakeStep(const EinsumTerms& terms, const LabelledTensor& left, const LabelledTensor& right,
                      const EinsumStep& step, int port) {
  const std::size_t matrices = Count(terms, step.matrices);
  const MatMulSize size{Count(terms, step.rows), Count(terms, step.columns), Count(terms, step.depth)};
  Count(terms, step.Result());  // the product must fit
  const std::size_t planned = ElementByElement(size) ? 0 : matrices;
  return {Arrange(terms, left, Joined(step.matrices, step.rows, step.depth), sizeof(T)),
          Arrange(terms, right, Joined(step.matrices, step.depth, step.columns), sizeof(T)),
          matrices,
          size,
          MatMulPlan(size, {size.depth, 1}, {size.columns, 1}, Counting(planned), Counting(planned), planned,
                     RightForm::kAsGiven),
          port};
}

// What the product must keep: labels of operands to come, and of the result.
Labels NeededAfter(const EinsumTerms& terms, std::size_t operand) {
  Labels needed = terms.result;
  for (std::size_t i = operand + 1; i < terms.operands.size(); ++i)
    needed.insert(needed.end(), terms.operands[i].begin(), terms.operands[i].end());
  return needed;
}

template <typename T>
TensorValue One(DataType type) {
  TensorValue one(TensorType{type, Format::kNd, {}});
  one.MutableAs<T>()[0] = T{1};
  return one;
}

// A single operand is multiplied by one.
template <typename T>
std::unique_ptr<Kernel> Make(OpContext& context, const EinsumTerms& terms, DataType type) {
  LabelledTensor left = Labelled(terms, terms.operands[0], context.InDims(0));
  std::vector<ChainStep<T>> steps;
  const auto multiply = [&](const LabelledTensor& right, const Labels& needed, int port) {
    const EinsumStep step = StepOf(left.labels, right.labels, needed);
    steps.push_back(MakeStep<T>(terms, left, right, step, port));
    Dims dims;
    for (const int label : step.Result())
      dims.push_back(terms.extents.at(label));
    left = Labelled(terms, step.Result(), dims);
  };
  for (std::size_t i = 1; i < terms.operands.size(); ++i)
    multiply(Labelled(terms, terms.operands[i], context.InDims(static_cast<int>(i))), NeededAfter(terms, i),
             static_cast<int>(i));
  if (steps.empty()) multiply({}, terms.result, context.AddConstant(One<T>(type)));
  Arranged result = Arrange(terms, left, terms.result, sizeof(T));
  return std::make_unique<EinsumKernel<T>>(std::move(steps), std::move(result));
}

std::unique_ptr<Kernel> LowerEinsum(OpContext& context) {
  const EinsumTerms terms = TermsOf(context);
  const DataType type = context.In(0).type;
  if (ComputesInFloat(type)) return ThroughFloat(context, Make<float>(context, terms, DataType::kFloat));
  switch (type) {
    case DataType::kDouble:
      return Make<double>(context, terms, type);
    case DataType::kInt32:
      return Make<std::int32_t>(context, terms, type);
    case DataType::kInt64:
      return Make<std::int64_t>(context, terms, type);
    default:
      context.Unsupported("no kernel for {}; floating-point types, int32 and int64 have one",
                          DataTypeName(type));
  }
}

const RegisterOp einsum(OpDef("Einsum")
                            .Infer(InferEinsum)
                            .Lower(LowerEinsum)
                            .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                    DataType::kDouble, DataType::kInt32, DataType::kInt64}));

}  // namespace
}  // namespace foothold
