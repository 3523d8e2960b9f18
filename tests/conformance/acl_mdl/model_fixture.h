// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of offline models share: small models, loads that end with their scope, data sets over
// device memory.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "ge/ge_ir_build.h"

// The call answers this code and leaves a text with `part` in it.
#define EXPECT_FAILS_WITH(code, part, call)                        \
  do {                                                             \
    RecentError();                                                 \
    EXPECT_EQ(call, code) << #call;                                \
    EXPECT_THAT(RecentError(), testing::HasSubstr(part)) << #call; \
  } while (false)

inline ge::ModelBufferData BuildModel(const ge::Graph& graph, const GeOptions& options = {}) {
  GeOptions global;
  EXPECT_EQ(ge::aclgrphBuildInitialize(global), ge::GRAPH_SUCCESS) << GraphError();
  ge::ModelBufferData model;
  EXPECT_EQ(ge::aclgrphBuildModel(graph, options, model), ge::GRAPH_SUCCESS) << GraphError();
  ge::aclgrphBuildFinalize();
  return model;
}

// y = (x + 1) * scale, with an intermediate value that needs work memory and weights of 4 KiB.
inline ge::Graph ScaleGraph(const Dims& dims, float scale, const char* name = "scale") {
  const ge::op::Data x = FloatData("x", 0, dims);
  const ge::op::Const one = FloatConst("one", {1024}, Floats(1024, 1.0f));
  const ge::op::Const factor = FloatConst("factor", {1024}, Floats(1024, scale));
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(one);
  const ge::op::Mul product = ge::op::Mul("product").set_input_x1(sum).set_input_x2(factor);
  return ge::Graph(name).SetInputs({x}).SetOutputs(std::vector<ge::Operator>{product});
}

class LoadedModel {
 public:
  explicit LoadedModel(const ge::ModelBufferData& model) {
    EXPECT_OK(aclmdlLoadFromMem(model.data.get(), model.length, &id_));
    Describe();
  }
  explicit LoadedModel(const std::string& path) {
    EXPECT_OK(aclmdlLoadFromFile(path.c_str(), &id_));
    Describe();
  }
  ~LoadedModel() {
    EXPECT_OK(aclmdlDestroyDesc(desc_));
    if (id_ != 0) {
      EXPECT_OK(aclmdlUnload(id_));
    }
  }
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  uint32_t id() const { return id_; }
  aclmdlDesc* desc() const { return desc_; }
  void Forget() { id_ = 0; }

 private:
  void Describe() {
    desc_ = aclmdlCreateDesc();
    EXPECT_OK(aclmdlGetDesc(desc_, id_));
  }
  uint32_t id_ = 0;
  aclmdlDesc* desc_ = nullptr;
};

// A data set that owns its buffers and their device memory.
class DeviceSet {
 public:
  DeviceSet() : set_(aclmdlCreateDataset()) {}
  ~DeviceSet() {
    for (aclDataBuffer* buffer : buffers_) {
      void* memory = aclGetDataBufferAddr(buffer);
      if (memory != nullptr) {
        EXPECT_OK(aclrtFree(memory));
      }
      EXPECT_OK(aclDestroyDataBuffer(buffer));
    }
    EXPECT_OK(aclmdlDestroyDataset(set_));
  }
  DeviceSet(const DeviceSet&) = delete;
  DeviceSet& operator=(const DeviceSet&) = delete;

  DeviceSet& Add(size_t bytes) {
    void* memory = nullptr;
    EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return AddBuffer(memory, bytes);
  }
  DeviceSet& Add(const Floats& values) {
    Add(values.size() * sizeof(float));
    Write(buffers_.size() - 1, values);
    return *this;
  }
  DeviceSet& AddBuffer(void* memory, size_t bytes) {
    buffers_.push_back(aclCreateDataBuffer(memory, bytes));
    EXPECT_OK(aclmdlAddDatasetBuffer(set_, buffers_.back()));
    return *this;
  }

  void Write(size_t index, const Floats& values) {
    const size_t bytes = values.size() * sizeof(float);
    EXPECT_OK(aclrtMemcpy(aclGetDataBufferAddr(buffers_[index]), bytes, values.data(), bytes,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  }
  Floats Read(size_t index, size_t count) const {
    Floats values(count);
    const size_t bytes = count * sizeof(float);
    EXPECT_OK(aclrtMemcpy(values.data(), bytes, aclGetDataBufferAddr(buffers_[index]), bytes,
                          ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }

  aclmdlDataset* get() const { return set_; }
  aclDataBuffer* buffer(size_t index) const { return buffers_[index]; }

 private:
  aclmdlDataset* set_;
  std::vector<aclDataBuffer*> buffers_;
};

inline Dims DimsOf(const aclmdlIODims& dims) {
  return Dims(dims.dims, dims.dims + dims.dimCount);
}
