// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators prepared for many runs, and Cast, which has calls of its own.
#include "single_op/op_handle.h"
#include "api/acl/op_arguments.h"
#include "api/guard.h"
#include "device/current.h"

namespace foothold {
namespace {

OpAttributes CastTo(const aclTensorDesc* desc) {
  OpAttributes attributes;
  attributes.Set("dst_type", static_cast<std::int64_t>(TensorDescs::Get().Find(desc).type()));
  return attributes;
}

OpCall CastCall(const aclTensorDesc* from, const aclTensorDesc* to, const OpAttributes& attributes) {
  OpCall call = ReadOpCall("Cast", 1, &from, 1, &to, nullptr);
  call.attributes = &attributes;
  return call;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclopCreateHandle(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                           int numOutputs, const aclTensorDesc* const* outputDesc, const aclopAttr* opAttr,
                           aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, opAttr, handle), [&] {
    CheckNotNull(handle, "handle", kInvalidParam);
    const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, opAttr);
    *handle = static_cast<aclopHandle*>(
        OpHandles::Get().Add(std::make_shared<const OpHandle>(call, Operators::Get().Find(call))));
  });
}

void aclopDestroyHandle(aclopHandle* handle) {
  Guard(FOOTHOLD_CALL(handle), [&] { OpHandles::Get().Remove(handle); });
}

aclError aclopExecWithHandle(aclopHandle* handle, int numInputs, const aclDataBuffer* const* inputs,
                             int numOutputs, aclDataBuffer* const* outputs, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(handle, numInputs, numOutputs, stream), [&] {
    const auto prepared = OpHandles::Get().Find(handle);
    CallRoom room;
    const OpTensors tensors = ReadOpBuffers(numInputs, inputs, numOutputs, outputs, room);
    prepared->Run(tensors, OperatorStream(stream), "aclopExecWithHandle");
  });
}

aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer* srcBuffer, const aclTensorDesc* dstDesc,
                   aclDataBuffer* dstBuffer, uint8_t truncate, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(srcDesc, srcBuffer, dstDesc, dstBuffer, truncate, stream), [&] {
    const OpAttributes attributes = CastTo(dstDesc);
    const OpCall call = CastCall(srcDesc, dstDesc, attributes);
    const OpTensors tensors = ReadOpBuffers(1, &srcBuffer, 1, &dstBuffer);
    const OperatorStream target(stream);
    RunOperator(Operators::Get().FindOrCompile(call), call, tensors, target, "aclopCast");
  });
}

aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t truncate,
                                  aclopHandle** handle) {
  return Guard(FOOTHOLD_CALL(srcDesc, dstDesc, truncate, handle), [&] {
    CheckNotNull(handle, "handle", kInvalidParam);
    const OpAttributes attributes = CastTo(dstDesc);
    const OpCall call = CastCall(srcDesc, dstDesc, attributes);
    *handle = static_cast<aclopHandle*>(
        OpHandles::Get().Add(std::make_shared<const OpHandle>(call, Operators::Get().FindOrCompile(call))));
  });
}
