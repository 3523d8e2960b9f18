// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/packet.h"

#include <algorithm>
#include <cstring>

#include "collectives/codes.h"
#include "collectives/told_failure.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kMostReason = 4000;

struct PackedRequest {
  Collective collective;
  Element element;
  Element received;
  Reduction reduction;
  std::uint32_t root;
  std::uint64_t count;
  std::uint32_t numbers;  // in each of the four lists, or none
  std::uint32_t complete;
};

bool HasSendNumbers(Collective collective) {
  return collective == Collective::kAllToAll || collective == Collective::kReduceScatterV;
}

bool HasReceiveNumbers(Collective collective) {
  return collective == Collective::kAllToAll || collective == Collective::kAllGatherV;
}

bool IsValid(const PackedRequest& packed, std::uint32_t ranks) {
  const bool lists = HasSendNumbers(packed.collective) || HasReceiveNumbers(packed.collective);
  return packed.collective <= Collective::kReceive && SizeOf(packed.element) > 0 &&
         SizeOf(packed.received) > 0 && NameOf(packed.reduction) != nullptr &&
         packed.numbers == (lists ? ranks : 0) && packed.root < ranks;
}

// The lists of a request in the order they are packed.
template <typename Numbers, typename Asked>
std::vector<Numbers*> Lists(Asked& request) {
  std::vector<Numbers*> lists;
  if (HasSendNumbers(request.collective)) lists = {&request.send_counts, &request.send_places};
  if (HasReceiveNumbers(request.collective)) {
    lists.push_back(&request.receive_counts);
    lists.push_back(&request.receive_places);
  }
  return lists;
}

}  // namespace

void PacketHead::set_label(const MeetingLabel& label) {
  label_from = label.from;
  label_to = label.to;
  captured = label.captured;
  number = label.number;
  run = label.run;
}

MeetingLabel PacketHead::label() const {
  return {label_from, label_to, captured != 0, number, run};
}

std::optional<PacketHead> ReadHead(std::span<const std::byte> bytes) {
  PacketHead head;
  if (bytes.size() != sizeof(head)) return std::nullopt;
  std::memcpy(static_cast<void*>(&head), bytes.data(), sizeof(head));
  if (head.kind < PacketKind::kHello || head.kind > PacketKind::kGone) return std::nullopt;
  return head;
}

std::vector<std::byte> PackRecord(const HostRecord& record) {
  const Request& request = record.request;
  PackedRequest packed;
  std::memset(static_cast<void*>(&packed), 0, sizeof(packed));
  packed.collective = request.collective;
  packed.element = request.element;
  packed.received = request.received;
  packed.reduction = request.reduction;
  packed.root = request.root;
  packed.count = request.count;
  packed.complete = record.complete;
  const auto lists = Lists<const std::vector<std::uint64_t>>(request);
  packed.numbers = lists.empty() ? 0 : static_cast<std::uint32_t>(lists[0]->size());
  std::vector<std::byte> bytes(sizeof(packed));
  std::memcpy(bytes.data(), &packed, sizeof(packed));
  for (const auto* list : lists) {
    const auto numbers = std::as_bytes(std::span(*list));
    bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  }
  bytes.insert(bytes.end(), record.bytes.begin(), record.bytes.end());
  return bytes;
}

std::optional<HostRecord> ReadRecord(std::span<const std::byte> bytes, std::uint32_t ranks) {
  PackedRequest packed;
  if (bytes.size() < sizeof(packed)) return std::nullopt;
  std::memcpy(static_cast<void*>(&packed), bytes.data(), sizeof(packed));
  if (!IsValid(packed, ranks)) return std::nullopt;
  bytes = bytes.subspan(sizeof(packed));
  HostRecord record;
  record.request.collective = packed.collective;
  record.request.element = packed.element;
  record.request.received = packed.received;
  record.request.reduction = packed.reduction;
  record.request.root = packed.root;
  record.request.count = packed.count;
  record.complete = packed.complete != 0;
  for (auto* list : Lists<std::vector<std::uint64_t>>(record.request)) {
    const std::size_t size = std::size_t{packed.numbers} * sizeof(std::uint64_t);
    if (bytes.size() < size) return std::nullopt;
    list->resize(packed.numbers);
    if (size > 0) std::memcpy(list->data(), bytes.data(), size);
    bytes = bytes.subspan(size);
  }
  record.bytes = bytes;
  return record;
}

std::vector<std::byte> PackFailure(const Error& error) {
  const std::int32_t code = error.code();
  const std::size_t length = std::min(std::strlen(error.what()), kMostReason);
  std::vector<std::byte> bytes(sizeof(code) + length);
  std::memcpy(bytes.data(), &code, sizeof(code));
  std::memcpy(bytes.data() + sizeof(code), error.what(), length);
  return bytes;
}

Failure ReadFailure(std::span<const std::byte> packed) {
  std::int32_t code = kRtSuspectRemote;
  std::string why = "a rank takes no part and gives no reason";
  if (packed.size() > sizeof(code)) {
    std::memcpy(&code, packed.data(), sizeof(code));
    packed = packed.subspan(sizeof(code)).first(std::min(packed.size() - sizeof(code), kMostReason));
    why.assign(reinterpret_cast<const char*>(packed.data()), packed.size());
  }
  return ToldFailure(code == kRtAicpuException ? kRtAicpuException : kRtSuspectRemote, why);
}

}  // namespace foothold::collectives
