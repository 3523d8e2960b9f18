// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/connection.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/process_events.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr Nanoseconds kTryAgain = 50 * kMillisecond;
constexpr auto kHcclTcpTransfer = static_cast<Code>(13);

std::mutex& SocketsMutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
// Of this process; guarded by the mutex above.
std::set<int>& Sockets() {
  static auto* const sockets = new std::set<int>;
  return *sockets;
}

void CloseInChild() {
  for (const int socket : Sockets())
    close(socket);
  Sockets().clear();
  SocketsMutex().unlock();
}
const AtFork at_fork(ForkStage::kConnections,
                     {[] { SocketsMutex().lock(); }, [] { SocketsMutex().unlock(); }, CloseInChild});

int MillisecondsTo(Nanoseconds deadline) {
  if (deadline == kForever) return 1000;
  return static_cast<int>(std::clamp<Nanoseconds>((deadline - Now()) / kMillisecond + 1, 0, 1000));
}

// Throws at the deadline.
void AwaitEvent(int socket, short event, Nanoseconds deadline) {
  for (;;) {
    pollfd one{socket, event, 0};
    const int ready = poll(&one, 1, MillisecondsTo(deadline));
    if (ready > 0) return;
    if (deadline != kForever && Now() >= deadline)
      throw Error(kHcclTimeout, "the other side did not answer in time", kTextHcclSocketTimeout);
  }
}

[[noreturn]] void FailGone(const char* why) {
  Fail(kHcclTcpTransfer, "the connection was closed by the other side: {}", why);
}

Descriptor NewSocket(int family) {
  Descriptor made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) Fail(kHcclSystemCall, "no socket can be made: {}", std::strerror(errno));
  return made;
}

// 0, or why it was not made.
int TryConnect(int socket, const Address& address, Nanoseconds deadline) {
  if (connect(socket, address.get(), address.length()) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  AwaitEvent(socket, POLLOUT, deadline);
  int reason = 0;
  socklen_t length = sizeof(reason);
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &reason, &length);
  return reason;
}

}  // namespace

OwnSocket::OwnSocket(Descriptor descriptor) {
  std::lock_guard<std::mutex> lock(SocketsMutex());
  Sockets().insert(descriptor.get());
  descriptor_ = std::move(descriptor);
}

OwnSocket& OwnSocket::operator=(OwnSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

OwnSocket::~OwnSocket() {
  if (!descriptor_) return;
  std::lock_guard<std::mutex> lock(SocketsMutex());
  // In a child it is closed already, and the number may be somebody else's.
  if (Sockets().erase(descriptor_.get()) == 0) static_cast<void>(descriptor_.Release());
  const Descriptor closed(std::move(descriptor_));  // before another thread can get its number
}

OwnSocket ListenAt(Address& address, std::span<const std::uint16_t> ports) {
  int reason = EADDRINUSE;
  for (const std::uint16_t port : ports) {
    Descriptor made = NewSocket(address.family());
    const int on = 1;
    setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    address.set_port(port);
    if (bind(made.get(), address.get(), address.length()) == 0 && listen(made.get(), SOMAXCONN) == 0) {
      socklen_t length = sizeof(address.storage);
      getsockname(made.get(), reinterpret_cast<sockaddr*>(&address.storage), &length);
      return OwnSocket(std::move(made));
    }
    reason = errno;
    if (reason != EADDRINUSE && reason != EACCES) break;
  }
  throw Error(kHcclUnavailable,
              fmt::format("no port of {} from {} to {} can be used: {}", address.Text(), ports.front(),
                          ports.back(), std::strerror(reason)),
              kTextHcclAddressInUse);
}

OwnSocket ConnectTo(const Address& address, Nanoseconds deadline, bool patient) {
  for (;;) {
    OwnSocket made(NewSocket(address.family()));
    const int reason = TryConnect(made.get(), address, deadline);
    if (reason == 0) {
      WatchConnection(made.get());
      return made;
    }
    if (!patient || Now() + kTryAgain >= deadline) {
      Fail(kHcclTcpConnect, "{} port {} cannot be reached: {}", address.Text(), address.port(),
           std::strerror(reason));
    }
    usleep(kTryAgain / kMicrosecond);
  }
}

void WatchConnection(int socket) noexcept {
  const auto set = [socket](int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 2);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 5000);
}

void SendAll(const OwnSocket& socket, std::span<const std::byte> bytes, Nanoseconds deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      AwaitEvent(socket.get(), POLLOUT, deadline);
    } else if (errno != EINTR) {
      FailGone(std::strerror(errno));
    }
  }
}

void ReceiveAll(const OwnSocket& socket, std::span<std::byte> bytes, Nanoseconds deadline) {
  while (!bytes.empty()) {
    const ssize_t received = recv(socket.get(), bytes.data(), bytes.size(), 0);
    if (received > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(received));
    } else if (received == 0) {
      FailGone("it has ended, or does not know the secret");
    } else if (errno == EAGAIN) {
      AwaitEvent(socket.get(), POLLIN, deadline);
    } else if (errno != EINTR) {
      FailGone(std::strerror(errno));
    }
  }
}

std::vector<std::byte> Packed(MessageKind kind, std::span<const std::byte> content) {
  const MessageHead head{kind, static_cast<std::uint32_t>(content.size())};
  std::vector<std::byte> packed(sizeof(head) + content.size());
  std::memcpy(packed.data(), &head, sizeof(head));
  if (!content.empty()) std::memcpy(packed.data() + sizeof(head), content.data(), content.size());
  return packed;
}

}  // namespace foothold::collectives
