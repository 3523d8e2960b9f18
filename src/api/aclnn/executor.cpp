// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Executors of aclnn that are used again, with other addresses. Names that begin with a capital letter are
// an older spelling of the same functions.
#include "aclnn/executor.h"
#include "aclnn/acl_meta.h"
#include "api/guard.h"

using namespace foothold;
using namespace foothold::aclnn;

namespace {

// Executors do not know null tensors by the code of operators.
template <typename Objects>
auto& FindArgument(const void* handle, const char* name) {
  auto* const found = Objects::Get().FindOrNull(handle);
  if (found == nullptr) Fail(kInnerNull, "{} is {}, and no such object", name, DescribeHandle(handle));
  return *found;
}

void SetOne(aclOpExecutor* executor, Numbering numbering, std::size_t index, aclTensor* tensor, void* addr) {
  auto& found = Executors::Get().Find(executor);
  SetAddress(found, numbering, index, FindArgument<Tensors>(tensor, "tensor"), addr);
}

void SetMember(aclOpExecutor* executor, Numbering numbering, std::size_t parameter, std::size_t member,
               aclTensorList* tensors, void* addr) {
  auto& found = Executors::Get().Find(executor);
  SetAddress(found, numbering, parameter, member, FindArgument<TensorLists>(tensors, "tensors"), addr);
}

}  // namespace

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return Guard(FOOTHOLD_CALL(executor), [&] { Executors::Get().Find(executor).repeatable = true; });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return Guard(FOOTHOLD_RELEASE(executor), [&] { Executors::Get().Remove(executor); });
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kAll, index, tensor, addr); });
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kAll, irIndex, relativeIndex, tensors, addr); });
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kInputs, index, tensor, addr); });
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kInputs, irIndex, relativeIndex, tensors, addr); });
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kOutputs, index, tensor, addr); });
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kOutputs, irIndex, relativeIndex, tensors, addr); });
}

aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kAll, index, tensor, addr); });
}

aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kAll, irIndex, relativeIndex, tensors, addr); });
}

aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kInputs, index, tensor, addr); });
}

aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kInputs, irIndex, relativeIndex, tensors, addr); });
}

aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return Guard(FOOTHOLD_CALL(executor, index, tensor, addr),
               [&] { SetOne(executor, Numbering::kOutputs, index, tensor, addr); });
}

aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList* tensors, void* addr) {
  return Guard(FOOTHOLD_CALL(executor, irIndex, relativeIndex, tensors, addr),
               [&] { SetMember(executor, Numbering::kOutputs, irIndex, relativeIndex, tensors, addr); });
}
