// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All pads: around a constant, or continuing what is there. Negative pads cut.
#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/indexed_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct Pads {
  std::int64_t before;
  std::int64_t after;
};

enum class Mode { kConstant, kEdge, kReflect, kSymmetric };

Mode ModeOf(const OpContext& context) {
  const bool mirror = context.node().type() == "MirrorPad";
  const std::string mode = context.node().Text("mode", mirror ? "" : "constant");
  if (mode == "reflect" || mode == "REFLECT") return Mode::kReflect;
  if (mode == "symmetric" || mode == "SYMMETRIC") return Mode::kSymmetric;
  if (mode == "constant" && !mirror) return Mode::kConstant;
  if (mode == "edge" && !mirror) return Mode::kEdge;
  context.Refuse("attribute 'mode' is '{}', expected {}", mode,
                 mirror ? "REFLECT or SYMMETRIC" : "constant, reflect, symmetric or edge");
}

std::vector<std::int64_t> FlatPaddings(const OpContext& context) {
  if (context.Has("paddings")) return context.NeededInts("paddings");
  const Attribute* attribute = context.node().FindAttribute("paddings");
  const auto* lists =
      attribute == nullptr ? nullptr : std::get_if<std::vector<std::vector<std::int64_t>>>(attribute);
  if (lists == nullptr) context.Refuse("attribute 'paddings' is not a list of lists of integers");
  std::vector<std::int64_t> flat;
  for (const auto& list : *lists)
    flat.insert(flat.end(), list.begin(), list.end());
  return flat;
}

std::vector<Pads> PadsOf(const OpContext& context) {
  const std::size_t rank = context.InDims(0).size();
  const std::vector<std::int64_t> flat = FlatPaddings(context);
  if (flat.size() != 2 * rank)
    context.Refuse("paddings has {} numbers, expected 2 for each of {} dimensions", flat.size(), rank);
  const bool pairs = context.node().Bool("paddings_contiguous", true);
  std::vector<Pads> pads;
  for (std::size_t i = 0; i < rank; ++i)
    pads.push_back(pairs ? Pads{flat[2 * i], flat[2 * i + 1]} : Pads{flat[i], flat[rank + i]});
  return pads;
}

std::int64_t PaddedDim(const OpContext& context, std::int64_t dim, Pads pads) {
  std::int64_t padded = 0;
  if (__builtin_add_overflow(dim, pads.before, &padded) ||
      __builtin_add_overflow(padded, pads.after, &padded) || padded < 0 || pads.before < -dim ||
      pads.after < -dim)
    context.Refuse("paddings {} and {} do not fit a dimension of {}", pads.before, pads.after, dim);
  return padded;
}

void CheckReach(const OpContext& context, Mode mode, std::int64_t dim, Pads pads) {
  const std::int64_t longest = std::max({pads.before, pads.after, std::int64_t{0}});
  const std::int64_t reach = mode == Mode::kReflect ? dim - 1 : mode == Mode::kSymmetric ? dim : INT64_MAX;
  if (longest > 0 && (dim == 0 || longest > reach))
    context.Refuse("a padding of {} has nothing to continue in a dimension of {}", longest, dim);
}

void InferPad(OpContext& context) {
  const std::vector<Pads> pads = PadsOf(context);
  const Mode mode = ModeOf(context);
  Dims dims = context.InDims(0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (mode != Mode::kConstant) CheckReach(context, mode, dims[i], pads[i]);
    dims[i] = PaddedDim(context, dims[i], pads[i]);
  }
  if (context.Has("constant_values")) {
    const TensorType& value = context.In("constant_values");
    if (value.type != context.In(0).type || ElementCount(value.dims) != 1)
      context.Refuse("constant_values is {}, expected one {}", ToString(value),
                     DataTypeName(context.In(0).type));
  }
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

// The source of the filling: the input, or a constant made of the attribute.
int ValuePort(OpContext& context, std::size_t size) {
  if (context.Has("constant_values")) return context.Port("constant_values");
  const std::int64_t number = context.node().Int("constant_values", 0);
  TensorValue value(TensorType{context.In(0).type, Format::kNd, {}});
  if (number == 0) {
    std::fill_n(value.mutable_data(), size, std::byte{0});
  } else {
    StoreNumber(context, value, static_cast<double>(number));
  }
  return context.AddConstant(std::move(value));
}

struct Part {
  std::int64_t begin;  // in the result
  std::int64_t count;
};

StridedCopy Filling(std::size_t size, const std::vector<Part>& parts, const std::vector<std::ptrdiff_t>& to) {
  std::vector<CopyAxis> axes;
  std::ptrdiff_t offset = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    axes.push_back({static_cast<std::size_t>(parts[i].count), 0, to[i]});
    offset += parts[i].begin * to[i];
  }
  return StridedCopy(size, std::move(axes), 0, offset);
}

