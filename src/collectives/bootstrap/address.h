// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Addresses of this host and of others, IPv4 and IPv6, and which one collectives use: HCCL_IF_IP, else the
// interface HCCL_SOCKET_IFNAME asks for, else the first that is neither docker's nor the loopback. Any
// thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foothold::collectives {

struct Address {
  sockaddr_storage storage{};

  // Nothing for what is no address.
  static std::optional<Address> Parse(const std::string& text, std::uint16_t port);
  static Address FromSocket(const sockaddr_storage& storage) { return {storage}; }

  int family() const { return storage.ss_family; }
  std::uint16_t port() const;
  void set_port(std::uint16_t port);
  std::string Text() const;  // without port
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  socklen_t length() const { return family() == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in); }
};

struct HostAddress {
  Address address;
  std::string interface;
};

// The interface of this host that has this address, or nothing.
std::string InterfaceWith(const Address& address);
// Throws HCCL_E_PARA for settings that cannot be used.
HostAddress ChooseHostAddress();
// Ports to try, in order; a single 0 lets the system choose. From HCCL_HOST_SOCKET_PORT_RANGE or
// HCCL_IF_BASE_PORT. Throws HCCL_E_PARA.
std::vector<std::uint16_t> PortsToTry();
std::vector<std::uint16_t> PortsFromBase();  // only from the latter

// The order in which HCCL_SOCKET_IFNAME takes interfaces; nothing if it does not want this one. An empty text
// wants all.
bool WantsInterface(const std::string& wanted, const std::string& name);

}  // namespace foothold::collectives
