// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of sessions share: the engine from start to end, small graphs, and tensors of both
// generations behind one set of names, so that a test can be written once for both.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "array_ops.h"
#include "elewise_calculation_ops.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

using Dims = std::vector<int64_t>;
using Floats = std::vector<float>;
using GeOptions = std::map<ge::AscendString, ge::AscendString>;

// Statuses; the headers have names for the first two only.
constexpr ge::Status kNotInitialized = ge::GE_CLI_GE_NOT_INITIALIZED;
constexpr ge::Status kNoSessionManager = ge::GE_SESSION_MANAGER_NOT_INIT;
constexpr ge::Status kParamInvalid = 1343225857;
constexpr ge::Status kNoSuchGraph = 1343242242;
constexpr ge::Status kRepeated = 1343242306;

inline std::string GraphError() {
  return ge::GEGetErrorMsg();
}

// Messages are kept until they are read; the next test shall not find those of this one.
inline void ForgetMessages() {
  GraphError();
  ge::GEGetWarningMsg();
}

#define EXPECT_GE_OK(call) EXPECT_EQ(call, ge::SUCCESS) << GraphError()
#define ASSERT_GE_OK(call) ASSERT_EQ(call, ge::SUCCESS) << GraphError()
// The call answers this status and leaves a text with `part` in it.
#define EXPECT_REFUSED(status, part, call)                        \
  do {                                                            \
    GraphError();                                                 \
    EXPECT_EQ(call, static_cast<ge::Status>(status)) << #call;    \
    EXPECT_THAT(GraphError(), testing::HasSubstr(part)) << #call; \
  } while (false)

class Engine {
 public:
  explicit Engine(const GeOptions& options = {}) { EXPECT_GE_OK(ge::GEInitialize(options)); }
  ~Engine() {
    EXPECT_GE_OK(ge::GEFinalize());
    ForgetMessages();
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
};

inline ge::TensorDesc FloatDesc(const Dims& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
}

inline ge::op::Data FloatData(const char* name, int64_t index, const Dims& dims) {
  ge::op::Data data(name);
  data.set_attr_index(index);
  data.update_input_desc_x(FloatDesc(dims));
  data.update_output_desc_y(FloatDesc(dims));
  return data;
}

template <typename T>
ge::Tensor HostTensor(const Dims& dims, const std::vector<T>& values, ge::DataType type) {
  return ge::Tensor(ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, type),
                    reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T));
}

inline ge::op::Const FloatConst(const char* name, const Dims& dims, const Floats& values) {
  ge::op::Const constant(name);
  constant.set_attr_value(HostTensor(dims, values, ge::DT_FLOAT));
  return constant;
}

// y = x + step
inline ge::Graph AddGraphOf(const Dims& dims, float step, const char* name = "add") {
  const ge::op::Data x = FloatData("x", 0, dims);
  const ge::op::Const constant = FloatConst("step", {1}, {step});
  const ge::op::Add sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(constant);
  return ge::Graph(name).SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}

// y = reshape(x, shape): what comes with the run decides the shape of the output, or that there is none.
inline ge::Graph ReshapeGraph() {
  const ge::op::Data x = FloatData("x", 0, {6});
  ge::op::Data shape("shape");
  const ge::TensorDesc desc(ge::Shape({2}), ge::FORMAT_ND, ge::DT_INT32);
  shape.set_attr_index(1).update_input_desc_x(desc);
  shape.update_output_desc_y(desc);
  const ge::op::Reshape y = ge::op::Reshape("reshape").set_input_x(x).set_input_shape(shape);
  return ge::Graph("reshape").SetInputs({x, shape}).SetOutputs(std::vector<ge::Operator>{y});
}

// The first generation.
struct First {
  using Session = ge::Session;
  using Tensor = ge::Tensor;
  static constexpr const char* kName = "Session";

