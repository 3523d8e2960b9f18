// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small graphs and tensors for the sequences.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "array_ops.h"
#include "elewise_calculation_ops.h"
#include "failure/faults.h"
#include "ge/ge_api.h"
#include "ge/ge_api_v2.h"

using Dims = std::vector<int64_t>;
using Floats = std::vector<float>;
using GeOptions = std::map<ge::AscendString, ge::AscendString>;

inline ge::Tensor HostTensor(const Dims& dims, const Floats& values) {
  return ge::Tensor(ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT),
                    reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float));
}

inline gert::Tensor RuntimeTensor(const Dims& dims, const Floats& values) {
  gert::Tensor tensor;
  tensor.MutableOriginShape().SetDimNum(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    tensor.MutableOriginShape().SetDim(i, dims[i]);
  tensor.MutableStorageShape() = tensor.GetOriginShape();
  tensor.SetDataType(ge::DT_FLOAT);
  tensor.SetOriginFormat(ge::FORMAT_ND);
  tensor.SetStorageFormat(ge::FORMAT_ND);
  const auto manage = [](gert::TensorAddress address, gert::TensorOperateType operation, void** out) {
    if (operation == gert::kFreeTensor) delete[] static_cast<float*>(address);
    if (operation == gert::kGetTensorAddress) *out = address;
    return operation == gert::kPlusShareCount ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  };
  auto* floats = new float[values.size()];
  std::memcpy(floats, values.data(), values.size() * sizeof(float));
  tensor.SetData(gert::TensorData(floats, manage, values.size() * sizeof(float), gert::kOnHost));
  return tensor;
}

// Reading what is on the device is the test's own business and has to work.
inline void ReadFloats(Floats& values, const void* from, bool on_device) {
  const size_t bytes = values.size() * sizeof(float);
  if (values.empty()) return;
  if (!on_device) {
    std::memcpy(values.data(), from, bytes);
    return;
  }
  const faults::Exempt test;
  if (aclrtMemcpy(values.data(), bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) values = {};
}

inline Floats FloatsOf(const std::vector<ge::Tensor>& tensors) {
  if (tensors.size() != 1) return {};
  Floats values(tensors[0].GetSize() / sizeof(float));
  ReadFloats(values, tensors[0].GetData(), tensors[0].GetTensorDesc().GetPlacement() == ge::kPlacementDevice);
  return values;
}

inline Floats FloatsOf(const std::vector<gert::Tensor>& tensors) {
  if (tensors.size() != 1) return {};
  Floats values(tensors[0].GetSize() / sizeof(float));
  ReadFloats(values, tensors[0].GetAddr(), tensors[0].GetPlacement() == gert::kOnDeviceHbm);
  values.resize(2);
  return values;
}

inline ge::op::Data FloatData(const char* name, const Dims& dims) {
  const ge::TensorDesc desc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
  ge::op::Data data(name);
  data.set_attr_index(0);
  data.update_input_desc_x(desc);
  data.update_output_desc_y(desc);
  return data;
}

inline ge::op::Const FloatConst(const char* name, const Floats& values) {
  ge::op::Const constant(name);
  constant.set_attr_value(HostTensor({static_cast<int64_t>(values.size())}, values));
  return constant;
}

// y = x + 1
inline ge::Graph AddGraph(const Dims& dims = {2}) {
  const auto x = FloatData("x", dims);
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(FloatConst("one", {1}));
  return ge::Graph("add").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}
