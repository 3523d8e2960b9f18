// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Split, SplitV and their D forms; Unpack splits into pieces of one and drops the axis.
#include <fmt/format.h>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

using Lengths = std::vector<std::int64_t>;

std::size_t Pieces(const OpContext& context, const char* attribute) {
  const auto outputs = static_cast<std::size_t>(context.outputs());
  const std::int64_t count = context.node().Int(attribute, static_cast<std::int64_t>(outputs));
  if (outputs == 0 || count != static_cast<std::int64_t>(outputs))
    context.Refuse("attribute '{}' is {}, but there are {} outputs", attribute, count, outputs);
  return outputs;
}

std::size_t SplitAxis(const OpContext& context) {
  return AxisIn(context, IntArgument(context, "split_dim"), context.In("x").dims.size(), "split_dim");
}

Lengths EqualLengths(const OpContext& context) {
  const auto pieces = static_cast<std::int64_t>(Pieces(context, "num_split"));
  const std::size_t axis = SplitAxis(context);
  const std::int64_t all = context.In("x").dims[axis];
  if (all % pieces != 0) context.Refuse("axis {} of {} elements has no {} equal parts", axis, all, pieces);
  return Lengths(static_cast<std::size_t>(pieces), all / pieces);
}

// One length may be -1: what the others leave.
Lengths GivenLengths(const OpContext& context) {
  Lengths lengths = IntsArgument(context, "size_splits");
  if (lengths.size() != Pieces(context, "num_split"))
    context.Refuse("size_splits has {} lengths for {} outputs", lengths.size(), context.outputs());
  const std::int64_t all = context.In("x").dims[SplitAxis(context)];
  std::int64_t rest = all;
  std::int64_t* open = nullptr;
  for (std::int64_t& length : lengths) {
    if (length == -1 && open == nullptr) {
      open = &length;
    } else if (length < 0 || length > rest) {
      context.Refuse("size_splits [{}] does not divide {} elements", fmt::join(lengths, ","), all);
    } else {
      rest -= length;
    }
  }
  if (open != nullptr) {
    *open = rest;
  } else if (rest != 0) {
    context.Refuse("size_splits [{}] leaves {} of {} elements", fmt::join(lengths, ","), rest, all);
  }
  return lengths;
}

void SetPieces(OpContext& context, const Lengths& lengths) {
  const TensorType& x = context.In("x");
  Dims dims = x.dims;
  const std::size_t axis = SplitAxis(context);
  for (int i = 0; i < context.outputs(); ++i) {
    dims[axis] = lengths[static_cast<std::size_t>(i)];
    context.SetOut(i, x.type, dims, x.format);
  }
}

std::unique_ptr<Kernel> CutRows(OpContext& context, std::size_t axis, const Lengths& lengths) {
  const int port = context.Port("x");
  const TensorType& x = context.In(port);
  const std::size_t size = ElementBytes(context, x.type);
  const auto unit = static_cast<std::ptrdiff_t>(size);
  const std::size_t outer = Product(x.dims, 0, axis);
  const std::size_t inner = Product(x.dims, axis + 1, x.dims.size());
  const auto row = static_cast<std::ptrdiff_t>(Product(x.dims, axis, x.dims.size()) * size);
  std::vector<PortCopy> copies;
  std::ptrdiff_t offset = 0;
  for (int i = 0; i < context.outputs(); ++i) {
    const std::size_t count = static_cast<std::size_t>(lengths[static_cast<std::size_t>(i)]) * inner;
    const auto bytes = static_cast<std::ptrdiff_t>(count * size);
    copies.push_back({port, i, StridedCopy(size, {{outer, row, bytes}, {count, unit, unit}}, offset, 0)});
    offset += bytes;
  }
  return std::make_unique<CopyKernel>(std::move(copies));
}

// The piece of an output, in the dimensions of x.
StridedView PieceOf(const StridedView& x, std::size_t axis, const Lengths& lengths, int output) {
  StridedView piece = x;
  const auto index = static_cast<std::size_t>(output);
  for (std::size_t i = 0; i < index; ++i)
    piece.offset += static_cast<std::size_t>(lengths[i]) * x.strides[axis];
  piece.dims[axis] = lengths[index];
  return ElementCount(piece.dims) == 0 ? DenseView(piece.dims) : piece;
}

OpDef Splitting(const char* type, Lengths (*lengths)(const OpContext&)) {
  return OpDef(type)
      .Infer([lengths](OpContext& context) { SetPieces(context, lengths(context)); })
      .Lower([lengths](OpContext& context) {
        auto kernel = CutRows(context, SplitAxis(context), lengths(context));
        Ignore(context, {"split_dim", "size_splits"});
        return kernel;
      })
      .Selects("x",
               [lengths](const OpContext& context, int output, const StridedView& x) {
                 return std::optional(PieceOf(x, SplitAxis(context), lengths(context), output));
               })
      .Types(WholeByteTypes());
}

std::size_t UnpackAxis(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", 0), context.InDims(0).size(), "attribute 'axis'");
}

void InferUnpack(OpContext& context) {
  const std::size_t axis = UnpackAxis(context);
  Dims dims = context.InDims(0);
  const auto pieces = static_cast<std::int64_t>(Pieces(context, "num"));
  if (dims[axis] != pieces)
    context.Refuse("axis {} has {} elements for {} outputs", axis, dims[axis], pieces);
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  for (int i = 0; i < context.outputs(); ++i)
    context.SetOut(i, context.In(0).type, dims, Format::kNd);
}

std::unique_ptr<Kernel> LowerUnpack(OpContext& context) {
  return CutRows(context, UnpackAxis(context), Lengths(static_cast<std::size_t>(context.outputs()), 1));
}

std::optional<StridedView> SelectUnpacked(const OpContext& context, int output, const StridedView& x) {
  const std::size_t axis = UnpackAxis(context);
  const Lengths ones(static_cast<std::size_t>(context.outputs()), 1);
  return Reshaped(PieceOf(x, axis, ones, output), context.Out(output).dims);
}

const RegisterOp splits({
    Splitting("Split", EqualLengths),
    Splitting("SplitD", EqualLengths),
    Splitting("SplitV", GivenLengths),
    Splitting("SplitVD", GivenLengths),
    OpDef("Unpack")
        .Infer(InferUnpack)
        .Lower(LowerUnpack)
        .Selects("x", SelectUnpacked)
        .Types(WholeByteTypes()),
});

}  // namespace
}  // namespace foothold
