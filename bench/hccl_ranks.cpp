// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "hccl_ranks.h"

#include <hccl/hccl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "check.h"
#include "report.h"

namespace bench {
namespace {

void CheckHccl(HcclResult result) {
  if (result == HCCL_SUCCESS) return;
  std::fprintf(stderr, "error %d: %s\n", result, aclGetRecentErrMsg());
  std::exit(1);
}

// Written under another name first, so that whoever finds it finds all of it.
HcclRootInfo ShareRootInfo(std::uint32_t rank, const std::string& path) {
  HcclRootInfo info{};
  if (rank == 0) {
    CheckHccl(HcclGetRootInfo(&info));
    std::ofstream(path + ".part").write(info.internal, sizeof(info.internal));
    std::filesystem::rename(path + ".part", path);
    return info;
  }
  while (!std::filesystem::exists(path))
    usleep(500);
  std::ifstream(path).read(info.internal, sizeof(info.internal));
  return info;
}

struct Buffers {
  void *from = nullptr, *to = nullptr;
  explicit Buffers(std::uint64_t bytes) {
    Check(aclrtMalloc(&from, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMalloc(&to, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    Check(aclrtMemset(from, bytes, 0, bytes));
    Check(aclrtMemset(to, bytes, 0, bytes));
  }
};

void Call(const Job& job, const Buffers& buffers, std::uint32_t ranks, HcclComm comm, aclrtStream stream) {
  const std::uint64_t count = job.bytes / sizeof(float), part = count / ranks;
  if (job.operation == "allgather")
    CheckHccl(HcclAllGather(buffers.from, buffers.to, part, HCCL_DATA_TYPE_FP32, comm, stream));
  else if (job.operation == "alltoall")
    CheckHccl(HcclAlltoAll(buffers.from, part, HCCL_DATA_TYPE_FP32, buffers.to, part, HCCL_DATA_TYPE_FP32,
                           comm, stream));
  else
    CheckHccl(
        HcclAllReduce(buffers.from, buffers.to, count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
}

double Measure(const Job& job, std::uint32_t ranks, HcclComm comm, aclrtStream stream) {
  const Buffers buffers(job.bytes);
  std::vector<double> seconds;
  for (int i = -2; i < job.times; ++i) {  // the first two are not counted
    CheckHccl(HcclBarrier(comm, stream));
    Check(aclrtSynchronizeStream(stream));
    const double begin = Seconds();
    for (int k = 0; k < job.batch; ++k)
      Call(job, buffers, ranks, comm, stream);
    Check(aclrtSynchronizeStream(stream));
    if (i >= 0) seconds.push_back((Seconds() - begin) / job.batch);
  }
  return Percentile(seconds, 0);
}

// The last rank never comes; says when it is known that it died.
double TimeOfError(HcclComm comm, aclrtStream stream) {
  const Buffers buffers(4096);
  CheckHccl(
      HcclAllReduce(buffers.from, buffers.to, 1024, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, comm, stream));
  std::printf("waiting\n");
  std::fflush(stdout);
  if (aclrtSynchronizeStream(stream) == ACL_SUCCESS) std::exit(3);
  return Seconds();
}

std::size_t OpenFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

double ResidentKilobytes() {
  std::size_t all = 0, pages = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> all >> pages >> shared;
  return static_cast<double>(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) / 1024;
}

}  // namespace

int RunRank(const Job& job, std::uint32_t rank, std::uint32_t ranks, const std::string& file) {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream));
  const std::size_t files = OpenFiles();
  const double resident = ResidentKilobytes(), begin = Seconds();
  const HcclRootInfo info = ShareRootInfo(rank, file);
  HcclComm comm = nullptr;
  CheckHccl(HcclCommInitRootInfo(ranks, &info, rank, &comm));
  if (job.operation == "setup") {
    const double made = Seconds() - begin;
    Measure({"allreduce", 8, 3, 1}, ranks, comm, stream);
    std::printf("%.6f %zu %.0f\n", made, OpenFiles() - files, ResidentKilobytes() - resident);
  } else if (job.operation == "death") {
    if (rank + 1 == ranks) pause();
    std::printf("%.9f\n", TimeOfError(comm, stream));
    std::fflush(stdout);
    std::_Exit(0);
  } else {
    const double seconds = Measure(job, ranks, comm, stream);
    if (rank == 0) std::printf("%.9f\n", seconds);
  }
  CheckHccl(HcclCommDestroy(comm));
  Check(aclrtResetDeviceForce(0));
  Check(aclFinalize());
  return 0;
}

double TwoDevices(std::uint64_t bytes, int times) {
  int32_t devices[] = {0, 1};
  HcclComm comms[2];
  aclrtStream streams[2];
  std::vector<Buffers> buffers;
  CheckHccl(HcclCommInitAll(2, devices, comms));
  for (int rank = 0; rank < 2; ++rank) {
    Check(aclrtSetDevice(rank));
    Check(aclrtCreateStream(&streams[rank]));
    buffers.emplace_back(bytes);
  }
  std::vector<double> seconds;
  for (int i = -2; i < times; ++i) {
    const double begin = Seconds();
    for (int rank = 0; rank < 2; ++rank) {
      Check(aclrtSetDevice(rank));
      Call({"allreduce", bytes}, buffers[static_cast<std::size_t>(rank)], 2, comms[rank], streams[rank]);
    }
    for (int rank = 0; rank < 2; ++rank) {
      Check(aclrtSetDevice(rank));
      Check(aclrtSynchronizeStream(streams[rank]));
    }
    if (i >= 0) seconds.push_back(Seconds() - begin);
  }
  for (int rank = 0; rank < 2; ++rank) {
    Check(aclrtSetDevice(rank));
    CheckHccl(HcclCommDestroy(comms[rank]));
    Check(aclrtDestroyStream(streams[rank]));
    Check(aclrtFree(buffers[static_cast<std::size_t>(rank)].from));
    Check(aclrtFree(buffers[static_cast<std::size_t>(rank)].to));
  }
  return Percentile(seconds, 0);
}

}  // namespace bench
