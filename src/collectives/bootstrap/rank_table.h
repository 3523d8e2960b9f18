// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rank tables: files that say which ranks a job has and on which hosts they are, in the forms of versions 1
// (servers with devices; with super pods), of old ones (groups with instances) and 2 (a list of ranks).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/bootstrap/address.h"
#include "collectives/bootstrap/keyed_hash.h"

namespace foothold::collectives {

struct RankTable {
  struct Entry {
    std::int64_t rank = -1;
    std::int64_t device = 0;
    std::string server;     // its name, often an address
    std::string host_ip;    // empty: not given
    std::string device_ip;  // of its first port
    std::uint16_t host_port = 0;
    std::string pod{};  // of old tables
  };

  // Throws HCCL_E_INTERNAL for what is no table, HCCL_E_PARA for values that cannot be.
  static RankTable Parse(std::string_view text);
  // A file, or the text itself where it begins with a brace.
  static RankTable Read(const std::string& path_or_text);

  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()); }
  bool one_server() const;
  // Where rank 0 listens: at the address and port the table has for its host; else at that address and a port
  // that follows from the table; on the loopback where all are on one host.
  Address Root() const;
  // Of all who have the same table, and the same FOOTHOLD_HCCL_SECRET.
  Secret SecretOf() const;
  std::uint64_t Hash() const;

  std::vector<Entry> ranks;  // by rank
  std::string text;
};

}  // namespace foothold::collectives
