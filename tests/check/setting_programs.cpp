// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Settings and what has to be ended, dumps, advice.
#include <acl/acl_dump.h>
#include <acl/acl_prof.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "check/model_fixture.h"

using namespace checked;

namespace {

int32_t Take(const acldumpChunk*, int32_t) {
  return 0;
}

struct Execution {
  Loaded model;
  Four x, y;
  DataSet inputs{x.memory, kModelBytes}, outputs{y.memory, kModelBytes};
  void Run() const { MUST(aclmdlExecute(model.id, inputs.set, outputs.set)); }
};

}  // namespace

PROGRAM(saturates_too_late, "ACL-USE-001") {
  const Session session;
  if (!broken) MUST(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  const Stream stream;
  if (broken) MUST(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
}

PROGRAM(chooses_the_failure_mode_twice, "ACL-USE-001") {
  const Session session;
  const Stream stream;
  MUST(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  if (broken) aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE);
}

PROGRAM(keeps_the_cores_of_a_stream, "ACL-USE-002") {
  const Session session;
  const Stream stream;
  MUST(aclrtUseStreamResInCurrentThread(stream));
  if (!broken) MUST(aclrtUnuseStreamResInCurrentThread(stream));
}

PROGRAM(does_not_stop_a_profile, "ACL-USE-002") {
  const Session session;
  std::string folder = (std::filesystem::temp_directory_path() / "foothold_check_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::exit(2);
  MUST(aclprofInit(folder.c_str(), folder.size()));
  uint32_t device = 0;
  aclprofConfig* const config = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API);
  MUST(aclprofStart(config));
  if (!broken) {
    MUST(aclprofStop(config));
    MUST(aclprofDestroyConfig(config));
  }
  MUST(aclprofFinalize());
  std::filesystem::remove_all(folder);
}

PROGRAM(profiles_a_model_that_is_loaded, "ACL-USE-001") {
  const Session session;
  std::string folder = (std::filesystem::temp_directory_path() / "foothold_check_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::exit(2);
  if (!broken) MUST(aclprofInit(folder.c_str(), folder.size()));
  {
    const Execution execution;
    if (broken) MUST(aclprofInit(folder.c_str(), folder.size()));
    execution.Run();
  }
  MUST(aclprofFinalize());
  std::filesystem::remove_all(folder);
}

PROGRAM(runs_a_model_in_a_dump_callback, "ACL-DUMP-002") {
  static const Execution* nested = nullptr;
  const Session session;
  {
    const Execution other;
    nested = broken ? &other : nullptr;
    MUST(acldumpRegCallback(
        [](const acldumpChunk*, int32_t) -> int32_t {
          if (const Execution* const run = std::exchange(nested, nullptr)) run->Run();
          return 0;
        },
        0));
    MUST(aclmdlInitDump());
    {
      const Execution execution;
      execution.Run();
    }
    MUST(aclmdlFinalizeDump());
    acldumpUnregCallback();
  }
}

PROGRAM(dumps_a_model_loaded_before, "ACL-DUMP-003") {
  const Session session;
  MUST(acldumpRegCallback(&Take, 0));
  if (!broken) MUST(aclmdlInitDump());
  {
    const Execution execution;
    if (broken) MUST(aclmdlInitDump());
    execution.Run();
  }
  MUST(aclmdlFinalizeDump());
  acldumpUnregCallback();
}

PROGRAM(does_not_end_a_dump, "ACL-DUMP-004 ACL-DUMP-004") {
  const Session session;
  MUST(acldumpRegCallback(&Take, 0));
  MUST(aclmdlInitDump());
  if (broken) return;
  MUST(aclmdlFinalizeDump());
  acldumpUnregCallback();
}

PROGRAM(copies_pageable_memory, "ACL-PERF-001") {
  const Session session;
  const Stream stream;
  const Four device;
  char pageable[kModelBytes] = {};
  void* const pinned = PinnedMemory(kModelBytes);
  std::memset(pinned, 0, kModelBytes);
  MUST(aclrtMemcpyAsync(device.memory, kModelBytes, broken ? pageable : pinned, kModelBytes,
                        ACL_MEMCPY_HOST_TO_DEVICE, stream));
  stream.Wait();
  MUST(aclrtFreeHost(pinned));
}

PROGRAM(waits_for_a_device_instead_of_a_stream, "ACL-PERF-002") {
  const Session session;
  const Stream first, second;
  const Four x, y;
  MUST(aclrtMemsetAsync(x.memory, kModelBytes, 0, kModelBytes, first));
  if (!broken) MUST(aclrtMemsetAsync(y.memory, kModelBytes, 0, kModelBytes, second));
  MUST(aclrtSynchronizeDevice());
}

PROGRAM(allocates_in_every_turn, "ACL-PERF-003") {
  const Session session;
  void* const kept = DeviceMemory(64);
  for (int turn = 0; turn < 1000; ++turn) {
    if (!broken) continue;
    void* const memory = DeviceMemory(64);
    MUST(aclrtFree(memory));
  }
  MUST(aclrtFree(kept));
}

PROGRAM(waits_after_every_task, "ACL-PERF-004") {
  const Session session;
  const Stream stream;
  const Four x;
  for (int turn = 0; turn < 100; ++turn) {
    MUST(aclrtMemsetAsync(x.memory, kModelBytes, 0, kModelBytes, stream));
    if (broken) MUST(aclrtSynchronizeStream(stream));
  }
  stream.Wait();
}

PROGRAM(makes_many_streams, "ACL-STREAM-004") {
  setenv("FOOTHOLD_SOC_NAME", "Ascend310P3", 1);
  const Session session;
  std::vector<aclrtStream> streams;
  for (int i = 0; i < (broken ? 500 : 100); ++i)
    streams.push_back(NewStream());
  for (const aclrtStream stream : streams)
    MUST(aclrtDestroyStream(stream));
}
