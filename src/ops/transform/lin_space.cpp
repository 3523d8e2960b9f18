// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers at equal distances, both ends included; and unit matrices.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

void InferLinSpace(OpContext& context) {
  const TensorType& start = context.In("start");
  const TensorType& stop = context.In("stop");
  const std::int64_t count = IntArgument(context, "num");
  if (ElementCount(start.dims) != 1 || ElementCount(stop.dims) != 1 || start.type != stop.type)
    context.Refuse("start is {} and stop {}; expected one element of one type each", ToString(start),
                   ToString(stop));
  if (count < 1 || count > kMostExtent) context.Refuse("num is {}; it must be at least 1", count);
  context.SetOut(0, start.type, {count}, Format::kNd);
}

template <typename T>
class LinSpaceKernel : public Kernel {
 public:
  LinSpaceKernel(int start, int stop, std::size_t count) : start_(start), stop_(stop), count_(count) {}
  void Run(const RunArgs& args) const override {
    const auto from = static_cast<double>(args.In<T>(start_)[0]),
               to = static_cast<double>(args.In<T>(stop_)[0]);
    T* out = args.Out<T>(0);
    const double step = count_ > 1 ? (to - from) / static_cast<double>(count_ - 1) : 0;
    for (std::size_t i = 0; i < count_; ++i)
      out[i] = static_cast<T>(from + step * static_cast<double>(i));
    if (count_ > 1) out[count_ - 1] = args.In<T>(stop_)[0];
  }

 private:
  int start_, stop_;
  std::size_t count_;
};

std::unique_ptr<Kernel> LowerLinSpace(OpContext& context) {
  Ignore(context, {"assist", "num"});
  const DataType type = context.In("start").type;
  const auto count = static_cast<std::size_t>(context.Out(0).dims[0]);
  const int start = context.Port("start"), stop = context.Port("stop");
  if (type == DataType::kDouble) return std::make_unique<LinSpaceKernel<double>>(start, stop, count);
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<LinSpaceKernel<float>>(start, stop, count));
}

struct Unit {
  std::int64_t rows, columns;
  Dims dims;
};

Unit UnitOf(const OpContext& context) {
  const std::int64_t rows = RequiredInt(context, "num_rows"), wanted = context.node().Int("num_columns", 0);
  const std::int64_t columns = wanted == 0 ? rows : wanted;
  Dims dims = context.node().Ints("batch_shape");
  dims.insert(dims.end(), {rows, columns});
  for (const std::int64_t dim : dims)
    if (dim < 0 || dim > kMostExtent) context.Refuse("a dimension of {} is out of range", dim);
  return {rows, columns, dims};
}

void InferEye(OpContext& context) {
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat);
  ElementBytes(context, type);
  const Dims dims = UnitOf(context).dims;
  ElementCount(dims);
  context.SetOut(0, type, dims, Format::kNd);
}

class EyeKernel : public Kernel {
 public:
  EyeKernel(const Unit& unit, std::size_t size, std::size_t bytes, int one)
      : rows_(static_cast<std::size_t>(unit.rows)),
        columns_(static_cast<std::size_t>(unit.columns)),
        size_(size),
        bytes_(bytes),
        one_(one) {}

  void Run(const RunArgs& args) const override {
    std::fill_n(args.outputs[0], bytes_, std::byte{0});
    const std::size_t matrix = rows_ * columns_ * size_;
    for (std::size_t at = 0; at < bytes_; at += matrix)
      for (std::size_t i = 0; i < std::min(rows_, columns_); ++i)
        std::copy_n(args.inputs[one_], size_, args.outputs[0] + at + i * (columns_ + 1) * size_);
  }

 private:
  std::size_t rows_, columns_, size_, bytes_;
  int one_;
};

std::unique_ptr<Kernel> LowerEye(OpContext& context) {
  const TensorType& y = context.Out(0);
  TensorValue one(TensorType{y.type, Format::kNd, {}});
  StoreNumber(context, one, 1);
  return std::make_unique<EyeKernel>(UnitOf(context), ElementBytes(context, y.type), ByteSize(y),
                                     context.AddConstant(std::move(one)));
}

const RegisterOp sequences({
    OpDef("LinSpace")
        .Infer(InferLinSpace)
        .Lower(LowerLinSpace)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}),
    OpDef("LinSpaceD")
        .Infer(InferLinSpace)
        .Lower(LowerLinSpace)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}),
    OpDef("Eye").Infer(InferEye).Lower(LowerEye),
});

}  // namespace
}  // namespace foothold
