// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <cstring>
#include <memory>

#include "base/environment.h"
#include "base/error.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr std::int64_t kDefaultBasePort = 60000;
constexpr int kPortsFromBase = 32;

[[noreturn]] void RefuseSetting(const char* name, const std::string& text, const std::string& expected) {
  throw Error(kHcclPara, fmt::format("{} is \"{}\", but {}", name, text, expected), kTextHcclEnvironment);
}

std::string Setting(const char* name) {
  return GetEnv(name).value_or("");
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

int WantedFamily() {
  const std::string text = Setting("HCCL_SOCKET_FAMILY");
  if (text.empty() || text == "AF_INET") return AF_INET;
  if (text == "AF_INET6") return AF_INET6;
  RefuseSetting("HCCL_SOCKET_FAMILY", text, "must be AF_INET or AF_INET6");
}

std::vector<HostAddress> AddressesOfHost(int family) {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0)
    Fail(kHcclSystemCall, "the interfaces cannot be listed: {}", std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, &freeifaddrs);
  std::vector<HostAddress> found;
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != family || !(one->ifa_flags & IFF_UP))
      continue;
    Address address;
    std::memcpy(&address.storage, one->ifa_addr,
                family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in));
    found.push_back({address, one->ifa_name});
  }
  return found;
}

// Others, then docker's, then the loopback.
int Rank(const HostAddress& one) {
  return one.interface.starts_with("lo") ? 2 : one.interface.starts_with("docker") ? 1 : 0;
}

std::uint16_t CheckedPort(const char* name, const std::string& text) {
  const auto port = ParseInt(text);
  if (!port || *port < 1 || *port > 65535)
    RefuseSetting(name, Setting(name), "must be ports from 1 to 65535, ranges like 50000-50031, or auto");
  return static_cast<std::uint16_t>(*port);
}

std::vector<std::uint16_t> PortsOfRange(const char* name, const std::string& text) {
  std::vector<std::uint16_t> ports;
  for (const std::string& part : Split(text, ',')) {
    const auto ends = Split(part, '-');
    const std::uint16_t first = CheckedPort(name, ends.front());
    const std::uint16_t last = CheckedPort(name, ends.back());
    if (ends.size() > 2 || last < first) CheckedPort(name, "");
    for (std::uint32_t port = first; port <= last; ++port)
      ports.push_back(static_cast<std::uint16_t>(port));
  }
  return ports;
}

}  // namespace

std::optional<Address> Address::Parse(const std::string& text, std::uint16_t port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    address.storage.ss_family = AF_INET;
  } else if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    address.storage.ss_family = AF_INET6;
  } else {
    return std::nullopt;
  }
  address.set_port(port);
  return address;
}

std::uint16_t Address::port() const {
  return ntohs(family() == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                                    : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

void Address::set_port(std::uint16_t port) {
  (family() == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(storage).sin6_port
                        : reinterpret_cast<sockaddr_in&>(storage).sin_port) = htons(port);
}

std::string Address::Text() const {
  char text[INET6_ADDRSTRLEN] = {};
  const void* const from =
      family() == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr)
          : &reinterpret_cast<const sockaddr_in&>(storage).sin_addr;
  inet_ntop(family(), from, text, sizeof(text));
  return text;
}

bool WantsInterface(const std::string& wanted, const std::string& name) {
  if (wanted.empty()) return true;
  const bool excludes = wanted.front() == '^';
  const std::string rest = wanted.substr(excludes ? 1 : 0);
  const bool exact = !rest.empty() && rest.front() == '=';
  bool listed = false;
  for (const std::string& one : Split(rest.substr(exact ? 1 : 0), ','))
    listed = listed || (exact ? name == one : !one.empty() && name.starts_with(one));
  return listed != excludes;
}

std::string InterfaceWith(const Address& address) {
  for (const HostAddress& one : AddressesOfHost(address.family())) {
    if (one.address.Text() == address.Text()) return one.interface;
  }
  return "";
}

HostAddress ChooseHostAddress() {
  if (const std::string text = Setting("HCCL_IF_IP"); !text.empty()) {
    if (const auto address = Address::Parse(text, 0)) return {*address, ""};
    RefuseSetting("HCCL_IF_IP", text, "must be an address of this host");
  }
  const std::string wanted = Setting("HCCL_SOCKET_IFNAME");
  std::optional<HostAddress> best;
  for (const HostAddress& one : AddressesOfHost(WantedFamily())) {
    if (WantsInterface(wanted, one.interface) && (!best || Rank(one) < Rank(*best))) best = one;
  }
  if (best) return *best;
  if (!wanted.empty())
    RefuseSetting("HCCL_SOCKET_IFNAME", wanted, "no interface of this host that is up has such a name");
  Fail(kHcclUnavailable, "this host has no interface with an address that could be used");
}

std::vector<std::uint16_t> PortsToTry() {
  const std::string range = Setting("HCCL_HOST_SOCKET_PORT_RANGE");
  if (range == "auto") return {0};
  return range.empty() ? PortsFromBase() : PortsOfRange("HCCL_HOST_SOCKET_PORT_RANGE", range);
}

std::vector<std::uint16_t> PortsFromBase() {
  std::int64_t base = kDefaultBasePort;
  if (const std::string text = Setting("HCCL_IF_BASE_PORT"); !text.empty()) {
    const auto number = ParseInt(text);
    if (!number || *number < 1024 || *number > 65520)
      RefuseSetting("HCCL_IF_BASE_PORT", text, "must be a port from 1024 to 65520");
    base = *number;
  }
  std::vector<std::uint16_t> ports;
  for (int i = 0; i < kPortsFromBase && base + i <= 65535; ++i)
    ports.push_back(static_cast<std::uint16_t>(base + i));
  return ports;
}

}  // namespace foothold::collectives
