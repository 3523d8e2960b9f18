// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The thread that answers other processes. It waits for nobody in particular: who connects and says nothing
// holds up nobody.
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "device/sharing/share_codes.h"
#include "device/sharing/share_exports.h"

namespace foothold {
namespace {

constexpr std::size_t kMostClients = 64;
constexpr Nanoseconds kPatience = 2 * kSecond;  // with one that says nothing
constexpr int kLookMs = 500;
constexpr int kCrowdedMs = 10;

ShareAnswer Refusal(Code code, const std::string& why) {
  ShareAnswer answer;
  answer.code = code;
  std::strncpy(answer.why, why.c_str(), sizeof(answer.why) - 1);
  return answer;
}

}  // namespace

struct Exports::Client {
  Descriptor connection;
  Nanoseconds since;
};

void Exports::Serve(const Descriptor& channel, const Descriptor& wake) {
  std::vector<Client> clients;
  bool crowded = false;
  for (;;) {
    pollfd polled[kMostClients + 2] = {{wake.get(), POLLIN, 0}};
    const bool accepts = !crowded && clients.size() < kMostClients;
    polled[1] = {accepts ? channel.get() : -1, POLLIN, 0};
    for (std::size_t i = 0; i < clients.size(); ++i)
      polled[i + 2] = {clients[i].connection.get(), POLLIN, 0};
    const int limit = crowded ? kCrowdedMs : clients.empty() ? -1 : kLookMs;
    if (poll(polled, clients.size() + 2, limit) < 0 && errno != EINTR) return;
    if (polled[0].revents != 0) return;
    for (std::size_t i = clients.size(); i-- > 0;) {
      if (polled[i + 2].revents != 0) Reply(clients[i].connection);
      const bool over = polled[i + 2].revents != 0 || Now() - clients[i].since > kPatience;
      if (over) clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    crowded = !Accept(channel, clients);
  }
}

// False if the process has no room for one more now.
bool Exports::Accept(const Descriptor& channel, std::vector<Client>& clients) try {
  clients.reserve(kMostClients);
  while (clients.size() < kMostClients) {
    Descriptor connection(accept4(channel.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    clients.push_back({std::move(connection), Now()});
  }
  return true;
} catch (const std::exception&) {  // no memory: those who came wait a little longer
  return false;
}

void Exports::Reply(const Descriptor& connection) try {
  std::shared_ptr<const MemoryFile> file;
  const ShareAnswer answer = AnswerTo(connection, file);
  if (!SendAnswer(connection, answer, file.get()))
    Log(LogLevel::kWarning, "an answer to a process that imports was lost: {}", std::strerror(errno));
} catch (const std::bad_alloc&) {
  ShareAnswer answer;
  answer.code = kRtMemoryAllocation;
  std::strncpy(answer.why, "the process that exported it has no memory left", sizeof(answer.why) - 1);
  SendAnswer(connection, answer, nullptr);
}

ShareAnswer Exports::AnswerTo(const Descriptor& connection, std::shared_ptr<const MemoryFile>& file) try {
  const auto request =
      ReceiveRequest(connection);  // first: a packet that is left unread takes the answer with it
  const auto peer = PeerOf(connection);
  if (!peer || peer->user != geteuid()) {
    return Refusal(
        kRtNoPermission,
        fmt::format("it belongs to user {}; memory is shared between processes of one user only", geteuid()));
  }
  if (!request) return Refusal(kRtIpcError, "the two processes use different versions of this library");
  const auto item = ItemFor(request->key, *peer);
  const auto offer = item->provide();
  if (!offer) {
    Fail(kRtIpcError, "process {} has freed what it exported here", getpid());
  }
  file = offer->file;
  ShareAnswer answer;
  answer.process = getpid();
  answer.offset = offer->offset;
  answer.bytes = offer->bytes;
  return answer;
} catch (const Error& error) {
  return Refusal(error.code(), error.message());
}

std::shared_ptr<const Exports::Item> Exports::ItemFor(const ShareKey& key, const Peer& peer) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = items_.find(key);
  if (found == items_.end()) Fail(kRtIpcError, "process {} has not exported it, or has closed it", getpid());
  const Item& item = *found->second;
  if (item.white_list && peer.process != getpid() && !item.processes.contains(peer.process)) {
    Fail(kRtNoPermission,
         "process {} is not on the white list, which has {} processes; process {}, which exported it, has to "
         "name it first (...SetImportPid or aclrtMemSetPidToShareableHandle), or to export without white "
         "list",
         peer.process, item.processes.size(), getpid());
  }
  return found->second;
}

}  // namespace foothold
