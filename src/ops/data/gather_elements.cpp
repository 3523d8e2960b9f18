// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One index per element, replacing its place along one axis: GatherElements reads there, ScatterElements
// writes there.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/combine_elements.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/strided_view.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainElements = std::size_t{1} << 13;

// The index tensor may be smaller than the data along every axis but the chosen one.
void CheckIndexDims(const OpContext& context, const Dims& data, const Dims& index, std::size_t axis) {
  bool fits = data.size() == index.size();
  for (std::size_t i = 0; fits && i < data.size(); ++i)
    fits = i == axis || index[i] <= data[i];
  if (!fits)
    context.Refuse("indices {} go beyond the data {} beside axis {}", ToString(index), ToString(data), axis);
}

// From the position of an index to the element of input 0 it names.
class ElementPlaces {
 public:
  ElementPlaces(const OpContext& context, int port, std::size_t axis)
      : indices_(context, port),
        count_(static_cast<std::size_t>(ElementCount(context.InDims(port)))),
        index_dims_(context.InDims(port)),
        strides_(ViewOf(context, 0).strides),
        dim_(static_cast<std::size_t>(context.InDims(0)[axis])),
        axis_(axis) {}

  std::size_t count() const { return count_; }
  std::size_t At(const RunArgs& args, std::size_t position) const {
    std::size_t place = indices_.At(args, position, dim_) * strides_[axis_];
    std::size_t rest = position;
    for (std::size_t i = index_dims_.size(); i-- > 0;) {
      const auto dim = static_cast<std::size_t>(index_dims_[i]);
      if (i != axis_) place += rest % dim * strides_[i];
      rest /= dim;
    }
    return place;
  }

 private:
  IndexReader indices_;
  std::size_t count_;
  Dims index_dims_;
  std::vector<std::size_t> strides_;
  std::size_t dim_, axis_;
};

class GatherElementsKernel : public Kernel {
 public:
  GatherElementsKernel(ElementPlaces places, std::size_t size) : places_(std::move(places)), size_(size) {}
  void Run(const RunArgs& args) const override {
    ParallelFor(places_.count(), kGrainElements, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        std::memcpy(args.outputs[0] + i * size_, args.inputs[0] + places_.At(args, i) * size_, size_);
    });
  }

 private:
  ElementPlaces places_;
  std::size_t size_;
};

// In order: of two updates of one place the later one comes last.
class ScatterElementsKernel : public Kernel {
 public:
  ScatterElementsKernel(ElementPlaces places, std::size_t size, std::size_t bytes, CombineLoop combine)
      : places_(std::move(places)), size_(size), bytes_(bytes), combine_(combine) {}
  void Run(const RunArgs& args) const override {
    if (bytes_ > 0 && args.outputs[0] != args.inputs[0]) std::memcpy(args.outputs[0], args.inputs[0], bytes_);
    for (std::size_t i = 0; i < places_.count(); ++i)
      combine_(args.inputs[2] + i * size_, 1, size_, args.outputs[0] + places_.At(args, i) * size_);
  }

 private:
  ElementPlaces places_;
  std::size_t size_, bytes_;
  CombineLoop combine_;
};

std::size_t AxisOf(const OpContext& context, const char* attribute) {
  return AxisIn(context, context.node().Int(attribute, 0), context.InDims(0).size(), attribute);
}

void InferGatherElements(OpContext& context) {
  CheckIndexDims(context, context.InDims(0), context.InDims(1), AxisOf(context, "dim"));
  context.SetOut(0, context.In(0).type, context.InDims(1), context.In(0).format);
}

std::unique_ptr<Kernel> LowerGatherElements(OpContext& context) {
  return std::make_unique<GatherElementsKernel>(ElementPlaces(context, 1, AxisOf(context, "dim")),
                                                ElementBytes(context, context.In(0).type));
}

// The same with the axis as a tensor of one element.
std::size_t AxisOfGatherD(const OpContext& context) {
  return AxisIn(context, IntArgument(context, "dim"), context.InDims(0).size(), "dim");
}

void InferGatherD(OpContext& context) {
  const Dims& index = context.In("index").dims;
  CheckIndexDims(context, context.InDims(0), index, AxisOfGatherD(context));
  context.SetOut(0, context.In(0).type, index, context.In(0).format);
}

std::unique_ptr<Kernel> LowerGatherD(OpContext& context) {
  const std::size_t axis = AxisOfGatherD(context);
  Ignore(context, {"dim"});
  return std::make_unique<GatherElementsKernel>(ElementPlaces(context, context.Port("index"), axis),
                                                ElementBytes(context, context.In(0).type));
}

Combination CombinationOf(const OpContext& context) {
  const std::string name = context.node().Text("reduction", "none");
  if (name == "none") return Combination::kReplace;
  if (name == "add") return Combination::kAdd;
  if (name == "mul") return Combination::kMultiply;
  if (name == "max") return Combination::kMax;
  if (name == "min") return Combination::kMin;
  context.Refuse("attribute 'reduction' is '{}', expected none, add, mul, max or min", name);
}

void InferScatterElements(OpContext& context) {
  CheckIndexDims(context, context.InDims(0), context.InDims(1), AxisOf(context, "axis"));
  const TensorType& updates = context.In(2);
  if (updates.dims != context.InDims(1) || updates.type != context.In(0).type)
    context.Refuse("updates is {}, expected {} as the indices {}", ToString(updates),
                   DataTypeName(context.In(0).type), ToString(context.InDims(1)));
  CombinationOf(context);
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> LowerScatterElements(OpContext& context) {
  const DataType type = context.In(0).type;
  return std::make_unique<ScatterElementsKernel>(ElementPlaces(context, 1, AxisOf(context, "axis")),
                                                 ElementBytes(context, type), ByteSize(context.In(0)),
                                                 CombineLoopFor(context, type, CombinationOf(context)));
}

const RegisterOp elements({
    OpDef("GatherElements")
        .Infer(InferGatherElements)
        .Lower(LowerGatherElements)
        .ReadsViews({"x"})
        .Types(WholeByteTypes()),
    OpDef("GatherD").Infer(InferGatherD).Lower(LowerGatherD).ReadsViews({"x"}).Types(WholeByteTypes()),
    OpDef("ScatterElements")
        .Infer(InferScatterElements)
        .Lower(LowerScatterElements)
        .InPlace(0, 0)
        .Types(WholeByteTypes()),
    OpDef("ScatterElementsV2")
        .Infer(InferScatterElements)
        .Lower(LowerScatterElements)
        .Stateful()
        .Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
