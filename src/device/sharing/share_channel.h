// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How a process asks another one for something it shares: one packet each way through a socket without a name
// in the file system, so nothing stays behind whoever dies. The system tells both sides who the other one is.
// Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "device/memory/memory_file.h"
#include "device/sharing/share_key.h"

namespace foothold {

// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

// Who is at the other end.
struct Peer {
  pid_t process;
  uid_t user;
};
std::optional<Peer> PeerOf(const Descriptor& connection) noexcept;

// What one process tells another: plain bytes, as both run the same library or refuse each other.
struct ShareRequest {
  static constexpr std::uint32_t kVersion = 0xF0075001;  // of this and of all that is in shared memory
  std::uint32_t version = kVersion;
  ShareKey key;
};
struct ShareAnswer {
  std::uint32_t version = ShareRequest::kVersion;
  std::int32_t code = 0;
  pid_t process = 0;         // as the answering process knows itself
  std::uint64_t offset = 0;  // in the file that comes with the answer
  std::uint64_t bytes = 0;
  char why[256] = {};  // for a code that is not 0
};

// A socket of this process under a number that nobody uses. Throws 207005.
Descriptor OpenChannel(std::uint32_t& number);
// False if the packet could not be sent whole at once.
bool SendAnswer(const Descriptor& connection, const ShareAnswer& answer, const MemoryFile* file) noexcept;
// Nothing if no request came, or one of another version of the library.
std::optional<ShareRequest> ReceiveRequest(const Descriptor& connection) noexcept;

struct ShareReply {
  ShareAnswer answer;
  MemoryFile file;
};
// Asks the process that the key names. Throws what it answers, 507022 if it is gone or does not answer, and
// 207006 if it is another user's.
ShareReply AskFor(const ShareKey& key);

}  // namespace foothold
