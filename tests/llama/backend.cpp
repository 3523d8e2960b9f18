// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "llama/backend.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "aclnnop/aclnn_fill_scalar.h"
#include "llama/call.h"

namespace llama {
namespace {

// Where a destructor cannot throw.
void CheckAtTheEnd(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "%s answered %d\n", what, code);
  std::_Exit(1);
}

std::int32_t SetDevice(std::int32_t device) {
  Check(aclrtSetDevice(device), "device");
  return device;
}

}  // namespace

std::int32_t RegisterDevices() {
  aclInit(nullptr);
  aclInit(nullptr);
  std::uint32_t count = 0;
  Check(aclrtGetDeviceCount(&count), "device count");
  for (std::uint32_t device = 0; device < count; ++device)
    SetDevice(static_cast<std::int32_t>(device));
  return static_cast<std::int32_t>(count);
}

Backend::Backend(std::int32_t device) : device_(SetDevice(device)), pool_(device) {
  SetDevice(device);  // as llama.cpp does when it makes the stream
  Check(aclrtCreateStream(&stream_), "stream");
  Check(aclrtCreateEvent(&event_), "event");
}

Backend::~Backend() {
  CheckAtTheEnd(aclrtSetDevice(device_), "device");
  CheckAtTheEnd(aclrtSynchronizeDevice(), "synchronising the device");
  CheckAtTheEnd(aclrtResetDevice(device_), "resetting the device");
  CheckAtTheEnd(aclrtDestroyEvent(event_), "destroying the event");
  CheckAtTheEnd(aclrtDestroyStream(stream_), "destroying the stream");
  pool_.Release();
  FreeAll();
}

void Backend::Synchronize() {
  Check(aclrtRecordEvent(event_, stream_), "recording the event");
  Check(aclrtSynchronizeEvent(event_), "waiting for the event");
  Check(aclrtSynchronizeStream(stream_), "synchronising the stream");
}

char* Backend::Allocate(std::size_t bytes) {
  void* data = nullptr;
  Check(aclrtMalloc(&data, (bytes + 127) / 128 * 128, ACL_MEM_MALLOC_HUGE_FIRST), "memory");
  memory_.push_back(data);
  return static_cast<char*>(data);
}

void Backend::FreeAll() {
  for (void* data : memory_)
    CheckAtTheEnd(aclrtFree(data), "freeing memory");
  memory_.clear();
  constants_.clear();
  tables_.clear();
}

char* Backend::Constant(aclDataType type, std::int64_t count, float value) {
  Kept& kept = constants_[{type, value}];
  if (kept.count >= count) return kept.data;
  kept.data = Allocate(static_cast<std::size_t>(count) * 4);
  kept.count = count;
  Run(*this, NN(InplaceFillScalar), Described(type, {count}, kept.data), Scalar{value});
  return kept.data;
}

char* Backend::Table(const std::vector<float>& values) {
  char*& table = tables_[values];
  if (table != nullptr) return table;
  const std::size_t bytes = values.size() * sizeof(float);
  table = Allocate(bytes);
  const auto pageable = std::make_unique<float[]>(values.size());
  std::copy(values.begin(), values.end(), pageable.get());
  Check(aclrtMemcpyAsync(table, bytes, pageable.get(), bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream_), "a table");
  return table;
}

}  // namespace llama
