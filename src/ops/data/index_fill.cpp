// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnIndexFill, an operator of our own: x, with the slices along 'axis' that 'indices'
// names set to 'value', one element. GE's IndexFillD has masks of the size of x instead of indices.
#include <cstring>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, RequiredInt(context, "axis"), context.InDims(0).size(), "attribute 'axis'");
}

void InferIndexFill(OpContext& context) {
  const TensorType& value = context.In("value");
  if (value.type != context.In(0).type || ElementCount(value.dims) != 1)
    context.Refuse("value is {}, expected one {}", ToString(value), DataTypeName(context.In(0).type));
  const std::int64_t dim = context.InDims(0)[AxisOf(context)];
  for (const std::int64_t index : RequiredInts(context, "indices"))
    if (index < -dim || index >= dim) context.Refuse("index {} is outside a dimension of {}", index, dim);
  context.SetOut(0, context.In(0));
}

std::vector<bool> NamedSlices(const OpContext& context, std::size_t dim) {
  std::vector<bool> named(dim, false);
  for (const std::int64_t index : context.node().Ints("indices"))
    named[static_cast<std::size_t>(index < 0 ? index + static_cast<std::int64_t>(dim) : index)] = true;
  return named;
}

// One copy for every run of neighbours.
std::vector<StridedCopy> Fillings(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  const auto dim = static_cast<std::size_t>(x[axis]);
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const std::size_t block = Product(x, axis + 1, x.size());
  const std::vector<bool> named = NamedSlices(context, dim);
  std::vector<StridedCopy> fillings;
  for (std::size_t i = 0; i < dim; ++i) {
    const std::size_t begin = i;
    while (i < dim && named[i])
      ++i;
    if (i == begin) continue;
    fillings.emplace_back(
        size,
        std::vector<CopyAxis>{{Product(x, 0, axis), 0, static_cast<std::ptrdiff_t>(dim * block * size)},
                              {(i - begin) * block, 0, static_cast<std::ptrdiff_t>(size)}},
        0, static_cast<std::ptrdiff_t>(begin * block * size));
  }
  return fillings;
}

class IndexFillKernel : public Kernel {
 public:
  explicit IndexFillKernel(const OpContext& context)
      : fillings_(Fillings(context)), bytes_(ByteSize(context.In(0))) {}

  void Run(const RunArgs& args) const override {
    std::byte* to = args.outputs[0];
    if (bytes_ > 0 && to != args.inputs[0]) std::memcpy(to, args.inputs[0], bytes_);
    for (const StridedCopy& filling : fillings_)
      filling.Run(args.inputs[1], to);
  }

 private:
  std::vector<StridedCopy> fillings_;
  std::size_t bytes_;
};

std::unique_ptr<Kernel> LowerIndexFill(OpContext& context) {
  return std::make_unique<IndexFillKernel>(context);
}

const RegisterOp index_fill(OpDef("AclnnIndexFill")
                                .Infer(InferIndexFill)
                                .Lower(LowerIndexFill)
                                .InPlace(0, 0)
                                .Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
