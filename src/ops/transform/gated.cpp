// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One half of a tensor, activated, times the other half: SwiGlu and GeGluV2.
#include <algorithm>
#include <string_view>

#include "base/thread_pool.h"
#include "kernels/element_function.h"
#include "kernels/float_memory.h"
#include "kernels/gated_rows.h"
#include "ops/data/rule_arguments.h"
#include "ops/float_type.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("dim", -1), context.InDims(0).size(), "attribute 'dim'");
}

bool ReadsHalves(const OpContext& context, int, const StridedView& x) {
  return x.DenseFrom(AxisOf(context));
}

// Of [outer, 2, count], where only the outer dimensions may lie apart.
struct Halves {
  ViewParts outer;
  std::size_t count;
  Dims dims;  // of one half
};

Halves HalvesOf(const OpContext& context) {
  const StridedView x = ViewOf(context, 0);
  const std::size_t axis = AxisOf(context);
  if (x.dims[axis] % 2 != 0) context.Refuse("x is {}; dimension {} must be even", ToString(x.dims), axis);
  ElementCount(x.dims);
  if (!x.DenseFrom(axis))
    context.Unsupported("no kernel for a view of {} that is not dense from dimension {} on", ToString(x.dims),
                        axis);
  Halves halves{ViewParts(x, axis), Product(x.dims, axis, x.dims.size()) / 2, x.dims};
  halves.dims[axis] /= 2;
  return halves;
}

struct Gate {
  const char* function;
  bool left;  // is activated
};

Gate SwiGluGate(const OpContext&) {
  return {"Swish", true};
}

Gate GeGluGate(const OpContext& context) {
  const std::int64_t approximate = context.node().Int("approximate", 1);
  if (approximate != 0 && approximate != 1)
    context.Refuse("approximate is {}; 0 and 1 are possible", approximate);
  return {approximate == 1 ? "Gelu" : "ErfGelu", context.node().Bool("activate_left", false)};
}

// Where the halves of a piece are, and the outputs; `activated` may be null.
struct Piece {
  const std::byte* gate;
  const std::byte* other;
  std::byte* y;
  std::byte* activated;
  std::size_t count;
};

class GatedKernel : public Kernel {
 public:
  GatedKernel(Halves halves, const Gate& gate, ElementType type, bool keeps)
      : halves_(std::move(halves)),
        activate_(FindElementFunction(gate.function)),
        multiply_(FindElementFunction("Mul")),
        swish_(gate.function == std::string_view("Swish") && !keeps),
        left_(gate.left),
        keeps_(keeps),
        type_(type) {}

  void Run(const RunArgs& args) const override {
    const std::size_t count = halves_.count, piece = std::min(kPiece, std::max<std::size_t>(1, count));
    const std::size_t pieces = (count + piece - 1) / piece;
    ParallelFor(halves_.outer.count() * pieces, std::max<std::size_t>(1, kGrain / piece),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i) {
                    const std::size_t at = i % pieces * piece;
                    RunPiece(PieceAt(args, i / pieces, at, std::min(piece, count - at)));
                  }
                });
  }

 private:
  static constexpr std::size_t kPiece = 2048, kGrain = 8192;

  Piece PieceAt(const RunArgs& args, std::size_t row, std::size_t at, std::size_t count) const {
    const std::byte* left = ElementAt(type_, args.inputs[0], halves_.outer.Offset(row) + at);
    const std::byte* right = ElementAt(type_, left, halves_.count);
    const std::size_t to = row * halves_.count + at;
    return {left_ ? left : right, left_ ? right : left, ElementAt(type_, args.outputs[0], to),
            keeps_ ? ElementAt(type_, args.outputs[1], to) : nullptr, count};
  }

  void RunPiece(const Piece& piece) const {
    if (swish_) return SwishGate(type_, piece.gate, piece.other, piece.y, piece.count);
    float gate[kPiece], other[kPiece];
    constexpr float kParams[kMaxElementParams] = {1.0f};
    LoadFloats(type_, piece.gate, 1, gate, piece.count);
    LoadFloats(type_, piece.other, 1, other, piece.count);
    activate_->loop(gate, nullptr, nullptr, gate, piece.count, kParams);
    if (piece.activated != nullptr) StoreFloats(type_, gate, piece.activated, piece.count);
    multiply_->loop(gate, other, nullptr, gate, piece.count, kParams);
    StoreFloats(type_, gate, piece.y, piece.count);
  }

  Halves halves_;
  const ElementFunction* activate_;
  const ElementFunction* multiply_;
  bool swish_, left_, keeps_;
  ElementType type_;
};

OpDef Gated(const char* type, Gate (*gate)(const OpContext&)) {
  return OpDef(type)
      .Infer([gate](OpContext& context) {
        gate(context);
        for (int i = 0; i < context.outputs(); ++i)
          context.SetOut(i, context.In(0).type, HalvesOf(context).dims, context.In(0).format);
      })
      .Lower([gate](OpContext& context) {
        return std::make_unique<GatedKernel>(HalvesOf(context), gate(context), FloatTypeOf(context, 0),
                                             context.outputs() > 1);
      })
      .ReadsViews({"x"}, ReadsHalves)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp gated({Gated("SwiGlu", SwiGluGate), Gated("GeGluV2", GeGluGate)});

}  // namespace
}  // namespace foothold
