// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Shared buffers by both families of functions: they differ in the code for what makes no sense only.
#include <gtest/gtest.h>

#include <cstring>

#include "acl/acl_rt.h"
#include "acl/acl_tdt_queue.h"
#include "conformance/device_fixture.h"

namespace {

struct Transfer {
  static constexpr aclError kCode = ACL_ERROR_INVALID_PARAM;
  static aclError Alloc(size_t size, void** buf) { return acltdtAllocBuf(size, ACL_TDT_DVPP_MEM, buf); }
  static constexpr auto Free = acltdtFreeBuf;
  static constexpr auto SetLength = acltdtSetBufDataLen;
  static constexpr auto Length = acltdtGetBufDataLen;
  static constexpr auto Data = acltdtGetBufData;
  static constexpr auto SetUser = acltdtSetBufUserData;
  static constexpr auto User = acltdtGetBufUserData;
  static constexpr auto Share = acltdtCopyBufRef;
  static constexpr auto Append = acltdtAppendBufChain;
  static constexpr auto ChainNumber = acltdtGetBufChainNum;
  static constexpr auto FromChain = acltdtGetBufFromChain;
};

struct Runtime {
  static constexpr aclError kCode = ACL_ERROR_RT_PARAM_INVALID;
  static aclError Alloc(size_t size, void** buf) { return aclrtAllocBuf(buf, size); }
  static constexpr auto Free = aclrtFreeBuf;
  static constexpr auto SetLength = aclrtSetBufDataLen;
  static constexpr auto Length = aclrtGetBufDataLen;
  static constexpr auto Data = aclrtGetBufData;
  static constexpr auto SetUser = aclrtSetBufUserData;
  static constexpr auto User = aclrtGetBufUserData;
  static constexpr auto Share = aclrtCopyBufRef;
  static constexpr auto Append = aclrtAppendBufChain;
  static constexpr auto ChainNumber = aclrtGetBufChainNum;
  static constexpr auto FromChain = aclrtGetBufFromChain;
};

template <typename Family>
class SharedBuffer : public testing::Test {
 protected:
  static void* Make(size_t size) {
    void* buf = nullptr;
    EXPECT_OK(Family::Alloc(size, &buf));
    return buf;
  }
  static char* DataOf(void* buf) {
    void* data = nullptr;
    size_t size = 0;
    EXPECT_OK(Family::Data(buf, &data, &size));
    return static_cast<char*>(data);
  }
  static uint32_t NumberIn(void* head) {
    uint32_t number = 0;
    EXPECT_OK(Family::ChainNumber(head, &number));
    return number;
  }
};

using Families = testing::Types<Transfer, Runtime>;
TYPED_TEST_SUITE(SharedBuffer, Families);

TYPED_TEST(SharedBuffer, HasMemoryLengthAndUserBytes) {
  void* const buf = this->Make(100);
  void* data = nullptr;
  size_t size = 0, length = 9;
  EXPECT_OK(TypeParam::Data(buf, &data, &size));
  EXPECT_EQ(size, 100u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  std::memset(data, 1, size);
  EXPECT_OK(TypeParam::Length(buf, &length));
  EXPECT_EQ(length, 0u);
  EXPECT_OK(TypeParam::SetLength(buf, 100));
  EXPECT_OK(TypeParam::Length(buf, &length));
  EXPECT_EQ(length, 100u);
  EXPECT_FAILS(TypeParam::kCode, TypeParam::SetLength(buf, 101));
  char user[4] = "abc";
  EXPECT_OK(TypeParam::SetUser(buf, user, 4, 92));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::SetUser(buf, user, 4, 93));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::SetUser(buf, user, 4, SIZE_MAX));
  std::memset(user, 0, sizeof(user));
  EXPECT_OK(TypeParam::User(buf, user, 4, 92));
  EXPECT_STREQ(user, "abc");
  EXPECT_FAILS(TypeParam::kCode, TypeParam::User(buf, user, 97, 0));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::User(buf, nullptr, 4, 0));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::SetUser(buf, nullptr, 4, 0));
  EXPECT_OK(TypeParam::Free(buf));
}

