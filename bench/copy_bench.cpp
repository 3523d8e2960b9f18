// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Copies of pinned host memory to the device, beside memcpy on the same buffers.
#include <acl/acl.h>
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "benches.h"
#include "check.h"
#include "report.h"

namespace bench {
namespace {

struct Size {
  std::size_t bytes;
  const char* name;
  std::vector<double> ours, sync, glibc;
};

template <typename Copy>
double Rate(std::size_t bytes, Copy&& copy) {
  const int times = static_cast<int>(std::max<std::size_t>(1, (256u << 20) / bytes / 4));
  const int limited = times > 20000 ? 20000 : times;
  const double start = Seconds();
  for (int i = 0; i < limited; ++i)
    copy();
  return bytes * static_cast<double>(limited) / (Seconds() - start);
}

}  // namespace

void RunCopyBench(Report& report, int rounds) {
  std::vector<Size> sizes = {{4u << 10, "4 KiB", {}, {}, {}},
                             {64u << 10, "64 KiB", {}, {}, {}},
                             {1u << 20, "1 MiB", {}, {}, {}},
                             {64u << 20, "64 MiB", {}, {}, {}}};
  const std::size_t most = sizes.back().bytes;
  void* host = nullptr;
  void* device = nullptr;
  aclrtStream stream;
  Check(aclrtMallocHost(&host, most));
  Check(aclrtMalloc(&device, most, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtCreateStream(&stream));
  std::memset(host, 1, most);
  Check(aclrtMemset(device, most, 0, most));
  for (int round = 0; round < rounds; ++round) {
    for (Size& size : sizes) {
      const std::size_t bytes = size.bytes;
      size.glibc.push_back(Rate(bytes, [&] { std::memcpy(device, host, bytes); }));
      size.sync.push_back(
          Rate(bytes, [&] { Check(aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE)); }));
      size.ours.push_back(Rate(bytes, [&] {
        Check(aclrtMemcpyAsync(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
        Check(aclrtSynchronizeStream(stream));
      }));
    }
  }
  std::vector<std::vector<std::string>> rows;
  for (const Size& size : sizes) {
    const double base = Percentile(size.glibc, 0.5);
    rows.push_back({size.name, fmt::format("{:.1f}", base / 1e9),
                    fmt::format("{:.1f}", Percentile(size.sync, 0.5) / 1e9),
                    fmt::format("{:.1f}", Percentile(size.ours, 0.5) / 1e9),
                    fmt::format("{:.2f}", Percentile(size.ours, 0.5) / base)});
  }
  report.Section("Copies, pinned host memory to device",
                 "Medians in GB/s; the asynchronous copy includes its synchronisation.");
  report.Table({"size", "memcpy", "aclrtMemcpy", "aclrtMemcpyAsync + sync", "async / memcpy"}, rows);
  aclrtDestroyStream(stream);
  aclrtFree(device);
  aclrtFreeHost(host);
}

}  // namespace bench
