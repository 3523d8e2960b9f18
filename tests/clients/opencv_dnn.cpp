// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way OpenCV's dnn module uses the library: a device and a context come first, then a static object
// initialises and, in its destructor, finalises; every failure throws, in destructors too, so one non-zero
// answer ends the program. Networks are
// compiled in a forked child that asks for the chip's name and leaves through exit(), with a copy of the
// static object to destroy; the compiled bytes come back through shared memory.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_ir_build.h"
#include "nonlinear_fuc_ops.h"

namespace {

// Asks again when it fails, like the original.
#define CHECKED(call) \
  if ((call) != ACL_SUCCESS) throw std::runtime_error(#call " answers " + std::to_string(call))

class Environment {
 public:
  static Environment& Get() {
    static Environment environment;
    return environment;
  }
  ~Environment() noexcept(false) { CHECKED(aclFinalize()); }

 private:
  Environment() { CHECKED(aclInit(nullptr)); }
};

constexpr int64_t kCount = 1000;
constexpr size_t kShared = size_t{16} << 20;

// What the child hands to its parent.
struct SharedModel {
  size_t size;
  unsigned char bytes[kShared - sizeof(size_t)];
};

int StatusOf(pid_t child) {
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

// y = relu(x + bias); the index of its input is left as it is.
ge::Graph MakeGraph(float bias) {
  const ge::TensorDesc desc(ge::Shape({1, kCount}), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data x("x");
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  const std::vector<float> values(kCount, bias);
  ge::op::Const constant("bias");
  constant.set_attr_value(
      ge::Tensor(desc, reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float)));
  constant.update_output_desc_y(desc);
  ge::op::Add sum("sum");
  sum.set_input_x1_by_name(x, "y").set_input_x2_by_name(constant, "y");
  sum.update_input_desc_x1(desc);
  sum.update_input_desc_x2(desc);
  sum.update_output_desc_y(desc);
  ge::op::Relu relu("relu");
  relu.set_input_x_by_name(sum, "y");
  relu.update_output_desc_y(desc);
  return ge::Graph("net").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{relu});
}

// Returns 0 when the model is in the shared memory. Runs in the child.
int CompileInto(SharedModel& shared, float bias) {
  const char* soc = aclrtGetSocName();
  if (soc == nullptr || *soc == 0) return 1;
  std::map<ge::AscendString, ge::AscendString> options = {
      {ge::AscendString(ge::ir_option::SOC_VERSION), ge::AscendString(soc)}};
  if (ge::aclgrphBuildInitialize(options) != ge::GRAPH_SUCCESS) return 2;
  ge::ModelBufferData model;
  const std::map<ge::AscendString, ge::AscendString> none;
  if (ge::aclgrphBuildModel(MakeGraph(bias), none, model) != ge::GRAPH_SUCCESS) return 3;
  ge::aclgrphBuildFinalize();
  if (model.length > sizeof shared.bytes) return 4;
  shared.size = model.length;
  std::memcpy(shared.bytes, model.data.get(), model.length);
  return 0;
}

std::vector<unsigned char> Compile(float bias) {
  void* memory = mmap(nullptr, kShared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto& shared = *static_cast<SharedModel*>(memory);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    std::exit(CompileInto(shared, bias));
  }
  const int status = StatusOf(child);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::vector<unsigned char> model(shared.bytes, shared.bytes + shared.size);
  REQUIRE(munmap(memory, kShared) == 0);
  return model;
}

class Network {
 public:
  Network() {
    CHECKED(aclrtSetDevice(0));
    CHECKED(aclrtCreateContext(&context_, 0));
    Environment::Get();
  }
  ~Network() noexcept(false) {
    if (desc_ != nullptr) Unload();
    CHECKED(aclrtDestroyContext(context_));
    CHECKED(aclrtResetDevice(0));
  }

  void Load(const std::vector<unsigned char>& model) {
    CHECKED(aclrtSetCurrentContext(context_));
    CHECKED(aclmdlLoadFromMem(model.data(), model.size(), &id_));
    desc_ = aclmdlCreateDesc();
    CHECKED(aclmdlGetDesc(desc_, id_));
    inputs_ = aclmdlCreateDataset();
    outputs_ = aclmdlCreateDataset();
    for (size_t i = 0; i < aclmdlGetNumInputs(desc_); ++i)
      AddBuffer(inputs_, aclmdlGetInputSizeByIndex(desc_, i));
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc_); ++i)
      AddBuffer(outputs_, aclmdlGetOutputSizeByIndex(desc_, i));
    aclmdlIODims dims;
    CHECKED(aclmdlGetOutputDims(desc_, 0, &dims));
    REQUIRE(dims.dimCount == 2 && dims.dims[1] == kCount);
  }

  std::vector<float> Forward(float value) {
    CHECKED(aclrtSetCurrentContext(context_));
    const std::vector<float> input(kCount, value);
    std::vector<float> output(kCount);
    aclDataBuffer* const in = aclmdlGetDatasetBuffer(inputs_, 0);
    CHECKED(aclrtMemcpy(aclGetDataBufferAddr(in), aclGetDataBufferSizeV2(in), input.data(),
                        kCount * sizeof(float), ACL_MEMCPY_HOST_TO_DEVICE));
    CHECKED(aclmdlExecute(id_, inputs_, outputs_));
    aclDataBuffer* const out = aclmdlGetDatasetBuffer(outputs_, 0);
    CHECKED(aclrtMemcpy(output.data(), kCount * sizeof(float), aclGetDataBufferAddr(out),
                        aclGetDataBufferSizeV2(out), ACL_MEMCPY_DEVICE_TO_HOST));
    return output;
  }

 private:
  static void AddBuffer(aclmdlDataset* set, size_t size) {
    void* memory = nullptr;
    CHECKED(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_NORMAL_ONLY));
    CHECKED(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, size)));
  }

  static void Destroy(aclmdlDataset* set) {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i) {
      aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(set, i);
      CHECKED(aclrtFree(aclGetDataBufferAddr(buffer)));
      CHECKED(aclDestroyDataBuffer(buffer));
    }
    CHECKED(aclmdlDestroyDataset(set));
  }

  void Unload() {
    Destroy(inputs_);
    Destroy(outputs_);
    CHECKED(aclmdlUnload(id_));
    CHECKED(aclmdlDestroyDesc(desc_));
  }

  aclrtContext context_ = nullptr;
  uint32_t id_ = 0;
  aclmdlDesc* desc_ = nullptr;
  aclmdlDataset *inputs_ = nullptr, *outputs_ = nullptr;
};

}  // namespace

int main() {
  const std::vector<unsigned char> early = Compile(1);  // before anything was initialised
  {
    Network first;
    first.Load(early);
    REQUIRE(first.Forward(2) == std::vector<float>(kCount, 3));
    const std::vector<unsigned char> later = Compile(-4);  // with threads running and a network alive
    Network second;
    second.Load(later);
    REQUIRE(second.Forward(2) == std::vector<float>(kCount, 0));
    REQUIRE(second.Forward(5) == std::vector<float>(kCount, 1));
    REQUIRE(first.Forward(-3) == std::vector<float>(kCount, 0));
    REQUIRE(first.Forward(3) == std::vector<float>(kCount, 4));
  }
  return 0;
}
