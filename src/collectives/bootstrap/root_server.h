// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The root of a communicator: waits for all its ranks, tells each who the others are, and afterwards which of
// them are lost. A thread of the process that made the root information; it ends when all ranks have left.
// Strangers who come to its port learn nothing and cannot hold it up.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "collectives/bootstrap/connection.h"
#include "collectives/bootstrap/received_bytes.h"
#include "device/memory/memory_file.h"

namespace foothold::collectives {

class RootServer {
 public:
  struct Options {
    Secret secret{};
    Nanoseconds patience = 0;  // from the first rank to the last
    // Addresses that may come; all if there is none.
    std::optional<std::vector<std::string>> white_list;
  };

  // Starts it with a socket that listens. Throws HCCL_E_MEMORY if there is no thread to be had.
  static void Start(OwnSocket listener, Options options);

 private:
  struct Client {
    enum State { kGreets, kProves, kJoined };

    OwnSocket socket;
    std::string address;
    Nanoseconds since;
    State state = kGreets;
    ReceivedBytes received;
    Nonce nonces[2] = {};  // its, ours
    Member member;
    std::vector<std::byte> host_address;  // where messages from other hosts reach it
    std::optional<Reason> hindrance;      // why they cannot
    bool ready = false;
    bool left = false;
  };
  using Clients = std::list<Client>;

  RootServer(OwnSocket listener, Options options);
  void Serve();
  bool PollOnce();
  void Accept();
  bool Receive(Client& client);
  bool Take(Client& client);
  bool Greet(Client& client);
  bool Join(Client& client);
  bool Hear(Client& client);
  void Pass(const Client& from, MessageKind kind, int rank);
  void PassOn(const Client& from, const Parting& parting);
  std::string WhyNot(const Client& client, const Joining& joining) const;
  void Send(Client& client, MessageKind kind, std::span<const std::byte> content = {}) noexcept;
  void Refuse(Client& client, int code, const std::string& why) noexcept;
  void PutOwnLast() noexcept;
  void RefuseAll(int code, const std::string& why) noexcept;
  void Tell(const Client& gone) noexcept;
  void SendTable();
  void SendAddresses();
  static std::string Describe(const Client& client);
  void SendGoIfReady();
  void SendByeIfAlone();
  std::string MissingRanks() const;
  std::uint32_t joined() const;

  OwnSocket listener_;
  const Options options_;
  Clients clients_;
  std::uint32_t ranks_ = 0;  // 0: nobody has joined
  Nanoseconds deadline_ = kForever;
  bool table_sent_ = false;
  bool needs_addresses_ = false;
  bool went_ = false;
  bool said_bye_ = false;
  std::optional<ShareKey> board_;
};

}  // namespace foothold::collectives
