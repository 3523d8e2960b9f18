// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every function that takes a pointer it must write to or read from says so when it gets null: with the code
// of its layer, and a text that names the function.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "conformance/library.h"

namespace {

struct Row {
  const char* name;
  aclError code;
  std::function<aclError()> call;
};

#define ROW(code, call)              \
  {                                  \
#call, code, [] { return call; } \
  }

int32_t number = 0;
int64_t wide = 0;
uint32_t flags = 0;
char text[ACL_PKG_VERSION_MAX_SIZE] = "runtime";
const aclCannAttr* attributes = nullptr;
size_t size = 0;
aclrtGroupInfo* const kSomeGroup = reinterpret_cast<aclrtGroupInfo*>(&number);

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      ROW(ACL_ERROR_INVALID_PARAM, aclInitCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM,
          aclInitCallbackRegister(static_cast<aclRegisterCallbackType>(8), nullptr, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM,
          aclFinalizeCallbackRegister(static_cast<aclRegisterCallbackType>(-1), nullptr, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetVersion(nullptr, &number, &number)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetVersion(&number, nullptr, &number)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetVersion(&number, &number, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclsysGetVersionStr(nullptr, text)),
      ROW(ACL_ERROR_INVALID_PARAM, aclsysGetVersionStr(text, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclsysGetVersionNum(nullptr, &number)),
      ROW(ACL_ERROR_INVALID_PARAM, aclsysGetVersionNum(text, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetCannAttributeList(nullptr, &size)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetCannAttributeList(&attributes, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtCheckArchCompatibility(nullptr, &number)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtCheckArchCompatibility("Ascend910B1", nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetErrorVerbose(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtRepairError(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDeviceCount(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetRunMode(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDevice(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtRegDeviceStateCallback(nullptr, nullptr, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetLogicDevIdByUserDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetUserDevIdByLogicDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetLogicDevIdByPhyDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetPhyDevIdByLogicDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetPhyDevIdByUserDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetUserDevIdByPhyDevId(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID,
          aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtQueryDeviceStatus(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDeviceUtilizationRate(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetUuid(0, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetPCIBusId(0, nullptr, 13)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetBareTgid(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetStreamPriorityRange(nullptr, &number)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetStreamPriorityRange(&number, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceCanAccessPeer(nullptr, 0, 1)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDevicePeerAccessStatus(0, 1, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDevicesTopo(0, 1, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(4), 0)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetSysParamOpt(static_cast<aclSysParamOpt>(-1), &wide)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateContext(nullptr, 0)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyContext(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetCurrentContext(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetPrimaryCtxState(0, &flags, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtCtxGetCurrentDefaultStream(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetGroupCount(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyGroupInfo(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID, aclrtGetAllGroupInfo(nullptr)),
      ROW(ACL_ERROR_RT_PARAM_INVALID,
          aclrtGetGroupInfoDetail(nullptr, 0, ACL_GROUP_AIC_INT, &number, 4, &size)),
      ROW(ACL_ERROR_RT_PARAM_INVALID,
          aclrtGetGroupInfoDetail(kSomeGroup, 0, ACL_GROUP_AIC_INT, nullptr, 4, &size)),
      ROW(ACL_ERROR_RT_PARAM_INVALID,
          aclrtGetGroupInfoDetail(kSomeGroup, 0, ACL_GROUP_AIC_INT, &number, 4, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclUpdateDataBuffer(nullptr, nullptr, 0)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimV2(nullptr, 0, &wide)),
      ROW(ACL_ERROR_INVALID_PARAM, aclGetTensorDescDimRange(nullptr, 0, 2, &wide)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorFormat(nullptr, ACL_FORMAT_ND)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorShape(nullptr, 1, &wide)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorOriginFormat(nullptr, ACL_FORMAT_ND)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorOriginShape(nullptr, 1, &wide)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorShapeRange(nullptr, 0, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorValueRange(nullptr, 0, nullptr)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorDynamicInput(nullptr, "x")),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorConst(nullptr, &wide, 8)),
      ROW(ACL_ERROR_INVALID_PARAM, aclSetTensorPlaceMent(nullptr, ACL_MEMTYPE_HOST)),
  };
  return rows;
}

std::string FunctionOf(const Row& row) {
  const std::string call = row.name;
  return call.substr(0, call.find('('));
}

void CheckAll() {
  for (const Row& row : Rows()) {
    RecentError();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
    EXPECT_EQ(row.call(), row.code) << row.name;
    EXPECT_THAT(RecentError(), testing::HasSubstr(FunctionOf(row))) << row.name;
    const bool runtime = FunctionOf(row).starts_with("aclrt");
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), runtime ? row.code : ACL_SUCCESS) << row.name;
  }
}

TEST(NullArguments, AreRefusedWithACodeAndAText) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  CheckAll();
}

TEST(NullArguments, AreRefusedInManyThreadsAtOnce) {
  const Library library;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      CheckAll();
    });
  }
  for (auto& thread : threads)
    thread.join();
}

}  // namespace
