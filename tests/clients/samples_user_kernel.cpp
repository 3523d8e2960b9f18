// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The order in which programs of the runtime's examples use kernels: a binary from a file, arguments appended
// one by one with data that comes along, a launch with a configuration on an explicit and on the default
// stream, a failing kernel with its exception callback, and the end of it all.
//
// samples_user_kernel BINARY
#include <acl/acl.h>

#include <cstdint>
#include <initializer_list>

#include "clients/check.h"

namespace {

aclrtFuncHandle failed = nullptr;
uint32_t failed_task = 0;

void Remember(aclrtExceptionInfo* info) {
  void* arguments = nullptr;
  uint32_t length = 0;
  REQUIRE(aclrtGetFuncHandleFromExceptionInfo(info, &failed) == ACL_SUCCESS);
  REQUIRE(aclrtGetArgsFromExceptionInfo(info, &arguments, &length) == ACL_SUCCESS);
  failed_task = aclrtGetTaskIdFromExceptionInfo(info);
}

aclrtFuncHandle Find(aclrtBinHandle binary, const char* name) {
  aclrtFuncHandle function = nullptr;
  REQUIRE(aclrtBinaryGetFunction(binary, name, &function) == ACL_SUCCESS);
  return function;
}

void LaunchSum(aclrtFuncHandle sum, void* cell, aclrtStream stream) {
  aclrtArgsHandle arguments = nullptr;
  aclrtParamHandle parameter = nullptr, place = nullptr;
  void* buffer = nullptr;
  uint32_t count = 4;
  REQUIRE(aclrtKernelArgsInit(sum, &arguments) == ACL_SUCCESS);
  REQUIRE(aclrtKernelArgsAppend(arguments, &cell, sizeof cell, &parameter) == ACL_SUCCESS);
  REQUIRE(aclrtKernelArgsAppendPlaceHolder(arguments, &place) == ACL_SUCCESS);
  REQUIRE(aclrtKernelArgsAppend(arguments, &count, sizeof count, &parameter) == ACL_SUCCESS);
  REQUIRE(aclrtKernelArgsGetPlaceHolderBuffer(arguments, place, count * sizeof(uint64_t), &buffer) ==
          ACL_SUCCESS);
  for (uint64_t i = 0; i < count; ++i)
    static_cast<uint64_t*>(buffer)[i] = 100 + i;
  REQUIRE(aclrtKernelArgsFinalize(arguments) == ACL_SUCCESS);
  REQUIRE(aclrtLaunchKernelWithConfig(sum, 1, stream, nullptr, arguments, nullptr) == ACL_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 2);
  REQUIRE(aclInit(nullptr) == ACL_SUCCESS);
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  aclrtBinHandle binary = nullptr;
  REQUIRE(aclrtBinaryLoadFromFile(argv[1], nullptr, &binary) == ACL_SUCCESS);
  void* cell = nullptr;
  REQUIRE(aclrtMalloc(&cell, sizeof(uint64_t), ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  for (aclrtStream target : {stream, aclrtStream{nullptr}}) {
    uint64_t value = 0;
    REQUIRE(aclrtMemset(cell, 8, 0, 8) == ACL_SUCCESS);
    LaunchSum(Find(binary, "sum_along"), cell, target);
    REQUIRE(aclrtSynchronizeStream(target) == ACL_SUCCESS);
    REQUIRE(aclrtMemcpy(&value, sizeof value, cell, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
    REQUIRE(value == 406);
  }

  REQUIRE(aclrtSetExceptionInfoCallback(Remember) == ACL_SUCCESS);
  const aclrtFuncHandle failing = Find(binary, "fail_with_text");
  REQUIRE(aclrtLaunchKernel(failing, 1, nullptr, 0, stream) == ACL_SUCCESS);
  uint32_t task = 0;
  REQUIRE(aclrtGetThreadLastTaskId(&task) == ACL_SUCCESS);
  REQUIRE(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  REQUIRE(failed == failing && failed_task == task);

  REQUIRE(aclrtBinaryUnLoad(binary) == ACL_SUCCESS);
  REQUIRE(aclrtFree(cell) == ACL_SUCCESS);
  REQUIRE(aclrtDestroyStream(stream) == ACL_SUCCESS);
  REQUIRE(aclrtResetDevice(0) == ACL_SUCCESS);
  REQUIRE(aclFinalize() == ACL_SUCCESS);
  return 0;
}
