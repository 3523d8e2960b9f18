// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives whose sizes the types say: each is one call of its group. AclnnAllReduce and AclnnReduceScatter
// are the same for types the prototypes of the others do not have.
#include <cstring>

#include "base/error.h"
#include "hcom/group_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

using Kind = GroupCall::Kind;

void CheckReducible(const OpContext& context) {
  const DataType type = context.In(0).type;
  for (const DataType known : NumberTypes())
    if (type == known) return;
  context.Unsupported("elements of {} are not reduced", ToString(context.In(0)));
}

void InferReduced(OpContext& context) {
  ReductionOf(context);
  SameAsInput(context);
}

std::unique_ptr<Kernel> LowerAllReduce(OpContext& context, const char* name) {
  CheckReducible(context);
  GroupCall call = CallOf(context, Kind::kAllReduce, name, context.In(0).type);
  call.reduction = ReductionOf(context);
  call.count = CountOf(context.In(0));
  return Waiting(std::make_unique<GroupKernel>(std::move(call), 0, 0));
}

// Ranks that are not the root keep their own.
class ReduceKernel final : public GroupKernel {
 public:
  ReduceKernel(GroupCall call, std::size_t bytes) : GroupKernel(std::move(call), 0, 0), bytes_(bytes) {}
  void Run(const RunArgs& args) const override {
    if (bytes_ > 0 && args.outputs[0] != args.inputs[0]) std::memcpy(args.outputs[0], args.inputs[0], bytes_);
    GroupKernel::Run(args);
  }

 private:
  const std::size_t bytes_;
};

std::unique_ptr<Kernel> LowerReduce(OpContext& context) {
  CheckReducible(context);
  GroupCall call = CallOf(context, Kind::kReduce, "HcomReduce", context.In(0).type);
  call.reduction = ReductionOf(context);
  call.rank = RankOf(context, "root_rank");
  call.count = CountOf(context.In(0));
  return Waiting(std::make_unique<ReduceKernel>(std::move(call), ByteSize(context.In(0))));
}

// Where a rank's part is as large as the first dimension says, the number of ranks has to be the one that was
// said.
class PartKernel final : public GroupKernel {
 public:
  PartKernel(GroupCall call, std::int64_t ranks) : GroupKernel(std::move(call), 0, 0), ranks_(ranks) {}

 protected:
  void Complete(GroupCall& call, const RunArgs&) const override {
    const std::uint32_t size = GroupSize(call.group);
    if (size != ranks_)
      Fail(kInvalidParam, "attribute 'rank_size' is {}, and group {} has {} ranks", ranks_, call.group, size);
  }

 private:
  const std::int64_t ranks_;
};

void InferAllGather(OpContext& context) {
  TensorType type = context.In(0);
  if (type.dims.empty()) type.dims = {1};
  type.dims[0] *= RankSizeOf(context);
  context.SetOut(0, std::move(type));
}

std::unique_ptr<Kernel> LowerAllGather(OpContext& context, const char* name) {
  ElementBytes(context, context.In(0).type);
  GroupCall call = CallOf(context, Kind::kAllGather, name, context.In(0).type);
  call.count = CountOf(context.In(0));
  return Waiting(std::make_unique<PartKernel>(std::move(call), RankSizeOf(context)));
}

void InferReduceScatter(OpContext& context) {
  ReductionOf(context);
  const std::int64_t ranks = RankSizeOf(context);
  TensorType type = context.In(0);
  if (type.dims.empty() || type.dims[0] % ranks != 0)
    context.Refuse("x is {}, whose first dimension cannot be shared out to {} ranks", ToString(type), ranks);
  type.dims[0] /= ranks;
  context.SetOut(0, std::move(type));
}

std::unique_ptr<Kernel> LowerReduceScatter(OpContext& context, const char* name) {
  CheckReducible(context);
  GroupCall call = CallOf(context, Kind::kReduceScatter, name, context.In(0).type);
  call.reduction = ReductionOf(context);
  call.count = CountOf(context.Out(0));
  return Waiting(std::make_unique<PartKernel>(std::move(call), RankSizeOf(context)));
}

