// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of model instances share: stored streams, numbers in device memory, and a model built by
// hand.
#pragma once

#include <cstdint>
#include <vector>

#include "acl/acl_mdl.h"
#include "conformance/device_fixture.h"

inline aclrtStream StoredStream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
  return stream;
}

// A 32-bit number of a device; freed with the device.
class Number {
 public:
  explicit Number(std::int32_t value = 0) {
    void* cell = nullptr;
    EXPECT_OK(aclrtMalloc(&cell, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    cell_ = static_cast<std::int32_t*>(cell);
    Set(value);
  }
  void Set(std::int32_t value) const {
    EXPECT_OK(aclrtMemcpy(cell_, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  std::int32_t Get() const {
    std::int32_t value = 0;
    EXPECT_OK(aclrtMemcpy(&value, sizeof(value), cell_, sizeof(value), ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
  }
  // Queue += and =.
  void Add(const Number& other, aclrtStream stream) const {
    EXPECT_OK(aclrtReduceAsync(cell_, other.cell_, sizeof(std::int32_t), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                               ACL_INT32, stream, nullptr));
  }
  void Assign(const Number& other, aclrtStream stream) const {
    EXPECT_OK(aclrtMemcpyAsync(cell_, sizeof(std::int32_t), other.cell_, sizeof(std::int32_t),
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
  std::int32_t* get() const { return cell_; }

 private:
  std::int32_t* cell_ = nullptr;
};

// Stored streams bound to a model that is being built.
class Building {
 public:
  Building() { EXPECT_OK(aclmdlRIBuildBegin(&model_, 0)); }
  aclrtStream Bind(std::uint32_t flag) {
    const aclrtStream stream = StoredStream();
    EXPECT_OK(aclmdlRIBindStream(model_, stream, flag));
    return stream;
  }
  aclrtStream Head() { return Bind(ACL_MODEL_STREAM_FLAG_HEAD); }
  aclrtStream Activated() { return Bind(ACL_MODEL_STREAM_FLAG_DEFAULT); }
  aclmdlRI End(aclrtStream last) {
    EXPECT_OK(aclmdlRIEndTask(model_, last));
    EXPECT_OK(aclmdlRIBuildEnd(model_, nullptr));
    return model_;
  }
  aclmdlRI get() const { return model_; }

 private:
  aclmdlRI model_ = nullptr;
};

inline void Execute(aclmdlRI model) {
  EXPECT_OK(aclmdlRIExecute(model, -1));
}
