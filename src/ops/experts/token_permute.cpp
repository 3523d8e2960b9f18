// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// MoeTokenPermute puts a copy of each token for each of its experts into the order of the experts and says
// where each copy went; MoeTokenUnpermute brings such rows back and sums them, weighted by 'probs'.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void CheckNotPadded(const OpContext& context) {
  if (context.node().Bool("padded_mode", false))
    context.Unsupported("no kernel for padded_mode true; false would run");
}

struct Sizes {
  std::size_t tokens, each, bytes;  // bytes of a token
  std::size_t places() const { return tokens * each; }
};

Sizes SizesOf(const OpContext& context) {
  const TensorType& tokens = context.In("tokens");
  const Dims& indices = context.In("indices").dims;
  if (tokens.dims.size() != 2 || indices.empty() || indices.size() > 2 || indices[0] != tokens.dims[0])
    context.Refuse("'tokens' is {} and 'indices' {}, expected rows and the experts of each", ToString(tokens),
                   ToString(context.In("indices")));
  const std::size_t each = indices.size() == 1 ? 1 : static_cast<std::size_t>(indices[1]);
  return {static_cast<std::size_t>(tokens.dims[0]), each,
          static_cast<std::size_t>(tokens.dims[1]) * ElementBytes(context, tokens.type)};
}

class PermuteKernel : public Kernel {
 public:
  explicit PermuteKernel(const OpContext& context)
      : s_(SizesOf(context)), indices_(context, context.Port("indices")) {}

  std::size_t WorkspaceBytes() const override { return s_.places() * sizeof(std::int32_t); }

  void Run(const RunArgs& args) const override {
    auto* order = reinterpret_cast<std::int32_t*>(args.workspace);
    for (std::size_t i = 0; i < s_.places(); ++i)
      order[i] = static_cast<std::int32_t>(i);
    std::sort(order, order + s_.places(), [&](std::int32_t a, std::int32_t b) {
      const std::int64_t left = indices_.Raw(args, static_cast<std::size_t>(a));
      const std::int64_t right = indices_.Raw(args, static_cast<std::size_t>(b));
      return left == right ? a < b : left < right;
    });
    ParallelFor(s_.places(), 1 + 65536 / (1 + s_.bytes), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        Store(args, row, static_cast<std::size_t>(order[row]));
    });
  }

 private:
  void Store(const RunArgs& args, std::size_t row, std::size_t place) const {
    args.Out<std::int32_t>(1)[place] = static_cast<std::int32_t>(row);
    if (s_.bytes == 0) return;
    std::memcpy(args.outputs[0] + row * s_.bytes, args.inputs[0] + place / s_.each * s_.bytes, s_.bytes);
  }

  Sizes s_;
  IndexReader indices_;
};

void InferPermute(OpContext& context) {
  CheckNotPadded(context);
  const auto places = static_cast<std::int64_t>(SizesOf(context).places());
  const std::int64_t wanted = context.node().Int("num_out_tokens", 0);
  if (wanted != 0 && wanted != places)
    context.Unsupported("no kernel for num_out_tokens {}; 0 or all {} would run", wanted, places);
  const TensorType& tokens = context.In("tokens");
  context.SetOut(0, tokens.type, {places, tokens.dims[1]}, tokens.format);
  context.SetOut(1, DataType::kInt32, {places}, Format::kNd);
}

struct Back {
  std::size_t tokens, each, width, rows;
};

Back BackOf(const OpContext& context) {
  const TensorType& rows = context.In("permuted_tokens");
  if (rows.dims.size() != 2) context.Refuse("'permuted_tokens' is {}, expected rows", ToString(rows));
  const auto places = static_cast<std::size_t>(ElementCount(context.In("sorted_indices").dims));
  std::size_t each = 1;
  if (context.Has("probs")) {
    const Dims& probs = context.In("probs").dims;
    if (probs.size() != 2 || static_cast<std::size_t>(ElementCount(probs)) != places)
      context.Refuse("'probs' is {} for {} places, expected [tokens, experts of each]", ToString(probs),
                     places);
    each = static_cast<std::size_t>(probs[1]);
  }
  return {each == 0 ? 0 : places / each, each, static_cast<std::size_t>(rows.dims[1]),
          static_cast<std::size_t>(rows.dims[0])};
}

class UnpermuteKernel : public Kernel {
 public:
  explicit UnpermuteKernel(const OpContext& context)
      : b_(BackOf(context)), indices_(context, 1), probs_(OptionalPort(context, "probs")) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(b_.tokens, 1 + 16384 / (1 + b_.width * b_.each), [&](std::size_t begin, std::size_t end) {
      for (std::size_t token = begin; token < end; ++token)
        RunToken(args, token, args.Out<float>(0) + token * b_.width);
    });
  }

 private:
  void RunToken(const RunArgs& args, std::size_t token, float* y) const {
    std::fill_n(y, b_.width, 0.0f);
    for (std::size_t place = token * b_.each; place < (token + 1) * b_.each; ++place) {
      const float* row = args.In<float>(0) + indices_.At(args, place, b_.rows) * b_.width;
      const float weight = probs_ < 0 ? 1.0f : args.In<float>(probs_)[place];
      for (std::size_t i = 0; i < b_.width; ++i)
        y[i] += weight * row[i];
    }
  }

  Back b_;
  IndexReader indices_;
  int probs_;
};

void InferUnpermute(OpContext& context) {
  CheckNotPadded(context);
  const Back back = BackOf(context);
  const TensorType& rows = context.In("permuted_tokens");
  context.SetOut(0, rows.type, {static_cast<std::int64_t>(back.tokens), rows.dims[1]}, rows.format);
}

const RegisterOp token_permute({
    OpDef("MoeTokenPermute")
        .Infer(InferPermute)
        .Lower([](OpContext& context) { return std::make_unique<PermuteKernel>(context); })
        .Types(WholeByteTypes()),
    OpDef("MoeTokenUnpermute")
        .Infer(InferUnpermute)
        .Lower([](OpContext& context) {
          CheckFloats(context, {"permuted_tokens", "probs"});
          return ThroughFloat(context, std::make_unique<UnpermuteKernel>(context));
        })
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
});

}  // namespace
}  // namespace foothold
