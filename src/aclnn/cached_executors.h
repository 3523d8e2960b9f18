// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Executors of calls that come again. A client that makes a key of all arguments but addresses (frameworks
// do) lists the addresses, asks for an executor by the key, and goes straight to the second phase with it: no
// descriptions, no checks, no look for a form. Where there is none, its first phase leaves one here.
//
// Each thread has its own: the calls of one operator go through BeginCall, AddAddress, SetKey, Find and,
// where that finds nothing, the first phase, all on one thread; the second phase may be on another. Keys are
// the client's, and name the operator.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aclnn/executor.h"
#include "base/key_bytes.h"
#include "base/process_number.h"

namespace foothold::aclnn {

class CachedExecutors {
 public:
  static CachedExecutors& OfThisThread();
  // Whether calls of this function may come again as they are. Not those that draw numbers, nor those that
  // were seen to tell sizes or to take arrays that grow; none while the program is checked. Null: no name.
  static bool MayServe(const char* function);

  // What an earlier call has left behind is gone.
  void BeginCall();
  void EndCall() { is_in_call_ = false; }
  // Of a tensor that is not null, where its storage begins; in the order of parameters, lists flattened.
  void AddAddress(void* address);
  // An empty key: nothing is looked for, and nothing kept.
  void SetKey(std::string_view key);

  // A fresh executor at the addresses that were listed. Null if there is none, or none with as many tensors.
  aclOpExecutor* Find(std::string_view key);
  // A first phase begins: whether there is a key to keep its executor by. Of one call there is one first
  // phase, and what follows it, or a failure of it, has to do with the key no more.
  static bool TakeCall() { return any_call_.load(std::memory_order_relaxed) && TakeCallOfThisThread(); }
  // What it has made. Not kept if the addresses are not those that were listed.
  void Keep(const Executor& executor);

  // By ACLNN_CACHE_LIMIT: executors of one thread; 0: none are kept.
  static std::size_t Limit();

 private:
  struct Entry {
    std::string key;
    Executor executor;
    std::size_t tensors;  // that are not null
  };
  struct Hash {
    std::size_t operator()(std::string_view key) const {
      KeyHash hash;
      hash.append(key.data(), key.size());
      return hash.value();
    }
  };

  static bool TakeCallOfThisThread();
  void ForgetParents();

  static std::atomic<bool> any_call_;  // on any thread: most programs never begin one

  bool is_in_call_ = false;
  std::string key_;  // of the call
  std::vector<void*> addresses_;
  std::list<Entry> recent_;  // the latest first
  std::unordered_map<std::string_view, std::list<Entry>::iterator, Hash> by_key_;
  std::uint64_t process_ = ProcessNumber::Now();
};

}  // namespace foothold::aclnn
