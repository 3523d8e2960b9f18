// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What exception callbacks learn about the operator that failed.
#include <cstring>

#include "acl/acl_mdl.h"
#include "api/guard.h"
#include "base/tensor_desc.h"
#include "launch/failed_nodes.h"

namespace foothold {
namespace {

void EndAll(void* first) {
  if (first != nullptr) aclDestroyTensorDesc(static_cast<aclTensorDesc*>(first));
}

// An array of descriptions: the first owns the others. Null for none.
void* DescribeAll(const std::vector<TensorType>& types) {
  void* first = nullptr;
  try {
    for (const TensorType& type : types) {
      const Shape shape(static_cast<int>(type.dims.size()), type.dims.data());
      void* const desc = TensorDescs::Get().Add(TensorDesc(type.type, type.format, shape));
      if (first == nullptr) {
        first = desc;
        TensorDescs::Get().Find(first).followers.reserve(types.size());
      } else {
        TensorDescs::Get().Find(first).followers.push_back(desc);
      }
    }
  } catch (...) {
    EndAll(first);
    throw;
  }
  return first;
}

std::shared_ptr<const FailedNode> FindFailedNode(uint32_t device, uint32_t stream, uint32_t task) {
  auto node = FailedNodes::Get().Find(device, stream, task);
  if (node == nullptr) {
    Fail(kInvalidParam, "no operator of a model or graph failed lately as task {} of stream {} of device {}",
         task, stream, device);
  }
  return node;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId, uint32_t taskId, char* opName,
                                  size_t opNameLen, aclTensorDesc** inputDesc, size_t* numInputs,
                                  aclTensorDesc** outputDesc, size_t* numOutputs) {
  return Guard(FOOTHOLD_CALL(deviceId, streamId, taskId, opNameLen), [&] {
    CheckNotNull(opName, "opName", kInvalidParam);
    CheckNotNull(inputDesc, "inputDesc", kInvalidParam);
    CheckNotNull(numInputs, "numInputs", kInvalidParam);
    CheckNotNull(outputDesc, "outputDesc", kInvalidParam);
    CheckNotNull(numOutputs, "numOutputs", kInvalidParam);
    const auto node = FindFailedNode(deviceId, streamId, taskId);
    if (opNameLen <= node->name.size())
      Fail(kInvalidParam, "opNameLen is {}; the name takes {} bytes with its end", opNameLen,
           node->name.size() + 1);
    void* const inputs = DescribeAll(node->inputs);
    try {
      *outputDesc = static_cast<aclTensorDesc*>(DescribeAll(node->outputs));
    } catch (...) {
      EndAll(inputs);
      throw;
    }
    *inputDesc = static_cast<aclTensorDesc*>(inputs);
    *numInputs = node->inputs.size();
    *numOutputs = node->outputs.size();
    std::memcpy(opName, node->name.c_str(), node->name.size() + 1);
  });
}
