// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls of operators as llama.cpp makes them: objects are made for the call, the workspace comes from the
// pool and goes back to it, and the objects end, both as soon as the second phase has returned.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "aclnn/acl_meta.h"
#include "llama/backend.h"

namespace llama {

using Dims = std::vector<std::int64_t>;

// A tensor of a call; strides and offset in elements.
struct Described {
  Described(aclDataType type, Dims dims, void* data);  // contiguous
  Described(aclDataType type, Dims dims, Dims strides, void* data, std::int64_t offset = 0)
      : type(type), dims(std::move(dims)), strides(std::move(strides)), offset(offset), data(data) {}
  aclDataType type;
  Dims dims, strides;
  std::int64_t offset = 0;
  void* data;
  aclFormat format = ACL_FORMAT_ND;
};
struct Scalar {
  float value;
};
struct Ints : Dims {
  using Dims::Dims;
  Ints(const Dims& values) : Dims(values) {}
};
using List = std::vector<Described>;

// A number that becomes what the parameter is.
template <typename T>
struct Plain {
  T value;
  template <typename To, typename = std::enable_if_t<std::is_arithmetic_v<To>>>
  operator To() const {
    return static_cast<To>(value);
  }
};

class Objects {
 public:
  Objects() = default;
  ~Objects();
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  aclTensor* Of(const Described& described);
  aclTensor* Of(const Described* described) { return described == nullptr ? nullptr : Of(*described); }
  aclTensorList* Of(const List& list);
  aclScalar* Of(const Scalar& scalar);
  aclIntArray* Of(const Ints& values);
  char* Of(const char* text) { return const_cast<char*>(text); }
  std::nullptr_t Of(std::nullptr_t) { return nullptr; }
  aclDataType Of(aclDataType type) { return type; }
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Plain<T> Of(T value) {
    return {value};
  }

 private:
  std::vector<aclTensor*> tensors_;
  std::vector<aclTensorList*> lists_;
  std::vector<aclScalar*> scalars_;
  std::vector<aclIntArray*> ints_;
};

using SecondPhase = aclnnStatus (*)(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                                    aclrtStream stream);

#define NN(name) "aclnn" #name, aclnn##name##GetWorkspaceSize, aclnn##name

void RunSecond(Backend& backend, const char* name, SecondPhase second, std::uint64_t size,
               aclOpExecutor* executor, aclrtStream stream);

template <typename FirstPhase, typename... Args>
void RunOn(aclrtStream stream, Backend& backend, const char* name, FirstPhase first, SecondPhase second,
           const Args&... args) {
  Objects objects;
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  Check(first(objects.Of(args)..., &size, &executor), name);
  RunSecond(backend, name, second, size, executor, stream);
}

template <typename FirstPhase, typename... Args>
void Run(Backend& backend, const char* name, FirstPhase first, SecondPhase second, const Args&... args) {
  RunOn(backend.stream(), backend, name, first, second, args...);
}

}  // namespace llama
