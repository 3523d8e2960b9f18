// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pinned memory that host code must not touch now, because a queued copy uses it: its pages are closed from
// the call until the host knows that the copy is done (ACL-RACE-002, ACL-RACE-004, with
// FOOTHOLD_CHECK=+pages). Kernels use a second mapping of the same pages. The owner holds a lock around every
// call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/accesses.h"

namespace foothold::check {

class ClosedPages {
 public:
  // A task was queued: what it writes is closed, what it reads can only be read.
  void Close(const DeedPtr& deed, std::span<const Touch> touches);
  // The host knows so much now.
  void OpenKnown(const Clock& clock) {
    if (!closed_.empty())
      Open([&](const Access& access) { return clock.Knows(access.deed->agent, access.deed->epoch); });
  }
  void OpenOf(Agent agent, Epoch epoch) {
    if (!closed_.empty())
      Open([&](const Access& access) { return access.deed->agent == agent && access.deed->epoch == epoch; });
  }
  // Host code met one of them; nothing if it is open by now. Whatever closes the page is over.
  std::vector<Access> OpenAt(std::uintptr_t address);

 private:
  template <typename IsOver>
  void Open(IsOver&& is_over) {
    std::vector<Touch> opened;
    std::erase_if(closed_, [&](const Access& access) {
      if (!is_over(access)) return false;
      opened.push_back(access.touch);
      return true;
    });
    if (!opened.empty()) Reopen(opened);
  }
  bool Prolong(const DeedPtr& deed, const Touch& touch);
  void Reopen(const std::vector<Touch>& touches) const;

  std::vector<Access> closed_;
};

// Memory that can be closed: the range has a second mapping that kernels use.
void WatchClosablePages(std::uintptr_t begin, std::size_t bytes) noexcept;
bool IsClosable(std::uintptr_t address) noexcept;

}  // namespace foothold::check
