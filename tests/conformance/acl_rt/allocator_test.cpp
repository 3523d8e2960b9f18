// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// A program's own allocator for a stream: aclrtAllocator*.
#include "acl/acl_rt_allocator.h"

#include <cstdint>
#include <thread>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

struct Counting {
  int allocated = 0;
  int freed = 0;
};

struct Block {
  void* address;
};

void* Allocate(aclrtAllocator object, size_t size) {
  ++static_cast<Counting*>(object)->allocated;
  auto* block = new Block{nullptr};
  EXPECT_OK(aclrtMalloc(&block->address, size, ACL_MEM_MALLOC_HUGE_FIRST));
  return block;
}
void* AllocateAt(aclrtAllocator object, size_t size, aclrtAllocatorAddr) {
  return Allocate(object, size);
}
void Free(aclrtAllocator object, aclrtAllocatorBlock block) {
  ++static_cast<Counting*>(object)->freed;
  EXPECT_OK(aclrtFree(static_cast<Block*>(block)->address));
  delete static_cast<Block*>(block);
}
void* AddressOf(aclrtAllocatorBlock block) {
  return static_cast<Block*>(block)->address;
}

class Allocator : public testing::Test {
 protected:
  aclrtAllocatorDesc Describe(Counting* object) {
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    EXPECT_NE(desc, nullptr);
    EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, object));
    EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, Allocate));
    EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, Free));
    EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, AddressOf));
    return desc;
  }
  struct Found {
    aclrtAllocatorDesc desc = nullptr;
    aclrtAllocator object = nullptr;
    aclrtAllocatorAllocFunc allocate = nullptr;
    aclrtAllocatorFreeFunc free = nullptr;
    aclrtAllocatorAllocAdviseFunc allocate_at = nullptr;
    aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
  };
  aclError Find(aclrtStream stream, Found* found) {
    return aclrtAllocatorGetByStream(stream, &found->desc, &found->object, &found->allocate, &found->free,
                                     &found->allocate_at, &found->address_of);
  }

  Session session_;
};
using aclrtAllocatorRegisterTest = Allocator;
using aclrtAllocatorDescTest = Allocator;

TEST_F(aclrtAllocatorRegisterTest, TheStreamKnowsItsAllocator) {
  aclrtStream stream = session_.Stream();
  Counting object;
  aclrtAllocatorDesc desc = Describe(&object);
  EXPECT_OK(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, AllocateAt));
  ASSERT_OK(aclrtAllocatorRegister(stream, desc));
  Found found;
  ASSERT_OK(Find(stream, &found));
  EXPECT_EQ(found.desc, desc);
  EXPECT_EQ(found.object, &object);
  EXPECT_EQ(found.allocate_at, AllocateAt);
  void* first = found.allocate(found.object, 100);
  void* second = found.allocate_at(found.object, 100, nullptr);
  EXPECT_OK(aclrtMemset(found.address_of(first), 100, 1, 100));
  found.free(found.object, first);
  found.free(found.object, second);
  EXPECT_EQ(object.allocated, 2);
  EXPECT_EQ(object.freed, 2);
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Find(stream, &found));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST_F(aclrtAllocatorRegisterTest, TheLastOneWins) {
  aclrtStream stream = session_.Stream();
  Counting one;
  Counting two;
  aclrtAllocatorDesc first = Describe(&one);
  aclrtAllocatorDesc second = Describe(&two);
  ASSERT_OK(aclrtAllocatorRegister(stream, first));
  ASSERT_OK(aclrtAllocatorRegister(stream, second));
  Found found;
  ASSERT_OK(Find(stream, &found));
  EXPECT_EQ(found.object, &two);
  EXPECT_OK(aclrtAllocatorDestroyDesc(first));
  EXPECT_OK(aclrtAllocatorDestroyDesc(second));
}

TEST_F(aclrtAllocatorRegisterTest, KeepsWhatWasDescribedThen) {
  aclrtStream stream = session_.Stream();
  Counting one;
  Counting two;
  aclrtAllocatorDesc desc = Describe(&one);
  ASSERT_OK(aclrtAllocatorRegister(stream, desc));
  ASSERT_OK(aclrtAllocatorSetObjToDesc(desc, &two));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
  Found found;
  ASSERT_OK(Find(stream, &found));
  EXPECT_EQ(found.object, &one);
  EXPECT_EQ(found.allocate_at, nullptr);
}

TEST_F(aclrtAllocatorRegisterTest, OneAllocatorServesSeveralStreams) {
  aclrtStream a = session_.Stream();
  aclrtStream b = session_.Stream();
  Counting object;
  aclrtAllocatorDesc desc = Describe(&object);
  EXPECT_OK(aclrtAllocatorRegister(a, desc));
  EXPECT_OK(aclrtAllocatorRegister(b, desc));
  EXPECT_OK(aclrtAllocatorUnregister(a));
  Found found;
  EXPECT_OK(Find(b, &found));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST_F(aclrtAllocatorRegisterTest, RefusesTheDefaultStreamAndWrongHandles) {
  Counting object;
  aclrtAllocatorDesc desc = Describe(&object);
  Found found;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(nullptr, desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorUnregister(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Find(nullptr, &found));
  aclrtStream stream = session_.Stream();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, &object));
  EXPECT_NE(aclrtAllocatorRegister(&object, desc), ACL_SUCCESS);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Find(stream, &found));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtAllocatorGetByStream(stream, nullptr, &found.object, &found.allocate, &found.free,
                                         &found.allocate_at, &found.address_of));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc));
}

TEST_F(aclrtAllocatorRegisterTest, NeedsACompleteDescription) {
  aclrtStream stream = session_.Stream();
  Counting object;
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &object));
  EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, Allocate));
  EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, Free));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, AddressOf));
  EXPECT_OK(aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST_F(aclrtAllocatorRegisterTest, UnregisteringWhatIsNotThereIsNoError) {
  aclrtStream stream = session_.Stream();
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  int no_stream = 0;
  EXPECT_OK(aclrtAllocatorUnregister(&no_stream));
}

TEST_F(aclrtAllocatorRegisterTest, ANewStreamStartsWithoutOne) {
  aclrtStream stream = session_.Stream();
  Counting object;
  aclrtAllocatorDesc desc = Describe(&object);
  ASSERT_OK(aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtDestroyStream(stream));
  Found found;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Find(session_.Stream(), &found));
  EXPECT_NE(Find(stream, &found), ACL_SUCCESS);
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST_F(aclrtAllocatorDescTest, RefusesNullAndDestroyedDescriptions) {
  Counting object;
  aclrtAllocatorDesc desc = Describe(&object);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetObjToDesc(desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetAllocFuncToDesc(desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetFreeFuncToDesc(desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetAllocAdviseFuncToDesc(desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetObjToDesc(nullptr, &object));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorDestroyDesc(nullptr));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorDestroyDesc(desc));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetObjToDesc(desc, &object));
}

}  // namespace
