// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/join.h"

#include <cstring>
#include <string>

#include "base/error.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr Nanoseconds kForReasons =
    5 * kSecond;  // more than the root waits, so that it can say who is missing
constexpr std::size_t kMostContent = std::size_t{kMostRanks} * (kMostMessage + sizeof(Member));

// The content of the next message, which has to be of this kind.
std::vector<std::byte> Await(const OwnSocket& connection, MessageKind kind, Nanoseconds deadline) {
  MessageHead head{};
  ReceiveAll(connection, RoomOfMessage(head), deadline);
  if (head.bytes > kMostContent) Fail(kHcclInternal, "the root sent a message of {} bytes", head.bytes);
  std::vector<std::byte> content(head.bytes);
  ReceiveAll(connection, content, deadline);
  if (const auto refusal = ReadReason(content); head.kind == MessageKind::kRefusal && refusal) {
    throw Error(static_cast<Code>(refusal->code), refusal->why,
                refusal->code == kHcclTimeout ? kTextHcclMissingRanks : nullptr);
  }
  if (head.kind != kind) Fail(kHcclInternal, "the root sent message {}", static_cast<unsigned>(head.kind));
  return content;
}

// Says something and hears the answer. A root that has refused all does not listen any more, but has said
// why.
std::vector<std::byte> Ask(const OwnSocket& connection, std::span<const std::byte> packed, MessageKind answer,
                           Nanoseconds deadline) {
  try {
    SendAll(connection, packed, deadline);
  } catch (const Error& error) {
    if (error.code() == kHcclTimeout) throw;
  }
  return Await(connection, answer, deadline + kForReasons);
}

void Prove(const OwnSocket& connection, const JoinOptions& options, const Member& self) {
  Greeting greeting;
  greeting.nonce = RandomBytes();
  SendAll(connection, BytesOfMessage(greeting), options.deadline);
  Challenge challenge;
  ReceiveAll(connection, RoomOfMessage(challenge), options.deadline);
  if (challenge.proof != ProofOfRoot(options.secret, greeting.nonce, challenge.nonce)) {
    Fail(kHcclTcpConnect, "who listens at {} port {} does not know the secret of this communicator",
         options.root.Text(), options.root.port());
  }
  Joining joining;
  joining.ranks = options.ranks;
  joining.member = self;
  joining.proof = ProofOfRank(options.secret, greeting.nonce, challenge.nonce, joining);
  SendAll(connection, BytesOfMessage(joining), options.deadline);
}

}  // namespace

Joined JoinGroup(const JoinOptions& options, const Member& self) {
  Joined joined;
  joined.connection = ConnectTo(options.root, options.deadline, options.patient);
  Prove(joined.connection, options, self);
  const auto content = Await(joined.connection, MessageKind::kTable, options.deadline + kForReasons);
  auto table = ReadTable(content, options.ranks);
  if (!table) Fail(kHcclInternal, "the root sent a table that is not one of {} ranks", options.ranks);
  joined.head = table->head;
  joined.members = std::move(table->members);
  return joined;
}

std::vector<std::vector<std::byte>> ExchangeAddresses(const Joined& joined, std::span<const std::byte> own,
                                                      Nanoseconds deadline) {
  const auto content =
      Ask(joined.connection, Packed(MessageKind::kAddress, own), MessageKind::kAddresses, deadline);
  auto addresses = ReadAddresses(content, joined.head.ranks);
  if (!addresses) Fail(kHcclInternal, "the root sent addresses that are not those of all ranks");
  return std::move(*addresses);
}

void TellHindrance(const Joined& joined, const Error& error, Nanoseconds deadline) {
  const std::string why = error.message().substr(0, kMostMessage / 2);
  Ask(joined.connection, Packed(MessageKind::kCannot, PackReason(error.code(), why)), MessageKind::kRefusal,
      deadline);
}

void AwaitGo(const Joined& joined, Nanoseconds deadline) {
  Ask(joined.connection, Packed(MessageKind::kReady), MessageKind::kGo, deadline);
}

}  // namespace foothold::collectives
