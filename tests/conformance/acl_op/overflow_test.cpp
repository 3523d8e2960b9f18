// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The overflow status that operators in float16 raise on streams where that is switched on.
#include <cstring>

#include "conformance/acl_op/op_fixture.h"

namespace {

class Overflow : public testing::Test {
 protected:
  // The tensors stay until the stream has passed.
  template <typename T>
  void Square(aclDataType type, T value) {
    for (int i = 0; i < 2; ++i) {
      tensors_.push_back(std::make_shared<OpTensor>(type, TensorDims{2}, 2 * sizeof(T)));
      tensors_.back()->Write(std::vector<T>{value, value});
    }
    const OpTensorPtr &x = tensors_.rbegin()[1], &y = tensors_.back();
    EXPECT_OK(Op("Mul", {x, x}, {y}).CompileAndExecuteV2(stream_));
  }
  uint32_t Status() {
    void* out = nullptr;
    EXPECT_OK(aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtGetOverflowStatus(out, 64, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    uint32_t status = 0;
    EXPECT_OK(aclrtMemcpy(&status, sizeof status, out, sizeof status, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(aclrtFree(out));
    return status;
  }
  const Session session_;
  const aclrtStream stream_ = session_.Stream();
  std::vector<OpTensorPtr> tensors_;
};

constexpr uint16_t kSmall = 0x4000;  // 2
constexpr uint16_t kLarge = 0x7800;  // 32768

TEST_F(Overflow, IsRaisedByFloat16WhereItIsSwitchedOn) {
  Square<uint16_t>(ACL_FLOAT16, kLarge);
  EXPECT_EQ(Status(), 0u) << "it is off";
  ASSERT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  Square<uint16_t>(ACL_FLOAT16, kSmall);
  EXPECT_EQ(Status(), 0u);
  Square<float>(ACL_FLOAT, 1e30f);
  EXPECT_EQ(Status(), 0u) << "float32 raises nothing";
  Square<uint16_t>(ACL_FLOAT16, kLarge);
  EXPECT_NE(Status(), 0u);
  Square<uint16_t>(ACL_FLOAT16, kSmall);
  EXPECT_NE(Status(), 0u) << "it stays until it is cleared";
  ASSERT_OK(aclrtResetOverflowStatus(stream_));
  EXPECT_EQ(Status(), 0u);
}

TEST_F(Overflow, IsReadAndClearedByItsOtherNames) {
  ASSERT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  void* out = nullptr;
  ASSERT_OK(aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const auto status = [&](auto read) {
    EXPECT_OK(read());
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    uint32_t value = 0;
    EXPECT_OK(aclrtMemcpy(&value, sizeof value, out, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
  };
  const auto read = [&] { return aclrtGetFloatOverflowStatus(out, 64, stream_); };
  const auto read_npu = [&] { return aclrtNpuGetFloatOverFlowStatus(out, 64, 0, stream_); };
  for (int round = 0; round < 2; ++round) {
    Square<uint16_t>(ACL_FLOAT16, kLarge);
    EXPECT_NE(status(read), 0u);
    EXPECT_NE(status(read_npu), 0u);
    EXPECT_OK(round == 0 ? aclrtResetFloatOverflowStatus(stream_)
                         : aclrtNpuClearFloatOverFlowStatus(0, stream_));
    EXPECT_EQ(status(read), 0u);
    EXPECT_EQ(status(read_npu), 0u);
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetFloatOverflowStatus(out, 32, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNpuGetFloatOverFlowStatus(nullptr, 64, 0, stream_));
  EXPECT_OK(aclrtFree(out));
}

// The switch is for tasks that are queued later.
TEST_F(Overflow, IsDecidedWhenTheTaskIsQueued) {
  Gate gate;
  gate.Hold(stream_);
  Square<uint16_t>(ACL_FLOAT16, kLarge);
  ASSERT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  gate.Open();
  EXPECT_EQ(Status(), 0u);
}

}  // namespace
