// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of captures share: cells of device memory that tasks count in, and captures of a few calls.
#pragma once

#include <vector>

#include "conformance/device_fixture.h"

// Numbers in device memory, to which tasks add: what ran, and how often.
class Cells {
 public:
  explicit Cells(std::size_t count) : count_(count) {
    EXPECT_OK(aclrtMalloc(&memory_, (count + 1) * sizeof(std::int32_t), ACL_MEM_MALLOC_HUGE_FIRST));
    Write(std::vector<std::int32_t>(count, 0));
  }
  ~Cells() { aclrtFree(memory_); }
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;

  // The last one holds a 1.
  void Write(std::vector<std::int32_t> values) {
    values.push_back(1);
    EXPECT_OK(aclrtMemcpy(memory_, values.size() * 4, values.data(), values.size() * 4, ACL_MEMCPY_DEFAULT));
  }
  std::vector<std::int32_t> Read() const {
    std::vector<std::int32_t> values(count_);
    EXPECT_OK(aclrtMemcpy(values.data(), count_ * 4, memory_, count_ * 4, ACL_MEMCPY_DEFAULT));
    return values;
  }
  std::int32_t operator[](std::size_t index) const { return Read()[index]; }
  void* At(std::size_t index) const { return static_cast<std::int32_t*>(memory_) + index; }

  // to += from, as a task.
  aclError Add(std::size_t to, std::size_t from, aclrtStream stream) const {
    return aclrtReduceAsync(At(to), At(from), 4, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, stream,
                            nullptr);
  }
  aclError Count(std::size_t index, aclrtStream stream) const { return Add(index, count_, stream); }
  aclError Copy(std::size_t to, std::size_t from, aclrtStream stream) const {
    return aclrtMemcpyAsync(At(to), 4, At(from), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
  }

 private:
  const std::size_t count_;
  void* memory_ = nullptr;
};

constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr auto kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

// What `queue` queues on the stream, captured.
template <typename Queue>
aclmdlRI Captured(aclrtStream stream, const Queue& queue, aclmdlRICaptureMode mode = kRelaxed) {
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
  queue();
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  return instance;
}

inline void RunTimes(aclmdlRI instance, aclrtStream stream, int times = 1) {
  for (int i = 0; i < times; ++i)
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

inline aclmdlRICaptureStatus StatusOf(aclrtStream stream) {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &instance));
  return status;
}
