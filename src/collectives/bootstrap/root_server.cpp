// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/bootstrap/root_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "collectives/codes.h"
#include "collectives/shared/board.h"
#include "device/sharing/share_exports.h"

namespace foothold::collectives {
namespace {

constexpr Nanoseconds kStrangerPatience = 10 * kSecond;
constexpr Nanoseconds kSendPatience = 10 * kSecond;
constexpr std::size_t kMostStrangers = 64;
constexpr int kLookMs = 200;

}  // namespace

void RootServer::Start(OwnSocket listener, Options options) {
  std::shared_ptr<RootServer> server(new RootServer(std::move(listener), std::move(options)));
  try {
    std::thread([server] { server->Serve(); }).detach();
  } catch (const std::system_error& error) {
    Fail(kHcclMemory, "no thread can be started for the root of a communicator: {}", error.what());
  }
}

RootServer::RootServer(OwnSocket listener, Options options)
    : listener_(std::move(listener)), options_(std::move(options)) {}

void RootServer::Serve() try {
  pthread_setname_np(pthread_self(), "foothold-root");
  while (PollOnce()) {
  }
  if (board_) Exports::Get().Remove(*board_);
} catch (const std::exception& error) {  // no memory: the ranks see their connections end
  Log(LogLevel::kError, "the root of a communicator has ended: {}", error.what());
}

// False when there is nothing left to do.
bool RootServer::PollOnce() {
  std::vector<pollfd> polled{{listener_ ? listener_.get() : -1, POLLIN, 0}};
  for (const Client& client : clients_)
    polled.push_back({client.socket.get(), POLLIN, 0});
  if (poll(polled.data(), polled.size(), kLookMs) < 0 && errno != EINTR) return false;
  auto at = polled.begin() + 1;
  Clients gone;
  for (auto client = clients_.begin(); client != clients_.end(); ++at) {
    const bool stranger = client->state != Client::kJoined;
    bool stays = at->revents == 0 || Receive(*client);
    if (stranger && client->state != Client::kJoined && Now() - client->since > kStrangerPatience)
      stays = false;
    const auto next = std::next(client);
    if (!stays) gone.splice(gone.end(), clients_, client);
    client = next;
  }
  for (const Client& client : gone) {
    if (client.state == Client::kJoined && !client.left) Tell(client);
  }
  if (polled[0].revents != 0) Accept();
  if (ranks_ != 0 && !table_sent_ && joined() == ranks_) SendTable();
  if (needs_addresses_) SendAddresses();
  SendGoIfReady();
  SendByeIfAlone();
  if (!went_ && ranks_ != 0 && Now() >= deadline_) {
    RefuseAll(kHcclTimeout, table_sent_
                                ? std::string("some ranks did not reach the others in time")
                                : fmt::format("ranks {} of {} did not come in time", MissingRanks(), ranks_));
    return false;
  }
  return listener_ || !clients_.empty();
}

void RootServer::Accept() {
  sockaddr_storage from{};
  socklen_t length = sizeof(from);
  Descriptor made(
      accept4(listener_.get(), reinterpret_cast<sockaddr*>(&from), &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!made) return;
  const std::string address = Address::FromSocket(from).Text();
  const auto& list = options_.white_list;
  if (list && std::find(list->begin(), list->end(), address) == list->end()) {
    Log(LogLevel::kWarning, "{} came to the port of a communicator and is not on the white list", address);
    return;
  }
  const auto is_stranger = [](const Client& client) { return client.state != Client::kJoined; };
  if (static_cast<std::size_t>(std::count_if(clients_.begin(), clients_.end(), is_stranger)) >=
      kMostStrangers)
    clients_.erase(
        std::find_if(clients_.begin(), clients_.end(), is_stranger));  // the one that idles longest
  WatchConnection(made.get());
  Client& client = clients_.emplace_back();
  client.socket = OwnSocket(std::move(made));
  client.address = address;
  client.since = Now();
}

// False if the client is gone, or has to go.
bool RootServer::Receive(Client& client) {
  std::byte room[4096];
  const ssize_t bytes = recv(client.socket.get(), room, sizeof(room), 0);
  if (bytes < 0) return errno == EAGAIN || errno == EINTR;
  if (bytes == 0) return false;
  if (!client.received.Add({room, static_cast<std::size_t>(bytes)})) return false;
  while (Take(client)) {
  }
  return !client.left && client.socket;
}

// True if there may be more to take.
bool RootServer::Take(Client& client) {
  if (!client.socket || client.left) return false;
  switch (client.state) {
    case Client::kGreets:
      return Greet(client);
    case Client::kProves:
      return Join(client);
    case Client::kJoined:
      return Hear(client);
  }
  return false;
}

bool RootServer::Greet(Client& client) {
  const auto greeting = client.received.TakePlain<Greeting>();
  if (!greeting) return false;
  if (greeting->magic != kBootstrapMagic) {
    client.socket = {};
    return false;
  }
  client.nonces[0] = greeting->nonce;
  client.nonces[1] = RandomBytes();
  Challenge challenge{client.nonces[1], ProofOfRoot(options_.secret, client.nonces[0], client.nonces[1])};
  client.state = Client::kProves;
  const auto bytes = BytesOfMessage(challenge);
  return send(client.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(bytes.size());
}

bool RootServer::Join(Client& client) {
  const auto joining = client.received.TakePlain<Joining>();
  if (!joining) return false;
  if (joining->proof != ProofOfRank(options_.secret, client.nonces[0], client.nonces[1], *joining)) {
    Log(LogLevel::kWarning, "{} came to the port of a communicator and does not know its secret",
        client.address);
    client.socket = {};
    return false;
  }
  if (const std::string why = WhyNot(client, *joining); !why.empty()) {
    Refuse(client, kHcclPara, why);
    return false;
  }
  if (ranks_ == 0) {
    ranks_ = joining->ranks;
    deadline_ = Now() + options_.patience;
  }
  client.member = joining->member;
  client.state = Client::kJoined;
  return true;
}

std::string RootServer::WhyNot(const Client&, const Joining& joining) const {
  const std::uint32_t rank = joining.member.rank;
  if (joining.ranks == 0 || joining.ranks > kMostRanks || rank >= joining.ranks)
    return fmt::format("rank {} of {} does not exist", rank, joining.ranks);
  if (ranks_ != 0 && joining.ranks != ranks_)
    return fmt::format("rank {} says there are {} ranks, those before it said {}", rank, joining.ranks,
                       ranks_);
  if (table_sent_) return "the communicator of this root information was made already";
  for (const Client& other : clients_) {
    if (other.state == Client::kJoined && other.member.rank == rank)
      return fmt::format("rank {} is there already: process {} on {}", rank, other.member.pid, other.address);
  }
  return "";
}

bool RootServer::Hear(Client& client) {
  if (client.received.is_too_long()) {
    client.socket = {};
    return false;
  }
  auto message = client.received.TakeMessage();
  if (!message) return false;
  if (message->kind == MessageKind::kReady) client.ready = true;
  if (message->kind == MessageKind::kBye) client.left = true;
  if (message->kind == MessageKind::kAddress) client.host_address = std::move(message->content);
  if (message->kind == MessageKind::kCannot && !went_) client.hindrance = ReadReason(message->content);
  if (const auto other = ReadReason(message->content)) {
    if (message->kind == MessageKind::kSilent) Pass(client, MessageKind::kPing, other->code);
    if (message->kind == MessageKind::kPong) Pass(client, MessageKind::kAlive, other->code);
  }
  if (message->kind == MessageKind::kParted) {
    if (const auto parting = ReadParting(message->content)) PassOn(client, *parting);
  }
  return true;
}

// To another rank: from whom.
void RootServer::Pass(const Client& from, MessageKind kind, int rank) {
  for (Client& client : clients_) {
    if (client.state == Client::kJoined && static_cast<int>(client.member.rank) == rank)
      Send(client, kind, PackReason(static_cast<int>(from.member.rank), ""));
  }
}

// To all others: a rank speaks only for itself.
void RootServer::PassOn(const Client& from, const Parting& parting) {
  if (parting.one != from.member.rank) return;
  for (Client& client : clients_) {
    if (client.state == Client::kJoined && &client != &from)
      Send(client, MessageKind::kParted, BytesOfMessage(parting));
  }
}

void RootServer::Send(Client& client, MessageKind kind, std::span<const std::byte> content) noexcept {
  try {
    if (client.socket) SendAll(client.socket, Packed(kind, content), Now() + kSendPatience);
  } catch (const std::exception& error) {  // its end is seen at the next look
    Log(LogLevel::kWarning, "rank {} of a communicator does not listen: {}", client.member.rank,
        error.what());
  }
}

void RootServer::Refuse(Client& client, int code, const std::string& why) noexcept {
  try {
    Send(client, MessageKind::kRefusal, PackReason(code, why));
  } catch (const std::exception&) {  // no memory to say why
  }
  client.left = true;
}

// The process of the root may end as soon as it is told, and then nobody would tell the others.
void RootServer::PutOwnLast() noexcept {
  clients_.sort([own = OwnProcess()](const Client& a, const Client& b) {
    return a.member.process != own && b.member.process == own;
  });
}

void RootServer::RefuseAll(int code, const std::string& why) noexcept {
  PutOwnLast();
  for (Client& client : clients_) {
    if (client.state == Client::kJoined) Refuse(client, code, why);
  }
  clients_.clear();
  listener_ = {};
}

std::string RootServer::Describe(const Client& client) {
  return fmt::format("rank {} (process {} on {})", client.member.rank, client.member.pid, client.address);
}

// A rank that is gone: to all others.
void RootServer::Tell(const Client& gone) noexcept {
  const std::string why = fmt::format("{} has ended or lost its connection", Describe(gone));
  if (!went_) return RefuseAll(kHcclRemote, why);
  const auto content = PackReason(static_cast<int>(gone.member.rank), why);
  PutOwnLast();
  for (Client& client : clients_) {
    if (&client != &gone && client.state == Client::kJoined) Send(client, MessageKind::kLost, content);
  }
}

std::uint32_t RootServer::joined() const {
  return static_cast<std::uint32_t>(std::count_if(clients_.begin(), clients_.end(), [](const Client& client) {
    return client.state == Client::kJoined;
  }));
}

std::string RootServer::MissingRanks() const {
  std::vector<bool> here(ranks_);
  for (const Client& client : clients_) {
    if (client.state == Client::kJoined) here[client.member.rank] = true;
  }
  std::vector<std::uint32_t> missing;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    if (!here[rank]) missing.push_back(rank);
  }
  return fmt::format("{}", fmt::join(missing, ", "));
}

void RootServer::SendTable() {
  listener_ = {};
  table_sent_ = true;
  std::vector<Member> members(ranks_);
  for (const Client& client : clients_) {
    if (client.state != Client::kJoined) continue;
    Member& member = members[client.member.rank] = client.member;
    member.address = {};
    std::copy_n(client.address.begin(), std::min(client.address.size(), member.address.size() - 1),
                member.address.begin());
  }
  const auto all_have = [&](auto same) { return std::all_of(members.begin(), members.end(), same); };
  const bool one_host = all_have([&](const Member& one) { return one.host == members[0].host; });
  const bool one_process = all_have([&](const Member& one) { return one.process == members[0].process; });
  TableHead head;
  std::memset(static_cast<void*>(&head), 0, sizeof(head));
  head.way = one_process ? TableHead::kOneProcess
             : one_host  ? TableHead::kSharedMemory
                         : TableHead::kMessages;
  needs_addresses_ = head.way == TableHead::kMessages;
  head.ranks = ranks_;
  head.root = OwnProcess();
  const auto number = RandomBytes();
  std::memcpy(&head.group, number.data(), sizeof(head.group));
  try {
    if (head.way == TableHead::kSharedMemory) {
      const auto file = std::make_shared<const MemoryFile>(Board::BytesFor(ranks_));
      head.board = Exports::Get().Add(ShareKind::kMemory, false, [file]() -> std::optional<ShareOffer> {
        return ShareOffer{file, 0, file->bytes()};
      });
      board_ = head.board;
    }
  } catch (const Error& error) {
    return RefuseAll(kHcclMemory, error.message());
  }
  const auto content = PackTable(head, members);
  for (Client& client : clients_) {
    if (client.state == Client::kJoined) Send(client, MessageKind::kTable, content);
  }
}

// Of ranks on several hosts, when all have said theirs.
void RootServer::SendAddresses() {
  std::vector<std::vector<std::byte>> addresses(ranks_);
  for (const Client& client : clients_) {
    if (client.state != Client::kJoined) continue;
    if (client.hindrance) {
      return RefuseAll(client.hindrance->code,
                       fmt::format("{}: {}", Describe(client), client.hindrance->why));
    }
    addresses[client.member.rank] = client.host_address;
  }
  if (std::any_of(addresses.begin(), addresses.end(), [](const auto& one) { return one.empty(); })) return;
  needs_addresses_ = false;
  const auto content = PackAddresses(addresses);
  for (Client& client : clients_) {
    if (client.state == Client::kJoined) Send(client, MessageKind::kAddresses, content);
  }
}

void RootServer::SendGoIfReady() {
  if (!table_sent_ || went_) return;
  std::uint32_t ready = 0;
  for (const Client& client : clients_)
    ready += client.state == Client::kJoined && client.ready;
  if (ready < ranks_) return;
  went_ = true;
  for (Client& client : clients_) {
    if (client.state == Client::kJoined) Send(client, MessageKind::kGo);
  }
  if (board_) Exports::Get().Remove(*board_);
  board_.reset();
}

// Its process may end without taking the others with it: none of its ranks is among them any more.
void RootServer::SendByeIfAlone() {
  if (!went_ || said_bye_) return;
  const auto own = OwnProcess();
  const auto is_own = [&](const Client& client) {
    return client.state == Client::kJoined && client.member.process == own;
  };
  if (std::any_of(clients_.begin(), clients_.end(), is_own)) return;
  said_bye_ = true;
  for (Client& client : clients_) {
    if (client.state == Client::kJoined) Send(client, MessageKind::kBye);
  }
}

}  // namespace foothold::collectives
