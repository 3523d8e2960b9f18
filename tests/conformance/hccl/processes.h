// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks in processes of their own, started anew. The test runs again in each of them, up to the call that
// started them, and goes on there with its rank.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/hccl/ranks.h"

class RankProcess {
 public:
  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return size_; }
  const HcclRootInfo& root_info() const { return root_info_; }
  // The communicator of all; the library is initialised, and device 0 current.
  HcclComm Join() const;

  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 0;
  HcclRootInfo root_info_{};
};

using Settings = std::vector<std::pair<std::string, std::string>>;

// Runs `body` in so many processes, which all have to succeed; those in `ended` by SIGKILL.
void AsProcesses(std::uint32_t count, const std::function<void(const RankProcess&)>& body,
                 const std::vector<std::uint32_t>& ended = {}, const Settings& settings = {});

// With a communicator, as the only rank here.
void AsRanks(std::uint32_t count, const std::function<void(const Ranks&)>& body);
