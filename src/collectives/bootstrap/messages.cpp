// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/messages.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/environment.h"
#include "base/per_process.h"

namespace foothold::collectives {
namespace {

template <typename T>
void Append(std::vector<std::byte>& text, const T& value) {
  const std::size_t before = text.size();
  text.resize(before + sizeof(T));
  std::memcpy(text.data() + before, &value, sizeof(T));
}

std::uint64_t Proof(char who, const Secret& secret, const Nonce& rank, const Nonce& root,
                    const Joining* joining) {
  std::vector<std::byte> text;
  Append(text, who);
  Append(text, rank);
  Append(text, root);
  if (joining != nullptr) {
    Append(text, joining->ranks);
    Append(text, joining->member);
  }
  return KeyedHash(secret, text);
}

struct OwnNumber {
  std::array<std::uint8_t, 16> bytes = RandomBytes();
};

// The boot, the network, the user, and what the user says: processes that have all in common can hand each
// other memory.
std::array<std::uint8_t, 16> HostNumber() {
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  struct stat network {};
  if (stat("/proc/self/ns/net", &network) == 0) text += fmt::format("/{}", network.st_ino);
  text += fmt::format("/{}/{}", geteuid(), GetEnv("FOOTHOLD_HCCL_HOST").value_or(""));
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  const std::uint64_t parts[] = {KeyedHash(Secret{1}, bytes), KeyedHash(Secret{2}, bytes)};
  std::array<std::uint8_t, 16> number;
  std::memcpy(number.data(), parts, sizeof(parts));
  return number;
}

}  // namespace

std::uint64_t ProofOfRoot(const Secret& secret, const Nonce& rank, const Nonce& root) {
  return Proof('S', secret, rank, root, nullptr);
}

std::uint64_t ProofOfRank(const Secret& secret, const Nonce& rank, const Nonce& root,
                          const Joining& joining) {
  return Proof('C', secret, rank, root, &joining);
}

std::vector<std::byte> PackTable(const TableHead& head, std::span<const Member> members) {
  std::vector<std::byte> content;
  Append(content, head);
  for (const Member& member : members)
    Append(content, member);
  return content;
}

std::optional<Table> ReadTable(std::span<const std::byte> content, std::uint32_t ranks) {
  Table table;
  if (content.size() != sizeof(table.head) + std::size_t{ranks} * sizeof(Member)) return std::nullopt;
  std::memcpy(static_cast<void*>(&table.head), content.data(), sizeof(table.head));
  if (table.head.ranks != ranks || table.head.way > TableHead::kMessages) return std::nullopt;
  table.members.resize(ranks);
  if (ranks > 0)
    std::memcpy(table.members.data(), content.data() + sizeof(table.head), ranks * sizeof(Member));
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (table.members[rank].rank != rank || table.members[rank].address.back() != '\0') return std::nullopt;
  }
  return table;
}

std::vector<std::byte> PackReason(int code, const std::string& why) {
  std::vector<std::byte> content(sizeof(code) + why.size());
  std::memcpy(content.data(), &code, sizeof(code));
  std::memcpy(content.data() + sizeof(code), why.data(), why.size());
  return content;
}

std::optional<Reason> ReadReason(std::span<const std::byte> content) {
  Reason reason{};
  if (content.size() < sizeof(reason.code)) return std::nullopt;
  std::memcpy(&reason.code, content.data(), sizeof(reason.code));
  content = content.subspan(sizeof(reason.code));
  reason.why.assign(reinterpret_cast<const char*>(content.data()), content.size());
  return reason;
}

std::optional<Parting> ReadParting(std::span<const std::byte> content) {
  Parting parting{};
  if (content.size() != sizeof(parting)) return std::nullopt;
  std::memcpy(&parting, content.data(), sizeof(parting));
  return parting;
}

std::vector<std::byte> PackAddresses(const std::vector<std::vector<std::byte>>& addresses) {
  std::vector<std::byte> content;
  for (const auto& address : addresses) {
    Append(content, static_cast<std::uint32_t>(address.size()));
    content.insert(content.end(), address.begin(), address.end());
  }
  return content;
}

std::optional<std::vector<std::vector<std::byte>>> ReadAddresses(std::span<const std::byte> content,
                                                                 std::uint32_t ranks) {
  std::vector<std::vector<std::byte>> addresses;
  while (!content.empty()) {
    std::uint32_t length = 0;
    if (content.size() < sizeof(length)) return std::nullopt;
    std::memcpy(&length, content.data(), sizeof(length));
    content = content.subspan(sizeof(length));
    if (length > content.size() || addresses.size() == ranks) return std::nullopt;
    addresses.emplace_back(content.begin(), content.begin() + length);
    content = content.subspan(length);
  }
  if (addresses.size() != ranks) return std::nullopt;
  return addresses;
}

std::array<std::uint8_t, 16> OwnProcess() {
  return PerProcess<OwnNumber>::Get().bytes;
}

Member Myself(std::uint32_t rank, int device, const std::string& address) {
  Member member;
  member.host = HostNumber();
  member.process = OwnProcess();
  member.rank = rank;
  member.pid = getpid();
  member.device = device;
  std::copy_n(address.begin(), std::min(address.size(), member.address.size() - 1), member.address.begin());
  return member;
}

}  // namespace foothold::collectives
