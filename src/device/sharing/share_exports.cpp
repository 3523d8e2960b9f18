// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share_exports.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/library_threads.h"
#include "base/per_process.h"
#include "base/process_events.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

// The socket that answers. A forked child that kept it would let others wait for answers of a process that is
// gone.
std::atomic<int> listening{-1};
void CloseInChild() {
  const int channel = listening.exchange(-1);
  if (channel >= 0) close(channel);
}
const AtFork at_fork(ForkStage::kConnections, {.in_child = CloseInChild});

}  // namespace

Exports& Exports::Get() {
  return PerProcess<Exports>::Get();
}

// Precondition: mutex_ is held.
void Exports::EnsureThread() {
  if (channel_ != 0) return;
  std::uint32_t number = 0;
  Descriptor channel = OpenChannel(number);
  Descriptor wake(eventfd(0, EFD_CLOEXEC));
  Descriptor for_thread(wake ? dup(wake.get()) : -1);
  if (!for_thread)
    Fail(kRtResourceAllocFail, "no event can be made to share memory: {}", std::strerror(errno));
  const int socket = channel.get();
  try {
    thread_ = std::thread([this, channel = std::move(channel), event = std::move(for_thread)] {
      const LibraryThread counted;
      pthread_setname_np(pthread_self(), "foothold-share");
      Serve(channel, event);
      int mine = channel.get();
      listening.compare_exchange_strong(mine, -1);
    });
  } catch (const std::system_error& error) {
    Fail(kRtResourceAllocFail, "no thread can be started to share memory: {}", error.what());
  }
  listening.store(socket);
  wake_ = std::move(wake);
  channel_ = number;
}

ShareKey Exports::Add(ShareKind kind, bool white_list, Provide provide) {
  auto item = std::make_shared<Item>();
  item->white_list = white_list;
  item->provide = std::move(provide);
  std::unique_lock<std::mutex> lock(mutex_);
  EnsureThread();
  ShareKey key = ShareKey::Make(kind, channel_);
  while (items_.contains(key))
    key = ShareKey::Make(kind, channel_);
  items_.emplace(key, std::move(item));
  const bool many = items_.size() >= look_at_;
  lock.unlock();
  if (many) ForgetWhatIsGone();
  return key;
}

// Programs free what they shared without closing it first.
void Exports::ForgetWhatIsGone() {
  std::vector<std::pair<ShareKey, std::shared_ptr<Item>>> all;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    all.assign(items_.begin(), items_.end());
  }
  for (const auto& [key, item] : all) {
    if (!item->provide()) Remove(key);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  look_at_ = 2 * items_.size() + 64;
}

void Exports::CheckHas(const ShareKey& key) const {
  if (!Has(key)) Fail(kRtIpcError, "this process has exported no such thing, or has closed it");
}

bool Exports::Has(const ShareKey& key) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return items_.contains(key);
}

void Exports::Admit(const ShareKey& key, const std::int32_t* processes, std::size_t count) {
  CheckHas(key);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = items_.find(key);
  if (found != items_.end()) found->second->processes.insert(processes, processes + count);
}

void Exports::AdmitAll(const ShareKey& key) {
  CheckHas(key);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = items_.find(key);
  if (found != items_.end()) found->second->white_list = false;
}

bool Exports::Remove(const ShareKey& key) {
  std::shared_ptr<Item> item;  // ends without the lock
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = items_.find(key);
  if (found == items_.end()) return false;
  item = std::move(found->second);
  items_.erase(found);
  return true;
}

void Exports::Stop() {
  std::map<ShareKey, std::shared_ptr<Item>> items;
  std::thread thread;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    items.swap(items_);
    thread.swap(thread_);
    channel_ = 0;
    if (wake_) eventfd_write(wake_.get(), 1);
    wake_ = Descriptor();
  }
  if (thread.joinable()) thread.join();
}

}  // namespace foothold
