// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What ranks and the root say to each other while a communicator is made, and later, when one is lost. Plain
// bytes: both run the same version of the library or refuse each other. Every message but the first two of a
// connection is a head and so many bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/bootstrap/keyed_hash.h"
#include "device/sharing/share_key.h"

namespace foothold::collectives {

constexpr std::uint64_t kBootstrapMagic = 0x324c4343486f6f46;  // "FooHCCL2"
constexpr std::uint32_t kMostRanks = 32768;
constexpr std::uint32_t kMostMessage = 4096;  // that a rank sends, or that the root sends after it said go

// 1. A rank to the root, as the first thing.
struct Greeting {
  std::uint64_t magic = kBootstrapMagic;
  Nonce nonce{};
};

// 2. The root to a rank: it knows the secret.
struct Challenge {
  Nonce nonce{};
  std::uint64_t proof = 0;
};

// Who a rank is.
struct Member {
  std::array<std::uint8_t, 16> host{};     // the same for all who can share memory
  std::array<std::uint8_t, 16> process{};  // different for each process, also after a fork
  std::uint32_t rank = 0;
  std::int32_t pid = 0;
  std::int32_t device = 0;
  std::uint32_t unused = 0;
  std::array<char, 48> address{};  // of its host, for messages

  bool operator==(const Member&) const = default;
};

// 3. The rank to the root: so does it.
struct Joining {
  std::uint64_t proof = 0;
  std::uint32_t ranks = 0;
  std::uint32_t unused = 0;
  Member member;
};

enum class MessageKind : std::uint32_t {
  kRefusal = 1,  // root to rank: a code and a text
  kTable,        // root to rank: what TableHead says, and all members
  kReady,        // rank to root: it can reach the others
  kGo,           // root to rank: so can all
  kLost,         // root to rank: the number of a rank that is gone, and a text
  kBye,        // rank to root: it leaves in order; root to rank: its own ranks have left, it may end any time
  kAddress,    // rank to root: where messages from other hosts reach it
  kAddresses,  // root to rank: those of all, each with its length in front
  kSilent,     // rank to root: the number of a rank that nothing is heard from; these four have no text
  kPing,       // root to that rank: who asked
  kPong,       // that rank to root: for whom
  kAlive,      // root to who asked: the rank is
  kCannot,     // rank to root: why messages from other hosts cannot reach it, a code and a text
  kParted,     // rank to root, and root to all others: two ranks that run and do not reach each other
};

struct MessageHead {
  MessageKind kind;
  std::uint32_t bytes = 0;
};

struct TableHead {
  enum Way : std::uint32_t { kOneProcess, kSharedMemory, kMessages };
  Way way;
  std::uint32_t ranks;
  std::uint64_t group;                // a number of this group
  ShareKey board;                     // of shared memory
  std::array<std::uint8_t, 16> root;  // the process of the root
};

std::uint64_t ProofOfRoot(const Secret& secret, const Nonce& rank, const Nonce& root);
std::uint64_t ProofOfRank(const Secret& secret, const Nonce& rank, const Nonce& root, const Joining& joining);

struct Table {
  TableHead head;
  std::vector<Member> members;  // by rank
};
std::vector<std::byte> PackTable(const TableHead& head, std::span<const Member> members);
// Nothing if it is not one of so many ranks.
std::optional<Table> ReadTable(std::span<const std::byte> content, std::uint32_t ranks);

// A code and a text, and back: nothing if there is no code.
std::vector<std::byte> PackReason(int code, const std::string& why);
struct Reason {
  int code;
  std::string why;
};
std::optional<Reason> ReadReason(std::span<const std::byte> content);

// Two ranks that do not reach each other; nothing if there are not two numbers.
struct Parting {
  std::uint32_t one;
  std::uint32_t other;
};
std::optional<Parting> ReadParting(std::span<const std::byte> content);

// Bytes of each rank, each with its length in front; nothing if there are not exactly so many.
std::vector<std::byte> PackAddresses(const std::vector<std::vector<std::byte>>& addresses);
std::optional<std::vector<std::vector<std::byte>>> ReadAddresses(std::span<const std::byte> content,
                                                                 std::uint32_t ranks);

// The number of this process.
std::array<std::uint8_t, 16> OwnProcess();
// This process, as rank `rank` of somebody.
Member Myself(std::uint32_t rank, int device, const std::string& address);

}  // namespace foothold::collectives
