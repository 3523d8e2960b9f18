// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What ranks on several hosts say to each other: a head, and bytes that depend on its kind. Plain bytes, and
// not believed: what does not fit is dropped or fails the collective it is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/meeting.h"
#include "collectives/request.h"

namespace foothold::collectives {

enum class PacketKind : std::uint32_t {
  kHello = 1,  // the sender reaches the receiver
  kRecord,     // the sender has come: what it asks for, and its bytes if they are few
  kPiece,      // bytes of a large one
  kFailure,    // the sender takes no part: a code and a text
  kProbe,      // the receiver says kEcho
  kEcho,
  kGone,  // the sender has left the communicator, or a part of it, for good
};

struct PacketHead {
  PacketKind kind = PacketKind::kHello;
  std::uint32_t from = 0;  // ranks of the whole communicator
  std::uint32_t to = 0;
  std::uint32_t captured = 0;
  std::uint64_t group = 0;
  std::uint64_t part = 0;  // which part of the communicator; 0 is all of it
  std::uint32_t label_from = MeetingLabel::kAll;
  std::uint32_t label_to = MeetingLabel::kAll;
  std::uint64_t number = 0;
  std::uint64_t run = 0;
  std::uint64_t piece = 0;

  void set_label(const MeetingLabel& label);
  MeetingLabel label() const;
};

// Nothing if these bytes are no head.
std::optional<PacketHead> ReadHead(std::span<const std::byte> bytes);

// A rank that has come, as the others see it.
struct HostRecord {
  Request request;
  bool complete = false;  // all that others need of it is here; else pieces follow
  std::span<const std::byte> bytes{};
};

std::vector<std::byte> PackRecord(const HostRecord& record);
// Nothing if these bytes are no record of a rank among so many. Its bytes are among the given ones.
std::optional<HostRecord> ReadRecord(std::span<const std::byte> packed, std::uint32_t ranks);

std::vector<std::byte> PackFailure(const Error& error);
Failure ReadFailure(std::span<const std::byte> packed);

}  // namespace foothold::collectives
