// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs one task at a time, of streams chosen by chance (FOOTHOLD_SCHEDULE=NUMBER): each stream and the host
// has a priority, which now and then is drawn anew; the highest that can go on does. Threads of the program
// run the tasks, at the end of their calls and while they wait, so that one thread that makes the same calls
// gets the same choices. Functions of the program run on workers, beside it. What nobody comes for is run
// after a while (schedule::LongestHold). Any thread; the functions of the program run under no lock of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

namespace foothold {

class Stream;

class Scheduler {
 public:
  static Scheduler& Get();

  // The stream is ready and waits to be chosen.
  void Add(Stream& stream) noexcept;
  // Runs one task of the stream that is chosen; false if there is none, or another thread does.
  bool RunOne() noexcept;
  // Between two calls of the program: as many as are before the host.
  void BetweenCalls() noexcept;

 private:
  template <typename T>
  friend class PerProcess;
  Scheduler();

  std::uint64_t Draw() noexcept;
  std::uint64_t& PriorityOf(std::int32_t stream);
  Stream* Choose() noexcept;
  Stream* Recorded();
  Stream* Best();
  void NoteChoice(const Stream& stream);
  bool IsHostFirst() noexcept;

  std::atomic<bool> busy_{false};  // a task that was chosen runs
  std::mutex mutex_;               // guards all below
  std::uint64_t random_ = 1;
  std::uint64_t host_ = 0;                          // its priority
  std::map<std::int32_t, std::uint64_t> priority_;  // of streams
  std::vector<Stream*> ready_;
  std::ofstream record_;
  std::ifstream replay_;
  std::uint64_t line_ = 0;
};

}  // namespace foothold
