// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/capture_model/world.h"

#include <cstring>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_mul.h"

namespace capture_model {
namespace {

template <typename T>
T* Allocated(std::size_t bytes) {
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<T*>(memory);
}

void Set(void* to, const void* from, std::size_t bytes) {
  EXPECT_OK(aclrtMemcpy(to, bytes, from, bytes, ACL_MEMCPY_DEFAULT));
}

bool IsInteger(int buffer) {
  return buffer < kDeviceBuffers && buffer % 2 == 1;
}
bool IsHost(int buffer) {
  return buffer >= kDeviceBuffers;
}

aclTensor* TensorOf(aclDataType type, std::int64_t count, void* data) {
  const std::int64_t stride = 1;
  return aclCreateTensor(&count, 1, type, &stride, 0, ACL_FORMAT_ND, &count, 1, data);
}

aclScalar* ScalarOf(aclDataType type, int value) {
  float number = static_cast<float>(value) * 0.5f;
  return aclCreateScalar(type == ACL_FLOAT ? static_cast<void*>(&number) : &value, type);
}

}  // namespace

void World::HostCall::Change(void* self) {
  const HostCall& call = *static_cast<HostCall*>(self);
  for (int i = 0; i < call.count; ++i)
    call.data[i] = call.data[i] * 0.5f + static_cast<float>(call.value);
}

World::World(int most_elements) {
  const std::size_t bytes = static_cast<std::size_t>(most_elements) * 4;
  for (int i = 0; i < kBuffers; ++i) {
    if (IsHost(i)) {
      EXPECT_OK(aclrtMallocHost(&buffers_[static_cast<std::size_t>(i)], bytes));
    } else {
      buffers_[static_cast<std::size_t>(i)] = Allocated<void>(bytes);
    }
  }
  cells_ = Allocated<std::uint64_t>(kCells * 8);
  own_conditions_ = Allocated<std::uint64_t>(kConditions * 8);
  minus_one_ = Allocated<std::int32_t>(4);
  const std::int32_t minus_one = -1;
  Set(minus_one_, &minus_one, 4);
  for (aclrtEvent& event : events_)
    EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  for (aclrtNotify& notify : notifies_)
    EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
}

void World::Start(const Program& program) {
  elements_ = program.elements;
  host_calls_.clear();
  variants = {};
  std::vector<float> floats(static_cast<std::size_t>(elements_));
  std::vector<std::int32_t> integers(floats.size());
  for (int buffer = 0; buffer < kBuffers; ++buffer) {
    for (std::size_t i = 0; i < floats.size(); ++i) {
      integers[i] = static_cast<std::int32_t>((i * 7 + static_cast<std::size_t>(buffer) * 3) % 9) - 4;
      floats[i] = static_cast<float>(integers[i]) * 0.25f;
    }
    void* const to = buffers_[static_cast<std::size_t>(buffer)];
    Set(to, IsInteger(buffer) ? static_cast<void*>(integers.data()) : floats.data(), Bytes());
  }
  SetCells(std::vector<std::uint64_t>(kCells, 0));
  for (std::size_t i = 0; i < program.conditions.size(); ++i) {
    const std::uint64_t value = program.conditions[i].value;
    conditions[i] = own_conditions_ + i;
    Set(conditions[i], &value, 8);
  }
}

void World::SetCells(const std::vector<std::uint64_t>& values) {
  Set(cells_, values.data(), kCells * 8);
}

std::vector<char> World::Contents() const {
  std::vector<char> all(kBuffers * Bytes() + kCells * 8);
  char* to = all.data();
  for (void* const buffer : buffers_) {
    Set(to, buffer, Bytes());
    to += Bytes();
  }
  Set(to, cells_, kCells * 8);
  return all;
}

std::int64_t World::CountOf(const Step& step) const {
  return std::max<std::int64_t>(1, std::int64_t{elements_} * step.count / 1000);
}

char* World::At(int buffer, const Step& step) const {
  const std::int64_t first = std::int64_t{elements_} * step.first / 1000;
  return static_cast<char*>(buffers_[static_cast<std::size_t>(buffer)]) + first * 4;
}

// Each of its own: captured calls may run at the same time. They go with the device.
void* World::WorkspaceOf(std::uint64_t bytes) {
  void* memory = nullptr;
  if (bytes > 0) {
    EXPECT_OK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  return memory;
}

void World::QueueOperator(const Step& step, aclrtStream stream) {
  const aclDataType type = IsInteger(step.out) ? ACL_INT32 : ACL_FLOAT;
  const std::int64_t count = CountOf(step);
  aclTensor* const a = TensorOf(type, count, At(step.a, step));
  aclTensor* const b = TensorOf(type, count, At(step.b, step));
  aclTensor* const out = TensorOf(type, count, At(step.out, step));
  aclScalar* const scalar = ScalarOf(type, step.value);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  switch (step.kind) {
    case Kind::kAdd:
      EXPECT_OK(aclnnAddGetWorkspaceSize(a, b, scalar, out, &workspace, &executor));
      EXPECT_OK(aclnnAdd(WorkspaceOf(workspace), workspace, executor, stream));
      break;
    case Kind::kMul:
      EXPECT_OK(aclnnMulGetWorkspaceSize(a, b, out, &workspace, &executor));
      EXPECT_OK(aclnnMul(WorkspaceOf(workspace), workspace, executor, stream));
      break;
    case Kind::kMaximum:
      EXPECT_OK(aclnnMaximumGetWorkspaceSize(a, b, out, &workspace, &executor));
      EXPECT_OK(aclnnMaximum(WorkspaceOf(workspace), workspace, executor, stream));
      break;
    default:
      EXPECT_OK(aclnnInplaceFillScalarGetWorkspaceSize(out, scalar, &workspace, &executor));
      EXPECT_OK(aclnnInplaceFillScalar(WorkspaceOf(workspace), workspace, executor, stream));
  }
  for (aclTensor* const tensor : {a, b, out})
    EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyScalar(scalar));
}

void World::Queue(const Step& step, aclrtStream stream, aclrtStream from) {
  const std::size_t bytes = static_cast<std::size_t>(CountOf(step)) * 4;
  const std::size_t id = static_cast<std::size_t>(step.id);
  std::uint64_t* const condition = conditions[static_cast<std::size_t>(step.out) % kConditions];
  switch (step.kind) {
    case Kind::kCopy: {
      const auto kind = IsHost(step.a)     ? ACL_MEMCPY_HOST_TO_DEVICE
                        : IsHost(step.out) ? ACL_MEMCPY_DEVICE_TO_HOST
                                           : ACL_MEMCPY_DEVICE_TO_DEVICE;
      EXPECT_OK(aclrtMemcpyAsync(At(step.out, step), bytes, At(step.a, step), bytes, kind, stream));
      break;
    }
    case Kind::kFill:
      EXPECT_OK(aclrtMemsetAsync(At(step.out, step), bytes, step.value, bytes, stream));
      break;
    case Kind::kReduce: {
      const auto kind = static_cast<aclrtReduceKind>(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM + step.value % 3);
      EXPECT_OK(aclrtReduceAsync(At(step.out, step), At(step.a, step), bytes, kind,
                                 IsInteger(step.out) ? ACL_INT32 : ACL_FLOAT, stream, nullptr));
      break;
    }
    case Kind::kValueWrite:
      EXPECT_OK(aclrtValueWrite(cells_ + step.out, static_cast<std::uint64_t>(step.value), 0, stream));
      break;
    case Kind::kHostFunction:
      host_calls_.push_back(
          {reinterpret_cast<float*>(At(step.out, step)), static_cast<int>(CountOf(step)), step.value});
      EXPECT_OK(aclrtLaunchHostFunc(stream, HostCall::Change, &host_calls_.back()));
      break;
    case Kind::kEvent:
      EXPECT_OK(aclrtRecordEvent(events_[id], from));
      EXPECT_OK(aclrtStreamWaitEvent(stream, events_[id]));
      break;
    case Kind::kNotify:
      EXPECT_OK(aclrtRecordNotify(notifies_[id], from));
      EXPECT_OK(aclrtWaitAndResetNotify(notifies_[id], stream, 0));
      break;
    case Kind::kSetCondition:
      EXPECT_OK(aclrtMemcpyAsync(condition, 8, cells_ + step.a, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      break;
    case Kind::kCountDown:
      EXPECT_OK(aclrtReduceAsync(condition, minus_one_, 4, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32,
                                 stream, nullptr));
      break;
    case Kind::kWriteCondition:
      EXPECT_OK(aclrtValueWrite(condition, static_cast<std::uint64_t>(step.value), 0, stream));
      break;
    default:
      QueueOperator(step, stream);
  }
}

}  // namespace capture_model
