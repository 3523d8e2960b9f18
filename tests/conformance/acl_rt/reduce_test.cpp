// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtReduceAsync, and what it does to the overflow status.
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

class Reduce : public testing::Test {
 protected:
  template <typename T>
  T* Device(const std::vector<T>& values) {
    const size_t bytes = values.size() * sizeof(T);
    void* block = nullptr;
    EXPECT_OK(aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemcpy(block, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    return static_cast<T*>(block);
  }
  template <typename T>
  std::vector<T> Read(const T* device, size_t count) {
    std::vector<T> values(count);
    EXPECT_OK(
        aclrtMemcpy(values.data(), count * sizeof(T), device, count * sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }
  template <typename T>
  std::vector<T> Run(const std::vector<T>& a, const std::vector<T>& b, aclrtReduceKind kind,
                     aclDataType type) {
    T* dst = Device(a);
    T* src = Device(b);
    EXPECT_OK(aclrtReduceAsync(dst, src, a.size() * sizeof(T), kind, type, stream_, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    return Read(dst, a.size());
  }
  uint32_t Status() {
    char* out = Device(std::vector<char>(64, 1));
    EXPECT_OK(aclrtGetOverflowStatus(out, 64, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    const auto bytes = Read(out, 64);
    for (size_t i = 4; i < 64; ++i)
      EXPECT_EQ(bytes[i], 0);
    uint32_t status = 0;
    std::memcpy(&status, bytes.data(), 4);
    return status;
  }

  Session session_;
  aclrtStream stream_ = session_.Stream();
};
using aclrtReduceAsyncTest = Reduce;
using aclrtGetOverflowStatusTest = Reduce;
using aclrtSetDeviceSatModeTest = Reduce;

constexpr auto kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
constexpr auto kMax = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
constexpr auto kMin = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;

TEST_F(aclrtReduceAsyncTest, CombinesEveryType) {
  using Bytes = std::vector<int8_t>;
  using Shorts = std::vector<int16_t>;
  using Ints = std::vector<int32_t>;
  using Floats = std::vector<float>;
  using Halves = std::vector<uint16_t>;
  EXPECT_EQ(Run(Floats{1, 2, 3, 4}, Floats{1, 2, 3, 4}, kSum, ACL_FLOAT), (Floats{2, 4, 6, 8}));
  EXPECT_EQ(Run(Floats{1, -2, 3}, Floats{0, 5, -7}, kMax, ACL_FLOAT), (Floats{1, 5, 3}));
  EXPECT_EQ(Run(Floats{1, -2, 3}, Floats{0, 5, -7}, kMin, ACL_FLOAT), (Floats{0, -2, -7}));
  EXPECT_EQ(Run(Bytes{1, -100}, Bytes{2, 50}, kSum, ACL_INT8), (Bytes{3, -50}));
  EXPECT_EQ(Run(Shorts{1, -1000}, Shorts{2, 500}, kMax, ACL_INT16), (Shorts{2, 500}));
  EXPECT_EQ(Run(Ints{1, -100000}, Ints{2, 50000}, kMin, ACL_INT32), (Ints{1, -100000}));
  // 1.5 + 2 = 3.5 in float16 and in bfloat16.
  EXPECT_EQ(Run(Halves{0x3E00}, Halves{0x4000}, kSum, ACL_FLOAT16), (Halves{0x4300}));
  EXPECT_EQ(Run(Halves{0x3FC0}, Halves{0x4000}, kSum, ACL_BF16), (Halves{0x4060}));
}

TEST_F(aclrtReduceAsyncTest, KeepsTheOrderOfItsStream) {
  int32_t* sum = Device(std::vector<int32_t>{0});
  int32_t* one = Device(std::vector<int32_t>{1});
  for (int i = 0; i < 1000; ++i)
    ASSERT_OK(aclrtReduceAsync(sum, one, 4, kSum, ACL_INT32, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Read(sum, 1)[0], 1000);
}

TEST_F(aclrtReduceAsyncTest, RefusesWrongArguments) {
  float* a = Device(std::vector<float>{1, 2});
  float* b = Device(std::vector<float>{1, 2});
  float host = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtReduceAsync(nullptr, b, 8, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtReduceAsync(a, nullptr, 8, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, b, 0, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, b, 6, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, b, 12, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, &host, 4, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, a + 1, 8, kSum, ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, b, 8, kSum, ACL_DOUBLE, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReduceAsync(a, b, 8, kSum, ACL_FLOAT, stream_, &host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtReduceAsync(a, b, 8, static_cast<aclrtReduceKind>(9), ACL_FLOAT, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtReduceAsync(a, b, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT, stream_, nullptr));
}

TEST_F(aclrtReduceAsyncTest, FailsWhenItsMemoryIsGone) {
  float* a = Device(std::vector<float>{1});
  float* b = Device(std::vector<float>{1});
  Gate gate;
  gate.Hold(stream_);
  ASSERT_OK(aclrtReduceAsync(a, b, 4, kSum, ACL_FLOAT, stream_, nullptr));
  ASSERT_OK(aclrtFree(b));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream_));
}

TEST_F(aclrtGetOverflowStatusTest, ShowsASaturatedSumUntilItIsReset) {
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
  EXPECT_OK(aclrtResetOverflowStatus(stream_));
  EXPECT_EQ(Status(), 0u);
  using Halves = std::vector<uint16_t>;
  EXPECT_EQ(Run(Halves{0x7BFF}, Halves{0x7BFF}, kSum, ACL_FLOAT16), Halves{0x7BFF});
  EXPECT_NE(Status(), 0u);
  EXPECT_NE(Status(), 0u) << "reading does not clear";
  EXPECT_OK(aclrtResetOverflowStatus(stream_));
  EXPECT_EQ(Status(), 0u);
}

TEST_F(aclrtGetOverflowStatusTest, RefusesWrongArguments) {
  char* out = Device(std::vector<char>(64, 1));
  char host[64];
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOverflowStatus(nullptr, 64, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOverflowStatus(out, 63, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOverflowStatus(out + 1, 64, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOverflowStatus(host, 64, stream_));
}

TEST_F(aclrtSetDeviceSatModeTest, IsAboutEveryDeviceOnAThreadWithoutContext) {
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  std::thread([] { EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN)); }).join();
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  std::thread([&] { EXPECT_OK(aclrtGetDeviceSatMode(&mode)); }).join();
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
}

TEST_F(aclrtSetDeviceSatModeTest, IsReadBackAndObeyed) {
  aclrtFloatOverflowMode before = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtGetDeviceSatMode(&before));
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  using Halves = std::vector<uint16_t>;
  EXPECT_EQ(Run(Halves{0x7BFF}, Halves{0x7BFF}, kSum, ACL_FLOAT16), Halves{0x7C00}) << "infinity";
  EXPECT_OK(aclrtSetDeviceSatMode(before));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetDeviceSatMode(nullptr));
}

TEST_F(aclrtReduceAsyncTest, CacheHintsKeepTheirPlace) {
  float* a = Device(std::vector<float>{1});
  EXPECT_OK(aclrtCmoAsync(a, 4, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoAsync(nullptr, 4, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoAsync(a, 0, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoAsync(a, 8, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoAsync(a, 4, static_cast<aclrtCmoType>(9), stream_));
}

}  // namespace
