// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The exporter is a child of the importer that is not checked, so that its end is nobody's finding.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;
constexpr std::size_t kKey = 65;

// Exports a block, says its key, and waits until it is told to end.
[[noreturn]] void Export(int tell, int hear) {
  {
    const Session session;
    void* const memory = DeviceMemory(kBytes);
    char key[kKey] = {};
    MUST(aclrtIpcMemGetExportKey(memory, kBytes, key, sizeof key,
                                 ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    if (write(tell, key, sizeof key) != sizeof key) _exit(1);
    char word = 0;
    if (read(hear, &word, 1) != 1) _exit(1);
    MUST(aclrtFree(memory));
  }
  _exit(0);
}

class Exporter {
 public:
  Exporter() {
    if (pipe(to_) != 0 || pipe(from_) != 0) std::exit(2);
    child_ = fork();
    if (child_ == 0) {
      close(to_[1]);  // so that the end of the parent is heard
      Export(from_[1], to_[0]);
    }
    if (read(from_[0], key_, sizeof key_) != sizeof key_) std::exit(2);
  }
  ~Exporter() {
    if (write(to_[1], "", 1) == 1) waitpid(child_, nullptr, 0);
  }
  const char* key() const { return key_; }

 private:
  int to_[2], from_[2];
  pid_t child_ = 0;
  char key_[kKey] = {};
};

}  // namespace

PROGRAM(uses_memory_of_another_process_after_close, "ACL-MEM-070") {
  Exporter exporter;
  const Session session;
  char host[kBytes];
  void* memory = nullptr;
  MUST(aclrtIpcMemImportByKey(&memory, exporter.key(), 0));
  MUST(aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  if (broken) MUST(aclrtIpcMemClose(exporter.key()));
  const int code = aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
  if (!broken) MUST(code);
  if (!broken) MUST(aclrtIpcMemClose(exporter.key()));
}

PROGRAM(closes_memory_under_a_task, "ACL-MEM-070") {
  Exporter exporter;
  const Session session;
  void* memory = nullptr;
  MUST(aclrtIpcMemImportByKey(&memory, exporter.key(), 0));
  const aclrtStream stream = NewStream();
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream));
  if (!broken) MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtIpcMemClose(exporter.key()));
  aclrtSynchronizeStream(stream);
  MUST(aclrtDestroyStream(stream));
}
