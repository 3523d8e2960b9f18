// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailboxes.h"

#include "base/error.h"
#include "base/thread_id.h"
#include "device/runtime.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// Lives in every thread that used the runtime; its end is the thread's.
struct ThreadWatch {
  ~ThreadWatch() {
    if (Runtime* runtime = Runtime::GetIfAlive()) runtime->mailboxes.ThreadEnded(SelfThread());
  }
};

}  // namespace

Mailboxes::Entry& Mailboxes::EntryFor(const Key& key) {
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second;
  auto mailbox = std::make_unique<Mailbox>(key.first, key.second);
  if (ended_.count(key.first) != 0) mailbox->SetAlive(false);
  return entries_.emplace(key, Entry{std::move(mailbox)}).first->second;
}

Mailbox& Mailboxes::Get(std::uint64_t thread, Mailbox::Kind kind) {
  std::lock_guard<std::mutex> lock(mutex_);
  return *EntryFor({thread, kind}).mailbox;
}

Mailbox* Mailboxes::Find(std::uint64_t thread, Mailbox::Kind kind) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = entries_.find({thread, kind});
  return found == entries_.end() ? nullptr : found->second.mailbox.get();
}

Mailbox& Mailboxes::Subscribe(std::uint64_t thread, Mailbox::Kind kind, int device) {
  std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = EntryFor({thread, kind});
  Mailbox& mailbox = *entry.mailbox;
  if (mailbox.subscriptions() > 0 && entry.device != device) {
    Fail(kRtThreadSubscribe,
         "thread {:#x} is already subscribed to streams of device {} and cannot serve device {} as well; use "
         "one "
         "report thread per device",
         thread, entry.device, device);
  }
  if (mailbox.subscriptions() == 0) {
    int threads = 0;
    for (const auto& other : entries_)
      threads += other.second.mailbox->subscriptions() > 0;
    if (threads >= kMaxThreads) {
      Fail(kRtThreadSubscribe, "{} threads are subscribed already, which is the most a process may have",
           threads);
    }
  }
  if (!mailbox.alive()) ended_.insert(thread);  // there may have been no memory for it when it ended
  if (ended_.count(thread) != 0) Expect(thread);
  mailbox.AddSubscription();
  entry.device = device;
  return mailbox;
}

// Thread ids are used again, and programs subscribe threads that have just been started: that a thread with
// this id ended once does not mean that nobody will come. Precondition: mutex_ is held.
void Mailboxes::Expect(std::uint64_t thread) {
  Runtime::Get().timers.CallAt(Now() + kGrace, [this, thread] {
    bool missing;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      missing = ended_.count(thread) != 0;
    }
    // Functions of the program may be told of callbacks that fail now: they must not hold up the timers.
    if (missing) CallBesides([this, thread] { ThreadEnded(thread); });
  });
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
    auto found = entries_.find({thread, kind});
    if (found != entries_.end()) found->second.mailbox->SetAlive(true);
  }
}

void Mailboxes::Unsubscribe(Mailbox& mailbox) {
  mailbox.RemoveSubscription();
}

void Mailboxes::NoteThread() {
  static thread_local ThreadWatch watch;
  static thread_local const Mailboxes* noted_by = nullptr;
  (void)&watch;
  if (noted_by == this) return;
  noted_by = this;
  std::lock_guard<std::mutex> lock(mutex_);
  ended_.erase(SelfThread());
  for (auto& [key, entry] : entries_) {
    if (key.first == SelfThread()) entry.mailbox->SetAlive(true);
  }
}

void Mailboxes::ThreadEnded(std::uint64_t thread) noexcept {
  Mailbox* mine[2] = {};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    try {
      ended_.insert(thread);
    } catch (...) {  // only those who subscribe it after its end will not be told so
    }
    for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
      auto found = entries_.find({thread, kind});
      if (found != entries_.end()) mine[static_cast<int>(kind)] = found->second.mailbox.get();
    }
  }
  for (Mailbox* mailbox : mine) {
    if (mailbox != nullptr)
      mailbox->SetAlive(false);  // outside the lock: fails callbacks, which may run user code
  }
}

void Mailboxes::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [key, entry] : entries_)
    entry.mailbox->Interrupt();
}

}  // namespace foothold
