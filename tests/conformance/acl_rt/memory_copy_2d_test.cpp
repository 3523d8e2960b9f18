// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// aclrtMemcpy2d and aclrtMemcpy2dAsync.
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

constexpr size_t kWidth = 10;
constexpr size_t kHeight = 5;
constexpr size_t kDevicePitch = 16;
constexpr size_t kHostPitch = 12;

class Memcpy2d : public testing::Test {
 protected:
  Memcpy2d() {
    EXPECT_OK(aclrtMalloc(&device_, kDevicePitch * kHeight, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemset(device_, kDevicePitch * kHeight, 0, kDevicePitch * kHeight));
    void* pinned = nullptr;
    EXPECT_OK(aclrtMallocHost(&pinned, kHostPitch * kHeight));
    host_ = static_cast<char*>(pinned);
    for (size_t i = 0; i < kHostPitch * kHeight; ++i)
      host_[i] = static_cast<char>(i + 1);
  }
  void ExpectCopied() {
    std::vector<char> data(kDevicePitch * kHeight);
    EXPECT_OK(aclrtMemcpy(data.data(), data.size(), device_, data.size(), ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t row = 0; row < kHeight; ++row) {
      for (size_t i = 0; i < kDevicePitch; ++i) {
        const char expected = i < kWidth ? host_[row * kHostPitch + i] : 0;
        ASSERT_EQ(data[row * kDevicePitch + i], expected) << row << ", " << i;
      }
    }
  }

  Session session_;
  void* device_ = nullptr;
  char* host_ = nullptr;
};
using aclrtMemcpy2dTest = Memcpy2d;
using aclrtMemcpy2dAsyncTest = Memcpy2d;

TEST_F(aclrtMemcpy2dTest, CopiesRowsBothWays) {
  EXPECT_OK(
      aclrtMemcpy2d(device_, kDevicePitch, host_, kHostPitch, kWidth, kHeight, ACL_MEMCPY_HOST_TO_DEVICE));
  ExpectCopied();
  std::vector<char> back(kWidth * kHeight);
  EXPECT_OK(
      aclrtMemcpy2d(back.data(), kWidth, device_, kDevicePitch, kWidth, kHeight, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t row = 0; row < kHeight; ++row) {
    EXPECT_EQ(std::memcmp(back.data() + row * kWidth, host_ + row * kHostPitch, kWidth), 0);
  }
}

TEST_F(aclrtMemcpy2dTest, TheLastRowNeedsNoPadding) {
  std::vector<char> tight(kHostPitch * (kHeight - 1) + kWidth, 1);
  EXPECT_OK(aclrtMemcpy2d(device_, kDevicePitch, tight.data(), kHostPitch, kWidth, kHeight,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  void* exact = nullptr;
  ASSERT_OK(aclrtMalloc(&exact, kDevicePitch * (kHeight - 1) + kWidth, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(
      aclrtMemcpy2d(exact, kDevicePitch, host_, kHostPitch, kWidth, kHeight, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(aclrtMemcpy2dTest, RefusesWrongArguments) {
  const auto copy = [&](void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                        size_t height) {
    return aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, ACL_MEMCPY_HOST_TO_DEVICE);
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(nullptr, kDevicePitch, host_, kHostPitch, kWidth, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kDevicePitch, nullptr, kHostPitch, kWidth, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kWidth - 1, host_, kHostPitch, kWidth, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kDevicePitch, host_, kWidth - 1, kWidth, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               copy(device_, kDevicePitch, host_, kHostPitch, kWidth, kHeight + 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kDevicePitch, host_, kHostPitch, 0, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kDevicePitch, host_, kHostPitch, kWidth, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, SIZE_MAX, host_, SIZE_MAX, kWidth, kHeight));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(device_, kDevicePitch, device_, kHostPitch, kWidth, kHeight));
}

TEST_F(aclrtMemcpy2dTest, DoesNotCopyFromHostToHost) {
  char other[kHostPitch * kHeight];
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(other, kHostPitch, host_, kHostPitch, kWidth, kHeight, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemcpy2d(other, kHostPitch, host_, kHostPitch, kWidth, kHeight,
                                                      ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemcpy2d(device_, kDevicePitch, host_, kHostPitch, kWidth,
                                                      kHeight, static_cast<aclrtMemcpyKind>(50)));
}

TEST_F(aclrtMemcpy2dAsyncTest, IsQueued) {
  aclrtStream stream = session_.Stream();
  Gate gate;
  gate.Hold(stream);
  EXPECT_OK(aclrtMemcpy2dAsync(device_, kDevicePitch, host_, kHostPitch, kWidth, kHeight,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ExpectCopied();
}

TEST_F(aclrtMemcpy2dAsyncTest, WithPageableMemoryReturnsWhenDone) {
  aclrtStream stream = session_.Stream();
  const std::vector<char> pageable(host_, host_ + kHostPitch * kHeight);
  EXPECT_OK(aclrtMemcpy2dAsync(device_, kDevicePitch, pageable.data(), kHostPitch, kWidth, kHeight,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ExpectCopied();
}

TEST_F(aclrtMemcpy2dAsyncTest, HasLimits) {
  aclrtStream stream = session_.Stream();
  const auto copy = [&](size_t width, size_t height) {
    return aclrtMemcpy2dAsync(device_, 6'000'000, host_, 6'000'000, width, height, ACL_MEMCPY_HOST_TO_DEVICE,
                              stream);
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(5'000'001, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, copy(1, 5'242'881));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemcpy2dAsync(device_, kDevicePitch, host_, kHostPitch, kWidth,
                                                           kHeight, ACL_MEMCPY_HOST_TO_HOST, stream));
}

TEST_F(aclrtMemcpy2dAsyncTest, FailsWhenItsMemoryIsGone) {
  aclrtStream stream = session_.Stream();
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemcpy2dAsync(device_, kDevicePitch, host_, kHostPitch, kWidth, kHeight,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ASSERT_OK(aclrtFree(device_));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
}

}  // namespace
