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
  // Told on the thread that listens, with no lock held: which rank, or the root itself (UINT32_MAX),
  // and in words.
  using Lost = std::function<void(std::uint32_t rank, const std::string& why)>;

  // Likewise: the process of a rank that was asked for is there, and runs.
  using Alive = std::function<void(std::uint32_t rank)>;

  // Listens from now on. Throws HCCL_E_MEMORY if there is no thread to be had.
  static std::shared_ptr<LifeLine> Open(OwnSocket connection, Lost lost, Alive alive = {});
  // Whether this rank runs. Its answer takes as long as it is stopped.
  void Ask(std::uint32_t rank) noexcept;
  // Leaves in order: nobody is told any more when this returns, unless it is called from there.
  void Close() noexcept;

  LifeLine(OwnSocket connection, Lost lost, Alive alive);

 private:
  friend class LifeLines;

  bool Hear();
  void Hear(const Message& message);
  void Say(MessageKind kind, std::uint32_t rank) noexcept;

  OwnSocket connection_;
  const std::string root_;  // its address
  const Lost lost_;
  const Alive alive_;
  ReceivedBytes received_;      // the listening thread's
  std::recursive_mutex mutex_;  // held while lost_ is called, which may close; guards closed_
  bool closed_ = false;
};

}  // namespace foothold::collectives
