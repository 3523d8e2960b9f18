// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How kernels take part in collectives: by the name of a communicator, which is found by it and, where
// several ranks are in one process, by the device of the run. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/data_type.h"

namespace foothold {

struct GroupCall {
  enum class Kind {
    kAllReduce,
    kReduce,
    kReduceScatter,
    kReduceScatterV,
    kBroadcast,
    kAllGather,
    kAllGatherV,
    kAllToAll,
    kSend,
    kReceive,
  };
  using Counts = std::vector<std::uint64_t>;

  const char* name = "";  // for messages and timelines; lives as long as the process
  std::string group;
  Kind kind = Kind::kAllReduce;
  DataType type = DataType::kUndefined;
  std::string reduction = "sum";  // sum, prod, max, min
  std::uint32_t rank = 0;         // the root, or the other one of a message
  std::uint32_t tag = 0;          // of a message
  std::uint64_t count = 0;        // elements, of one rank where each has its part
  // In elements, for each rank, where they are not all the same.
  Counts send_counts{}, send_places{}, receive_counts{}, receive_places{};
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
};

// Of the group with this name that the run of this thread belongs to. Throw kInvalidParam if this process has
// none.
std::uint32_t GroupSize(const std::string& group);
std::uint32_t GroupRank(const std::string& group);
// Waits for the other ranks; throws what a task of a stream would fail with.
void RunGroupCall(const GroupCall& call);

}  // namespace foothold
