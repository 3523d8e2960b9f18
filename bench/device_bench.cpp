// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// device_bench [results.md [rounds]]
#include <acl/acl.h>

#include <cstdlib>
#include <string>

#include "benches.h"
#include "check.h"
#include "report.h"

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--idle") {
    bench::Check(aclInit(nullptr));
    bench::Check(aclrtSetDevice(0));
    bench::PrintIdleLatencies(std::strtoul(argv[2], nullptr, 10));
    bench::Check(aclrtResetDevice(0));
    bench::Check(aclFinalize());
    return 0;
  }
  const char* path = argc > 1 ? argv[1] : "bench/results.md";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  bench::Check(aclInit(nullptr));
  bench::Check(aclrtSetDevice(0));
  bench::Report report("The device");
  bench::RunQueueBench(report, rounds);
  bench::RunEventBench(report, rounds);
  bench::RunCopyBench(report, rounds);
  bench::Check(aclrtResetDevice(0));
  bench::Check(aclFinalize());
  report.Write(path);
  return 0;
}
