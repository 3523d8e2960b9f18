// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device.h"

namespace {

void MustBeMade(const void* object) {
  if (object != nullptr) return;
  std::fprintf(stderr, "a tensor was not created: %s\n", aclGetRecentErrMsg());
  std::exit(1);
}

}  // namespace

Buffer::Buffer(size_t bytes) : bytes_(bytes) {
  CHECK(aclrtMalloc(&data_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
}

Buffer::Buffer(const void* host, size_t bytes) : Buffer(bytes) {
  Upload(host, bytes);
}

Buffer::~Buffer() {
  CHECK(aclrtFree(data_));
}

void Buffer::Upload(const void* host, size_t bytes) {
  CHECK(aclrtMemcpy(data_, bytes_, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

void Buffer::Download(void* host, size_t bytes) const {
  CHECK(aclrtMemcpy(host, bytes, data_, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

Device::Device() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream_));
}

Device::~Device() {
  workspace_.reset();
  CHECK(aclrtDestroyStream(stream_));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}

void* Device::Workspace(uint64_t bytes) {
  if (bytes == 0) return nullptr;
  if (!workspace_ || workspace_->bytes() < bytes) {
    Wait();  // the old one may be in use
    workspace_.reset(new Buffer(bytes));
  }
  return workspace_->data();
}

Tensor::Tensor(const Buffer& memory, aclDataType type, const Dims& dims, int64_t first, Dims strides) {
  if (strides.empty()) {
    strides.assign(dims.size(), 1);
    for (size_t i = dims.size(); i-- > 1;)
      strides[i - 1] = strides[i] * dims[i];
  }
  // The shape of the memory matters only for formats other than ND.
  tensor_ = aclCreateTensor(dims.data(), dims.size(), type, strides.data(), first, ACL_FORMAT_ND, dims.data(),
                            dims.size(), memory.data());
  MustBeMade(tensor_);
}

Tensor::~Tensor() {
  if (tensor_ != nullptr) CHECK(aclDestroyTensor(tensor_));
}

TensorList::TensorList(Tensor& tensor) : list_(aclCreateTensorList(&tensor.tensor_, 1)) {
  MustBeMade(list_);
  tensor.tensor_ = nullptr;
}

TensorList::~TensorList() {
  CHECK(aclDestroyTensorList(list_));
}
