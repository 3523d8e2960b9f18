// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What this process shares, by key, and the thread that gives it to those who ask and may have it: processes
// of the same user, on the white list where there is one. The thread is started by the first export. A forked
// child shares nothing. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device/memory/memory_file.h"
#include "device/sharing/share_channel.h"
#include "device/sharing/share_key.h"

namespace foothold {

struct ShareOffer {
  std::shared_ptr<const MemoryFile> file;
  std::uint64_t offset;
  std::uint64_t bytes;
};

class Exports {
 public:
  static Exports& Get();

  // Called for each process that asks, on the thread that serves, with no lock held; nothing if there is
  // nothing to give any more.
  using Provide = std::function<std::optional<ShareOffer>()>;

  // Throws 207005 if it cannot be served.
  ShareKey Add(ShareKind kind, bool white_list, Provide provide);
  // These throw 507022 for a key that is none of this process.
  void Admit(const ShareKey& key, const std::int32_t* processes, std::size_t count);
  void AdmitAll(const ShareKey& key);
  void CheckHas(const ShareKey& key) const;
  bool Has(const ShareKey& key) const;
  // False if there is none.
  bool Remove(const ShareKey& key);

  // Forgets everything and ends the thread; the next export begins anew.
  void Stop();

 private:
  struct Item {
    Provide provide;
    bool white_list;  // guarded by mutex_, and so is the next
    std::set<std::int32_t> processes;
  };
  struct Client;

  void EnsureThread();
  void ForgetWhatIsGone();
  void Serve(const Descriptor& channel, const Descriptor& wake);
  bool Accept(const Descriptor& channel, std::vector<Client>& clients);
  void Reply(const Descriptor& connection);
  ShareAnswer AnswerTo(const Descriptor& connection, std::shared_ptr<const MemoryFile>& file);
  std::shared_ptr<const Item> ItemFor(const ShareKey& key, const Peer& peer) const;

  mutable std::mutex mutex_;  // guards all below
  std::map<ShareKey, std::shared_ptr<Item>> items_;
  std::size_t look_at_ = 64;   // so many items are a reason to look which of them are gone
  std::uint32_t channel_ = 0;  // 0: not open
  Descriptor wake_;            // an event that ends the thread
  std::thread thread_;
};

}  // namespace foothold
