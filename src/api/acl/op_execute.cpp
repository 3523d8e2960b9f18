// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Single operators that run: by name, or compiled on the way.
#include "api/acl/op_arguments.h"
#include "api/acl/op_kernels.h"
#include "api/guard.h"
#include "device/current.h"

using namespace foothold;

aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc** inputDesc, aclDataBuffer** inputs,
                        int numOutputs, aclTensorDesc** outputDesc, aclDataBuffer** outputs, aclopAttr* attr,
                        aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, stream), [&] {
    CallRoom room;
    const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr, room);
    OpTensors tensors = ReadOpBuffers(numInputs, inputs, numOutputs, outputs, room);
    ReadTold(numOutputs, outputDesc, tensors.told);
    const OperatorStream target(stream);
    if (ProgramChoosesKernel(opType)) {
      return RunChosenKernel({numInputs, inputDesc, numOutputs, outputDesc, attr}, call, tensors, target,
                             "aclopExecuteV2");
    }
    RunOperator(Operators::Get().Find(call), call, tensors, target, "aclopExecuteV2");
  });
}

aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                      const aclDataBuffer* const* inputs, int numOutputs,
                      const aclTensorDesc* const* outputDesc, aclDataBuffer* const* outputs,
                      const aclopAttr* attr, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, stream), [&] {
    CallRoom room;
    const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr, room);
    const OpTensors tensors = ReadOpBuffers(numInputs, inputs, numOutputs, outputs, room);
    const OperatorStream target(stream);
    if (ProgramChoosesKernel(opType)) {
      return RunChosenKernel({numInputs, inputDesc, numOutputs, outputDesc, attr}, call, tensors, target,
                             "aclopExecute");
    }
    RunOperator(Operators::Get().Find(call), call, tensors, target, "aclopExecute");
  });
}

aclError aclopCompileAndExecute(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                                const aclDataBuffer* const* inputs, int numOutputs,
                                const aclTensorDesc* const* outputDesc, aclDataBuffer* const* outputs,
                                const aclopAttr* attr, aclopEngineType engineType,
                                aclopCompileType compileFlag, const char* opPath, aclrtStream stream) {
  return Guard(
      FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, engineType, compileFlag, opPath, stream), [&] {
        CheckCompileArguments(engineType, compileFlag, opPath);
        CallRoom room;
        const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr, room);
        const OpTensors tensors = ReadOpBuffers(numInputs, inputs, numOutputs, outputs, room);
        const OperatorStream target(stream);
        RunOperator(Operators::Get().FindOrCompile(call), call, tensors, target, "aclopCompileAndExecute");
      });
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc** inputDesc,
                                  aclDataBuffer** inputs, int numOutputs, aclTensorDesc** outputDesc,
                                  aclDataBuffer** outputs, aclopAttr* attr, aclopEngineType engineType,
                                  aclopCompileType compileFlag, const char* opPath, aclrtStream stream) {
  return Guard(
      FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, engineType, compileFlag, opPath, stream), [&] {
        CheckCompileArguments(engineType, compileFlag, opPath);
        CallRoom room;
        const OpCall call = ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr, room);
        OpTensors tensors = ReadOpBuffers(numInputs, inputs, numOutputs, outputs, room);
        ReadTold(numOutputs, outputDesc, tensors.told);
        const OperatorStream target(stream);
        RunOperator(Operators::Get().FindOrCompile(call), call, tensors, target, "aclopCompileAndExecuteV2");
      });
}
