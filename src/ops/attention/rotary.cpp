// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rotary position embeddings: x * cosine + turned(x) * sine over the last dimension. Turned in halves it is
// (-second half, first half), in pairs every (a, b) becomes (-b, a). Cosine and sine broadcast.
// InterleaveRope reads pairs and writes halves.
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum class Turn { kHalves, kPairs, kPairsToHalves };

// One tensor that is turned; angles of a row lie at offsets that follow from its index.
struct Turned {
  int input, output;
  std::size_t rows, length;
  Dims extents;                      // of the dimensions before the last, innermost first
  std::vector<std::size_t> strides;  // of cosine and sine in them
};

Turned TurnedOf(const OpContext& context, int input, int output, const Dims& angles) {
  const Dims& x = context.InDims(input);
  Turned turned{input, output, Product(x, 0, x.size() - 1), static_cast<std::size_t>(x.back()), {}, {}};
  const std::vector<std::ptrdiff_t> strides = Strides(angles);
  for (std::size_t i = x.size() - 1; i-- > 0;) {
    const std::size_t missing = x.size() - angles.size();
    const bool repeated = i < missing || angles[i - missing] == 1;
    turned.extents.push_back(x[i]);
    turned.strides.push_back(repeated ? 0 : static_cast<std::size_t>(strides[i - missing]));
  }
  return turned;
}

class RotaryKernel : public Kernel {
 public:
  RotaryKernel(std::vector<Turned> tensors, int cosine, int sine, Turn turn)
      : tensors_(std::move(tensors)), cosine_(cosine), sine_(sine), turn_(turn) {}

  void Run(const RunArgs& args) const override {
    for (const Turned& tensor : tensors_)
      ParallelFor(tensor.rows, 1 + 16384 / (1 + tensor.length), [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
          RunRow(args, tensor, row);
      });
  }

 private:
  static std::size_t Offset(const Turned& tensor, std::size_t row) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
      const auto extent = static_cast<std::size_t>(tensor.extents[i]);
      offset += row % extent * tensor.strides[i];
      row /= extent;
    }
    return offset;
  }

  // Both elements of a turn are read before either is written: x may be y, unless pairs become halves.
  void RunRow(const RunArgs& args, const Turned& tensor, std::size_t row) const {
    const std::size_t half = tensor.length / 2, offset = Offset(tensor, row);
    const float* cosine = args.In<float>(cosine_) + offset;
    const float* sine = args.In<float>(sine_) + offset;
    const float* x = args.In<float>(tensor.input) + row * tensor.length;
    float* y = args.Out<float>(tensor.output) + row * tensor.length;
    for (std::size_t i = 0; i < half; ++i) {
      const std::size_t a = turn_ == Turn::kHalves ? i : 2 * i;
      const std::size_t b = turn_ == Turn::kHalves ? i + half : 2 * i + 1;
      const float first = x[a], second = x[b];
      const std::size_t c = turn_ == Turn::kPairs ? a : i, d = turn_ == Turn::kPairs ? b : i + half;
      y[c] = first * cosine[c] - second * sine[c];
      y[d] = second * cosine[d] + first * sine[d];
    }
  }

  std::vector<Turned> tensors_;
  int cosine_, sine_;
  Turn turn_;
};

void CheckTurned(const OpContext& context, int port, const Dims& angles) {
  const TensorType& x = context.In(port);
  if (x.dims.empty() || x.dims.back() % 2 != 0)
    context.Refuse("input {} is {}; its last dimension must be even", port, ToString(x));
  if (angles.empty() || angles.back() != x.dims.back() || !BroadcastsTo(angles, x.dims))
    context.Refuse("angles of {} do not go with {}", ToString(angles), ToString(x));
}

void CheckAngles(const OpContext& context, int cosine, int sine) {
  if (context.InDims(cosine) != context.InDims(sine))
    context.Refuse("cosine is {} and sine {}; they must have one shape", ToString(context.In(cosine)),
                   ToString(context.In(sine)));
}

std::unique_ptr<Kernel> LowerRotary(OpContext& context, const std::vector<int>& turned, int cosine, int sine,
                                    Turn turn) {
  std::vector<Turned> tensors;
  for (const int port : turned)
    tensors.push_back(TurnedOf(context, port, port, context.InDims(cosine)));
  for (int i = 0; i < context.inputs(); ++i)
    if (!ComputesInFloat(context.In(i).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(i).type));
  return ThroughFloat(context, std::make_unique<RotaryKernel>(std::move(tensors), cosine, sine, turn));
}

Turn TurnOf(const OpContext& context) {
  const std::int64_t mode = context.node().Int("mode", 0);
  if (mode == 0) return Turn::kHalves;
  if (mode == 1) return Turn::kPairs;
  context.Refuse("mode is {}; 0 turns halves, 1 pairs", mode);
}

OpDef Rotary(const char* type) {
  return OpDef(type)
      .Infer([](OpContext& context) {
        CheckAngles(context, 1, 2);
        CheckTurned(context, 0, context.InDims(1));
        TurnOf(context);
        context.SetOut(0, context.In(0));
      })
      .Lower([](OpContext& context) { return LowerRotary(context, {0}, 1, 2, TurnOf(context)); })
      .InPlace(0, 0)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

// Query and key, where they stand.
Turn AppliedTurn(const OpContext& context) {
  const std::string mode = context.node().Text("rotary_mode", "half");
  if (mode == "half") return Turn::kHalves;
  if (mode == "interleave") return Turn::kPairs;
  context.Refuse("rotary_mode is '{}'; half and interleave are possible", mode);
}

void InferApply(OpContext& context) {
  const std::int64_t layout = context.node().Int("layout", 1);
  if (layout < 1 || layout > 3) context.Refuse("layout is {}; 1, 2 and 3 are possible", layout);
  AppliedTurn(context);
  CheckAngles(context, 2, 3);
  for (int i = 0; i < 2; ++i) {
    CheckTurned(context, i, context.InDims(2));
    context.SetOut(i, context.In(i));
  }
}

OpDef InterleaveRope() {
  return OpDef("InterleaveRope")
      .Infer([](OpContext& context) {
        CheckAngles(context, 1, 2);
        CheckTurned(context, 0, context.InDims(1));
        context.SetOut(0, context.In(0));
      })
      .Lower([](OpContext& context) { return LowerRotary(context, {0}, 1, 2, Turn::kPairsToHalves); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp rotary({
    InterleaveRope(),
    Rotary("RotaryMul"),
    Rotary("RotaryPositionEmbedding"),
    OpDef("ApplyRotaryPosEmb")
        .Infer(InferApply)
        .Lower([](OpContext& context) {
          return LowerRotary(context, {0, 1}, 2, 3, AppliedTurn(context));
        })
        .Stateful()
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
});

}  // namespace
}  // namespace foothold
