// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share_channel.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

constexpr int kType = SOCK_SEQPACKET | SOCK_CLOEXEC;
constexpr timeval kPatience = {10, 0};  // with a process that is stopped or very busy

struct Address {
  sockaddr_un name{};
  socklen_t length;

  // In the abstract space of names, which begins with a null byte.
  explicit Address(std::uint32_t channel) {
    const std::string text = fmt::format("foothold-share-{:08x}", channel);
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&name); }
};

union AncillaryRoom {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

Descriptor Connect(std::uint32_t channel) {
  Descriptor connection(socket(AF_UNIX, kType, 0));
  if (!connection) Fail(kRtResourceAllocFail, "no socket can be made: {}", std::strerror(errno));
  setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));
  setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
  const Address address(channel);
  while (connect(connection.get(), address.get(), address.length) != 0) {
    if (errno == EINTR) continue;
    if (errno == ECONNREFUSED) {
      Fail(kRtIpcError,
           "nobody on this machine shares it: the process that exported it has ended or finalised the "
           "library, or it was never exported");
    }
    Fail(kRtIpcError, "the process that exported it cannot be reached: {}", std::strerror(errno));
  }
  return connection;
}

void CheckSameUser(const Descriptor& connection) {
  const auto peer = PeerOf(connection);
  if (peer && peer->user == geteuid()) return;
  Fail(kRtNoPermission,
       "it belongs to user {}, and this process runs as user {}; memory is shared between "
       "processes of one user only",
       peer ? static_cast<long>(peer->user) : -1L, geteuid());
}

// The descriptor that came along, or none.
Descriptor DescriptorIn(msghdr& message) {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    int number = -1;
    std::memcpy(&number, CMSG_DATA(one), sizeof(number));
    return Descriptor(number);
  }
  return Descriptor();
}

ShareAnswer ReceiveAnswer(const Descriptor& connection, Descriptor& file) {
  ShareAnswer answer;
  iovec data{&answer, sizeof(answer)};
  AncillaryRoom room{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes;
  message.msg_controllen = sizeof(room.bytes);
  ssize_t received;
  do {
    received = recvmsg(connection.get(), &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  const int reason = received < 0 ? errno : 0;
  if (received > 0) file = DescriptorIn(message);
  if (reason == EAGAIN)
    Fail(kRtIpcError, "the process that exported it did not answer within {} s", kPatience.tv_sec);
  if (received == 0 || reason == ECONNRESET) Fail(kRtIpcError, "the process that exported it has ended");
  if (received != static_cast<ssize_t>(sizeof(answer)) || answer.version != ShareRequest::kVersion)
    Fail(kRtIpcError, "the process that exported it uses another version of this library");
  return answer;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::optional<Peer> PeerOf(const Descriptor& connection) noexcept {
  ucred known{};
  socklen_t length = sizeof(known);
  if (getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &known, &length) != 0) return std::nullopt;
  return Peer{known.pid, known.uid};
}

Descriptor OpenChannel(std::uint32_t& number) {
  Descriptor channel(socket(AF_UNIX, kType | SOCK_NONBLOCK, 0));
  if (!channel) Fail(kRtResourceAllocFail, "no socket can be made: {}", std::strerror(errno));
  for (;;) {
    number = RandomNumber();
    const Address address(number);
    if (bind(channel.get(), address.get(), address.length) == 0) break;
    if (errno != EADDRINUSE)
      Fail(kRtResourceAllocFail, "no socket can be opened to share memory: {}", std::strerror(errno));
  }
  if (listen(channel.get(), SOMAXCONN) != 0)
    Fail(kRtResourceAllocFail, "no socket can be opened to share memory: {}", std::strerror(errno));
  return channel;
}

bool SendAnswer(const Descriptor& connection, const ShareAnswer& answer, const MemoryFile* file) noexcept {
  iovec data{const_cast<ShareAnswer*>(&answer), sizeof(answer)};
  AncillaryRoom room{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (file != nullptr) {
    message.msg_control = room.bytes;
    message.msg_controllen = sizeof(room.bytes);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = file->descriptor();
    std::memcpy(CMSG_DATA(header), &number, sizeof(number));
  }
  return sendmsg(connection.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(sizeof(answer));
}

std::optional<ShareRequest> ReceiveRequest(const Descriptor& connection) noexcept {
  ShareRequest request{0, {}};
  const ssize_t received = recv(connection.get(), &request, sizeof(request), MSG_DONTWAIT | MSG_TRUNC);
  if (received != static_cast<ssize_t>(sizeof(request)) || request.version != ShareRequest::kVersion)
    return std::nullopt;
  return request;
}

ShareReply AskFor(const ShareKey& key) {
  const Descriptor connection = Connect(key.channel);
  CheckSameUser(connection);
  const ShareRequest request{ShareRequest::kVersion, key};
  while (send(connection.get(), &request, sizeof(request), MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) Fail(kRtIpcError, "the process that exported it has ended: {}", std::strerror(errno));
  }
  Descriptor file;
  ShareAnswer answer = ReceiveAnswer(connection, file);
  answer.why[sizeof(answer.why) - 1] = '\0';
  if (answer.code != 0) Fail(static_cast<Code>(answer.code), "{}", answer.why);
  if (answer.bytes == 0 || answer.offset + answer.bytes < answer.offset)
    Fail(kRtIpcError, "the process that exported it sent an answer that makes no sense");
  return {answer, MemoryFile(file.Release(), answer.offset + answer.bytes)};
}

}  // namespace foothold
