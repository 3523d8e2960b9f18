// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the processes of hccl_bench do: it starts itself again for each rank. Each answers on standard output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// The one-host operations; `batch` calls are queued at once, and the time is that of one.
struct Job {
  std::string operation;  // allreduce, allgather, alltoall, setup, death
  std::uint64_t bytes = 0;
  int times = 1;
  int batch = 1;
};

// One rank of a communicator whose root information goes through the file.
int RunRank(const Job& job, std::uint32_t rank, std::uint32_t ranks, const std::string& file);
// Two devices of this process.
double TwoDevices(std::uint64_t bytes, int times);
// As fast as it could be: both buffers of two processes (or threads) in memory that both see, each adds up
// one half into both results.
double SharedMemoryLimit(std::uint64_t bytes, int times, bool processes);

}  // namespace bench
