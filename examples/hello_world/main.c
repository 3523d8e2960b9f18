// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Check(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  printf("%s returned %d\n%s\n", call, code, text != NULL ? text : "(no text)");
  exit(1);
}

int main(void) {
  const char hello[] = "Hello from device memory";
  char back[sizeof hello] = "";
  void* device = NULL;
  size_t free_bytes = 0;
  size_t total_bytes = 0;

  Check(aclInit(NULL), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  Check(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes), "aclrtGetMemInfo");
  printf("%s with %.1f GiB of memory\n", aclrtGetSocName(), total_bytes / 1073741824.0);

  Check(aclrtMalloc(&device, sizeof hello, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Check(aclrtMemcpy(device, sizeof hello, hello, sizeof hello, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  Check(aclrtMemcpy(back, sizeof back, device, sizeof hello, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
  printf("%s\n", back);

  Check(aclrtFree(device), "aclrtFree");
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  return strcmp(hello, back) == 0 ? 0 : 1;
}
