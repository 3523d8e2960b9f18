// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All mailboxes of the process, by thread. Notices when a thread that used the runtime ends: callbacks
// waiting for it can then never run, and fail instead. Mailboxes are kept for ever; thread ids are reused, so
// there are few. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "device/mailbox.h"

namespace foothold {

class Mailboxes {
 public:
  static constexpr int kMaxThreads = 1024;
  // How long a subscribed thread whose id belonged to an ended one may take to show up.
  static constexpr Nanoseconds kGrace = 5 * kSecond;

  Mailbox& Get(std::uint64_t thread, Mailbox::Kind kind);
  Mailbox* Find(std::uint64_t thread, Mailbox::Kind kind);

  // Counts a subscription of `thread` for a stream of `device`; throws if the thread serves another device or
  // too many threads are subscribed.
  Mailbox& Subscribe(std::uint64_t thread, Mailbox::Kind kind, int device);
  void Unsubscribe(Mailbox& mailbox);

  // The calling thread uses the runtime; its end will be noticed.
  void NoteThread();
  void ThreadEnded(std::uint64_t thread) noexcept;

  // Waiting report threads leave; new ones may wait again.
  void Stop();

 private:
  using Key = std::pair<std::uint64_t, Mailbox::Kind>;
  struct Entry {
    std::unique_ptr<Mailbox> mailbox;
    int device = -1;  // of its subscriptions
  };

  Entry& EntryFor(const Key& key);
  void Expect(std::uint64_t thread);

  std::mutex mutex_;  // guards the two below
  std::map<Key, Entry> entries_;
  std::unordered_set<std::uint64_t> ended_;  // threads known to have ended and not seen again
};

}  // namespace foothold
