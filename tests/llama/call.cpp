// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "llama/call.h"

#include <optional>

namespace llama {

namespace {

Dims ContiguousStrides(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i > 1; --i)
    strides[i - 2] = strides[i - 1] * dims[i - 1];
  return strides;
}

}  // namespace

Described::Described(aclDataType type, Dims dims, void* data)
    : type(type), dims(std::move(dims)), strides(ContiguousStrides(this->dims)), data(data) {}

Objects::~Objects() {
  for (const aclTensor* tensor : tensors_)
    aclDestroyTensor(tensor);
  for (const aclTensorList* list : lists_)
    aclDestroyTensorList(list);
  for (const aclScalar* scalar : scalars_)
    aclDestroyScalar(scalar);
  for (const aclIntArray* values : ints_)
    aclDestroyIntArray(values);
}

aclTensor* Objects::Of(const Described& described) {
  std::int64_t length = 1;  // of the storage; forgets the offset, as llama.cpp does
  for (std::size_t i = 0; i < described.dims.size(); ++i)
    length += (described.dims[i] - 1) * described.strides[i];
  tensors_.push_back(aclCreateTensor(described.dims.data(), described.dims.size(), described.type,
                                     described.strides.data(), described.offset, described.format, &length, 1,
                                     described.data));
  return tensors_.back();
}

// The list owns its members.
aclTensorList* Objects::Of(const List& list) {
  std::vector<aclTensor*> members;
  for (const Described& member : list) {
    members.push_back(Of(member));
    tensors_.pop_back();
  }
  lists_.push_back(aclCreateTensorList(members.data(), members.size()));
  return lists_.back();
}

aclScalar* Objects::Of(const Scalar& scalar) {
  float value = scalar.value;
  scalars_.push_back(aclCreateScalar(&value, ACL_FLOAT));
  return scalars_.back();
}

aclIntArray* Objects::Of(const Ints& values) {
  ints_.push_back(aclCreateIntArray(values.data(), values.size()));
  return ints_.back();
}

void RunSecond(Backend& backend, const char* name, SecondPhase second, std::uint64_t size,
               aclOpExecutor* executor, aclrtStream stream) {
  std::optional<Buffer> workspace;
  if (size > 0) workspace.emplace(backend.pool(), size);
  Check(second(workspace ? workspace->data() : nullptr, size, executor, stream), name);
}

}  // namespace llama
