// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/call.h"

#include <fmt/format.h>

#include "base/error.h"
#include "collectives/codes.h"
#include "device/memory_map.h"

namespace foothold::collectives {
namespace {

void Look(CallMemory& memory, std::uint64_t bytes, Use use, const char* name) {
  memory.bytes = bytes;
  if (bytes == 0) return;
  const MemoryUse found = CheckRange(memory.address, bytes, use, name, kHcclPara);
  if (found.pageable()) {
    throw Error(kHcclPara,
                fmt::format("{} {} is ordinary host memory; collectives work on memory of a device", name,
                            memory.address),
                kTextHcclArgument);
  }
  memory.serial = found.serial;
}

BufferBytes BytesOfPart(const CallPart& part, const Communicator& communicator) {
  const auto bytes = BytesOf(part.request, communicator.rank(), communicator.size());
  if (!bytes) {
    throw Error(kHcclPara, fmt::format("count {} is larger than any memory", part.request.count),
                kTextHcclArgument);
  }
  return *bytes;
}

}  // namespace

void CheckMemory(CallPart& part, const Communicator& communicator, BufferNames names) {
  const BufferBytes bytes = BytesOfPart(part, communicator);
  Look(part.send, bytes.send, Use::kRead, names.send);
  Look(part.receive, bytes.receive, Use::kWrite, names.receive);
}

void TakeOwnMemory(CallPart& part, const Communicator& communicator, const std::byte* send,
                   std::byte* receive) {
  const BufferBytes bytes = BytesOfPart(part, communicator);
  part.send = {nullptr, bytes.send, 0, const_cast<std::byte*>(send)};
  part.receive = {nullptr, bytes.receive, 0, receive};
}

std::string Call::Describe() const {
  std::string text = fmt::format("communicator {}, rank {}", communicator->name(), communicator->rank());
  constexpr std::size_t kMostTold = 4;
  for (const CallPart& part : parts) {
    if (&part == &parts[0] + kMostTold) return text + fmt::format(" and {} more", parts.size() - kMostTold);
    text += fmt::format(", {}", part.request.Describe());
    if (part.request.collective == Collective::kSend) text += fmt::format(" to rank {}", part.peer);
    if (part.request.collective == Collective::kReceive) text += fmt::format(" from rank {}", part.peer);
  }
  return text;
}

void Call::ListAccesses(std::vector<Access>& list) const {
  for (const CallPart& part : parts) {
    if (part.send.bytes > 0 && part.send.own == nullptr)
      list.push_back({part.send.address, part.send.bytes, Use::kRead, Extent::kPartial, part.send.serial});
  }
  for (const CallPart& part : parts) {
    if (part.receive.bytes > 0 && part.receive.own == nullptr)
      list.push_back(
          {part.receive.address, part.receive.bytes, Use::kWrite, Extent::kPartial, part.receive.serial});
  }
}

}  // namespace foothold::collectives
