// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/argument_list.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/handle_pool.h"
#include "binaries/argument_block.h"
#include "binaries/registry.h"

namespace foothold {
namespace {

constexpr std::size_t kFirstMemory = 256;
constexpr std::size_t kDataAlignment = 64;
constexpr std::size_t kMostBytes = ArgumentBlock::kMostBytes;

std::size_t RoundUp(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

void CheckSize(std::size_t size, const char* name) {
  if (size == 0 || size > kMostBytes)
    Fail(kRtParamInvalid, "{} must be 1 to {} bytes, not {}", name, kMostBytes, size);
}

}  // namespace

// Values may need gaps before them, and data begins at multiples of its alignment.
std::size_t ArgumentMemoryFor(std::size_t bytes) {
  if (bytes > kMostBytes)
    Fail(kRtParamInvalid, "arguments must have at most {} bytes, not {}", kMostBytes, bytes);
  return RoundUp(bytes, 8) + ArgumentList::kMost * (8 + kDataAlignment);
}

OwnedArguments::OwnedArguments(std::shared_ptr<KernelFunction> function) : function_(std::move(function)) {
  list_.mark = ArgumentList::kMark;
  list_.self = &list_;
  list_.function = function_->handle.load();
}

void OwnedArguments::Grow(std::size_t bytes) {
  const std::size_t capacity = std::max({bytes, list_.capacity * 2, kFirstMemory});
  auto larger = std::make_unique<std::byte[]>(capacity);
  if (list_.used != 0) std::memcpy(larger.get(), memory_.get(), list_.used);
  memory_ = std::move(larger);
  list_.memory = memory_.get();
  list_.capacity = capacity;
}

std::byte* OwnedArguments::NewData(std::size_t bytes) {
  data_.push_back(std::make_unique<std::byte[]>(bytes));
  return data_.back().get();
}

ArgumentsRef::ArgumentsRef(void* handle) : handle_(handle) {
  if (handle == nullptr) Fail(kRtParamInvalid, "argsHandle must not be null");
  // A handle is no address of memory, so the two cannot be mixed up.
  if (HandleValue(handle) >> handle_detail::kKindShift != 0) {
    owned_ = BinaryRegistry::Get().FindArguments(handle);
    list_ = &owned_->list();
    return;
  }
  list_ = static_cast<ArgumentList*>(handle);
  if (HandleValue(handle) % alignof(ArgumentList) != 0 || list_->mark != ArgumentList::kMark ||
      list_->self != list_) {
    Fail(kRtInvalidHandle,
         "{} is not a list of kernel arguments: neither aclrtKernelArgsInit nor "
         "aclrtKernelArgsInitByUserMem began it",
         handle);
  }
}

void ArgumentsRef::Begin(void* list_memory, void* function, void* memory, std::size_t capacity) {
  if (HandleValue(list_memory) % alignof(ArgumentList) != 0)
    Fail(kRtParamInvalid, "argsHandle {} must be a multiple of {}", list_memory, alignof(ArgumentList));
  auto* const list = static_cast<ArgumentList*>(list_memory);
  *list = {};
  list->mark = ArgumentList::kMark;
  list->self = list;
  list->function = function;
  list->memory = static_cast<std::byte*>(memory);
  list->capacity = capacity;
}

void ArgumentsRef::MakeRoom(std::size_t bytes) {
  if (bytes + list_->used_back <= list_->capacity) return;
  if (owned_) return owned_->Grow(bytes);
  Fail(kRtParamInvalid,
       "the {} bytes given to aclrtKernelArgsInitByUserMem do not hold these arguments; "
       "aclrtKernelArgsGetMemSize tells how many are needed",
       list_->capacity);
}

ArgumentList::Parameter& ArgumentsRef::Add(std::size_t size) {
  if (list_->count == ArgumentList::kMost)
    Fail(kRtParamInvalid, "a kernel has at most {} arguments", ArgumentList::kMost);
  const std::size_t offset = ArgumentOffset(list_->used, size);
  MakeRoom(offset + size);
  std::memset(list_->memory + list_->used, 0, offset + size - list_->used);
  list_->used = offset + size;
  ArgumentList::Parameter& parameter = list_->parameters[list_->count++];
  parameter = {offset, size, false, nullptr, 0};
  return parameter;
}

std::uint32_t ArgumentsRef::Append(const void* value, std::size_t size) {
  CheckSize(size, "paramSize");
  const ArgumentList::Parameter& added = Add(size);
  std::memcpy(list_->memory + added.offset, value, size);
  return list_->count - 1;
}

std::uint32_t ArgumentsRef::AppendDataPointer() {
  Add(sizeof(void*)).has_data = true;
  return list_->count - 1;
}

ArgumentList::Parameter& ArgumentsRef::At(std::uint32_t parameter) {
  if (parameter >= list_->count)
    Fail(kRtParamInvalid, "paramHandle is not one of the {} parameters of this list", list_->count);
  return list_->parameters[parameter];
}

void* ArgumentsRef::DataOf(std::uint32_t number, std::size_t size) {
  ArgumentList::Parameter& parameter = At(number);
  CheckSize(size, "dataSize");
  if (!parameter.has_data) {
    Fail(kRtParamInvalid,
         "parameter {} is a value; only aclrtKernelArgsAppendPlaceHolder makes room for data", number);
  }
  if (owned_) {
    parameter.data = owned_->NewData(size);
  } else {
    const std::size_t back = RoundUp(list_->used_back + size, kDataAlignment);
    if (back > list_->capacity || list_->used > list_->capacity - back) MakeRoom(SIZE_MAX / 2);
    list_->used_back = back;
    parameter.data = list_->memory + list_->capacity - back;
  }
  parameter.data_size = size;
  return parameter.data;
}

void ArgumentsRef::Update(std::uint32_t number, const void* value, std::size_t size) {
  const ArgumentList::Parameter& parameter = At(number);
  if (parameter.has_data)
    Fail(kRtParamInvalid, "parameter {} points to data that comes along; write that data instead", number);
  if (size != parameter.size)
    Fail(kRtParamInvalid, "parameter {} has {} bytes, not {}", number, parameter.size, size);
  std::memcpy(list_->memory + parameter.offset, value, size);
}

void ArgumentsRef::NoteLaunched() {
  if (owned_ && owned_->NoteLaunched()) BinaryRegistry::Get().NoteLaunched(handle_);
}

}  // namespace foothold
