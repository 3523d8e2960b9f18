// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/model_buffers.h"

#include <memory>
#include <utility>

#include "base/error.h"

namespace foothold::run {
namespace {

using TensorDesc = std::unique_ptr<aclTensorDesc, void (*)(const aclTensorDesc*)>;

TensorType TypeOf(const aclTensorDesc* desc) {
  TensorType type{static_cast<DataType>(aclGetTensorDescType(desc)), Format::kNd, {}};
  for (std::size_t i = 0; i < aclGetTensorDescNumDims(desc); ++i) {
    std::int64_t dim = 0;
    RUN_CHECK(aclGetTensorDescDimV2(desc, i, &dim));
    type.dims.push_back(dim);
  }
  return type;
}

}  // namespace

void Check(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  Fail(kInternalError, "{}", text != nullptr ? text : fmt::format("{} returned {}", call, code));
}

ModelBuffers::ModelBuffers() : set_(aclmdlCreateDataset()) {
  if (set_ == nullptr) Check(ACL_ERROR_BAD_ALLOC, "aclmdlCreateDataset");
}

ModelBuffers::ModelBuffers(ModelBuffers&& other) noexcept
    : set_(std::exchange(other.set_, nullptr)), by_runs_(std::move(other.by_runs_)) {}

ModelBuffers::~ModelBuffers() {
  if (set_ == nullptr) return;
  for (std::size_t i = 0; i < size(); ++i) {
    aclDataBuffer* buffer = aclmdlGetDatasetBuffer(set_, i);
    void* const memory = aclGetDataBufferAddr(buffer);
    if (memory != nullptr) aclrtFree(memory);
    aclDestroyDataBuffer(buffer);
  }
  aclmdlDestroyDataset(set_);
}

std::size_t ModelBuffers::size() const {
  return aclmdlGetDatasetNumBuffers(set_);
}

void ModelBuffers::Add(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes == 0) by_runs_.push_back(size());
  if (bytes > 0) RUN_CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  RUN_CHECK(aclmdlAddDatasetBuffer(set_, aclCreateDataBuffer(memory, bytes)));
}

void ModelBuffers::GiveBack() {
  for (const std::size_t index : by_runs_) {
    aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(set_, index);
    void* const memory = aclGetDataBufferAddr(buffer);
    if (memory == nullptr) continue;
    RUN_CHECK(aclrtFree(memory));
    RUN_CHECK(aclUpdateDataBuffer(buffer, nullptr, 0));
  }
}

void ModelBuffers::AddCopy(const TensorValue& value) {
  Add(value.size());
  const std::size_t index = size() - 1;
  void* const memory = aclGetDataBufferAddr(aclmdlGetDatasetBuffer(set_, index));
  if (value.size() > 0)
    RUN_CHECK(aclrtMemcpy(memory, value.size(), value.data(), value.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  const TensorDesc desc(
      aclCreateTensorDesc(static_cast<aclDataType>(value.type().type), static_cast<int>(value.dims().size()),
                          value.dims().data(), ACL_FORMAT_ND),
      &aclDestroyTensorDesc);
  RUN_CHECK(aclmdlSetDatasetTensorDesc(set_, desc.get(), index));
}

TensorValue ModelBuffers::Read(std::size_t index) const {
  TensorValue value(TypeOf(aclmdlGetDatasetTensorDesc(set_, index)));
  const void* const memory = aclGetDataBufferAddr(aclmdlGetDatasetBuffer(set_, index));
  if (value.size() > 0)
    RUN_CHECK(
        aclrtMemcpy(value.mutable_data(), value.size(), memory, value.size(), ACL_MEMCPY_DEVICE_TO_HOST));
  return value;
}

}  // namespace foothold::run
