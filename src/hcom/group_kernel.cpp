// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "hcom/group_kernel.h"

#include <algorithm>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/waiting_kernel.h"

namespace foothold {
namespace {

// Nodes from files may have no ports, and not every operator has a prototype that says so.
void CheckPorts(const OpContext& context, GroupCall::Kind kind) {
  if (kind != GroupCall::Kind::kReceive && context.inputs() == 0) context.Refuse("it has no input to send");
  if (kind != GroupCall::Kind::kSend && context.outputs() == 0)
    context.Refuse("it has no output for what it receives");
}

}  // namespace

void GroupKernel::Run(const RunArgs& args) const {
  GroupCall call = call_;
  call.send = in_ < 0 ? nullptr : args.inputs[in_];
  call.receive = out_ < 0 ? nullptr : args.outputs[out_];
  Complete(call, args);
  if (!IsNothing(call)) RunGroupCall(call);
}

std::unique_ptr<Kernel> Waiting(std::unique_ptr<Kernel> kernel) {
  return std::make_unique<WaitingKernel>(std::move(kernel));
}

GroupCall CallOf(const OpContext& context, GroupCall::Kind kind, const char* name, DataType type) {
  CheckPorts(context, kind);
  GroupCall call;
  call.name = name;
  call.kind = kind;
  call.type = type;
  call.group = context.node().Text("group", "hccl_world_group");
  return call;
}

std::uint32_t RankOf(const OpContext& context, const char* attribute) {
  const std::int64_t rank = RequiredInt(context, attribute);
  if (rank < 0 || rank > INT32_MAX) context.Refuse("attribute '{}' is {}, which is no rank", attribute, rank);
  return static_cast<std::uint32_t>(rank);
}

std::string ReductionOf(const OpContext& context) {
  const std::string reduction = context.node().Text("reduction", "sum");
  for (const char* known : {"sum", "prod", "max", "min"})
    if (reduction == known) return reduction;
  context.Refuse("attribute 'reduction' is '{}'; sum, prod, max and min are possible", reduction);
}

std::int64_t RankSizeOf(const OpContext& context) {
  const std::int64_t size = RequiredInt(context, "rank_size");
  if (size < 1) context.Refuse("attribute 'rank_size' is {}, expected 1 or more", size);
  return size;
}

std::uint64_t CountOf(const TensorType& type) {
  return static_cast<std::uint64_t>(ElementCount(type.dims));
}

GroupCall::Counts CountsAt(const RunArgs& args, int port, std::size_t count, const char* name) {
  const auto* const given = args.In<std::int64_t>(port);
  GroupCall::Counts counts(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (given[i] < 0) Fail(kInvalidParam, "'{}' has {} for rank {}", name, given[i], i);
    counts[i] = static_cast<std::uint64_t>(given[i]);
  }
  return counts;
}

GroupCall::Counts RunningSums(const GroupCall::Counts& counts) {
  GroupCall::Counts places;
  std::uint64_t place = 0;
  for (const std::uint64_t count : counts) {
    places.push_back(place);
    place += count;
  }
  return places;
}

std::uint64_t EndOf(const GroupCall::Counts& counts, const GroupCall::Counts& places) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) end = std::max(end, places[i] + counts[i]);
  return end;
}

}  // namespace foothold
