// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The function of the program that takes dumps instead of files (acldumpRegCallback): one for the whole
// process. It is called on the threads of the runs, on several at once, with no lock of this folder held.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

struct acldumpChunk;  // of the public header

namespace foothold {

template <typename T>
class PerProcess;

// What stands before the bytes in a chunk. The program's structure is rounded up behind them.
struct DumpChunkHead {
  static constexpr std::size_t kNameBytes = 4096;

  char file_name[kNameBytes];
  std::uint32_t bytes;
  std::uint32_t is_last;
  std::int64_t offset;
  std::int32_t flag;
};
inline constexpr std::size_t kDumpChunkData = offsetof(DumpChunkHead, flag) + sizeof(std::int32_t);
inline constexpr std::size_t kDumpChunkSize = sizeof(DumpChunkHead);
inline constexpr std::int64_t kAppend = -1;

class DumpReceiver {
 public:
  using Function = std::int32_t (*)(const acldumpChunk*, std::int32_t);

  // One registration. Pieces of one file all go to the one that got the first.
  class Registration;

  static DumpReceiver& Get();

  // Takes the place of the one before.
  void Register(Function function);
  // Nothing if there is none. Afterwards the function is not called any more, and calls that went on have
  // ended, except where this is called from inside the function itself.
  void Unregister();
  // Null if there is none.
  std::shared_ptr<Registration> current();

  // Calls the function; an exception that leaves it counts as an answer other than 0. Throws kFailure if the
  // answer is not 0, and if it was unregistered meanwhile.
  void Send(Registration& to, const DumpChunkHead& chunk);

  // The calling thread is inside the function.
  static bool IsInside();

 private:
  friend class PerProcess<DumpReceiver>;
  DumpReceiver() = default;
  class Visit;

  void Enter(Registration& registration);
  void Leave(Registration& registration);

  std::mutex mutex_;  // guards all below
  std::condition_variable left_;
  std::shared_ptr<Registration> current_;
};

}  // namespace foothold
