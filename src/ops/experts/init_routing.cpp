// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// MoeInitRoutingV3: a copy of each token for each of its experts, in the order of the experts, with what
// leads back, how many rows each expert has, and rows quantised to int8 on the way if that is wanted. Experts
// outside 'active_expert_range' get nothing; rows nobody has are zeros.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/quantized/quantized_row.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

enum class Rows { kAsTheyAre, kGivenScale, kOwnScales };
enum class Numbers { kEnds, kCounts, kPairs };

struct Routing {
  std::size_t tokens, width, each;  // experts of a token
  std::size_t experts, first, last;
  Rows rows;
  Numbers numbers;
  bool leads_back;  // row_idx_type 1: the place a row came from; else where each place went
  std::size_t places() const { return tokens * each; }
};

std::int64_t Among(const OpContext& context, const char* name, std::int64_t otherwise, std::int64_t least,
                   std::int64_t most) {
  const std::int64_t value = context.node().Int(name, otherwise);
  if (value < least || value > most)
    context.Unsupported("no kernel for {} {}; {} to {} would run", name, value, least, most);
  return value;
}

void CheckForm(const OpContext& context, std::int64_t places) {
  Among(context, "drop_pad_mode", 0, 0, 0);
  if (const std::int64_t active = context.node().Int("active_num", -1); active > 0 && active < places)
    context.Unsupported("no kernel for active_num {}, less than the {} rows there are", active, places);
}

Routing RoutingOf(const OpContext& context) {
  const Dims& x = context.In("x").dims;
  const Dims& experts = context.In("expert_idx").dims;
  if (x.size() != 2 || experts.size() != 2 || x[0] != experts[0])
    context.Refuse("'x' is {} and 'expert_idx' {}, expected a row for each token", ToString(context.In("x")),
                   ToString(context.In("expert_idx")));
  CheckForm(context, experts[0] * experts[1]);
  const std::int64_t count = RequiredInt(context, "expert_num");
  std::vector<std::int64_t> range = context.node().Ints("active_expert_range");
  if (range.empty()) range = {0, count};
  if (range.size() != 2 || range[0] < 0 || range[0] > range[1] || range[1] > count)
    context.Refuse("attribute 'active_expert_range' is {}, expected a part of [0, {}]",
                   ToString(Attribute(range)), count);
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  return {size(x[0]),
          size(x[1]),
          size(experts[1]),
          size(count),
          size(range[0]),
          size(range[1]),
          static_cast<Rows>(Among(context, "quant_mode", -1, -1, 1) + 1),
          static_cast<Numbers>(Among(context, "expert_tokens_num_type", 0, 0, 2)),
          Among(context, "row_idx_type", 0, 0, 1) == 1};
}

// Ranks of experts: those that are active come first, then those above, then all others.
class RoutingKernel : public Kernel {
 public:
  explicit RoutingKernel(const OpContext& context)
      : r_(RoutingOf(context)),
        size_(ElementBytes(context, context.In("x").type)),
        scale_(OptionalPort(context, "scale")),
        offset_(OptionalPort(context, "offset")),
        smooth_rows_(scale_ < 0 || r_.width == 0
                         ? 0
                         : static_cast<std::size_t>(ElementCount(context.InDims(scale_))) / r_.width),
        name_(context.node().Description()) {}

  // Where the rows of each rank end, then which place each row comes from, and a row.
  std::size_t WorkspaceBytes() const override {
    return (r_.experts + 2 + r_.places()) * sizeof(std::size_t) + r_.places() * r_.width * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    auto* ends = reinterpret_cast<std::size_t*>(args.workspace);
    std::size_t* from = ends + r_.experts + 2;
    std::fill_n(ends, r_.experts + 2, std::size_t{0});
    for (std::size_t place = 0; place < r_.places(); ++place)
      ++ends[Rank(args, place) + 1];
    StoreNumbers(ends + 1, args.Out<std::int64_t>(2));
    for (std::size_t rank = 0; rank <= r_.experts; ++rank)
      ends[rank + 1] += ends[rank];
    for (std::size_t place = 0; place < r_.places(); ++place)
      from[ends[Rank(args, place)]++] = place;
    const std::size_t active = r_.last == r_.first ? 0 : ends[r_.last - r_.first - 1];
    StoreIndices(args, from, active);
    StoreRows(args, from, active);
  }

 private:
  std::size_t Rank(const RunArgs& args, std::size_t place) const {
    const std::int32_t expert = args.In<std::int32_t>(1)[place];
    if (expert >= 0 && static_cast<std::size_t>(expert) >= r_.experts)
      Fail(kInvalidParam, "{}: token {} has expert {} of {}", name_, place / r_.each, expert, r_.experts);
    const bool below = expert < 0 || static_cast<std::size_t>(expert) < r_.first;
    return below ? r_.experts : static_cast<std::size_t>(expert) - r_.first;
  }

