// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "hcom/expert_routes.h"

#include "base/error.h"
#include "hcom/group_kernel.h"
#include "ops/data/rule_arguments.h"

namespace foothold {

ExpertSizes ExpertSizesOf(const OpContext& context) {
  const Dims& ids = context.In("expert_ids").dims;
  const Dims& x = context.In("x").dims;
  const std::int64_t ranks = RequiredInt(context, "ranks"), experts = RequiredInt(context, "experts");
  if (ids.size() != 2 || x.size() != 2)
    context.Refuse("tokens are {} and their experts {}, expected two dimensions each",
                   ToString(context.In("x")), ToString(context.In("expert_ids")));
  if (context.In("expert_ids").type != DataType::kInt32)
    context.Refuse("'expert_ids' is {}, expected int32", ToString(context.In("expert_ids")));
  if (ranks < 1 || experts < 1 || experts % ranks != 0)
    context.Refuse("{} experts cannot be shared out to {} ranks", experts, ranks);
  return {static_cast<std::size_t>(ids[0]), static_cast<std::size_t>(ids[1]), static_cast<std::size_t>(x[1]),
          static_cast<std::size_t>(ranks), static_cast<std::size_t>(experts)};
}

ExpertRoutes::ExpertRoutes(const ExpertSizes& sizes, const std::int32_t* experts, const bool* mask,
                           bool mask_of_experts)
    : sizes_(sizes), counts_(sizes.experts) {
  const std::size_t slots = sizes.tokens * sizes.each;
  const auto active = [&](std::size_t slot) {
    return mask == nullptr || mask[mask_of_experts ? slot : slot / sizes.each];
  };
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (!active(slot)) continue;
    if (experts[slot] < 0 || static_cast<std::size_t>(experts[slot]) >= sizes.experts)
      Fail(kInvalidParam, "token {} wants expert {}, and there are {}", slot / sizes.each, experts[slot],
           sizes.experts);
    ++counts_[static_cast<std::size_t>(experts[slot])];
  }
  GroupCall::Counts next = RunningSums(counts_);
  places_.resize(next.back() + counts_.back());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (active(slot))
      places_[next[static_cast<std::size_t>(experts[slot])]++] = {
          static_cast<std::uint32_t>(slot / sizes.each), static_cast<std::uint32_t>(slot % sizes.each)};
  }
}

GroupCall::Counts ExpertRoutes::ToRanks() const {
  GroupCall::Counts rows(sizes_.ranks);
  for (std::size_t expert = 0; expert < sizes_.experts; ++expert)
    rows[expert / sizes_.here()] += counts_[expert];
  return rows;
}

std::vector<std::byte> ExchangeRows(const char* name, const std::string& group, std::size_t row_bytes,
                                    const std::vector<std::byte>& rows, GroupCall::Counts sent,
                                    GroupCall::Counts received) {
  GroupCall call;
  call.name = name;
  call.group = group;
  call.kind = GroupCall::Kind::kAllToAll;
  call.type = DataType::kUint8;
  for (GroupCall::Counts* counts : {&sent, &received})
    for (std::uint64_t& count : *counts)
      count *= row_bytes;
  call.send_counts = std::move(sent);
  call.send_places = RunningSums(call.send_counts);
  call.receive_counts = std::move(received);
  call.receive_places = RunningSums(call.receive_counts);
  std::vector<std::byte> arrived(EndOf(call.receive_counts, call.receive_places));
  call.send = rows.data();
  call.receive = arrived.data();
  RunGroupCall(call);
  return arrived;
}

}  // namespace foothold
