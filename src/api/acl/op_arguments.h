// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the arrays a program passes to calls of single operators. What is null, destroyed or no such thing is
// refused with its place in the array. Used by the entry points of aclop and aclblas.
#pragma once

#include <array>
#include <memory_resource>

#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "check/queuing_operators.h"
#include "device/current.h"
#include "single_op/op_call.h"
#include "single_op/op_run.h"

namespace foothold {

// Memory for the lists of one call, enough for most operators.
class CallRoom {
 public:
  operator std::pmr::memory_resource*() { return &resource_; }

 private:
  std::array<std::byte, 512> bytes_;
  std::pmr::monotonic_buffer_resource resource_{bytes_.data(), bytes_.size()};
};

// The stream a call queues its operator on, while it does.
class OperatorStream {
 public:
  explicit OperatorStream(const void* handle)
      : stream_(FindStream(handle)), queuing_(stream_.stream, stream_->id()) {}
  operator const StreamRef&() const { return stream_; }

 private:
  const StreamRef stream_;
  const check::QueuingOperator queuing_;
};

// All throw kInvalidParam.
OpCall ReadOpCall(const char* type, int inputs, const aclTensorDesc* const* input_desc, int outputs,
                  const aclTensorDesc* const* output_desc, const aclopAttr* attributes,
                  std::pmr::memory_resource* room = std::pmr::get_default_resource());
OpTensors ReadOpBuffers(int inputs, const aclDataBuffer* const* input, int outputs,
                        const aclDataBuffer* const* output,
                        std::pmr::memory_resource* room = std::pmr::get_default_resource());
// The descriptions that calls may change.
void ReadTold(int count, aclTensorDesc* const* desc, std::pmr::vector<TensorDesc*>& told);

// Throws kInvalidParam for numbers that are none, kFeatureUnsupported for operators that a program brings
// itself.
void CheckCompileArguments(aclopEngineType engine, aclopCompileType kind, const char* path);

}  // namespace foothold
