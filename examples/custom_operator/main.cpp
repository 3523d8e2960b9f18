// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Calls an operator of its own by name, from a model that atc made of it.
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void Check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with %d: %s\n", what, code, text != nullptr ? text : "");
  std::exit(1);
}

int main() {
  Check(aclInit(nullptr), "aclInit");
  Check(aclopSetModelDir("op_models"), "aclopSetModelDir");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");

  const int64_t dims[] = {8, 16};
  const size_t count = 8 * 16, bytes = count * sizeof(float);
  aclTensorDesc* desc[3];
  aclDataBuffer* buffers[3];
  void* memory[3];
  std::vector<float> host(count);
  for (int i = 0; i < 3; ++i) {
    for (size_t e = 0; e < count; ++e)
      host[e] = static_cast<float>(e) * static_cast<float>(i + 1);
    Check(aclrtMalloc(&memory[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclrtMemcpy(memory[i], bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    desc[i] = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    buffers[i] = aclCreateDataBuffer(memory[i], bytes);
  }
  aclopAttr* attributes = aclopCreateAttr();
  Check(aclopSetAttrFloat(attributes, "scale", 0.5f), "aclopSetAttrFloat");

  Check(aclopExecuteV2("ScaledAdd", 2, desc, buffers, 1, desc + 2, buffers + 2, attributes, stream),
        "aclopExecuteV2");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

  Check(aclrtMemcpy(host.data(), bytes, memory[2], bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
  for (size_t e = 0; e < count; ++e) {
    if (host[e] == 2 * static_cast<float>(e)) continue;
    std::fprintf(stderr, "element %zu is %g\n", e, static_cast<double>(host[e]));
    return 1;
  }
  std::printf("ScaledAdd computed %zu elements\n", count);

  aclopDestroyAttr(attributes);
  for (int i = 0; i < 3; ++i) {
    Check(aclDestroyDataBuffer(buffers[i]), "aclDestroyDataBuffer");
    aclDestroyTensorDesc(desc[i]);
    Check(aclrtFree(memory[i]), "aclrtFree");
  }
  Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  return 0;
}
