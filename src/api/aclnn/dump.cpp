// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of the program in a dump.
#include "aclnn/acl_meta.h"
#include "aclnn/dump_tensors.h"
#include "api/guard.h"
#include "device/current.h"
#include "device/stream.h"

using namespace foothold;
using namespace foothold::aclnn;

namespace {

std::vector<Tensor> ReadTensors(aclTensor** tensors, std::size_t first, std::size_t count) {
  std::vector<Tensor> read;
  for (std::size_t i = first; i < first + count; ++i)
    read.push_back(Tensors::Get().Find(tensors[i]));
  return read;
}

}  // namespace

aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors,
                             size_t inputTensorNum, size_t outputTensorNum, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(opType, opName, tensors, inputTensorNum, outputTensorNum, stream), [&] {
    CheckNotNull(opType, "opType", kParamNull);
    CheckNotNull(opName, "opName", kParamNull);
    constexpr std::size_t kMost = 4096;
    if (inputTensorNum > kMost || outputTensorNum > kMost)
      Fail(kParamInvalid, "there are {} inputs and {} outputs; {} at most are possible", inputTensorNum,
           outputTensorNum, kMost);
    if (inputTensorNum + outputTensorNum > 0) CheckNotNull(tensors, "tensors", kParamNull);
    QueueDump({opType, opName, ReadTensors(tensors, 0, inputTensorNum),
               ReadTensors(tensors, inputTensorNum, outputTensorNum)},
              FindStream(stream), "aclDumpOpTensors");
  });
}
