// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

DataType IndexType(const OpContext& context) {
  return IndexTypeAttribute(context, "dtype", DataType::kInt32);
}

TensorValue Whole(const OpContext& context, DataType type, const Dims& dims, const Dims& numbers) {
  if (type == DataType::kInt64)
    return TensorValue::Of<std::int64_t>(type, dims, std::span<const std::int64_t>(numbers));
  std::vector<std::int32_t> narrow;
  for (const std::int64_t number : numbers) {
    narrow.push_back(static_cast<std::int32_t>(number));
    if (narrow.back() != number) context.Refuse("{} does not fit into int32; ask for int64", number);
  }
  return TensorValue::Of<std::int32_t>(type, dims, std::span<const std::int32_t>(narrow));
}

// Nothing is read: the answers are constants of the program.
std::unique_ptr<Kernel> Answer(OpContext& context, const std::vector<Dims>& numbers) {
  std::vector<PortCopy> copies;
  for (int i = 0; i < context.inputs(); ++i)
    if (context.Has(i)) context.SetUnused(i);
  for (int i = 0; i < context.outputs(); ++i) {
    const TensorType& out = context.Out(i);
    const int constant =
        context.AddConstant(Whole(context, out.type, out.dims, numbers[static_cast<std::size_t>(i)]));
    copies.push_back({constant, i, WholeCopy(ByteSize(out))});
  }
  return std::make_unique<CopyKernel>(std::move(copies));
}

void InferShape(OpContext& context) {
  const std::vector<int> ports = DataPorts(context, "x");
  if (ports.size() != static_cast<std::size_t>(context.outputs()))
    context.Refuse("there are {} outputs for {} inputs", context.outputs(), ports.size());
  for (int i = 0; i < context.outputs(); ++i) {
    const auto rank = static_cast<std::int64_t>(context.InDims(ports[static_cast<std::size_t>(i)]).size());
    context.SetOut(i, IndexType(context), {rank}, Format::kNd);
  }
}

std::unique_ptr<Kernel> LowerShape(OpContext& context) {
  std::vector<Dims> shapes;
  for (const int port : DataPorts(context, "x"))
    shapes.push_back(context.InDims(port));
  return Answer(context, shapes);
}

void InferSize(OpContext& context) {
  context.SetOut(0, IndexType(context), {}, Format::kNd);
}

std::unique_ptr<Kernel> LowerSize(OpContext& context) {
  return Answer(context, {{ElementCount(context.InDims(0))}});
}

void InferRank(OpContext& context) {
  context.SetOut(0, DataType::kInt32, {}, Format::kNd);
}

std::unique_ptr<Kernel> LowerRank(OpContext& context) {
  return Answer(context, {{static_cast<std::int64_t>(context.InDims(0).size())}});
}

void InferGatherShapes(OpContext& context) {
  const Attribute* axes = context.node().FindAttribute("axes");
  const auto* pairs = axes == nullptr ? nullptr : std::get_if<std::vector<std::vector<std::int64_t>>>(axes);
  if (pairs == nullptr) context.Refuse("attribute 'axes' is not a list of [input, axis]");
  context.SetOut(0, IndexType(context), {static_cast<std::int64_t>(pairs->size())}, Format::kNd);
}

std::unique_ptr<Kernel> LowerGatherShapes(OpContext& context) {
  const std::vector<int> ports = DataPorts(context, "x");
  Dims picked;
  for (const auto& pair :
       std::get<std::vector<std::vector<std::int64_t>>>(*context.node().FindAttribute("axes"))) {
    if (pair.size() != 2)
      context.Refuse("attribute 'axes' has {} numbers in an entry, expected 2", pair.size());
    const std::size_t input = AxisIn(context, pair[0], ports.size(), "the input of an entry of 'axes'");
    const Dims& dims = context.InDims(ports[input]);
    picked.push_back(dims[AxisIn(context, pair[1], dims.size(), "the axis of an entry of 'axes'")]);
  }
  return Answer(context, {picked});
}

const RegisterOp shapes({
    OpDef("Shape").Infer(InferShape).Lower(LowerShape).FromTypes().Types(FixedSizeTypes()),
    OpDef("ShapeN").Infer(InferShape).Lower(LowerShape).FromTypes().Types(FixedSizeTypes()),
    OpDef("Size").Infer(InferSize).Lower(LowerSize).FromTypes().Types(FixedSizeTypes()),
    OpDef("Rank").Infer(InferRank).Lower(LowerRank).FromTypes().Types(FixedSizeTypes()),
    OpDef("GatherShapes")
        .Infer(InferGatherShapes)
        .Lower(LowerGatherShapes)
        .FromTypes()
        .Types(FixedSizeTypes()),
});

}  // namespace
}  // namespace foothold
