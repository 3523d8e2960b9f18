// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <future>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

namespace {

int failures = 0;

void OnException(aclrtExceptionInfo* info) {
  ++failures;
  std::printf("exception callback: task %u of stream %u on device %u, queued by thread %u, failed with %u\n",
              aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
              aclrtGetDeviceIdFromExceptionInfo(info), aclrtGetThreadIdFromExceptionInfo(info),
              aclrtGetErrorCodeFromExceptionInfo(info));
}

void WaitForGate(void* gate) {
  static_cast<std::promise<void>*>(gate)->get_future().wait();
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtSetExceptionInfoCallback(OnException));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));
  void* from = nullptr;
  void* to = nullptr;
  CHECK(aclrtMalloc(&from, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtMalloc(&to, 4096, ACL_MEM_MALLOC_NORMAL_ONLY));

  std::promise<void> gate;
  CHECK(aclrtLaunchHostFunc(stream, WaitForGate, &gate));  // holds the stream until the memory is gone
  CHECK(aclrtMemcpyAsync(to, 4096, from, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  uint32_t task = 0;
  CHECK(aclrtGetThreadLastTaskId(&task));
  std::printf("queued the copy as task %u, and now the mistake: its source is freed\n", task);
  CHECK(aclrtFree(from));
  gate.set_value();

  const aclError code = aclrtSynchronizeStream(stream);
  const char* text = aclGetRecentErrMsg();
  std::printf("aclrtSynchronizeStream returned %d\n%s\n", code, text != nullptr ? text : "(no text)");
  const aclError next = aclrtSynchronizeStream(stream);
  std::printf("the next synchronisation returned %d: a failure is reported once\n", next);

  CHECK(aclrtFree(to));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return failures == 1 && code != ACL_SUCCESS && next == ACL_SUCCESS ? 0 : 1;
}