TYPED_TEST(SharedBuffer, IsNotLargerThanMemory) {
  void* buf = nullptr;
  for (const size_t size : {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2})
    EXPECT_FAILS(ACL_ERROR_BAD_ALLOC, TypeParam::Alloc(size, &buf));
}

TYPED_TEST(SharedBuffer, SharesMemoryByFurtherHandles) {
  void* const buf = this->Make(8);
  std::strcpy(this->DataOf(buf), "one");
  EXPECT_OK(TypeParam::SetLength(buf, 4));
  void* other = nullptr;
  EXPECT_OK(TypeParam::Share(buf, &other));
  EXPECT_NE(other, buf);
  size_t length = 0;
  EXPECT_OK(TypeParam::Length(other, &length));
  EXPECT_EQ(length, 4u);
  std::strcpy(this->DataOf(other), "two");
  EXPECT_STREQ(this->DataOf(buf), "two");
  EXPECT_OK(TypeParam::Free(buf));
  EXPECT_STREQ(this->DataOf(other), "two") << "the memory lives with its last handle";
  EXPECT_OK(TypeParam::Free(other));
}

TYPED_TEST(SharedBuffer, JoinsChains) {
  void* const head = this->Make(1);
  void* const second = this->Make(1);
  void* const third = this->Make(1);
  EXPECT_EQ(this->NumberIn(head), 1u);
  EXPECT_OK(TypeParam::Append(second, third));
  EXPECT_OK(TypeParam::Append(head, second));  // with what follows it
  EXPECT_EQ(this->NumberIn(head), 3u);
  void* found = nullptr;
  EXPECT_OK(TypeParam::FromChain(head, 0, &found));
  EXPECT_EQ(found, head);
  EXPECT_OK(TypeParam::FromChain(head, 2, &found));
  EXPECT_EQ(found, third);
  EXPECT_FAILS(TypeParam::kCode, TypeParam::FromChain(head, 3, &found));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::FromChain(head, 0, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::FromChain(second, 0, &found));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(head, head));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(head, third));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(second, this->Make(1)));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Free(third));
  for (int i = 3; i < 128; ++i)
    EXPECT_OK(TypeParam::Append(head, this->Make(1)));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(head, this->Make(1)));
  EXPECT_OK(TypeParam::Free(head));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Free(third));  // gone with its head
}

TYPED_TEST(SharedBuffer, RefusesWhatIsNone) {
  void* const freed = this->Make(1);
  EXPECT_OK(TypeParam::Free(freed));
  int on_the_stack = 0;
  for (void* wrong : {static_cast<void*>(nullptr), freed, static_cast<void*>(&on_the_stack)}) {
    void* other = nullptr;
    size_t size = 0;
    uint32_t number = 0;
    EXPECT_FAILS(TypeParam::kCode, TypeParam::Free(wrong));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::SetLength(wrong, 0));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::Length(wrong, &size));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::Data(wrong, &other, &size));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::SetUser(wrong, &size, 1, 0));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::User(wrong, &size, 1, 0));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::Share(wrong, &other));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(wrong, freed));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::ChainNumber(wrong, &number));
    EXPECT_FAILS(TypeParam::kCode, TypeParam::FromChain(wrong, 0, &other));
  }
  void* const buf = this->Make(1);
  void* data = nullptr;
  size_t size = 0;
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Length(buf, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Data(buf, nullptr, &size));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Data(buf, &data, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Share(buf, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::ChainNumber(buf, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Append(buf, nullptr));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Alloc(0, &data));
  EXPECT_FAILS(TypeParam::kCode, TypeParam::Alloc(1, nullptr));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose allocators end the process
  EXPECT_NE(TypeParam::Alloc(SIZE_MAX / 2, &data), ACL_SUCCESS);
#endif
  EXPECT_OK(TypeParam::Free(buf));
  RecentError();
}

TEST(acltdtAllocBuf, KnowsTwoTypes) {
  void* buf = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAllocBuf(1, 2, &buf));
}

}  // namespace
