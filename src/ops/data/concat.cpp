// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Concat and its three relatives differ in where the axis comes from; Pack is a concat along a new axis.
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/joining_kernel.h"
#include "ops/op.h"
#include "ops/strided_view.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::vector<int> Parts(const OpContext& context) {
  std::vector<int> ports = DataPorts(context, "x");
  const std::int64_t count = context.node().Int("N", 1);
  if (count != 1 && count != static_cast<std::int64_t>(ports.size()))
    context.Refuse("attribute 'N' is {}, but there are {} inputs", count, ports.size());
  for (const int port : ports)
    if (context.In(port).type != context.In(ports[0]).type)
      context.Refuse("input {} is {}, expected {} as the first", port, DataTypeName(context.In(port).type),
                     DataTypeName(context.In(ports[0]).type));
  return ports;
}

void CheckPart(const OpContext& context, int port, const Dims& first, std::size_t axis) {
  const Dims& dims = context.InDims(port);
  bool fits = dims.size() == first.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i)
    fits = i == axis || dims[i] == first[i];
  if (!fits)
    context.Refuse("input {} is {}, which does not fit {} along axis {}", port, ToString(dims),
                   ToString(first), axis);
}

void InferConcat(OpContext& context) {
  const std::vector<int> ports = Parts(context);
  Dims dims = context.InDims(ports[0]);
  const std::size_t axis = AxisIn(context, IntArgument(context, "concat_dim"), dims.size(), "concat_dim");
  std::int64_t length = 0;
  for (const int port : ports) {
    CheckPart(context, port, context.InDims(ports[0]), axis);
    if (__builtin_add_overflow(length, context.InDims(port)[axis], &length))
      context.Refuse("the lengths along axis {} do not fit into 64 bits", axis);
  }
  dims[axis] = length;
  const TensorType& first = context.In(ports[0]);
  context.SetOut(0, first.type, std::move(dims), first.format);
}

// Inputs one after another. The compiler may have let their makers write them where they belong; what lies
// apart is gathered there.
class JoinKernel : public JoiningKernel {
 public:
  void Add(int input, std::size_t offset, std::size_t bytes) {
    parts_.push_back({{input, offset}, WholeCopy(bytes)});
  }
  void AddView(int input, StridedCopy copy) { views_.push_back({input, 0, std::move(copy)}); }

  void Run(const RunArgs& args) const override {
    for (const auto& [part, copy] : parts_) {
      std::byte* to = args.outputs[0] + part.offset;
      if (args.inputs[part.input] != to) copy.Run(args.inputs[part.input], to);
    }
    for (const PortCopy& each : views_)
      each.copy.Run(args.inputs[each.input], args.outputs[0]);
  }

  std::vector<JoinedInput> JoinedInputs() const override {
    std::vector<JoinedInput> all;
    for (const auto& each : parts_)
      all.push_back(each.first);
    return all;
  }

 private:
  std::vector<std::pair<JoinedInput, StridedCopy>> parts_;
  std::vector<PortCopy> views_;
};

// A view, to where elements of the same dimensions lie apart by these bytes.
StridedCopy ViewCopyTo(const StridedView& view, std::size_t size, const std::vector<std::ptrdiff_t>& to,
                       std::ptrdiff_t offset) {
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < view.dims.size(); ++i)
    axes.push_back(
        {static_cast<std::size_t>(view.dims[i]), static_cast<std::ptrdiff_t>(view.strides[i] * size), to[i]});
  return StridedCopy(size, std::move(axes), 0, offset);
}

std::unique_ptr<Kernel> OneAfterAnother(const OpContext& context, const std::vector<int>& ports) {
  auto kernel = std::make_unique<JoinKernel>();
  std::size_t offset = 0;
  for (const int port : ports) {
    const std::size_t bytes = ByteSize(context.In(port)), size = ElementBytes(context, context.In(port).type);
    const StridedView view = ViewOf(context, port);
    if (bytes > 0 && view.dense()) kernel->Add(port, offset, bytes);
    if (!view.dense())
      kernel->AddView(port,
                      ViewCopyTo(view, size, Strides(view.dims, size), static_cast<std::ptrdiff_t>(offset)));
    offset += bytes;
  }
  return kernel;
}

// From one element of an input to the next in the output, in which `axis` is longer, or new.
std::vector<std::ptrdiff_t> JoinedStrides(const OpContext& context, const Dims& part, std::size_t axis,
                                          std::size_t size) {
  std::vector<std::ptrdiff_t> strides = Strides(context.Out(0).dims, size);
  if (strides.size() > part.size()) strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(axis));
  return strides;
}

// Every input is `outer` rows; the rows of all inputs stand side by side in the output.
std::unique_ptr<Kernel> SideBySide(OpContext& context, const std::vector<int>& ports, std::size_t axis) {
  ByteSize(context.Out(0));
  const std::size_t size = ElementBytes(context, context.Out(0).type);
  const auto unit = static_cast<std::ptrdiff_t>(size);
  const Dims& dims = context.Out(0).dims;
  const std::size_t outer = Product(dims, 0, axis);
  if (outer == 1) return OneAfterAnother(context, ports);
  const auto row = static_cast<std::ptrdiff_t>(Product(dims, axis, dims.size()) * size);
  std::vector<PortCopy> copies;
  std::ptrdiff_t offset = 0;
  for (const int port : ports) {
    const Dims& part = context.InDims(port);
    const std::size_t count = outer == 0 ? 0 : Product(part, 0, part.size()) / outer;
    const auto bytes = static_cast<std::ptrdiff_t>(count * size);
    const StridedView view = ViewOf(context, port);
    if (view.dense())
      copies.push_back({port, 0, StridedCopy(size, {{outer, bytes, row}, {count, unit, unit}}, 0, offset)});
    else
      copies.push_back({port, 0, ViewCopyTo(view, size, JoinedStrides(context, part, axis, size), offset)});
    offset += bytes;
  }
  return std::make_unique<CopyKernel>(std::move(copies));
}

std::unique_ptr<Kernel> LowerConcat(OpContext& context) {
  const auto axis =
      AxisIn(context, IntArgument(context, "concat_dim"), context.Out(0).dims.size(), "concat_dim");
  Ignore(context, {"concat_dim"});
  return SideBySide(context, Parts(context), axis);
}

void InferPack(OpContext& context) {
  const std::vector<int> ports = Parts(context);
  Dims dims = context.InDims(ports[0]);
  for (const int port : ports)
    CheckPart(context, port, dims, dims.size());
  const std::size_t axis =
      AxisIn(context, context.node().Int("axis", 0), dims.size() + 1, "attribute 'axis'");
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(ports.size()));
  context.SetOut(0, context.In(ports[0]).type, std::move(dims), Format::kNd);
}

std::unique_ptr<Kernel> LowerPack(OpContext& context) {
  const std::size_t rank = context.Out(0).dims.size();
  return SideBySide(context, Parts(context),
                    AxisIn(context, context.node().Int("axis", 0), rank, "attribute 'axis'"));
}

OpDef Concat(const char* type) {
  return OpDef(type).Infer(InferConcat).Lower(LowerConcat).ReadsViews({"x"}).Types(WholeByteTypes());
}

const RegisterOp concats({
    Concat("Concat"),
    Concat("ConcatD"),
    Concat("ConcatV2"),
    Concat("ConcatV2D"),
    OpDef("Pack").Infer(InferPack).Lower(LowerPack).ReadsViews({"x"}).Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