  // From how many rows each rank has.
  void StoreNumbers(const std::size_t* counts, std::int64_t* to) const {
    const std::size_t ranks = r_.last - r_.first;
    std::int64_t sum = 0;
    std::size_t pairs = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto count = static_cast<std::int64_t>(counts[rank]);
      sum += count;
      if (r_.numbers != Numbers::kPairs) to[rank] = r_.numbers == Numbers::kEnds ? sum : count;
      if (r_.numbers != Numbers::kPairs || count == 0) continue;
      to[2 * pairs] = static_cast<std::int64_t>(rank + r_.first), to[2 * pairs + 1] = count;
      ++pairs;
    }
    if (r_.numbers == Numbers::kPairs) std::fill(to + 2 * pairs, to + 2 * r_.experts, std::int64_t{0});
  }

  void StoreIndices(const RunArgs& args, const std::size_t* from, std::size_t active) const {
    auto* to = args.Out<std::int32_t>(1);
    for (std::size_t row = 0; row < r_.places(); ++row) {
      if (r_.leads_back)
        to[row] = static_cast<std::int32_t>(from[row]);
      else
        to[from[row]] = row < active ? static_cast<std::int32_t>(row) : -1;
    }
  }

  void StoreRows(const RunArgs& args, const std::size_t* from, std::size_t active) const {
    const std::size_t out_size = r_.rows == Rows::kAsTheyAre ? size_ : 1;
    const std::size_t bytes = r_.width * out_size;
    std::fill_n(args.Out<float>(3) + active, r_.places() - active, 0.0f);
    if (bytes > 0) std::memset(args.outputs[0] + active * bytes, 0, (r_.places() - active) * bytes);
    auto* floats = reinterpret_cast<float*>(const_cast<std::size_t*>(from) + r_.places());
    ParallelFor(active, 1 + 16384 / (1 + bytes), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        args.Out<float>(3)[row] = StoreRow(args, row, from[row], floats + row * r_.width);
    });
  }

  // Returns the scale of the row.
  float StoreRow(const RunArgs& args, std::size_t row, std::size_t place, float* scratch) const {
    const std::size_t token = place / r_.each;
    if (r_.rows == Rows::kAsTheyAre) {
      const std::size_t bytes = r_.width * size_;
      if (bytes > 0) std::memcpy(args.outputs[0] + row * bytes, args.inputs[0] + token * bytes, bytes);
      return scale_ < 0 ? 0.0f : args.In<float>(scale_)[token];
    }
    const float* x = args.In<float>(0) + token * r_.width;
    auto* to = args.Out<std::int8_t>(0) + row * r_.width;
    if (r_.rows == Rows::kGivenScale) {
      for (std::size_t i = 0; i < r_.width; ++i)
        to[i] = ToInt8(x[i] * *args.In<float>(scale_) + *args.In<float>(offset_));
      return 0;
    }
    const std::size_t smooth = smooth_rows_ < 2 ? 0 : Rank(args, place);
    for (std::size_t i = 0; i < r_.width; ++i)
      scratch[i] = scale_ < 0 ? x[i] : x[i] * args.In<float>(scale_)[smooth * r_.width + i];
    return QuantizeRowToInt8(scratch, r_.width, to);
  }

  Routing r_;
  std::size_t size_;
  int scale_, offset_;
  std::size_t smooth_rows_;
  std::string name_;
};

void CheckScales(const OpContext& context, const Routing& routing) {
  if (routing.rows == Rows::kGivenScale) {
    if (!context.Has("scale") || !context.Has("offset"))
      context.Refuse("quant_mode 0 needs 'scale' and 'offset'");
    CheckCount(context, "scale", 1, "tensor");
    return CheckCount(context, "offset", 1, "tensor");
  }
  CheckAbsent(context, {"offset"}, "only quant_mode 0 has an offset");
  if (routing.rows == Rows::kAsTheyAre) return CheckCount(context, "scale", routing.tokens, "token");
  if (!context.Has("scale")) return;
  const auto count = static_cast<std::size_t>(ElementCount(context.In("scale").dims));
  if (count != routing.width && count != routing.width * (routing.last - routing.first))
    context.Refuse("'scale' is {}, expected rows of {}, one or one for each of {} experts",
                   ToString(context.In("scale")), routing.width, routing.last - routing.first);
}

void InferRouting(OpContext& context) {
  const Routing routing = RoutingOf(context);
  if (context.In("expert_idx").type != DataType::kInt32)
    context.Refuse("'expert_idx' is {}, expected int32", ToString(context.In("expert_idx")));
  CheckScales(context, routing);
  const auto places = static_cast<std::int64_t>(routing.places());
  const bool plain = routing.rows == Rows::kAsTheyAre;
  context.SetOut(0, plain ? context.In("x").type : DataType::kInt8, {places, context.InDims(0)[1]},
                 context.In("x").format);
  context.SetOut(1, DataType::kInt32, {places}, Format::kNd);
  const bool pairs = routing.numbers == Numbers::kPairs;
  const auto active = static_cast<std::int64_t>(routing.last - routing.first);
  context.SetOut(2, DataType::kInt64,
                 pairs ? Dims{static_cast<std::int64_t>(routing.experts), 2} : Dims{active}, Format::kNd);
  context.SetOut(3, DataType::kFloat, {places}, Format::kNd);
}

std::unique_ptr<Kernel> LowerRouting(OpContext& context) {
  CheckFloats(context, {"scale", "offset"});
  if (RoutingOf(context).rows == Rows::kAsTheyAre) {
    if (context.Has("scale") && context.In("scale").type != DataType::kFloat)
      context.Unsupported("no kernel for 'scale' of {}; float would run",
                          DataTypeName(context.In("scale").type));
    return std::make_unique<RoutingKernel>(context);
  }
  CheckFloats(context, {"x"});
  return ThroughFloat(context, std::make_unique<RoutingKernel>(context));
}

const RegisterOp init_routing(
    OpDef("MoeInitRoutingV3").Infer(InferRouting).Lower(LowerRouting).Types(WholeByteTypes()));

}  // namespace
}  // namespace foothold
