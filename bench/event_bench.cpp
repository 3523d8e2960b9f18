// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Work that goes back and forth between two queues, and the price of asking an empty queue.
#include <acl/acl.h>
#include <fmt/format.h>

#include <vector>

#include "benches.h"
#include "check.h"
#include "report.h"

#ifdef FOOTHOLD_BENCH_POCL
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#endif

namespace bench {
namespace {

class FootholdPair {
 public:
  FootholdPair() {
    for (auto& stream : streams_)
      Check(aclrtCreateStream(&stream));
    for (auto& event : events_)
      Check(aclrtCreateEvent(&event));
  }
  ~FootholdPair() {
    for (auto& event : events_)
      aclrtDestroyEvent(event);
    for (auto& stream : streams_)
      aclrtDestroyStream(stream);
  }
  double PingPongs(int count) {
    const double start = Seconds();
    for (int i = 0; i < count; ++i) {
      for (int side : {0, 1}) {
        Check(aclrtRecordEvent(events_[side], streams_[side]));
        Check(aclrtStreamWaitEvent(streams_[1 - side], events_[side]));
      }
    }
    for (auto& stream : streams_)
      Check(aclrtSynchronizeStream(stream));
    return count / (Seconds() - start);
  }
  double EmptySync(int count) {
    const double start = Seconds();
    for (int i = 0; i < count; ++i)
      Check(aclrtSynchronizeStream(streams_[0]));
    return (Seconds() - start) / count;
  }

 private:
  aclrtStream streams_[2];
  aclrtEvent events_[2];
};

#ifdef FOOTHOLD_BENCH_POCL
class PoclPair {
 public:
  PoclPair() {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (error != CL_SUCCESS) return;
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    for (auto& queue : queues_)
      queue = clCreateCommandQueue(context_, device, 0, &error);
    ok_ = error == CL_SUCCESS;
  }
  ~PoclPair() {
    if (!ok_) return;
    for (auto& queue : queues_)
      clReleaseCommandQueue(queue);
    clReleaseContext(context_);
  }
  bool ok() const { return ok_; }
  double PingPongs(int count) {
    const double start = Seconds();
    cl_event last = nullptr;
    for (int i = 0; i < 2 * count; ++i) {
      cl_event next;
      clEnqueueMarkerWithWaitList(queues_[i % 2], last == nullptr ? 0 : 1, last == nullptr ? nullptr : &last,
                                  &next);
      clFlush(queues_[i % 2]);
      if (last != nullptr) clReleaseEvent(last);
      last = next;
    }
    for (auto& queue : queues_)
      clFinish(queue);
    clReleaseEvent(last);
    return count / (Seconds() - start);
  }
  double EmptySync(int count) {
    const double start = Seconds();
    for (int i = 0; i < count; ++i)
      clFinish(queues_[0]);
    return (Seconds() - start) / count;
  }

 private:
  bool ok_ = false;
  cl_context context_ = nullptr;
  cl_command_queue queues_[2];
};
#endif

struct Result {
  std::vector<double> ping_pongs;
  std::vector<double> empty;
  std::vector<std::string> Row(const char* name) const {
    return {name, fmt::format("{:.0f}", Percentile(ping_pongs, 0.5) / 1e3),
            fmt::format("{:.0f}", Percentile(empty, 0.5) * 1e9)};
  }
};

}  // namespace

void RunEventBench(Report& report, int rounds) {
  FootholdPair ours;
  Result our_result;
  std::vector<std::vector<std::string>> rows;
#ifdef FOOTHOLD_BENCH_POCL
  PoclPair pocl;
  Result pocl_result;
#endif
  for (int round = 0; round < rounds; ++round) {
    our_result.ping_pongs.push_back(ours.PingPongs(50000));
    our_result.empty.push_back(ours.EmptySync(200000));
#ifdef FOOTHOLD_BENCH_POCL
    if (pocl.ok()) {
      pocl_result.ping_pongs.push_back(pocl.PingPongs(2000));
      pocl_result.empty.push_back(pocl.EmptySync(2000));
    }
#endif
  }
  rows.push_back(our_result.Row("Foothold streams and events"));
#ifdef FOOTHOLD_BENCH_POCL
  if (pocl.ok()) rows.push_back(pocl_result.Row("PoCL queues and markers"));
#endif
  report.Section("Between two queues",
                 "Ping-pong: record on one queue, wait on the other, and back, all queued ahead.");
  report.Table({"", "ping-pongs, thousand/s", "synchronising an empty queue, ns"}, rows);
}

}  // namespace bench
