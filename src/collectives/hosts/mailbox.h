// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What has come for one meeting of one rank, and how far its own messages are. Threads that move messages
// write it, and wake the stream that waits. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collectives/hosts/engine.h"

namespace foothold {
class Stream;
}

namespace foothold::collectives {

class Mailbox {
 public:
  void Put(Letter letter) noexcept;
  // A message of this rank to `rank` begins, and has arrived or not.
  void NoteSending(std::uint32_t rank, std::size_t bytes);
  void NoteSent(std::uint32_t rank, std::size_t bytes, const char* why) noexcept;
  // What that rank has does not come.
  void NoteBroken(std::uint32_t rank, const char* why) noexcept;
  // Something changed elsewhere.
  void Wake() noexcept;

  std::vector<Letter> TakeAll();
  // Bytes that are under way to others, and to whom.
  std::size_t sending() const;
  std::vector<std::uint32_t> receivers() const;
  struct Broken {
    std::uint32_t rank;
    std::string why;
  };
  // The first message that did not arrive.
  std::optional<Broken> broken() const;

  bool is_waited_for() const;
  // The stream is woken at the next change; false if there was one since the last TakeAll.
  bool Sleep(Stream& stream);
  // Nothing is kept or woken any more.
  void Close() noexcept;

 private:
  void Change() noexcept;

  mutable std::mutex mutex_;  // guards all below
  std::vector<Letter> letters_;
  std::size_t sending_ = 0;
  std::map<std::uint32_t, std::size_t> messages_;  // under way, by rank
  std::optional<Broken> broken_;
  Stream* waiting_ = nullptr;
  bool changed_ = false;
  bool closed_ = false;
};

}  // namespace foothold::collectives
