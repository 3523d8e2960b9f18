// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnMoeCombine: what the experts of all ranks made of tokens comes back the way it went, and is added up
// with the weights of the experts.
#include <cstring>

#include "base/error.h"
#include "base/thread_pool.h"
#include "hcom/expert_routes.h"
#include "hcom/group_kernel.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

class CombineKernel final : public Kernel {
 public:
  explicit CombineKernel(const OpContext& context)
      : sizes_(ExpertSizesOf(context)),
        group_(context.node().Text("group", "")),
        rows_(static_cast<std::size_t>(context.In("x").dims[0])),
        x_(context.Port("x")),
        ids_(context.Port("expert_ids")),
        ends_(context.Port("ends")),
        weights_(context.Port("expert_scales")),
        mask_(OptionalPort(context, "mask")),
        shared_(OptionalPort(context, "shared")),
        mask_of_experts_(mask_ >= 0 && context.InDims(mask_).size() == 2) {}

  void Run(const RunArgs& args) const override {
    const ExpertRoutes routes(sizes_, args.In<std::int32_t>(ids_), mask_ < 0 ? nullptr : args.In<bool>(mask_),
                              mask_of_experts_);
    GroupCall::Counts sent(sizes_.ranks);
    const std::vector<std::byte> packed = Pack(args, sent);
    const std::vector<std::byte> arrived =
        ExchangeRows("MoeDistributeCombine", group_, RowBytes(), packed, std::move(sent), routes.ToRanks());
    Add(args, routes, reinterpret_cast<const float*>(arrived.data()));
  }

 private:
  std::size_t RowBytes() const { return sizes_.width * sizeof(float); }

  // The rows that came from each rank, in the order of experts.
  std::vector<std::byte> Pack(const RunArgs& args, GroupCall::Counts& sent) const {
    const std::uint32_t ranks = GroupSize(group_);
    if (ranks != sizes_.ranks)
      Fail(kInvalidParam, "group {} has {} ranks, not {}", group_, ranks, sizes_.ranks);
    const auto* const ends = args.In<std::int32_t>(ends_);
    std::vector<std::byte> rows;
    for (std::size_t rank = 0; rank < sizes_.ranks; ++rank) {
      for (std::size_t expert = 0; expert < sizes_.here(); ++expert) {
        const std::size_t part = expert * sizes_.ranks + rank;
        const std::int32_t begin = part == 0 ? 0 : ends[part - 1], end = ends[part];
        if (begin < 0 || end < begin || static_cast<std::size_t>(end) > rows_)
          Fail(kInvalidParam, "part {} of what was received is rows {} to {} of {}", part, begin, end, rows_);
        const std::byte* const from = args.inputs[x_];
        rows.insert(rows.end(), from + static_cast<std::size_t>(begin) * RowBytes(),
                    from + static_cast<std::size_t>(end) * RowBytes());
        sent[rank] += static_cast<std::uint64_t>(end - begin);
      }
    }
    return rows;
  }

  // One after the other for each token, so that sums have the same bits in every run.
  void Add(const RunArgs& args, const ExpertRoutes& routes, const float* rows) const {
    const std::size_t slots = sizes_.tokens * sizes_.each;
    std::vector<const float*> row_of(slots);
    for (std::size_t row = 0; row < routes.places().size(); ++row) {
      const TokenPlace place = routes.places()[row];
      row_of[place.token * sizes_.each + place.expert_of_token] = rows + row * sizes_.width;
    }
    ParallelFor(sizes_.tokens, 1 + 16384 / (1 + sizes_.width * sizes_.each),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t token = begin; token < end; ++token)
                    AddToken(args, token, &row_of[token * sizes_.each]);
                });
  }

  void AddToken(const RunArgs& args, std::size_t token, const float* const* rows) const {
    float* const y = args.Out<float>(0) + token * sizes_.width;
    for (std::size_t i = 0; i < sizes_.width; ++i)
      y[i] = shared_ < 0 ? 0.0f : args.In<float>(shared_)[token * sizes_.width + i];
    for (std::size_t k = 0; k < sizes_.each; ++k) {
      const float weight = args.In<float>(weights_)[token * sizes_.each + k];
      for (std::size_t i = 0; rows[k] != nullptr && i < sizes_.width; ++i)
        y[i] += weight * rows[k][i];
    }
  }

  const ExpertSizes sizes_;
  const std::string group_;
  const std::size_t rows_;
  const int x_, ids_, ends_, weights_, mask_, shared_;
  const bool mask_of_experts_;
};

void InferCombine(OpContext& context) {
  const ExpertSizes sizes = ExpertSizesOf(context);
  CheckCount(context, "expert_scales", sizes.tokens * sizes.each, "expert of a token");
  CheckCount(context, "ends", sizes.ranks * sizes.here(), "expert of this rank and rank");
  CheckCount(context, "shared", sizes.tokens * sizes.width, "element of a token");
  context.SetOut(0, context.In("x").type,
                 {static_cast<std::int64_t>(sizes.tokens), static_cast<std::int64_t>(sizes.width)},
                 Format::kNd);
}

const RegisterOp moe_combine(OpDef("AclnnMoeCombine")
                                 .Infer(InferCombine)
                                 .Lower([](OpContext& context) {
                                   CheckFloats(context, {"x", "expert_scales", "shared"});
                                   return Waiting(
                                       ThroughFloat(context, std::make_unique<CombineKernel>(context)));
                                 })
                                 .Stateful()
                                 .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
