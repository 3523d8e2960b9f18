// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/hccl/arguments.h"

#include <utility>

#include "api/hccl/hccl_guard.h"
#include "collectives/call_group.h"
#include "collectives/push.h"
#include "device/current.h"

namespace foothold::collectives {

Element CheckedElement(HcclDataType type) {
  const auto number = static_cast<unsigned>(type);
  if (number > UINT8_MAX || SizeOf(static_cast<Element>(number)) == 0)
    Fail(kHcclPara, "{} is no HcclDataType", number);
  return static_cast<Element>(number);
}

Element CheckedReducible(HcclDataType type) {
  const Element element = CheckedElement(type);
  if (!CanBeReduced(element))
    Fail(kHcclNotSupport, "elements of type {} can be moved, but not reduced", NameOf(element));
  return element;
}

Reduction CheckedReduction(HcclReduceOp operation) {
  const auto number = static_cast<unsigned>(operation);
  if (number > static_cast<unsigned>(Reduction::kMinimum)) Fail(kHcclPara, "{} is no HcclReduceOp", number);
  return static_cast<Reduction>(number);
}

void CheckRank(std::uint32_t rank, const char* name, const Communicator& communicator) {
  if (rank < communicator.size()) return;
  Fail(kHcclPara, "{} is {}, but communicator {} has ranks 0 to {}", name, rank, communicator.name(),
       communicator.size() - 1);
}

std::vector<std::uint64_t> CheckedCounts(const void* counts, const char* name, std::uint64_t count) {
  const auto* const first = static_cast<const std::uint64_t*>(CheckHcclPointer(counts, name));
  return {first, first + count};
}

std::shared_ptr<Communicator> FindCommunicator(HcclComm comm) {
  auto communicator = Communicators::Get().Find(comm);
  communicator->CheckTakesCalls();
  return communicator;
}

StreamRef StreamFor(const Communicator& communicator, aclrtStream stream) {
  const StreamRef found = stream == nullptr ? FindStream(nullptr) : FindStreamAnywhere(stream);
  if (found->device() == communicator.device().id()) return found;
  Fail(kHcclPara, "{} belongs to device {}, and communicator {} to device {}",
       stream == nullptr ? "the default stream of the current context" : "the stream", found->device(),
       communicator.name(), communicator.device().id());
}

void Queue(const std::shared_ptr<Communicator>& communicator, aclrtStream stream, const char* api,
           CallPart part, BufferNames names) {
  CheckMemory(part, *communicator, names);
  const StreamRef where = StreamFor(*communicator, stream);
  if (!call_group::IsOpen()) return PushCollective(communicator, where, api, std::move(part));
  call_group::AddCall([communicator, where, api, part = std::move(part)]() mutable {
    PushCollective(communicator, where, api, std::move(part));
  });
}

}  // namespace foothold::collectives
