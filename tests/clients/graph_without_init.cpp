// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way samples of the Graph Engine start: GEInitialize, then a device, a stream and memory, and never
// aclInit or aclFinalize.
#include <map>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "ge/ge_api.h"
#include "nonlinear_fuc_ops.h"

namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;
constexpr int64_t kCount = 256;
constexpr size_t kBytes = kCount * sizeof(float);

ge::TensorDesc Description(ge::Placement placement) {
  ge::TensorDesc desc(ge::Shape({kCount}), ge::FORMAT_ND, ge::DT_FLOAT);
  desc.SetPlacement(placement);
  return desc;
}

ge::Graph Relu() {
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(Description(ge::kPlacementHost));
  x.update_output_desc_y(Description(ge::kPlacementHost));
  const auto y = ge::op::Relu("y").set_input_x(x);
  return ge::Graph("relu").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

ge::Tensor OnDevice(void* address) {
  ge::Tensor tensor(Description(ge::kPlacementDevice));
  REQUIRE(tensor.SetData(static_cast<uint8_t*>(address), kBytes, [](uint8_t*) {}) == ge::GRAPH_SUCCESS);
  return tensor;
}

void* Device() {
  void* memory = nullptr;
  REQUIRE(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  return memory;
}

}  // namespace

int main() {
  REQUIRE(ge::GEInitialize(Options{{"ge.exec.deviceId", "0"}, {"ge.graphRunMode", "0"}}) == ge::SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  void* pinned = nullptr;
  REQUIRE(aclrtMallocHost(&pinned, kBytes) == ACL_SUCCESS);
  auto* const host = static_cast<float*>(pinned);
  for (int64_t i = 0; i < kCount; ++i)
    host[i] = static_cast<float>(i - 100);
  void *const input = Device(), *const output = Device();
  REQUIRE(aclrtMemcpy(input, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  {
    ge::Session session{Options()};
    REQUIRE(session.AddGraph(0, Relu()) == ge::SUCCESS);
    std::vector<ge::Tensor> outputs = {OnDevice(output)};
    REQUIRE(session.RunGraphWithStreamAsync(0, stream, {OnDevice(input)}, outputs) == ge::SUCCESS);
    REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  }
  REQUIRE(aclrtMemcpy(host, kBytes, output, kBytes, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  for (int64_t i = 0; i < kCount; ++i)
    REQUIRE(host[i] == static_cast<float>(i < 100 ? 0 : i - 100));
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtFree(input) == ACL_SUCCESS && aclrtFree(output) == ACL_SUCCESS);
  REQUIRE(aclrtFreeHost(host) == ACL_SUCCESS);
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  return 0;
}
