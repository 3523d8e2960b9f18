// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Launching of kernels as generated launchers do it: rtDevBinaryRegister, rtFunctionRegister, rtKernelLaunch.
#include <elf.h>
#include <gmock/gmock.h>

#include "conformance/kernel_binary.h"
#include "conformance/lower/by_name.h"

namespace {

using testing::HasSubstr;

struct DeviceBinary {
  uint32_t magic = 0x41415246;
  uint32_t version = 0;
  const void* data = nullptr;
  uint64_t length = 0;
};

struct Launcher {
  decltype(ByName<int(const DeviceBinary*, void**)>("")) register_binary =
      ByName<int(const DeviceBinary*, void**)>("rtDevBinaryRegister");
  int (*unregister_binary)(void*) = ByName<int(void*)>("rtDevBinaryUnRegister");
  int (*register_function)(void*, const void*, const char*, const void*, uint32_t) =
      ByName<int(void*, const void*, const char*, const void*, uint32_t)>("rtFunctionRegister");
  int (*launch)(const void*, uint32_t, void*, uint32_t, void*,
                void*) = ByName<int(const void*, uint32_t, void*, uint32_t, void*, void*)>("rtKernelLaunch");
};

struct AddArguments {
  const float* x;
  const float* y;
  float* z;
  int64_t count;
  float factor;
};

const void* const kNumber = reinterpret_cast<const void*>(0xbadbeef);

DeviceBinary Of(const std::vector<char>& bytes, uint32_t magic = 0x41415246) {
  return {magic, 0, bytes.data(), bytes.size()};
}

TEST(rtKernelLaunch, RunsKernelsOfThisCpu) {
  const Session session;
  const Launcher rt;
  void* binary = nullptr;
  {
    const std::vector<char> bytes = BytesOf(KernelFile());
    const DeviceBinary given = Of(bytes);
    ASSERT_OK(rt.register_binary(&given, &binary));
  }
  ASSERT_OK(rt.register_function(binary, kNumber, "add", "add", 0));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 3 * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  const float values[3] = {2, 5, 0};
  ASSERT_OK(aclrtMemcpy(memory, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE));
  auto* const x = static_cast<float*>(memory);
  AddArguments arguments = {x, x + 1, x + 2, 1, 3};
  ASSERT_OK(rt.launch(kNumber, 1, &arguments, sizeof arguments, nullptr, nullptr));
  ASSERT_OK(aclrtSynchronizeStream(nullptr));
  float sum = 0;
  ASSERT_OK(aclrtMemcpy(&sum, sizeof sum, x + 2, sizeof sum, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(sum, 2 + 3 * 5);
  ASSERT_OK(rt.unregister_binary(binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               rt.launch(kNumber, 1, &arguments, sizeof arguments, nullptr, nullptr));
  ASSERT_OK(aclrtFree(memory));
}

TEST(rtDevBinaryRegister, RefusesMachineCodeOfTheDevice) {
  const Session session;
  const Launcher rt;
  std::vector<char> bytes = BytesOf(KernelFile());
  reinterpret_cast<Elf64_Ehdr*>(bytes.data())->e_machine = 0x1029;
  void* binary = nullptr;
  const DeviceBinary elf = Of(bytes);
  RecentError();
  EXPECT_EQ(rt.register_binary(&elf, &binary), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_THAT(RecentError(), HasSubstr("0x1029"));
  for (const uint32_t magic : {0xabceed50u, 0xabceed51u, 0xabceed52u}) {
    const DeviceBinary plain = Of(bytes, magic);
    RecentError();
    EXPECT_EQ(rt.register_binary(&plain, &binary), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_THAT(RecentError(), HasSubstr("NPU"));
  }
  EXPECT_EQ(binary, nullptr);
}

TEST(rtDevBinaryRegister, RefusesWhatIsNone) {
  const Session session;
  const Launcher rt;
  const std::vector<char> bytes = BytesOf(KernelFile());
  void* binary = nullptr;
  const DeviceBinary unknown = Of(bytes, 7), empty;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.register_binary(&unknown, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.register_binary(&empty, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.register_binary(nullptr, &binary));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.unregister_binary(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.register_function(nullptr, kNumber, "add", "add", 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, rt.launch(nullptr, 1, nullptr, 0, nullptr, nullptr));
}

TEST(rtGetC2cCtrlAddr, TellsOfABlock) {
  auto* const tell = ByName<int(uint64_t*, uint32_t*)>("rtGetC2cCtrlAddr");
  uint64_t address = 0, again = 0;
  uint32_t length = 0;
  ASSERT_OK(tell(&address, &length));
  EXPECT_NE(address, 0u);
  EXPECT_GT(length, 0u);
  ASSERT_OK(tell(&again, &length));
  EXPECT_EQ(again, address);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, tell(nullptr, &length));
}

TEST(rtLaunch, SaysWhatToUse) {
  auto* const launch = ByName<int(const void*)>("rtLaunch");
  RecentError();
  EXPECT_EQ(launch(kNumber), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_THAT(RecentError(), HasSubstr("rtKernelLaunch"));
}

}  // namespace
