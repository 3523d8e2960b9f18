// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory, events and notifies as they are shared between processes, within one.
#include "failure/sweep.h"

namespace {

void SharedMemory(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  constexpr size_t kBytes = 1 << 17;
  const OwnMemory memory(trial, kBytes);
  if (!memory) return;
  trial.Try("aclrtMemset", [&] { return aclrtMemset(memory.get(), kBytes, 6, kBytes); });
  char key[65];
  if (!trial.Try("aclrtIpcMemGetExportKey",
                 [&] { return aclrtIpcMemGetExportKey(memory.get(), kBytes, key, 65, 1); }))
    return;
  void* there = nullptr;
  if (trial.Try("aclrtIpcMemImportByKey", [&] { return aclrtIpcMemImportByKey(&there, key, 0); })) {
    unsigned char found = 0;
    trial.Try("aclrtMemcpy", [&] { return aclrtMemcpy(&found, 1, there, 1, ACL_MEMCPY_DEVICE_TO_HOST); });
    if (!trial.refused()) trial.Expect(found == 6, "shared memory has other bytes");
    trial.End("aclrtIpcMemClose", [&] { return aclrtIpcMemClose(key); });
  }
  trial.End("aclrtIpcMemClose", [&] { return aclrtIpcMemClose(key); });
}
const bool shared_memory = Register("SharedMemory", SharedMemory);

void SharedEvents(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream stream(trial);
  if (!stream) return;
  aclrtEvent event = nullptr, opened = nullptr;
  const auto create = [&] { return aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC); };
  if (!trial.Try("aclrtCreateEventExWithFlag", create)) return;
  aclrtIpcEventHandle handle{};
  if (trial.Try("aclrtIpcGetEventHandle", [&] { return aclrtIpcGetEventHandle(event, &handle); }) &&
      trial.Try("aclrtIpcOpenEventHandle", [&] { return aclrtIpcOpenEventHandle(handle, &opened); })) {
    trial.Try("aclrtRecordEvent", [&] { return aclrtRecordEvent(event, stream.get()); });
    trial.Try("aclrtStreamWaitEvent", [&] { return aclrtStreamWaitEvent(stream.get(), opened); });
    trial.Try("aclrtSynchronizeEvent", [&] { return aclrtSynchronizeEvent(opened); });
    trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream.get()); });
    trial.End("aclrtDestroyEvent", [&] { return aclrtDestroyEvent(opened); });
  }
  trial.End("aclrtDestroyEvent", [&] { return aclrtDestroyEvent(event); });
}
const bool shared_events = Register("SharedEvents", SharedEvents);

void SharedNotifies(Trial& trial) {
  const Program program(trial);
  if (!program.started()) return;
  const OwnStream first(trial), second(trial);
  if (!first || !second) return;
  aclrtNotify notify = nullptr, opened = nullptr;
  if (!trial.Try("aclrtCreateNotify", [&] { return aclrtCreateNotify(&notify, 0); })) return;
  char key[65];
  const auto get_key = [&] { return aclrtNotifyGetExportKey(notify, key, 65, 2); };
  if (trial.Try("aclrtNotifyGetExportKey", get_key) &&
      trial.Try("aclrtNotifyImportByKey", [&] { return aclrtNotifyImportByKey(&opened, key, 0); })) {
    const bool waits =
        trial.Try("aclrtWaitAndResetNotify", [&] { return aclrtWaitAndResetNotify(opened, first.get(), 0); });
    const bool comes =
        trial.Try("aclrtRecordNotify", [&] { return aclrtRecordNotify(notify, second.get()); });
    if (waits && comes)
      trial.Try("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(first.get()); });
    trial.End("aclrtDestroyNotify", [&] { return aclrtDestroyNotify(opened); });
  }
  trial.End("aclrtDestroyNotify", [&] { return aclrtDestroyNotify(notify); });
}
const bool shared_notifies = Register("SharedNotifies", SharedNotifies);

}  // namespace
