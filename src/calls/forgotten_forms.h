// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The hashes of forms that had to go, the latest of them: one that comes back went too early. Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace foothold {

class ForgottenForms {
 public:
  static constexpr std::size_t kMost = 16384;

  void Add(std::uint64_t hash);
  // Whether it is there. It is not any more then.
  bool Take(std::uint64_t hash);

  void LockForFork() { mutex_.lock(); }
  void UnlockAfterFork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;                                   // guards all below
  std::vector<std::uint64_t> in_order_;                // a ring
  std::size_t next_ = 0;                               // of the ring
  std::unordered_map<std::uint64_t, std::size_t> at_;  // places in the ring
};

}  // namespace foothold