// Where the elements of x come to stand.
std::vector<Part> KeptParts(const Dims& dims, const std::vector<Pads>& pads) {
  std::vector<Part> kept;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t cut =
        std::min<std::int64_t>(pads[i].before, 0) + std::min<std::int64_t>(pads[i].after, 0);
    kept.push_back({std::max<std::int64_t>(pads[i].before, 0), std::max<std::int64_t>(dims[i] + cut, 0)});
  }
  return kept;
}

StridedCopy Interior(const Dims& dims, const std::vector<Pads>& pads, const std::vector<Part>& kept,
                     std::size_t size, const std::vector<std::ptrdiff_t>& to) {
  const auto from = Strides(dims, size);
  std::vector<CopyAxis> axes;
  std::ptrdiff_t src = 0, dst = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    axes.push_back({static_cast<std::size_t>(kept[i].count), from[i], to[i]});
    src += std::max<std::int64_t>(-pads[i].before, 0) * from[i];
    dst += kept[i].begin * to[i];
  }
  return StridedCopy(size, std::move(axes), src, dst);
}

// Every element of the border is written once: along each axis the slabs before and after what is kept, as
// wide as the kept part along the axes already done.
std::unique_ptr<Kernel> LowerConstant(OpContext& context) {
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const Dims& out = context.Out(0).dims;
  if (ByteSize(context.Out(0)) == 0) return std::make_unique<CopyKernel>(std::vector<PortCopy>());
  const auto to = Strides(out, size);
  const std::vector<Pads> pads = PadsOf(context);
  const std::vector<Part> kept = KeptParts(context.InDims(0), pads);
  const int value = ValuePort(context, size);
  std::vector<PortCopy> copies;
  std::vector<Part> parts;
  for (const std::int64_t dim : out)
    parts.push_back({0, dim});
  for (std::size_t i = 0; i < out.size(); ++i) {
    parts[i] = {0, kept[i].begin};
    copies.push_back({value, 0, Filling(size, parts, to)});
    const std::int64_t end = kept[i].begin + kept[i].count;
    parts[i] = {end, out[i] - end};
    copies.push_back({value, 0, Filling(size, parts, to)});
    parts[i] = kept[i];
  }
  copies.push_back({0, 0, Interior(context.InDims(0), pads, kept, size, to)});
  return std::make_unique<CopyKernel>(std::move(copies));
}

std::int64_t Continued(Mode mode, std::int64_t at, std::int64_t dim) {
  if (mode == Mode::kEdge) return std::clamp<std::int64_t>(at, 0, dim - 1);
  const std::int64_t shift = mode == Mode::kSymmetric ? 1 : 0;
  if (at < 0) return -at - shift;
  return at < dim ? at : 2 * (dim - 1) - at + shift;
}

std::unique_ptr<Kernel> LowerContinued(const OpContext& context, Mode mode) {
  const std::vector<Pads> pads = PadsOf(context);
  const Dims& dims = context.InDims(0);
  ByteSize(context.Out(0));
  std::vector<std::vector<std::int64_t>> picks(dims.size());
  for (std::size_t i = 0; i < dims.size() && ElementCount(context.Out(0).dims) > 0; ++i) {
    if (pads[i].before == 0 && pads[i].after == 0) continue;
    for (std::int64_t at = -pads[i].before; at < dims[i] + pads[i].after; ++at)
      picks[i].push_back(Continued(mode, at, dims[i]));
  }
  return LowerPicks(context, picks);
}

std::unique_ptr<Kernel> LowerPad(OpContext& context) {
  const Mode mode = ModeOf(context);
  Ignore(context, {"paddings"});
  if (mode == Mode::kConstant) return LowerConstant(context);
  Ignore(context, {"constant_values"});
  return LowerContinued(context, mode);
}

OpDef Padding(const char* type) {
  return OpDef(type).Infer(InferPad).Lower(LowerPad).Types(WholeByteTypes());
}

const RegisterOp pads({
    Padding("Pad"),
    Padding("PadD"),
    Padding("PadV2"),
    Padding("PadV2D"),
    Padding("PadV3"),
    Padding("PadV3D"),
    Padding("MirrorPad"),
});

}  // namespace
}  // namespace foothold
