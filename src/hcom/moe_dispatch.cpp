// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnMoeDispatch: every token goes to the ranks of its experts, as it is or as int8 with a scale of its
// own. What arrives is ordered by the experts of this rank, then by the ranks the tokens come from.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "hcom/expert_routes.h"
#include "hcom/group_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/input_checks.h"

namespace foothold {
namespace {

constexpr std::size_t kInfoOfRow =
    128;  // numbers, of which three are used: rank, token, which of its experts
constexpr const char* kName = "MoeDistributeDispatch";

// Goes along with the elements of a row.
struct RowInfo {
  std::uint32_t token, expert_of_token;
  float scale;   // of the elements, where they are int8
  float weight;  // of the expert for the token
};

using Widen = float (*)(const std::byte* row, std::size_t index);

template <typename T>
float WidenElement(const std::byte* row, std::size_t index) {
  return static_cast<float>(reinterpret_cast<const T*>(row)[index]);
}

Widen WidenOf(DataType type) {
  if (type == DataType::kFloat16) return WidenElement<Half>;
  return type == DataType::kBfloat16 ? WidenElement<Bfloat16> : WidenElement<float>;
}

class DispatchKernel final : public Kernel {
 public:
  explicit DispatchKernel(const OpContext& context)
      : sizes_(ExpertSizesOf(context)),
        group_(context.node().Text("group", "")),
        quantizes_(context.node().Int("quantizes", 0) != 0),
        sums_(context.node().Int("sums", 0) != 0),
        element_(ElementBytes(context, context.In("x").type)),
        widen_(WidenOf(context.In("x").type)),
        x_(context.Port("x")),
        ids_(context.Port("expert_ids")),
        smooth_(OptionalPort(context, "smooth_scales")),
        mask_(OptionalPort(context, "mask")),
        weights_(OptionalPort(context, "expert_scales")),
        mask_of_experts_(mask_ >= 0 && context.InDims(mask_).size() == 2),
        rows_(static_cast<std::size_t>(context.Out(0).dims[0])) {}

  void Run(const RunArgs& args) const override {
    const ExpertRoutes routes(sizes_, args.In<std::int32_t>(ids_), mask_ < 0 ? nullptr : args.In<bool>(mask_),
                              mask_of_experts_);
    const GroupCall::Counts counts = CountsOfAll(routes);
    const std::size_t rank = GroupRank(group_);
    GroupCall::Counts from(sizes_.ranks);
    for (std::size_t sender = 0; sender < sizes_.ranks; ++sender)
      for (std::size_t expert = 0; expert < sizes_.here(); ++expert)
        from[sender] += counts[sender * sizes_.experts + rank * sizes_.here() + expert];
    const std::vector<std::byte> arrived =
        ExchangeRows(kName, group_, RowBytes(), Pack(args, routes), routes.ToRanks(), from);
    const std::size_t total = arrived.size() / RowBytes();
    if (total > rows_)
      Fail(kInvalidParam, "{} tokens come to rank {}, and there is room for {}", total, rank, rows_);
    Place(args, arrived, counts, rank, RunningSums(from));
  }

 private:
  std::size_t DataBytes() const { return sizes_.width * (quantizes_ ? 1 : element_); }
  std::size_t RowBytes() const { return DataBytes() + sizeof(RowInfo); }

  // How many tokens each rank has for each expert.
  GroupCall::Counts CountsOfAll(const ExpertRoutes& routes) const {
    GroupCall call;
    call.name = kName;
    call.group = group_;
    call.kind = GroupCall::Kind::kAllGather;
    call.type = DataType::kUint64;
    call.count = sizes_.experts;
    const std::uint32_t ranks = GroupSize(group_);
    if (ranks != sizes_.ranks)
      Fail(kInvalidParam, "group {} has {} ranks, not {}", group_, ranks, sizes_.ranks);
    GroupCall::Counts all(sizes_.ranks * sizes_.experts);
    call.send = reinterpret_cast<const std::byte*>(routes.counts().data());
    call.receive = reinterpret_cast<std::byte*>(all.data());
    RunGroupCall(call);
    return all;
  }

  std::vector<std::byte> Pack(const RunArgs& args, const ExpertRoutes& routes) const {
    std::vector<std::byte> rows(routes.places().size() * RowBytes());
    std::byte* row = rows.data();
    for (const TokenPlace place : routes.places()) {
      const std::size_t slot = place.token * sizes_.each + place.expert_of_token;
      RowInfo info{place.token, place.expert_of_token, 1.0f,
                   weights_ < 0 ? 1.0f : args.In<float>(weights_)[slot]};
      const std::byte* const x = args.inputs[x_] + place.token * sizes_.width * element_;
      if (quantizes_) {
        info.scale =
            Quantize(args, x, args.In<std::int32_t>(ids_)[slot], reinterpret_cast<std::int8_t*>(row));
      } else {
        std::memcpy(row, x, DataBytes());
      }
      std::memcpy(row + DataBytes(), &info, sizeof info);
      row += RowBytes();
    }
    return rows;
  }

