// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Loads a kernel of its own and launches it over 8 blocks.
#include <acl/acl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void Check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with %d: %s\n", what, code, text != nullptr ? text : "");
  std::exit(1);
}

int main(int, char** argv) {
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");

  // The kernel lies beside this program.
  const std::string self = argv[0];
  const std::string file = self.substr(0, self.rfind('/') + 1) + "add.so";
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle add = nullptr;
  Check(aclrtBinaryLoadFromFile(file.c_str(), nullptr, &binary), "aclrtBinaryLoadFromFile");
  Check(aclrtBinaryGetFunction(binary, "add", &add), "aclrtBinaryGetFunction");

  const int64_t count = 1 << 20;
  const size_t bytes = count * sizeof(float);
  std::vector<float> host(count);
  for (int64_t i = 0; i < count; ++i)
    host[static_cast<size_t>(i)] = static_cast<float>(i % 1000);
  struct {
    void *x, *y, *sum;
    int64_t count;
  } arguments = {nullptr, nullptr, nullptr, count};
  for (void** memory : {&arguments.x, &arguments.y, &arguments.sum}) {
    Check(aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclrtMemcpy(*memory, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  }

  Check(aclrtLaunchKernelWithHostArgs(add, 8, stream, nullptr, &arguments, sizeof arguments, nullptr, 0),
        "aclrtLaunchKernelWithHostArgs");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

  std::vector<float> sum(count);
  Check(aclrtMemcpy(sum.data(), bytes, arguments.sum, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
  for (size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] == 2 * host[i]) continue;
    std::fprintf(stderr, "element %zu is %g\n", i, static_cast<double>(sum[i]));
    return 1;
  }
  std::printf("%lld elements added by a kernel of this program\n", static_cast<long long>(count));

  for (void* memory : {arguments.x, arguments.y, arguments.sum})
    Check(aclrtFree(memory), "aclrtFree");
  Check(aclrtBinaryUnLoad(binary), "aclrtBinaryUnLoad");
  Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  return 0;
}
