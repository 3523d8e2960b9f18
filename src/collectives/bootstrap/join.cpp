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
  if (content.size() < sizeof(TableHead)) Fail(kHcclInternal, "the root sent a table without an end");
  std::memcpy(static_cast<void*>(&joined.head), content.data(), sizeof(TableHead));
  if (joined.head.ranks != options.ranks ||
      content.size() != sizeof(TableHead) + options.ranks * sizeof(Member))
    Fail(kHcclInternal, "the root sent a table of {} ranks", joined.head.ranks);
  joined.members.resize(options.ranks);
  std::memcpy(joined.members.data(), content.data() + sizeof(TableHead), options.ranks * sizeof(Member));
  return joined;
}

std::vector<std::vector<std::byte>> ExchangeAddresses(const Joined& joined, std::span<const std::byte> own,
                                                      Nanoseconds deadline) {
  SendAll(joined.connection, Packed(MessageKind::kAddress, own), deadline);
  const auto content = Await(joined.connection, MessageKind::kAddresses, deadline + kForReasons);
  auto addresses = ReadAddresses(content, joined.head.ranks);
  if (!addresses) Fail(kHcclInternal, "the root sent addresses that are not those of all ranks");
  return std::move(*addresses);
}

void TellHindrance(const Joined& joined, const Error& error, Nanoseconds deadline) {
  const std::string why = error.message().substr(0, kMostMessage / 2);
  SendAll(joined.connection, Packed(MessageKind::kCannot, PackReason(error.code(), why)), deadline);
  Await(joined.connection, MessageKind::kRefusal, deadline + kForReasons);
}

void AwaitGo(const Joined& joined, Nanoseconds deadline) {
  SendAll(joined.connection, Packed(MessageKind::kReady), deadline);
  Await(joined.connection, MessageKind::kGo, deadline + kForReasons);
}

}  // namespace foothold::collectives
