// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A user's program in C: data goes to the device and comes back.
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

#define CHECK(call)                            \
  do {                                         \
    const aclError code = (call);              \
    if (code != ACL_SUCCESS) {                 \
      printf("%s answered %d\n", #call, code); \
      return 1;                                \
    }                                          \
  } while (0)

int main(void) {
  const char sent[] = "there and back again";
  char received[sizeof(sent)] = {0};
  void* memory = NULL;
  CHECK(aclInit(NULL));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtMalloc(&memory, sizeof(sent), ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(memory, sizeof(sent), sent, sizeof(sent), ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(received, sizeof(sent), memory, sizeof(sent), ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(aclrtFree(memory));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  printf("%s\n", received);
  return strcmp(received, sent) == 0 ? 0 : 1;
}
