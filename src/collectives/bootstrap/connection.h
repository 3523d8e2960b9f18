// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Connections between ranks and the root, and whole messages over them, by a thread that may wait. A forked
// child has none of them: else nobody would learn when its parent ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "collectives/bootstrap/address.h"
#include "collectives/bootstrap/messages.h"
#include "device/sharing/share_channel.h"

namespace foothold::collectives {

// Closed in forked children.
class OwnSocket {
 public:
  OwnSocket() = default;
  explicit OwnSocket(Descriptor descriptor);
  OwnSocket(OwnSocket&& other) noexcept = default;
  OwnSocket& operator=(OwnSocket&& other) noexcept;
  ~OwnSocket();

  int get() const { return descriptor_.get(); }
  explicit operator bool() const { return static_cast<bool>(descriptor_); }

 private:
  Descriptor descriptor_;
};

// On the first of the ports that is free, which becomes that of the address. Throws HCCL_E_UNAVAIL if none
// is.
OwnSocket ListenAt(Address& address, std::span<const std::uint16_t> ports);
// Tries again until the deadline where nobody listens yet, if `patient`. Throws HCCL_E_TCP_CONNECT or
// HCCL_E_TIMEOUT.
OwnSocket ConnectTo(const Address& address, Nanoseconds deadline, bool patient);
// A lost connection is found out within seconds, also where nothing is sent.
void WatchConnection(int socket) noexcept;

// These throw HCCL_E_TCP_TRANSFER (in their text: who) when the other side is gone, and HCCL_E_TIMEOUT.
void SendAll(const OwnSocket& socket, std::span<const std::byte> bytes, Nanoseconds deadline);
void ReceiveAll(const OwnSocket& socket, std::span<std::byte> bytes, Nanoseconds deadline);

template <typename T>
std::span<const std::byte> BytesOfMessage(const T& message) {
  return std::as_bytes(std::span(&message, 1));
}
template <typename T>
std::span<std::byte> RoomOfMessage(T& message) {
  return std::as_writable_bytes(std::span(&message, 1));
}

// A head with its bytes.
std::vector<std::byte> Packed(MessageKind kind, std::span<const std::byte> content = {});

}  // namespace foothold::collectives
