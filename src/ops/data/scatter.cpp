// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values written to, or combined into, places that indices name: an index names a slice of the first
// dimension (ScatterUpdate, ScatterAdd ...), or a row of indices names a place (ScatterNd,
// TensorScatterUpdate ...). In place on a variable, on a copy of a tensor, or on zeros. In order, so that the
// last one wins.
#include <algorithm>
#include <cstring>

#include "ops/data/combine_elements.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

enum class Start { kInPlace, kCopy, kZeros };

struct Form {
  const char* target;  // the port of what is written to; null: zeros of a given shape
  const char* updates;
  Start start;
  bool tuples;
  Combination combination;
};

const Dims& Tuple(const OpContext& context) {
  const Dims& indices = context.In("indices").dims;
  if (indices.empty()) context.Refuse("indices is a scalar, expected rows of indices");
  return indices;
}

// How many leading dimensions of the target one place names.
std::size_t Depth(const OpContext& context, const Form& form, const Dims& target) {
  const std::size_t depth = form.tuples ? static_cast<std::size_t>(Tuple(context).back()) : 1;
  if (depth > target.size()) context.Refuse("an index names {} dimensions of {}", depth, ToString(target));
  return depth;
}

void CheckUpdates(const OpContext& context, const Form& form, const TensorType& target) {
  const std::size_t depth = Depth(context, form, target.dims);
  Dims expected = context.In("indices").dims;
  if (form.tuples) expected.pop_back();
  expected.insert(expected.end(), target.dims.begin() + static_cast<std::ptrdiff_t>(depth),
                  target.dims.end());
  const TensorType& updates = context.In(form.updates);
  if (updates.type != target.type || updates.dims != expected)
    context.Refuse("{} is {}, expected {}", form.updates, ToString(updates),
                   ToString(TensorType{target.type, Format::kNd, expected}));
}

TensorType TargetOf(const OpContext& context, const Form& form) {
  if (form.target != nullptr) return context.In(form.target);
  Dims dims = IntsArgument(context, "shape");
  if (!IsStatic(dims)) context.Refuse("shape {} has a negative dimension", ToString(dims));
  return {context.In(form.updates).type, Format::kNd, std::move(dims)};
}

class ScatterKernel : public Kernel {
 public:
  ScatterKernel(OpContext& context, const Form& form, const TensorType& target)
      : indices_(context, context.Port("indices")),
        start_(form.start),
        target_(form.target == nullptr ? -1 : context.Port(form.target)),
        updates_(context.Port(form.updates)),
        combine_(CombineLoopFor(context, target.type, form.combination)),
        size_(ElementBytes(context, target.type)),
        bytes_(ByteSize(target)) {
    const std::size_t depth = Depth(context, form, target.dims);
    dims_.assign(target.dims.begin(), target.dims.begin() + static_cast<std::ptrdiff_t>(depth));
    const Dims& indices = context.In("indices").dims;
    rows_ = Product(indices, 0, indices.size() - (form.tuples ? 1 : 0));
    block_ = Product(target.dims, depth, target.dims.size());
  }

  void Run(const RunArgs& args) const override {
    std::byte* to = args.outputs[0];
    if (bytes_ > 0 && start_ == Start::kZeros) std::memset(to, 0, bytes_);
    if (bytes_ > 0 && start_ != Start::kZeros && to != args.inputs[target_])
      std::memcpy(to, args.inputs[target_], bytes_);
    const std::byte* updates = args.inputs[updates_];
    if (block_ == 0) return;
    for (std::size_t row = 0; row < rows_; ++row)
      combine_(updates + row * block_ * size_, block_, size_, to + Place(args, row) * block_ * size_);
  }

 private:
  std::size_t Place(const RunArgs& args, std::size_t row) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      const auto dim = static_cast<std::size_t>(dims_[i]);
      place = place * dim + indices_.At(args, row * dims_.size() + i, dim);
    }
    return place;
  }

  IndexReader indices_;
  Start start_;
  int target_, updates_;
  CombineLoop combine_;
  std::size_t size_, bytes_;
  Dims dims_;  // those an index names
  std::size_t rows_, block_;
};

OpDef Scattering(const char* type, Form form) {
  OpDef op(type);
  op.Infer([form](OpContext& context) {
    TensorType target = TargetOf(context, form);
    CheckUpdates(context, form, target);
    context.SetOut(0, std::move(target));
  });
  op.Lower([form](OpContext& context) {
    const TensorType target = TargetOf(context, form);
    Ignore(context, {"shape"});
    return std::make_unique<ScatterKernel>(context, form, target);
  });
  op.Types(form.combination == Combination::kReplace ? WholeByteTypes() : NumberTypes());
  if (form.start == Start::kInPlace) op.Stateful();
  if (form.start == Start::kCopy) op.InPlace(0, 0);
  return op;
}

OpDef OnVariable(const char* type, bool tuples, Combination combination) {
  return Scattering(type, {"var", "updates", Start::kInPlace, tuples, combination});
}

OpDef OnCopy(const char* type, const char* target, Combination combination) {
  return Scattering(type, {target, "updates", Start::kCopy, true, combination});
}

const RegisterOp scatters({
    OnVariable("ScatterUpdate", false, Combination::kReplace),
    OnVariable("ScatterAdd", false, Combination::kAdd),
    OnVariable("ScatterSub", false, Combination::kSubtract),
    OnVariable("ScatterMul", false, Combination::kMultiply),
    OnVariable("ScatterNdUpdate", true, Combination::kReplace),
    OnVariable("ScatterNdAdd", true, Combination::kAdd),
    OnVariable("ScatterNdSub", true, Combination::kSubtract),
    OnCopy("TensorScatterUpdate", "x", Combination::kReplace),
    OnCopy("TensorScatterAdd", "x", Combination::kAdd),
    OnCopy("TensorScatterSub", "x", Combination::kSubtract),
    OnCopy("OnnxScatterNdMul", "x", Combination::kMultiply),  // GE has no such operator
    OnCopy("TensorScatterMax", "input", Combination::kMax),
    OnCopy("TensorScatterMin", "input", Combination::kMin),
    Scattering("ScatterNd", {nullptr, "x", Start::kZeros, true, Combination::kAdd}),
    Scattering("ScatterNdD", {nullptr, "x", Start::kZeros, true, Combination::kAdd}),
});

}  // namespace
}  // namespace foothold
