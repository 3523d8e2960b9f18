// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtRandomNumAsync: distributions, parameters by value and by address, the counter.
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

constexpr size_t kCount = 100000;

class Random : public testing::Test {
 protected:
  Random() {
    EXPECT_OK(aclrtMalloc(&out_, kCount * 8, ACL_MEM_MALLOC_HUGE_FIRST));
    info_.dataType = ACL_FLOAT;
    info_.randomResultAddr = out_;
    info_.randomSeed = Value(uint64_t{42});
    info_.randomNum = Value(uint64_t{kCount});
    Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, Value(0.0f), Value(1.0f));
  }
  template <typename T>
  static aclrtRandomParaInfo Value(T value) {
    aclrtRandomParaInfo info = {};
    info.size = sizeof(T);
    std::memcpy(info.valueOrAddr, &value, sizeof(T));
    return info;
  }
  template <typename T>
  aclrtRandomParaInfo OnDevice(T value) {
    void* place = nullptr;
    EXPECT_OK(aclrtMalloc(&place, sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemcpy(place, sizeof(T), &value, sizeof(T), ACL_MEMCPY_HOST_TO_DEVICE));
    aclrtRandomParaInfo info = {};
    info.isAddr = 1;
    info.size = sizeof(T);
    std::memcpy(info.valueOrAddr, &place, sizeof(place));
    return info;
  }
  void Set(aclrtRandomNumFuncType type, aclrtRandomParaInfo first, aclrtRandomParaInfo second = {}) {
    auto& function = info_.randomNumFuncParaInfo;
    function.funcType = type;
    if (type == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK) {
      function.paramInfo.dropoutBitmaskInfo.dropoutRation = first;
    } else if (type == ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS) {
      function.paramInfo.uniformDisInfo = {first, second};
    } else {
      function.paramInfo.normalDisInfo = {first, second};
    }
  }
  template <typename T>
  std::vector<T> Run(size_t count = kCount) {
    EXPECT_OK(aclrtRandomNumAsync(&info_, stream_, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    std::vector<T> values(count);
    EXPECT_OK(
        aclrtMemcpy(values.data(), count * sizeof(T), out_, count * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }

  Session session_;
  aclrtStream stream_ = session_.Stream();
  void* out_ = nullptr;
  aclrtRandomNumTaskInfo info_ = {};
};
using aclrtRandomNumAsyncTest = Random;

double Mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

TEST_F(aclrtRandomNumAsyncTest, UniformStaysInItsInterval) {
  Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, Value(-2.0f), Value(6.0f));
  const auto values = Run<float>();
  for (const float value : values)
    ASSERT_TRUE(value >= -2.0f && value < 6.0f) << value;
  EXPECT_NEAR(Mean(values), 2.0, 0.05);
}

TEST_F(aclrtRandomNumAsyncTest, NormalHasMeanAndDeviation) {
  for (const auto type :
       {ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS, ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS}) {
    Set(type, Value(5.0f), Value(0.5f));
    const auto values = Run<float>();
    EXPECT_NEAR(Mean(values), 5.0, 0.02);
    bool far = false;
    for (const float value : values)
      far = far || std::fabs(value - 5.0f) > 1.0f;
    EXPECT_EQ(far, type == ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS);
  }
}

TEST_F(aclrtRandomNumAsyncTest, TheMaskDropsTheAskedShare) {
  Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK, Value(0.25f));
  size_t kept = 0;
  for (const uint8_t byte : Run<uint8_t>(kCount / 8))
    kept += std::bitset<8>(byte).count();
  EXPECT_NEAR(static_cast<double>(kept) / kCount, 0.75, 0.01);
}

TEST_F(aclrtRandomNumAsyncTest, TheSameSeedGivesTheSameNumbers) {
  const auto first = Run<float>();
  EXPECT_EQ(Run<float>(), first);
  info_.randomSeed = Value(uint64_t{43});
  EXPECT_NE(Run<float>(), first);
}

TEST_F(aclrtRandomNumAsyncTest, TheCounterContinuesTheSequence) {
  const auto whole = Run<float>();
  const aclrtRandomParaInfo counter = OnDevice(uint64_t{0});
  std::memcpy(&info_.randomCounterAddr, counter.valueOrAddr, sizeof(void*));
  info_.randomNum = Value(uint64_t{kCount / 2});
  auto halves = Run<float>(kCount / 2);
  const auto second = Run<float>(kCount / 2);
  halves.insert(halves.end(), second.begin(), second.end());
  EXPECT_EQ(halves, whole);
}

TEST_F(aclrtRandomNumAsyncTest, ReadsParametersFromTheDevice) {
  const auto expected = Run<float>();
  Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, OnDevice(0.0f), OnDevice(1.0f));
  info_.randomSeed = OnDevice(uint64_t{42});
  info_.randomNum = OnDevice(uint64_t{kCount});
  EXPECT_EQ(Run<float>(), expected);
}

TEST_F(aclrtRandomNumAsyncTest, MakesOtherTypes) {
  info_.dataType = ACL_INT32;
  Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, Value(int32_t{-3}), Value(int32_t{3}));
  for (const int32_t value : Run<int32_t>())
    ASSERT_TRUE(value >= -3 && value < 3) << value;
  info_.dataType = ACL_FLOAT16;
  Set(ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, Value(uint16_t{0x3C00}), Value(uint16_t{0x4000}));  // 1 to 2
  for (const uint16_t bits : Run<uint16_t>())
    ASSERT_TRUE(bits >= 0x3C00 && bits < 0x4000) << bits;
}

TEST_F(aclrtRandomNumAsyncTest, RefusesWrongArguments) {
  const aclrtRandomNumTaskInfo right = info_;
  const auto fails = [&](aclError code) {
    EXPECT_FAILS(code, aclrtRandomNumAsync(&info_, stream_, nullptr));
    info_ = right;
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRandomNumAsync(nullptr, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRandomNumAsync(&info_, stream_, out_));
  info_.randomResultAddr = nullptr;
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.randomResultAddr = &info_;
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.randomNum = Value(uint64_t{kCount * 3});
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.randomSeed.size = 3;
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.dataType = ACL_STRING;
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.randomNumFuncParaInfo.funcType = static_cast<aclrtRandomNumFuncType>(9);
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.dataType = ACL_INT32;
  info_.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
  fails(ACL_ERROR_RT_PARAM_INVALID);
  info_.randomSeed.isAddr = 1;
  fails(ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(aclrtRandomNumAsyncTest, RefusesADestroyedStream) {
  const aclrtStream destroyed = session_.Stream();
  ASSERT_OK(aclrtDestroyStream(destroyed));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtRandomNumAsync(&info_, destroyed, nullptr));
}

TEST_F(aclrtRandomNumAsyncTest, FailsWhenTheDeviceAsksForTooMany) {
  for (uint64_t count : {uint64_t{kCount * 100}, UINT64_MAX}) {
    info_.randomNum = OnDevice(count);
    EXPECT_OK(aclrtRandomNumAsync(&info_, stream_, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream_));
  }
}

}  // namespace
