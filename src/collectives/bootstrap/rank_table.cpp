// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/rank_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/environment.h"
#include "base/error.h"
#include "base/json_tree.h"
#include "collectives/bootstrap/small_file.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

[[noreturn]] void RefuseTable(const std::string& why) {
  throw Error(kHcclInternal, "the rank table cannot be used: " + why, kTextHcclRankTable);
}

[[noreturn]] void RefuseValue(const std::string& why) {
  throw Error(kHcclPara, "the rank table cannot be used: " + why, kTextHcclRankTableValue);
}

// Values are texts in one version and numbers in the other.
std::string TextAt(const JsonTree& tree, std::string_view key) {
  const JsonTree* const found = tree.Find(key);
  if (found == nullptr) return "";
  try {
    return found->get<std::string>();
  } catch (const JsonTree::Mismatch&) {
    return std::to_string(found->get<std::int64_t>());
  }
}

std::int64_t NumberAt(const JsonTree& tree, std::string_view key) {
  const std::string text = TextAt(tree, key);
  const auto number = ParseInt(text);
  if (!number || *number < 0) RefuseValue(fmt::format("{} is \"{}\", but must be a number", key, text));
  return *number;
}

std::uint16_t PortAt(const JsonTree& tree, std::string_view key) {
  if (tree.Find(key) == nullptr) return 0;
  const std::int64_t port = NumberAt(tree, key);
  if (port < 1 || port > 65535) RefuseValue(fmt::format("{} is {}, but must be 1 to 65535", key, port));
  return static_cast<std::uint16_t>(port);
}

void ReadServers(const JsonTree& tree, std::vector<RankTable::Entry>& ranks) {
  for (const JsonTree& server : tree.at("server_list").items()) {
    for (const JsonTree& device : server.at("device").items()) {
      ranks.push_back({NumberAt(device, "rank_id"), NumberAt(device, "device_id"),
                       TextAt(server, "server_id"), TextAt(server, "host_ip"), TextAt(device, "device_ip"),
                       PortAt(device, "host_port")});
    }
  }
}

// Ranks are numbered in the order of instances and devices.
void ReadGroups(const JsonTree& tree, std::vector<RankTable::Entry>& ranks) {
  for (const JsonTree& group : tree.at("group_list").items()) {
    for (const JsonTree& instance : group.at("instance_list").items()) {
      for (const JsonTree& device : instance.at("devices").items()) {
        ranks.push_back({static_cast<std::int64_t>(ranks.size()), NumberAt(device, "device_id"),
                         TextAt(instance, "server_id"), "", TextAt(device, "device_ip"), 0,
                         TextAt(instance, "pod_name")});
      }
    }
  }
}

// Ranks of one host have the same instance at layer 0.
void ReadRanks(const JsonTree& tree, std::vector<RankTable::Entry>& ranks) {
  for (const JsonTree& one : tree.at("rank_list").items()) {
    RankTable::Entry entry;
    entry.rank = NumberAt(one, "rank_id");
    entry.device = NumberAt(one, "device_id");
    entry.host_port = PortAt(one, "host_port");
    if (const JsonTree* const levels = one.Find("level_list")) {
      for (const JsonTree& level : levels->items()) {
        if (TextAt(level, "net_layer") == "0") entry.server = TextAt(level, "net_instance_id");
        const JsonTree* const addresses = level.Find("rank_addr_list");
        if (addresses != nullptr && !addresses->items().empty() && entry.device_ip.empty())
          entry.device_ip = TextAt(addresses->items().front(), "addr");
      }
    }
    ranks.push_back(std::move(entry));
  }
}

void CheckNumbers(std::vector<RankTable::Entry>& ranks) {
  std::sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  if (ranks.empty()) RefuseValue("it has no ranks");
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].rank != static_cast<std::int64_t>(i)) {
      RefuseValue(fmt::format("rank {} is {}; ranks are 0 to {}, each once", i,
                              ranks[i].rank < static_cast<std::int64_t>(i) ? "there twice" : "missing",
                              ranks.size() - 1));
    }
  }
}

}  // namespace

RankTable RankTable::Parse(std::string_view text) try {
  const JsonTree tree = JsonTree::Parse(text);
  RankTable table;
  table.text = text;
  const std::string status = TextAt(tree, "status");
  if (status != "completed") RefuseValue(fmt::format("status is \"{}\", not \"completed\"", status));
  if (tree.Find("rank_list") != nullptr) {
    ReadRanks(tree, table.ranks);
  } else if (tree.Find("group_list") != nullptr) {
    ReadGroups(tree, table.ranks);
  } else {
    ReadServers(tree, table.ranks);
  }
  CheckNumbers(table.ranks);
  return table;
} catch (const JsonTree::Mismatch& error) {
  RefuseTable(error.what());
}

RankTable RankTable::Read(const std::string& path_or_text) {
  const std::size_t begin = path_or_text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && path_or_text[begin] == '{') return Parse(path_or_text);
  const auto text = ReadSmallFile(path_or_text);
  if (!text) RefuseTable(fmt::format("\"{}\" cannot be read, or is too long", path_or_text));
  return Parse(*text);
}

bool RankTable::one_server() const {
  return std::all_of(ranks.begin(), ranks.end(), [&](const Entry& one) {
    return one.server == ranks[0].server && one.host_ip == ranks[0].host_ip;
  });
}

Address RankTable::Root() const {
  const Entry& root = ranks[0];
  auto ports = PortsToTry();
  if (ports.front() == 0) ports = PortsFromBase();  // all ranks have to know which
  const std::uint16_t port = root.host_port != 0 ? root.host_port : ports[Hash() % ports.size()];
  for (const std::string* const text : {&root.host_ip, &root.server, &root.device_ip}) {
    if (one_server() && root.host_ip.empty()) break;
    if (const auto address = Address::Parse(*text, port)) return *address;
  }
  if (one_server()) return *Address::Parse("127.0.0.1", port);
  RefuseValue("it has no address for the host of rank 0: neither host_ip nor server_id nor device_ip is one");
}

std::uint64_t RankTable::Hash() const {
  return KeyedHash(Secret{4}, std::as_bytes(std::span(text)));
}

Secret RankTable::SecretOf() const {
  const std::string all = text + GetEnv("FOOTHOLD_HCCL_SECRET").value_or("");
  const std::span<const std::byte> bytes = std::as_bytes(std::span(all));
  const std::uint64_t parts[] = {KeyedHash(Secret{5}, bytes), KeyedHash(Secret{6}, bytes)};
  Secret secret;
  std::memcpy(secret.data(), parts, sizeof(parts));
  return secret;
}

}  // namespace foothold::collectives
