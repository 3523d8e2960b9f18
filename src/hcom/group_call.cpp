// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "hcom/group_call.h"

#include "base/error.h"
#include "collectives/codes.h"
#include "collectives/communicators.h"
#include "collectives/run_now.h"
#include "device/run_device.h"
#include "device/runtime.h"

namespace foothold::collectives {
namespace {

Element ElementOf(DataType type) {
  switch (type) {
    case DataType::kFloat:
      return Element::kFloat32;
    case DataType::kFloat16:
      return Element::kFloat16;
    case DataType::kBfloat16:
      return Element::kBfloat16;
    case DataType::kDouble:
      return Element::kFloat64;
    case DataType::kInt8:
      return Element::kInt8;
    case DataType::kInt16:
      return Element::kInt16;
    case DataType::kInt32:
      return Element::kInt32;
    case DataType::kInt64:
    case DataType::kComplex64:  // these are only moved
      return Element::kInt64;
    case DataType::kUint16:
      return Element::kUint16;
    case DataType::kUint32:
      return Element::kUint32;
    case DataType::kUint64:
      return Element::kUint64;
    case DataType::kComplex128:
      return Element::kInt128;
    default:
      break;
  }
  if (BitsPerElement(type) == 8) return Element::kUint8;
  Fail(kFeatureUnsupported, "elements of {} are not sent to other ranks", DataTypeName(type));
}

Collective CollectiveOf(GroupCall::Kind kind) {
  switch (kind) {
    case GroupCall::Kind::kAllReduce:
      return Collective::kAllReduce;
    case GroupCall::Kind::kReduce:
      return Collective::kReduce;
    case GroupCall::Kind::kReduceScatter:
      return Collective::kReduceScatter;
    case GroupCall::Kind::kReduceScatterV:
      return Collective::kReduceScatterV;
    case GroupCall::Kind::kBroadcast:
      return Collective::kBroadcast;
    case GroupCall::Kind::kAllGather:
      return Collective::kAllGather;
    case GroupCall::Kind::kAllGatherV:
      return Collective::kAllGatherV;
    case GroupCall::Kind::kAllToAll:
      return Collective::kAllToAll;
    case GroupCall::Kind::kSend:
      return Collective::kSend;
    case GroupCall::Kind::kReceive:
      return Collective::kReceive;
  }
  return Collective::kBarrier;
}

Reduction ReductionOf(const std::string& name) {
  if (name == "prod") return Reduction::kProduct;
  if (name == "max") return Reduction::kMaximum;
  return name == "min" ? Reduction::kMinimum : Reduction::kSum;
}

// That of the device the run is for; else the one there is.
std::shared_ptr<Communicator> FindGroup(const std::string& group) {
  Communicators& all = Communicators::Get();
  const int device = RunDevice::Current();
  std::shared_ptr<Communicator> found;
  if (device >= 0) found = all.FindNamed(group, &Runtime::Get().device(device));
  if (!found) found = all.FindNamed(group, nullptr);
  if (!found) Fail(kInvalidParam, "there is no group of ranks '{}' in this process", group);
  return found;
}

CallPart PartOf(const GroupCall& call, const Communicator& communicator) {
  CallPart part;
  Request& request = part.request;
  request.collective = CollectiveOf(call.kind);
  request.element = request.received = ElementOf(call.type);
  request.reduction = ReductionOf(call.reduction);
  request.count = call.count;
  request.send_counts = call.send_counts;
  request.send_places = call.send_places;
  request.receive_counts = call.receive_counts;
  request.receive_places = call.receive_places;
  const bool message = call.kind == GroupCall::Kind::kSend || call.kind == GroupCall::Kind::kReceive;
  (message ? part.peer : request.root) = call.rank;
  if (call.rank >= communicator.size() || (message && call.rank == communicator.rank()))
    Fail(kInvalidParam, "rank {} of group {} is none that rank {} could {}", call.rank, communicator.name(),
         communicator.rank(), message ? "send to or receive from" : "take as the root");
  TakeOwnMemory(part, communicator, call.send, call.receive);
  return part;
}

// Results of HCCL calls mean something else where the failures of runs are looked at.
[[noreturn]] void RethrowAsRun() {
  const Error error = CurrentError();
  if (error.code() <= static_cast<Code>(kLastHcclCode)) Fail(kInvalidParam, "{}", error.message());
  throw Error(error);
}

}  // namespace
}  // namespace foothold::collectives

namespace foothold {

std::uint32_t GroupSize(const std::string& group) {
  return collectives::FindGroup(group)->size();
}

std::uint32_t GroupRank(const std::string& group) {
  return collectives::FindGroup(group)->rank();
}

void RunGroupCall(const GroupCall& call) try {
  const auto communicator = collectives::FindGroup(call.group);
  collectives::RunNow(communicator, call.name, collectives::PartOf(call, *communicator), call.tag);
} catch (...) {
  collectives::RethrowAsRun();
}

}  // namespace foothold
