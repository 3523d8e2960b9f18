// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Single operators that were compiled ahead, and how many compiled ones are kept.
#include "api/acl/op_arguments.h"
#include "api/guard.h"
#include "model/om_file.h"

using namespace foothold;

aclError aclopSetModelDir(const char* modelDir) {
  return Guard(FOOTHOLD_CALL(modelDir),
               [&] { Operators::Get().LoadDirectory(CheckNotNull(modelDir, "modelDir", kInvalidParam)); });
}

aclError aclopLoad(const void* model, size_t modelSize) {
  return Guard(FOOTHOLD_CALL(model, modelSize), [&] {
    CheckNotNull(model, "model", kInvalidParam);
    Operators::Get().Load(OmFile::FromMemory(model, modelSize));
  });
}

aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum) {
  return Guard(FOOTHOLD_CALL(maxOpNum), [&] {
    if (maxOpNum == 0) Fail(kInvalidParam, "maxOpNum is 0; at least one operator has to be kept");
    Operators::Get().SetLimit(maxOpNum);
  });
}

aclError aclopCompile(const char* opType, int numInputs, const aclTensorDesc* const* inputDesc,
                      int numOutputs, const aclTensorDesc* const* outputDesc, const aclopAttr* attr,
                      aclopEngineType engineType, aclopCompileType compileFlag, const char* opPath) {
  return Guard(FOOTHOLD_CALL(opType, numInputs, numOutputs, attr, engineType, compileFlag, opPath), [&] {
    CheckCompileArguments(engineType, compileFlag, opPath);
    Operators::Get().Compile(ReadOpCall(opType, numInputs, inputDesc, numOutputs, outputDesc, attr));
  });
}
