// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <acl/acl_op_compiler.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    aclError code = (call);                                                                   \
    if (code != ACL_SUCCESS) {                                                                \
      const char* text = aclGetRecentErrMsg();                                                \
      std::printf("%s returned %d\n%s\n", #call, code, text != nullptr ? text : "(no text)"); \
      std::exit(1);                                                                           \
    }                                                                                         \
  } while (false)

struct Tensor {
  Tensor(aclDataType type, const std::vector<int64_t>& dims)
      : desc(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND)),
        bytes(aclGetTensorDescSize(desc)) {
    CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    buffer = aclCreateDataBuffer(memory, bytes);
  }
  ~Tensor() {
    CHECK(aclDestroyDataBuffer(buffer));
    aclDestroyTensorDesc(desc);
    CHECK(aclrtFree(memory));
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  aclTensorDesc* desc;
  size_t bytes;
  void* memory = nullptr;
  aclDataBuffer* buffer = nullptr;
};

void Run(const char* type, const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs,
         aclopAttr* attributes, aclrtStream stream) {
  std::vector<aclTensorDesc*> in_descs, out_descs;
  std::vector<aclDataBuffer*> in_buffers, out_buffers;
  for (Tensor* input : inputs) {
    in_descs.push_back(input->desc);
    in_buffers.push_back(input->buffer);
  }
  for (Tensor* output : outputs) {
    out_descs.push_back(output->desc);
    out_buffers.push_back(output->buffer);
  }
  CHECK(aclopCompileAndExecute(type, static_cast<int>(inputs.size()), in_descs.data(), in_buffers.data(),
                               static_cast<int>(outputs.size()), out_descs.data(), out_buffers.data(),
                               attributes, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream));
}

int main() {
  const int64_t classes = 1000;
  int32_t best = 3;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  {
    Tensor scores(ACL_FLOAT, {1, classes}), probabilities(ACL_FLOAT, {1, classes});
    Tensor k(ACL_INT32, {}), values(ACL_FLOAT, {1, best}), indices(ACL_INT32, {1, best});
    CHECK(aclSetTensorConst(k.desc, &best, sizeof best));
    aclopAttr* attributes = aclopCreateAttr();
    CHECK(aclopSetAttrBool(attributes, "sorted", 1));

    std::vector<float> host(classes, 0.0f);
    host[17] = 7, host[42] = 8, host[999] = 6;
    CHECK(aclrtMemcpy(scores.memory, scores.bytes, host.data(), scores.bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    for (const char* time : {"first", "second"}) {
      const auto start = std::chrono::steady_clock::now();
      Run("SoftmaxV2", {&scores}, {&probabilities}, nullptr, stream);
      Run("TopKV2", {&probabilities, &k}, {&values, &indices}, attributes, stream);
      CHECK(aclrtSynchronizeStream(stream));
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
      std::printf("%s time: %.0f us\n", time, took.count());
    }

    std::vector<float> p(best);
    std::vector<int32_t> of(best);
    CHECK(aclrtMemcpy(p.data(), values.bytes, values.memory, values.bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(aclrtMemcpy(of.data(), indices.bytes, indices.memory, indices.bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < best; ++i)
      std::printf("class %d: %.3f\n", of[i], p[i]);
    aclopDestroyAttr(attributes);
    if (of[0] != 42 || of[1] != 17 || of[2] != 999) return 1;
  }
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
