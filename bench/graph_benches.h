// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The parts of graph_bench. A peer that is null is left out of the tables.
#pragma once

#include <ge/ge_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "onnx_runtime.h"

namespace bench {

class Report;

void RunSmallGraphBench(Report& report, OnnxRuntime* peer, int rounds);
void RunAsyncBench(Report& report, OnnxRuntime* peer, int rounds);
void RunLaunchBench(Report& report, int rounds);
void RunCompileBench(Report& report);
void RunModelGrowthBench(Report& report);
void RunMemoryBench(Report& report);

inline void CheckGe(ge::Status status) {
  if (status == ge::SUCCESS) return;
  std::fprintf(stderr, "error %u: %s\n", status, ge::GEGetErrorMsgV2().GetString());
  std::exit(1);
}

}  // namespace bench
