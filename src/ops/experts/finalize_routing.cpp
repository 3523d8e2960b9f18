// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// MoeFinalizeRoutingV2: for each token the sum of what its experts made of it, each with a bias added and
// weighted by its scale, and of two tensors more. A place that leads to row -1 was dropped: its row is zeros.
#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct Sizes {
  std::size_t tokens, each, width, rows;
  bool by_token;  // indices of a token lie side by side; else those of the first experts come first
};

Sizes SizesOf(const OpContext& context) {
  const std::int64_t mode = context.node().Int("drop_pad_mode", 0);
  if (mode < 0 || mode > 3) context.Refuse("attribute 'drop_pad_mode' is {}; 0 to 3 are possible", mode);
  const Dims& x = context.In("expanded_x").dims;
  if (x.size() != (mode % 2 == 0 ? 2u : 3u))
    context.Refuse("'expanded_x' is {}, expected {} with drop_pad_mode {}",
                   ToString(context.In("expanded_x")),
                   mode % 2 == 0 ? "[rows, width]" : "[experts, capacity, width]", mode);
  const Dims* weights = context.Has("scales") ? &context.In("scales").dims : nullptr;
  if (weights != nullptr && weights->size() != 2)
    context.Refuse("'scales' is {}, expected [tokens, experts of each]", ToString(*weights));
  const std::size_t each = weights == nullptr ? 1 : static_cast<std::size_t>((*weights)[1]);
  const auto places = static_cast<std::size_t>(ElementCount(context.In("expanded_row_idx").dims));
  if (each == 0 || places % each != 0)
    context.Refuse("'expanded_row_idx' has {} places, and each token {} experts", places, each);
  return {places / each, each, static_cast<std::size_t>(x.back()), Product(x, 0, x.size() - 1), mode >= 2};
}

class FinalizeKernel : public Kernel {
 public:
  explicit FinalizeKernel(const OpContext& context)
      : s_(SizesOf(context)),
        added_{OptionalPort(context, "x1"), OptionalPort(context, "x2")},
        bias_(OptionalPort(context, "bias")),
        scales_(OptionalPort(context, "scales")),
        experts_(OptionalPort(context, "expert_idx")),
        expert_count_(bias_ < 0 ? 0 : static_cast<std::size_t>(context.InDims(bias_)[0])),
        name_(context.node().Description()) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(s_.tokens, 1 + 16384 / (1 + s_.width * s_.each), [&](std::size_t begin, std::size_t end) {
      for (std::size_t token = begin; token < end; ++token)
        RunToken(args, token, args.Out<float>(0) + token * s_.width);
    });
  }

 private:
  void RunToken(const RunArgs& args, std::size_t token, float* y) const {
    std::fill_n(y, s_.width, 0.0f);
    for (const int port : added_)
      for (std::size_t i = 0; port >= 0 && i < s_.width; ++i)
        y[i] += args.In<float>(port)[token * s_.width + i];
    for (std::size_t k = 0; k < s_.each; ++k) {
      const float* row = RowOf(args, s_.by_token ? token * s_.each + k : k * s_.tokens + token);
      const float* bias = BiasOf(args, token * s_.each + k);
      const float scale = scales_ < 0 ? 1.0f : args.In<float>(scales_)[token * s_.each + k];
      for (std::size_t i = 0; i < s_.width; ++i)
        y[i] += scale * ((row == nullptr ? 0.0f : row[i]) + (bias == nullptr ? 0.0f : bias[i]));
    }
  }

  const float* RowOf(const RunArgs& args, std::size_t place) const {
    const std::int32_t row = args.In<std::int32_t>(1)[place];
    if (row < -1 || row >= static_cast<std::int64_t>(s_.rows))
      Fail(kInvalidParam, "{}: place {} is row {} of {}", name_, place, row, s_.rows);
    return row < 0 ? nullptr : args.In<float>(0) + static_cast<std::size_t>(row) * s_.width;
  }

  const float* BiasOf(const RunArgs& args, std::size_t place) const {
    if (bias_ < 0) return nullptr;
    const std::int32_t expert = args.In<std::int32_t>(experts_)[place];
    if (expert < 0 || static_cast<std::size_t>(expert) >= expert_count_)
      Fail(kInvalidParam, "{}: place {} has expert {} of {}", name_, place, expert, expert_count_);
    return args.In<float>(bias_) + static_cast<std::size_t>(expert) * s_.width;
  }

  Sizes s_;
  int added_[2];
  int bias_, scales_, experts_;
  std::size_t expert_count_;
  std::string name_;
};

void InferFinalize(OpContext& context) {
  const Sizes sizes = SizesOf(context);
  for (const char* name : {"expanded_row_idx", "expert_idx"})
    if (context.Has(name) && context.In(name).type != DataType::kInt32)
      context.Refuse("'{}' is {}, expected int32", name, ToString(context.In(name)));
  CheckCount(context, "x1", sizes.tokens * sizes.width, "element of the result");
  CheckCount(context, "x2", sizes.tokens * sizes.width, "element of the result");
  CheckCount(context, "scales", sizes.tokens * sizes.each, "place");
  CheckCount(context, "expert_idx", sizes.tokens * sizes.each, "place");
  if (context.Has("x2") && !context.Has("x1")) context.Refuse("there is 'x2' but no 'x1'");
  if (context.Has("bias") && !context.Has("expert_idx"))
    context.Refuse("there is a 'bias' for each expert but no 'expert_idx'");
  if (context.Has("bias") && (context.In("bias").dims.size() != 2 ||
                              context.In("bias").dims[1] != static_cast<std::int64_t>(sizes.width)))
    context.Refuse("'bias' is {}, expected [experts, {}]", ToString(context.In("bias")), sizes.width);
  const TensorType& x = context.In("expanded_x");
  context.SetOut(0, x.type, {static_cast<std::int64_t>(sizes.tokens), static_cast<std::int64_t>(sizes.width)},
                 x.format);
}

const RegisterOp finalize_routing(OpDef("MoeFinalizeRoutingV2")
                                      .Infer(InferFinalize)
                                      .Lower([](OpContext& context) {
                                        CheckFloats(context, {"expanded_x", "x1", "x2", "bias", "scales"});
                                        return ThroughFloat(context,
                                                            std::make_unique<FinalizeKernel>(context));
                                      })
                                      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