  // So that the largest is 127.
  float Quantize(const RunArgs& args, const std::byte* x, std::int32_t expert, std::int8_t* to) const {
    const float* const smooth =
        smooth_ < 0 ? nullptr : args.In<float>(smooth_) + static_cast<std::size_t>(expert) * sizes_.width;
    const auto at = [&](std::size_t i) { return widen_(x, i) * (smooth == nullptr ? 1.0f : smooth[i]); };
    float largest = 0;
    for (std::size_t i = 0; i < sizes_.width; ++i)
      largest = std::max(largest, std::fabs(at(i)));
    const float factor = largest == 0 ? 1.0f : 127.0f / largest;
    for (std::size_t i = 0; i < sizes_.width; ++i)
      to[i] = static_cast<std::int8_t>(std::nearbyint(std::clamp(at(i) * factor, -128.0f, 127.0f)));
    return 1.0f / factor;
  }

  void Place(const RunArgs& args, const std::vector<std::byte>& arrived, const GroupCall::Counts& counts,
             std::size_t rank, GroupCall::Counts next) const {
    std::size_t row = 0;
    for (std::size_t expert = 0; expert < sizes_.here(); ++expert) {
      const std::size_t before = row;
      for (std::size_t sender = 0; sender < sizes_.ranks; ++sender) {
        const std::uint64_t rows = counts[sender * sizes_.experts + rank * sizes_.here() + expert];
        for (std::uint64_t i = 0; i < rows; ++i, ++row)
          PlaceRow(args, row, sender, arrived.data() + next[sender]++ * RowBytes());
        args.Out<std::int32_t>(4)[expert * sizes_.ranks + sender] = static_cast<std::int32_t>(row);
      }
      args.Out<std::int64_t>(3)[expert] = static_cast<std::int64_t>(sums_ ? row : row - before);
    }
  }

  void PlaceRow(const RunArgs& args, std::size_t row, std::size_t sender, const std::byte* from) const {
    RowInfo info;
    std::memcpy(&info, from + DataBytes(), sizeof info);
    std::memcpy(args.outputs[0] + row * DataBytes(), from, DataBytes());
    args.Out<float>(1)[row] = info.scale;
    std::int32_t* const told = args.Out<std::int32_t>(2) + row * kInfoOfRow;
    std::fill_n(told, kInfoOfRow, 0);
    told[0] = static_cast<std::int32_t>(sender);
    told[1] = static_cast<std::int32_t>(info.token);
    told[2] = static_cast<std::int32_t>(info.expert_of_token);
    args.Out<float>(5)[row] = info.weight;
  }

  const ExpertSizes sizes_;
  const std::string group_;
  const bool quantizes_, sums_;
  const std::size_t element_;
  const Widen widen_;
  const int x_, ids_, smooth_, mask_, weights_;
  const bool mask_of_experts_;
  const std::size_t rows_;
};

void InferDispatch(OpContext& context) {
  const ExpertSizes sizes = ExpertSizesOf(context);
  const std::int64_t rows = RequiredInt(context, "rows");
  const auto width = static_cast<std::int64_t>(sizes.width), here = static_cast<std::int64_t>(sizes.here());
  const bool quantizes = context.node().Int("quantizes", 0) != 0;
  CheckCount(context, "expert_scales", sizes.tokens * sizes.each, "expert of a token");
  CheckCount(context, "smooth_scales", sizes.experts * sizes.width, "element of a token and expert");
  context.SetOut(0, quantizes ? DataType::kInt8 : context.In("x").type, {rows, width}, Format::kNd);
  context.SetOut(1, DataType::kFloat, {rows}, Format::kNd);
  context.SetOut(2, DataType::kInt32, {rows * static_cast<std::int64_t>(kInfoOfRow)}, Format::kNd);
  context.SetOut(3, DataType::kInt64, {here}, Format::kNd);
  context.SetOut(4, DataType::kInt32, {here * static_cast<std::int64_t>(sizes.ranks)}, Format::kNd);
  context.SetOut(5, DataType::kFloat, {rows}, Format::kNd);
}

const RegisterOp moe_dispatch(OpDef("AclnnMoeDispatch")
                                  .Infer(InferDispatch)
                                  .Lower([](OpContext& context) {
                                    CheckFloats(context, {"x"});
                                    return Waiting(std::make_unique<DispatchKernel>(context));
                                  })
                                  .Stateful()
                                  .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
