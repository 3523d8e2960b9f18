// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The connections of this process's ranks to the roots of their communicators: one thread listens whether
// somebody is lost. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collectives/bootstrap/connection.h"
#include "collectives/bootstrap/received_bytes.h"

namespace foothold::collectives {

class LifeLine {
 public:
  // Told on the thread that listens, with no lock held.
  struct News {
    // Which rank, or the root itself (UINT32_MAX), and in words.
    std::function<void(std::uint32_t rank, const std::string& why)> lost;
    // The process of a rank that was asked for is there, and runs.
    std::function<void(std::uint32_t rank)> alive;
    // Two ranks run and do not reach each other any more.
    std::function<void(const Parting& parting)> parted;
    // The root may end any time without being lost: none of its own ranks is left. What happens to the others
    // is not told any more when it has.
    std::function<void()> root_leaves;
  };

  // Listens from now on. Throws HCCL_E_MEMORY if there is no thread to be had.
  static std::shared_ptr<LifeLine> Open(OwnSocket connection, News news, bool root_is_here);
  // Whether this rank runs. Its answer takes as long as it is stopped.
  void Ask(std::uint32_t rank) noexcept;
  // This rank (`one`) runs and does not hear another: for all others.
  void Report(const Parting& parting) noexcept;
  // Leaves in order: nobody is told any more when this returns, unless it is called from there. If the root
  // is in this process, the other ranks know by then, for this may end now.
  void Close() noexcept;

  LifeLine(OwnSocket connection, News news, bool root_is_here);

 private:
  friend class LifeLines;

  void AwaitEnd() const noexcept;
  bool Hear();
  void Hear(const Message& message);
  template <typename Content>
  void Say(MessageKind kind, const Content& content) noexcept;

  OwnSocket connection_;
  const std::string root_;  // its address
  const News news_;
  const bool root_is_here_;
  ReceivedBytes received_;      // the listening thread's
  bool root_leaves_ = false;    // likewise
  std::recursive_mutex mutex_;  // held while news are told, which may close; guards closed_
  bool closed_ = false;
};

}  // namespace foothold::collectives
