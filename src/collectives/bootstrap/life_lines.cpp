// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/life_lines.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr std::uint32_t kRoot = UINT32_MAX;
constexpr Nanoseconds kPatienceToLeave = 2 * kSecond;

std::string OtherEndOf(const OwnSocket& connection) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  if (getpeername(connection.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) return "a host";
  return Address::FromSocket(address).Text();
}

}  // namespace

class LifeLines {
 public:
  static LifeLines& Get() { return PerProcess<LifeLines>::Get(); }

  void Add(std::shared_ptr<LifeLine> line) {
    std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(std::move(line));
    if (!thread_.joinable()) Start();
    Wake();
  }

 private:
  // Precondition: mutex_ is held.
  void Start() {
    try {
      if (!wake_) wake_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
      thread_ = std::thread([this] { Run(); });
    } catch (const std::system_error& error) {
      lines_.pop_back();
      Fail(kHcclMemory, "no thread can be started to listen for lost ranks: {}", error.what());
    }
  }
  void Wake() const noexcept {
    const std::uint64_t one = 1;
    if (write(wake_.get(), &one, sizeof(one)) < 0) {  // full: it is awake
    }
  }
  void Run();

  std::mutex mutex_;  // guards lines_
  std::list<std::shared_ptr<LifeLine>> lines_;
  Descriptor wake_;
  std::thread thread_;
};

void LifeLines::Run() try {
  pthread_setname_np(pthread_self(), "foothold-life");
  for (;;) {
    std::vector<std::shared_ptr<LifeLine>> lines;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      lines.assign(lines_.begin(), lines_.end());
    }
    std::vector<pollfd> polled{{wake_.get(), POLLIN, 0}};
    for (const auto& line : lines)
      polled.push_back({line->connection_.get(), POLLIN, 0});
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    std::uint64_t count = 0;
    if (read(wake_.get(), &count, sizeof(count)) < 0) {  // nobody called
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (polled[i + 1].revents == 0 || lines[i]->Hear()) continue;
      std::lock_guard<std::mutex> lock(mutex_);
      lines_.remove(lines[i]);
    }
  }
} catch (const std::exception& error) {
  Log(LogLevel::kError, "nobody listens for lost ranks any more: {}", error.what());
}

LifeLine::LifeLine(OwnSocket connection, News news, bool root_is_here)
    : connection_(std::move(connection)),
      root_(OtherEndOf(connection_)),
      news_(std::move(news)),
      root_is_here_(root_is_here) {}

std::shared_ptr<LifeLine> LifeLine::Open(OwnSocket connection, News news, bool root_is_here) {
  auto line = std::make_shared<LifeLine>(std::move(connection), std::move(news), root_is_here);
  LifeLines::Get().Add(line);
  return line;
}

// The thread that listens sees the end of the connection and forgets it.
void LifeLine::Close() noexcept {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  closed_ = true;
  const MessageHead bye{MessageKind::kBye, 0};
  send(connection_.get(), &bye, sizeof(bye), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (root_is_here_) AwaitEnd();
  shutdown(connection_.get(), SHUT_RDWR);
}

// The root ends the connection when it has told the others.
void LifeLine::AwaitEnd() const noexcept {
  const Nanoseconds end = Now() + kPatienceToLeave;
  std::byte room[512];
  for (;;) {
    const ssize_t bytes = recv(connection_.get(), room, sizeof(room), MSG_DONTWAIT);
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN && errno != EINTR) || Now() >= end) return;
    pollfd one{connection_.get(), POLLIN, 0};
    poll(&one, 1, static_cast<int>(kPatienceToLeave / kMillisecond));
  }
}

// False if there is nothing more to come.
bool LifeLine::Hear() {
  std::byte room[4096];
  const ssize_t bytes = recv(connection_.get(), room, sizeof(room), 0);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  std::lock_guard lock(mutex_);
  if (closed_) return false;
  if (bytes <= 0 && root_leaves_) return false;
  if (bytes <= 0) {
    news_.lost(kRoot,
               "the process of the root, on " + root_ + ", has ended, or the connection to it is lost");
    return false;
  }
  if (!received_.Add({room, static_cast<std::size_t>(bytes)}) || received_.is_too_long()) return false;
  while (const auto message = received_.TakeMessage())
    Hear(*message);
  return true;
}

void LifeLine::Hear(const Message& message) {
  if (message.kind == MessageKind::kBye) {
    root_leaves_ = true;
    if (news_.root_leaves) news_.root_leaves();
    return;
  }
  if (message.kind == MessageKind::kParted) {
    const auto parting = ReadParting(message.content);
    if (parting && news_.parted) news_.parted(*parting);
    return;
  }
  const auto reason = ReadReason(message.content);
  if (!reason) return;
  const auto rank = static_cast<std::uint32_t>(reason->code);
  if (message.kind == MessageKind::kLost) news_.lost(rank, reason->why);
  if (message.kind == MessageKind::kPing) Say(MessageKind::kPong, rank);
  if (message.kind == MessageKind::kAlive && news_.alive) news_.alive(rank);
}

void LifeLine::Ask(std::uint32_t rank) noexcept {
  std::lock_guard lock(mutex_);
  if (!closed_) Say(MessageKind::kSilent, rank);
}

void LifeLine::Report(const Parting& parting) noexcept {
  std::lock_guard lock(mutex_);
  if (!closed_) Say(MessageKind::kParted, parting);
}

// A root that does not read is lost soon.
template <typename Content>
void LifeLine::Say(MessageKind kind, const Content& content) noexcept {
  struct {
    MessageHead head;
    Content content;
  } const message{{kind, sizeof(content)}, content};
  send(connection_.get(), &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace foothold::collectives
