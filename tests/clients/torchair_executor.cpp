// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What torchair relies on: entry points found by name, a summary that says how much memory a static graph
// takes, that memory set from blocks of its own pool, the pool registered on the stream, and outputs whose
// memory is taken over together with its manager.
#include <dlfcn.h>

#include <map>
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "array_ops.h"
#include "clients/check.h"
#include "exe_graph/runtime/tensor.h"
#include "ge/ge_api.h"
#include "matrix_calculation_ops.h"
#include "nonlinear_fuc_ops.h"

namespace {

using Options = std::map<ge::AscendString, ge::AscendString>;
constexpr int64_t kSide = 8;
constexpr size_t kCount = kSide * kSide, kBytes = kCount * sizeof(float);

class Pool : public ge::Allocator {
 public:
  ge::MemBlock* Malloc(size_t size) override {
    void* address = nullptr;
    if (aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return nullptr;
    ++live;
    return new ge::MemBlock(*this, address, size);
  }
  void Free(ge::MemBlock* block) override {
    REQUIRE(aclrtFree(block->GetAddr()) == ACL_SUCCESS);
    --live;
    delete block;
  }
  int live = 0;
};

// y = relu(x * w) * w with w = 2 on the diagonal.
ge::Graph Model(int64_t rows) {
  const ge::TensorDesc desc(ge::Shape({rows, kSide}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("arg0").set_attr_index(0);
  x.update_input_desc_x(desc);
  x.update_output_desc_y(desc);
  std::vector<float> diagonal(kCount, 0.0f);
  for (size_t i = 0; i < kSide; ++i)
    diagonal[i * kSide + i] = 2;
  const auto w = ge::op::Const("w").set_attr_value(ge::Tensor(
      ge::TensorDesc(ge::Shape({kSide, kSide})), reinterpret_cast<uint8_t*>(diagonal.data()), kBytes));
  const auto first = ge::op::MatMul("first").set_input_x1(x).set_input_x2(w);
  const auto relu = ge::op::Relu("relu").set_input_x(first);
  const auto y = ge::op::MatMul("second").set_input_x1(relu).set_input_x2(w);
  return ge::Graph("model").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y});
}

gert::Tensor Input(void* address) {
  gert::Tensor tensor;
  for (int i = 0; i < 2; ++i) {
    tensor.MutableOriginShape().AppendDim(kSide);
    tensor.MutableStorageShape().AppendDim(kSide);
  }
  tensor.SetDataType(ge::DT_FLOAT);
  tensor.SetData(gert::TensorData(address, nullptr, kBytes, gert::kOnDeviceHbm));
  return tensor;
}

// As many blocks as the summary says, given to the graph.
std::vector<ge::MemBlock*> GiveMemory(ge::Session& session, Pool& pool) {
  const auto summary = session.GetCompiledGraphSummary(1);
  REQUIRE(summary != nullptr && summary->IsStatic());
  size_t constants = 0, features = 0;
  bool refreshable = false;
  REQUIRE(summary->GetConstMemorySize(constants) == ge::SUCCESS && constants >= kBytes);
  REQUIRE(summary->GetFeatureMemorySize(features) == ge::SUCCESS && features > 0);
  REQUIRE(summary->GetFeatureMemoryBaseRefreshable(refreshable) == ge::SUCCESS && refreshable);
  std::vector<std::pair<uint32_t, uint32_t>> same;
  REQUIRE(summary->GetIOIndexesWithSameAddr(same) == ge::SUCCESS && same.empty());
  const auto kinds = summary->GetAllFeatureMemoryTypeSize();
  REQUIRE(kinds.size() == 1 && kinds[0]->GetSize() == features);
  std::vector<ge::MemBlock*> blocks = {pool.Malloc(constants), pool.Malloc(features)};
  REQUIRE(session.SetGraphConstMemoryBase(1, blocks[0]->GetAddr(), blocks[0]->GetSize()) == ge::SUCCESS);
  REQUIRE(session.UpdateGraphRefreshableFeatureMemoryBase(1, blocks[1]->GetAddr(), blocks[1]->GetSize()) ==
          ge::SUCCESS);
  return blocks;
}

void RunAndCheck(ge::Session& session, uint32_t id, void* stream, const std::vector<gert::Tensor>& inputs) {
  using Execute = decltype(&GeSessionExecuteGraphWithStreamAsync);
  const auto execute = reinterpret_cast<Execute>(dlsym(RTLD_DEFAULT, "GeSessionExecuteGraphWithStreamAsync"));
  REQUIRE(execute != nullptr);
  std::vector<gert::Tensor> outputs(1);
  REQUIRE(execute(session, id, stream, inputs, outputs) == ge::SUCCESS);
  REQUIRE(outputs[0].GetOriginShape().GetDim(0) == kSide);
  gert::TensorAddrManager manager = nullptr;
  void* const handle = outputs[0].MutableTensorData().Release(manager);
  REQUIRE(manager != nullptr);
  void* address = nullptr;
  REQUIRE(manager(handle, gert::kGetTensorAddress, &address) == ge::GRAPH_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  std::vector<float> host(kCount);
  REQUIRE(aclrtMemcpy(host.data(), kBytes, address, kBytes, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  for (size_t i = 0; i < kCount; ++i)
    REQUIRE(host[i] == (i % 2 == 0 ? 4.0f * static_cast<float>(i) : 0.0f));
  REQUIRE(manager(handle, gert::kFreeTensor, nullptr) == ge::GRAPH_SUCCESS);
}

}  // namespace

int main() {
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  REQUIRE(ge::GEInitialize(Options()) == ge::SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  const auto pool = std::make_shared<Pool>();
  ge::MemBlock* const block = pool->Malloc(kBytes);
  std::vector<float> host(kCount);
  for (size_t i = 0; i < kCount; ++i)
    host[i] = i % 2 == 0 ? static_cast<float>(i) : -static_cast<float>(i);
  REQUIRE(aclrtMemcpy(block->GetAddr(), kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
          ACL_SUCCESS);
  std::vector<gert::Tensor> inputs;
  inputs.push_back(Input(block->GetAddr()));
  {
    ge::Session session{Options()};
    REQUIRE(session.AddGraph(1, Model(kSide), Options{{"ge.featureBaseRefreshable", "1"}}) == ge::SUCCESS);
    REQUIRE(session.AddGraph(2, Model(-1), Options()) == ge::SUCCESS);
    REQUIRE(session.CompileGraph(1) == ge::SUCCESS && session.CompileGraph(2) == ge::SUCCESS);
    REQUIRE(!session.GetCompiledGraphSummary(2)->IsStatic());
    const auto blocks = GiveMemory(session, *pool);
    REQUIRE(session.RegisterExternalAllocator(stream, pool) == ge::SUCCESS);
    REQUIRE(GeSessionLoadGraph(session, 1, Options(), stream) == ge::SUCCESS);
    REQUIRE(GeSessionLoadGraph(session, 2, Options(), stream) == ge::SUCCESS);
    for (int i = 0; i < 10; ++i) {
      RunAndCheck(session, 1, stream, inputs);
      RunAndCheck(session, 2, stream, inputs);
    }
    REQUIRE(session.UnregisterExternalAllocator(stream) == ge::SUCCESS);
    REQUIRE(session.RemoveGraph(1) == ge::SUCCESS && session.RemoveGraph(2) == ge::SUCCESS);
    for (ge::MemBlock* given : blocks)
      given->Free();
  }
  block->Free();
  REQUIRE(pool->live == 0);
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
