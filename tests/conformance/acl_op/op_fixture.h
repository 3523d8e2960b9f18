// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of single operators share: tensors with descriptions, buffers and device memory that end
// with their scope, and calls of an operator with them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "conformance/device_fixture.h"

// The call answers this code and leaves a text with `part` in it.
#define EXPECT_OP_FAILS(code, part, call)                          \
  do {                                                             \
    RecentError();                                                 \
    EXPECT_EQ(call, code) << #call;                                \
    EXPECT_THAT(RecentError(), testing::HasSubstr(part)) << #call; \
  } while (false)

using TensorDims = std::vector<int64_t>;

template <typename T>
struct AclTypeOf;
template <>
struct AclTypeOf<float> {
  static constexpr aclDataType kType = ACL_FLOAT;
};
template <>
struct AclTypeOf<int32_t> {
  static constexpr aclDataType kType = ACL_INT32;
};
template <>
struct AclTypeOf<int64_t> {
  static constexpr aclDataType kType = ACL_INT64;
};
template <>
struct AclTypeOf<int8_t> {
  static constexpr aclDataType kType = ACL_INT8;
};
template <>
struct AclTypeOf<aclFloat16> {
  static constexpr aclDataType kType = ACL_FLOAT16;
};

// A tensor in device memory.
class OpTensor {
 public:
  OpTensor(aclDataType type, const TensorDims& dims, size_t bytes)
      : desc_(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND)) {
    EXPECT_NE(desc_, nullptr) << RecentError();
    if (bytes > 0) {
      EXPECT_OK(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    buffer_ = aclCreateDataBuffer(memory_, bytes);
  }
  ~OpTensor() {
    aclDestroyTensorDesc(desc_);
    EXPECT_OK(aclDestroyDataBuffer(buffer_));
    if (memory_ != nullptr) {
      EXPECT_OK(aclrtFree(memory_));
    }
  }
  OpTensor(const OpTensor&) = delete;
  OpTensor& operator=(const OpTensor&) = delete;

  template <typename T>
  static std::shared_ptr<OpTensor> Of(const TensorDims& dims, const std::vector<T>& values) {
    auto tensor = std::make_shared<OpTensor>(AclTypeOf<T>::kType, dims, values.size() * sizeof(T));
    tensor->Write(values);
    return tensor;
  }
  template <typename T>
  static std::shared_ptr<OpTensor> Room(const TensorDims& dims, size_t elements) {
    return Of<T>(dims, std::vector<T>(elements));
  }
  // What stands for an optional input that is not used.
  static std::shared_ptr<OpTensor> Absent() {
    return std::make_shared<OpTensor>(ACL_DT_UNDEFINED, TensorDims(), 0);
  }

  template <typename T>
  void Write(const std::vector<T>& values) {
    const size_t bytes = values.size() * sizeof(T);
    if (bytes > 0) {
      EXPECT_OK(aclrtMemcpy(memory_, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }
  }
  template <typename T>
  std::vector<T> Read(size_t count) const {
    std::vector<T> values(count);
    EXPECT_OK(
        aclrtMemcpy(values.data(), count * sizeof(T), memory_, count * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }
  TensorDims dims() const {
    TensorDims dims(aclGetTensorDescNumDims(desc_));
    for (size_t i = 0; i < dims.size(); ++i)
      EXPECT_OK(aclGetTensorDescDimV2(desc_, i, &dims[i]));
    return dims;
  }

  aclTensorDesc* desc() const { return desc_; }
  aclDataBuffer* buffer() const { return buffer_; }
  void* memory() const { return memory_; }

 private:
  aclTensorDesc* desc_;
  aclDataBuffer* buffer_ = nullptr;
  void* memory_ = nullptr;
};

using OpTensorPtr = std::shared_ptr<OpTensor>;

class Attributes {
 public:
  Attributes() : attributes_(aclopCreateAttr()) { EXPECT_NE(attributes_, nullptr); }
  ~Attributes() { aclopDestroyAttr(attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  aclopAttr* get() const { return attributes_; }
  operator aclopAttr*() const { return attributes_; }

 private:
  aclopAttr* attributes_;
};

// An operator with its tensors, and the ways to run it.
class Op {
 public:
  Op(std::string type, std::vector<OpTensorPtr> inputs, std::vector<OpTensorPtr> outputs,
     aclopAttr* attributes = nullptr)
      : type_(std::move(type)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        attributes_(attributes) {
    for (const OpTensorPtr& tensor : inputs_) {
      input_descs_.push_back(tensor->desc());
      input_buffers_.push_back(tensor->buffer());
    }
    for (const OpTensorPtr& tensor : outputs_) {
      output_descs_.push_back(tensor->desc());
      output_buffers_.push_back(tensor->buffer());
    }
  }

  aclError CompileAndExecute(aclrtStream stream = nullptr) {
    return aclopCompileAndExecute(type_.c_str(), inputs(), input_descs_.data(), input_buffers_.data(),
                                  outputs(), output_descs_.data(), output_buffers_.data(), attributes_,
                                  ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream);
  }
  aclError CompileAndExecuteV2(aclrtStream stream = nullptr) {
    return aclopCompileAndExecuteV2(type_.c_str(), inputs(), input_descs_.data(), input_buffers_.data(),
                                    outputs(), output_descs_.data(), output_buffers_.data(), attributes_,
                                    ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream);
  }
  aclError Compile() {
    return aclopCompile(type_.c_str(), inputs(), input_descs_.data(), outputs(), output_descs_.data(),
                        attributes_, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr);
  }
  aclError Execute(aclrtStream stream = nullptr) {
    return aclopExecuteV2(type_.c_str(), inputs(), input_descs_.data(), input_buffers_.data(), outputs(),
                          output_descs_.data(), output_buffers_.data(), attributes_, stream);
  }
  aclError InferShape(aclDataBuffer** values = nullptr) {
    return aclopInferShape(type_.c_str(), inputs(), input_descs_.data(),
                           values == nullptr ? input_buffers_.data() : values, outputs(),
                           output_descs_.data(), attributes_);
  }
  aclError CreateHandle(aclopHandle** handle) {
    return aclopCreateHandle(type_.c_str(), inputs(), input_descs_.data(), outputs(), output_descs_.data(),
                             attributes_, handle);
  }
  aclError ExecuteWith(aclopHandle* handle, aclrtStream stream = nullptr) {
    return aclopExecWithHandle(handle, inputs(), input_buffers_.data(), outputs(), output_buffers_.data(),
                               stream);
  }

  const char* type() const { return type_.c_str(); }
  int inputs() const { return static_cast<int>(inputs_.size()); }
  int outputs() const { return static_cast<int>(outputs_.size()); }
  aclTensorDesc** input_descs() { return input_descs_.data(); }
  aclDataBuffer** input_buffers() { return input_buffers_.data(); }
  aclTensorDesc** output_descs() { return output_descs_.data(); }
  aclDataBuffer** output_buffers() { return output_buffers_.data(); }

 private:
  std::string type_;
  std::vector<OpTensorPtr> inputs_, outputs_;
  std::vector<aclTensorDesc*> input_descs_, output_descs_;
  std::vector<aclDataBuffer*> input_buffers_, output_buffers_;
  aclopAttr* attributes_;
};

using FloatList = std::vector<float>;