  static Tensor Make(const Dims& dims, const Floats& values) {
    return HostTensor(dims, values, ge::DT_FLOAT);
  }
  static Tensor MakeInts(const Dims& dims, const std::vector<int32_t>& values) {
    return HostTensor(dims, values, ge::DT_INT32);
  }
  // Memory that stays the test's, described as device memory.
  static Tensor At(const Dims& dims, void* address, size_t bytes) {
    Tensor tensor(FloatDesc(dims));
    tensor.SetData(static_cast<uint8_t*>(address), bytes, [](uint8_t*) {});
    return tensor;
  }
  static Dims DimsOf(const Tensor& tensor) { return tensor.GetTensorDesc().GetShape().GetDims(); }
  static const void* Address(const Tensor& tensor) { return tensor.GetData(); }
  static bool OnDevice(const Tensor& tensor) {
    return tensor.GetTensorDesc().GetPlacement() == ge::kPlacementDevice;
  }
  static ge::Status AddCopy(Session& session, uint32_t id, const ge::Graph& graph) {
    return session.AddGraphWithCopy(id, graph);
  }
};

// The second.
struct Second {
  using Session = ge::GeSession;
  using Tensor = gert::Tensor;
  static constexpr const char* kName = "GeSession";

  template <typename T>
  static Tensor MakeOf(const Dims& dims, const std::vector<T>& values, ge::DataType type) {
    gert::Tensor tensor;
    SetShape(tensor, dims, type);
    auto* bytes = new uint8_t[values.size() * sizeof(T)];
    std::copy_n(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T), bytes);
    tensor.SetData(gert::TensorData(bytes, Manage, values.size() * sizeof(T), gert::kOnHost));
    return tensor;
  }
  static Tensor Make(const Dims& dims, const Floats& values) { return MakeOf(dims, values, ge::DT_FLOAT); }
  static Tensor MakeInts(const Dims& dims, const std::vector<int32_t>& values) {
    return MakeOf(dims, values, ge::DT_INT32);
  }
  static Tensor At(const Dims& dims, void* address, size_t bytes) {
    gert::Tensor tensor;
    SetShape(tensor, dims, ge::DT_FLOAT);
    tensor.SetData(gert::TensorData(address, nullptr, bytes, gert::kOnDeviceHbm));
    return tensor;
  }
  static Dims DimsOf(const Tensor& tensor) {
    Dims dims;
    for (size_t i = 0; i < tensor.GetOriginShape().GetDimNum(); ++i)
      dims.push_back(tensor.GetOriginShape().GetDim(i));
    return dims;
  }
  static const void* Address(const Tensor& tensor) { return tensor.GetAddr(); }
  static bool OnDevice(const Tensor& tensor) { return tensor.GetPlacement() == gert::kOnDeviceHbm; }
  static ge::Status AddCopy(Session& session, uint32_t id, const ge::Graph& graph) {
    return session.AddGraphClone(id, graph);
  }

 private:
  static void SetShape(gert::Tensor& tensor, const Dims& dims, ge::DataType type) {
    tensor.MutableOriginShape().SetDimNum(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
      tensor.MutableOriginShape().SetDim(i, dims[i]);
    tensor.MutableStorageShape() = tensor.GetOriginShape();
    tensor.SetDataType(type);
    tensor.SetOriginFormat(ge::FORMAT_ND);
    tensor.SetStorageFormat(ge::FORMAT_ND);
  }
  static ge::graphStatus Manage(gert::TensorAddress address, gert::TensorOperateType operation, void** out) {
    if (operation == gert::kFreeTensor) delete[] static_cast<uint8_t*>(address);
    if (operation == gert::kGetTensorAddress) *out = address;
    return operation == gert::kPlusShareCount ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  }
};

// gert::Tensor cannot be copied, so lists of it are put together one by one.
template <typename Tensor, typename... More>
std::vector<Tensor> List(Tensor&& first, More&&... more) {
  std::vector<Tensor> list;
  list.push_back(std::move(first));
  (list.push_back(std::move(more)), ...);
  return list;
}

template <typename Generation>
Floats ValuesOf(const typename Generation::Tensor& tensor) {
  Floats values(tensor.GetSize() / sizeof(float));
  const size_t bytes = values.size() * sizeof(float);
  if (values.empty()) return values;
  const void* const from = Generation::Address(tensor);
  if (Generation::OnDevice(tensor)) {
    EXPECT_EQ(aclrtMemcpy(values.data(), bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  } else {
    std::memcpy(values.data(), from, bytes);
  }
  return values;
}

// For TYPED_TEST_SUITE: tests that are the same for both generations.
using Generations = testing::Types<First, Second>;
struct GenerationNames {
  template <typename Generation>
  static std::string GetName(int) {
    return Generation::kName;
  }
};
