// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>

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

struct Numbers {
  int* host;
  int count;
};

void Square(void* data) {
  Numbers* numbers = static_cast<Numbers*>(data);
  for (int i = 0; i < numbers->count; ++i)
    numbers->host[i] *= numbers->host[i];
}

}  // namespace

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));

  Numbers numbers = {nullptr, 8};
  const size_t bytes = numbers.count * sizeof(int);
  CHECK(aclrtMallocHost(reinterpret_cast<void**>(&numbers.host), bytes));
  void* device = nullptr;
  CHECK(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  for (int i = 0; i < numbers.count; ++i)
    numbers.host[i] = i;

  CHECK(aclrtMemcpyAsync(device, bytes, numbers.host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  CHECK(aclrtMemsetAsync(numbers.host, bytes, 0, bytes, stream));
  CHECK(aclrtMemcpyAsync(numbers.host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK(aclrtLaunchHostFunc(stream, Square, &numbers));
  CHECK(aclrtSynchronizeStream(stream));

  bool right = true;
  for (int i = 0; i < numbers.count; ++i) {
    std::printf("%d ", numbers.host[i]);
    right = right && numbers.host[i] == i * i;
  }
  std::printf("\n");
  CHECK(aclrtFree(device));
  CHECK(aclrtFreeHost(numbers.host));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return right ? 0 : 1;
}
