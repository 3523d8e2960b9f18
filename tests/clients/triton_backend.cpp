// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the Triton backend relies on: one session shared by the instances of a model, each a thread with a
// graph id and a stream of its own, and lists of inputs and outputs that are used again for every request.
#include <map>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "elewise_calculation_ops.h"
#include "exe_graph/runtime/tensor.h"
#include "ge/ge_api.h"

namespace {

constexpr int kInstances = 4, kRequests = 100;
constexpr int64_t kElements = 256;
constexpr size_t kBytes = kElements * sizeof(float);

// y = x * x + x
ge::Graph Model() {
  const ge::TensorDesc desc(ge::Shape({kElements}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("input").set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  const auto square = ge::op::Mul("square").set_input_x1(x).set_input_x2(x);
  const auto y = ge::op::Add("sum").set_input_x1(square).set_input_x2(x);
  return ge::Graph("model").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

gert::Tensor DeviceTensor() {
  void* address = nullptr;
  REQUIRE(aclrtMalloc(&address, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  gert::Tensor tensor;
  tensor.MutableOriginShape().AppendDim(kElements);
  tensor.MutableStorageShape().AppendDim(kElements);
  tensor.SetDataType(ge::DT_FLOAT);
  tensor.SetData(gert::TensorData(address, nullptr, kBytes, gert::kOnDeviceHbm));
  return tensor;
}

void Instance(ge::Session& session, uint32_t id) {
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  REQUIRE(session.AddGraph(id, Model()) == ge::SUCCESS);
  REQUIRE(session.CompileGraph(id) == ge::SUCCESS);
  REQUIRE(session.LoadGraph(id, {}, stream) == ge::SUCCESS);
  std::vector<gert::Tensor> inputs, outputs;
  inputs.push_back(DeviceTensor());
  outputs.push_back(DeviceTensor());
  std::vector<float> host(kElements);
  for (int request = 0; request < kRequests; ++request) {
    const float value = static_cast<float>(static_cast<int>(id) * kRequests + request);
    host.assign(kElements, value);
    REQUIRE(aclrtMemcpy(inputs[0].GetAddr(), kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
            ACL_SUCCESS);
    REQUIRE(session.ExecuteGraphWithStreamAsync(id, stream, inputs, outputs) == ge::SUCCESS);
    REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpy(host.data(), kBytes, outputs[0].GetAddr(), kBytes, ACL_MEMCPY_DEVICE_TO_HOST) ==
            ACL_SUCCESS);
    REQUIRE(host.front() == value * value + value && host.back() == host.front());
  }
  REQUIRE(session.RemoveGraph(id) == ge::SUCCESS);
  REQUIRE(aclrtFree(inputs[0].GetAddr()) == ACL_SUCCESS);
  REQUIRE(aclrtFree(outputs[0].GetAddr()) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
}

}  // namespace

int main() {
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(ge::GEInitialize(std::map<ge::AscendString, ge::AscendString>()) == ge::SUCCESS);
  {
    ge::Session session(std::map<ge::AscendString, ge::AscendString>{
        {"ge.graphRunMode", "0"}, {"ge.session_device_id", "0"}, {"ge.constLifecycle", "session"}});
    std::vector<std::thread> instances;
    for (uint32_t id = 0; id < kInstances; ++id)
      instances.emplace_back([&session, id] { Instance(session, id); });
    for (std::thread& instance : instances)
      instance.join();
  }
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
