// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The provider library of onnxruntime_host.cpp: initialises when it is made, accepts that somebody else did,
// and finalises what it initialised itself when the program deletes it or the library is unloaded. A part of
// a network is compiled with the shapes of the call, saved under a name of its own, loaded from there the
// next time, and run on the provider's stream.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"

namespace {

class Registry {
 public:
  Registry() {
    const aclError result = aclInit(nullptr);
    REQUIRE(result == ACL_SUCCESS || result == ACL_ERROR_REPEAT_INITIALIZE);
    mine_ = result == ACL_SUCCESS;
  }
  ~Registry() {
    ge::aclgrphBuildFinalize();  // whether or not anything was built
    if (mine_) REQUIRE(aclFinalize() == ACL_SUCCESS);
  }

 private:
  bool mine_;
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

// y = x * scale, with a scalar.
ge::Graph MakeGraph() {
  ge::op::Data x("x"), scale("scale");
  const ge::TensorDesc open(ge::Shape({-1, -1}), ge::FORMAT_ND, ge::DT_FLOAT);
  const ge::TensorDesc scalar(ge::Shape(), ge::FORMAT_ND, ge::DT_FLOAT);
  x.update_input_desc_x(open);
  x.update_output_desc_y(open);
  scale.update_input_desc_x(scalar);
  scale.update_output_desc_y(scalar);
  x.set_attr_index(0);
  scale.set_attr_index(1);
  const ge::op::Mul y = ge::op::Mul("y").set_input_x1(x).set_input_x2(scale);
  return ge::Graph("part").SetInputs({x, scale}).SetOutputs(std::vector<ge::Operator>{y});
}

void SaveModel(const std::string& name) {
  std::map<ge::AscendString, ge::AscendString> global = {
      {ge::AscendString(ge::ir_option::SOC_VERSION), ge::AscendString(aclrtGetSocName())},
      {ge::AscendString(ge::ir_option::PRECISION_MODE), ge::AscendString("force_fp32")}};
  REQUIRE(ge::aclgrphBuildInitialize(global) == ge::GRAPH_SUCCESS);
  const std::map<ge::AscendString, ge::AscendString> options = {
      {ge::AscendString(ge::ir_option::INPUT_SHAPE), ge::AscendString("x:2,3;scale;")}};
  ge::ModelBufferData model;
  REQUIRE(ge::aclgrphBuildModel(MakeGraph(), options, model) == ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphSaveModel(name.c_str(), model) == ge::GRAPH_SUCCESS);
}

aclDataBuffer* AddBuffer(aclmdlDataset* set, void* memory, size_t bytes) {
  aclDataBuffer* buffer = aclCreateDataBuffer(memory, bytes);
  REQUIRE(buffer != nullptr && aclmdlAddDatasetBuffer(set, buffer) == ACL_SUCCESS);
  return buffer;
}

void RunModel(const std::string& file, aclrtStream stream) {
  uint32_t id = 0;
  REQUIRE(aclmdlLoadFromFile(file.c_str(), &id) == ACL_SUCCESS);
  aclmdlDesc* desc = aclmdlCreateDesc();
  REQUIRE(aclmdlGetDesc(desc, id) == ACL_SUCCESS);
  REQUIRE(aclmdlGetNumInputs(desc) == 2 && aclmdlGetNumOutputs(desc) == 1);
  const float x[] = {1, 2, 3, 4, 5, 6}, scale = 10;
  const void* const values[] = {x, &scale};
  aclmdlDataset *inputs = aclmdlCreateDataset(), *outputs = aclmdlCreateDataset();
  std::vector<aclDataBuffer*> buffers;
  for (size_t i = 0; i < 2; ++i) {
    const size_t bytes = aclmdlGetInputSizeByIndex(desc, i);
    void* memory = nullptr;
    REQUIRE(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpyAsync(memory, bytes, values[i], bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream) ==
            ACL_SUCCESS);
    buffers.push_back(AddBuffer(inputs, memory, bytes));
  }
  void* result = nullptr;
  const size_t size = aclmdlGetOutputSizeByIndex(desc, 0);
  REQUIRE(size == sizeof x && aclrtMalloc(&result, size, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  buffers.push_back(AddBuffer(outputs, result, size));
  REQUIRE(aclmdlExecuteAsync(id, inputs, outputs, stream) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  REQUIRE(aclGetTensorDescSize(aclmdlGetDatasetTensorDesc(outputs, 0)) == size);
  float y[6] = {};
  REQUIRE(aclrtMemcpy(y, size, result, size, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  for (int i = 0; i < 6; ++i)
    REQUIRE(y[i] == x[i] * scale);
  for (aclDataBuffer* buffer : buffers) {
    REQUIRE(aclrtFree(aclGetDataBufferAddr(buffer)) == ACL_SUCCESS);
    REQUIRE(aclDestroyDataBuffer(buffer) == ACL_SUCCESS);
  }
  REQUIRE(aclmdlDestroyDataset(inputs) == ACL_SUCCESS && aclmdlDestroyDataset(outputs) == ACL_SUCCESS);
  REQUIRE(aclmdlDestroyDesc(desc) == ACL_SUCCESS && aclmdlUnload(id) == ACL_SUCCESS);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int RunProvider() {
  TheRegistry();
  uint32_t count = 0;
  REQUIRE(aclrtGetDeviceCount(&count) == ACL_SUCCESS && count >= 1);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  void* device = nullptr;
  REQUIRE(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  int host = 41;
  REQUIRE(aclrtMemcpyAsync(device, 64, &host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE, stream) ==
          ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtMemcpy(&host, sizeof(host), device, sizeof(host), ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtFree(device) == ACL_SUCCESS);
  const std::string name = "onnxruntime_part_" + std::to_string(getpid());
  SaveModel(name);
  for (int run = 0; run < 2; ++run)
    RunModel(name + ".om", stream);
  std::remove((name + ".om").c_str());
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  return host + 1;
}
