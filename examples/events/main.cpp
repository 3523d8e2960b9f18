// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

int main() {
  const size_t bytes = 32u << 20;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream producer, consumer;
  CHECK(aclrtCreateStream(&producer));
  CHECK(aclrtCreateStream(&consumer));
  aclrtEvent start, filled, end;
  CHECK(aclrtCreateEvent(&start));
  CHECK(aclrtCreateEvent(&filled));
  CHECK(aclrtCreateEvent(&end));

  char* host = nullptr;
  void* first = nullptr;
  void* second = nullptr;
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&host), bytes));
  CHECK(aclrtMalloc(&first, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&second, bytes, ACL_MEM_MALLOC_HUGE_FIRST));

  CHECK(aclrtRecordEvent(start, producer));
  CHECK(aclrtMemsetAsync(first, bytes, 7, bytes, producer));
  CHECK(aclrtRecordEvent(filled, producer));
  CHECK(aclrtRecordEvent(end, producer));

  CHECK(aclrtStreamWaitEvent(consumer, filled));  // without this line the consumer could read too early
  CHECK(aclrtMemcpyAsync(second, bytes, first, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, consumer));
  CHECK(aclrtMemcpyAsync(host, bytes, second, bytes, ACL_MEMCPY_DEVICE_TO_HOST, consumer));

  aclrtEventRecordedStatus status;
  CHECK(aclrtQueryEventStatus(filled, &status));
  std::printf("right after queueing the event is %s\n",
              status == ACL_EVENT_RECORDED_STATUS_COMPLETE ? "complete" : "not ready");
  CHECK(aclrtSynchronizeStream(consumer));
  CHECK(aclrtSynchronizeEvent(end));
  float milliseconds = 0;
  CHECK(aclrtEventElapsedTime(&milliseconds, start, end));
  std::printf("filling %zu MiB took %.2f ms\n", bytes >> 20, milliseconds);

  bool right = true;
  for (size_t i = 0; i < bytes; ++i)
    right = right && host[i] == 7;
  std::printf("the consumer saw %s data\n", right ? "complete" : "INCOMPLETE");

  for (aclrtEvent event : {start, filled, end})
    CHECK(aclrtDestroyEvent(event));
  for (aclrtStream stream : {producer, consumer})
    CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtFree(first));
  CHECK(aclrtFree(second));
  CHECK(aclrtFreeHost(host));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right ? 0 : 1;
}