void InferBroadcast(OpContext& context) {
  if (context.inputs() != context.outputs())
    context.Refuse("it has {} inputs and {} outputs", context.inputs(), context.outputs());
  for (int port = 0; port < context.inputs(); ++port)
    context.SetOut(port, context.In(port));
}

class BroadcastKernel final : public Kernel {
 public:
  explicit BroadcastKernel(std::vector<GroupKernel> tensors) : tensors_(std::move(tensors)) {}
  void Run(const RunArgs& args) const override {
    for (const GroupKernel& tensor : tensors_)
      tensor.Run(args);
  }

 private:
  const std::vector<GroupKernel> tensors_;
};

std::unique_ptr<Kernel> LowerBroadcast(OpContext& context, const char* name) {
  std::vector<GroupKernel> tensors;
  for (int port = 0; port < context.inputs(); ++port) {
    ElementBytes(context, context.In(port).type);
    GroupCall call = CallOf(context, Kind::kBroadcast, name, context.In(port).type);
    call.rank = RankOf(context, "root_rank");
    call.count = CountOf(context.In(port));
    tensors.emplace_back(std::move(call), port, port);
  }
  return Waiting(std::make_unique<BroadcastKernel>(std::move(tensors)));
}

GroupCall MessageOf(const OpContext& context, Kind kind, const char* name, const TensorType& type) {
  ElementBytes(context, type.type);
  GroupCall call = CallOf(context, kind, name, type.type);
  call.rank = RankOf(context, kind == Kind::kSend ? "dest_rank" : "src_rank");
  call.tag = static_cast<std::uint32_t>(RequiredInt(context, "sr_tag"));
  call.count = CountOf(type);
  return call;
}

std::unique_ptr<Kernel> LowerSend(OpContext& context) {
  return Waiting(
      std::make_unique<GroupKernel>(MessageOf(context, Kind::kSend, "HcomSend", context.In(0)), 0, -1));
}

void InferReceive(OpContext& context) {
  context.SetOut(0, TypeAttribute(context, "dtype", DataType::kFloat), RequiredInts(context, "shape"),
                 Format::kNd);
}

std::unique_ptr<Kernel> LowerReceive(OpContext& context) {
  return Waiting(std::make_unique<GroupKernel>(
      MessageOf(context, Kind::kReceive, "HcomReceive", context.Out(0)), -1, 0));
}

OpDef Reduced(const char* name) {
  return OpDef(name)
      .Infer(InferReduced)
      .Lower([name](OpContext& context) { return LowerAllReduce(context, name); })
      .InPlace(0, 0)
      .Stateful()
      .Types(NumberTypes());
}

OpDef Gathered(const char* name) {
  return OpDef(name)
      .Infer(InferAllGather)
      .Lower([name](OpContext& context) { return LowerAllGather(context, name); })
      .Stateful()
      .Types(NumberTypes());
}

OpDef Scattered(const char* name) {
  return OpDef(name)
      .Infer(InferReduceScatter)
      .Lower([name](OpContext& context) { return LowerReduceScatter(context, name); })
      .Stateful()
      .Types(NumberTypes());
}

OpDef Broadcast(const char* name) {
  return OpDef(name)
      .Infer(InferBroadcast)
      .Lower([name](OpContext& context) { return LowerBroadcast(context, name); })
      .Stateful()
      .Types(NumberTypes());
}

const RegisterOp hcom({
    Reduced("HcomAllReduce"),
    Reduced("AclnnAllReduce"),
    Gathered("HcomAllGather"),
    Gathered("HcomGather"),  // others than the root have it as well
    Scattered("HcomReduceScatter"),
    Scattered("AclnnReduceScatter"),
    Broadcast("HcomBroadcast"),
    OpDef("HcomReduce").Infer(InferReduced).Lower(LowerReduce).InPlace(0, 0).Stateful().Types(NumberTypes()),
    OpDef("HcomSend").Infer([](OpContext&) {}).Lower(LowerSend).Stateful().Types(NumberTypes()),
    OpDef("HcomReceive").Infer(InferReceive).Lower(LowerReceive).Stateful().Types(NumberTypes()),
});

}  // namespace
}  // namespace foothold
