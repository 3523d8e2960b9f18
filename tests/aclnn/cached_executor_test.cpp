// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Executors found by a key of the client's, as frameworks use them: the functions are looked up by name, and
// a call is begun, its addresses listed, its key set, and only where nothing is found described and checked.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_uniform.h"
#include "conformance/in_fork.h"

namespace nn {
namespace {

template <typename Function>
Function* Named(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Cache {
  void (*begin)() = Named<void()>("InitPTACacheThreadLocal");
  void (*end)() = Named<void()>("UnInitPTACacheThreadLocal");
  bool (*can_use)(const char*) = Named<bool(const char*)>("CanUsePTACache");
  void (*add)(void*) = Named<void(void*)>("AddTensorAddrToCachedList");
  void (*set_hash)(std::uint64_t) = Named<void(std::uint64_t)>("SetPTAHashKey");
  aclOpExecutor* (*get)(std::uint64_t, std::uint64_t*) =
      Named<aclOpExecutor*(std::uint64_t, std::uint64_t*)>("PTAGetExecCache");
  void (*set_key)(std::uint8_t*, std::size_t) = Named<void(std::uint8_t*, std::size_t)>("SetPTACacheHashKey");
  aclOpExecutor* (*find)(std::uint8_t*, std::size_t, std::uint64_t*) =
      Named<aclOpExecutor*(std::uint8_t*, std::size_t, std::uint64_t*)>("PTAFindExecCache");
};

const Cache& TheCache() {
  static const Cache cache;
  return cache;
}

// A call by key. What the destructor does at the end of a call is done even if the call has failed.
class KeyedCall {
 public:
  KeyedCall(std::string key, const std::vector<const Tensor*>& tensors) : key_(std::move(key)) {
    TheCache().begin();
    for (const Tensor* tensor : tensors)
      TheCache().add(tensor->data());
    TheCache().set_key(bytes(), key_.size());
  }
  ~KeyedCall() { TheCache().end(); }
  KeyedCall(const KeyedCall&) = delete;
  KeyedCall& operator=(const KeyedCall&) = delete;

  aclOpExecutor* Find() {
    std::uint64_t workspace = 99;
    aclOpExecutor* const found = TheCache().find(bytes(), key_.size(), &workspace);
    if (found != nullptr) {
      EXPECT_EQ(workspace, 0u);
    }
    return found;
  }

 private:
  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(key_.data()); }
  std::string key_;
};

class CachedExecutor : public Nn {
 protected:
  const Tensor a_ = In(ACL_FLOAT, {2}, {1, 2}), b_ = In(ACL_FLOAT, {2}, {10, 20}), out_ = Out(ACL_FLOAT, {2});

  // out = a + alpha b; true: its executor was there.
  static bool Add(const std::string& key, const Tensor& a, const Tensor& b, float alpha, const Tensor& out,
                  aclrtStream on = nullptr) {
    KeyedCall call(key, {&a, &b, &out});
    aclOpExecutor* executor = call.Find();
    const bool found = executor != nullptr;
    Objects objects;
    std::uint64_t workspace = 0;
    if (!found) {
      EXPECT_OK(aclnnAddGetWorkspaceSize(objects.Of(a), objects.Of(b), objects.Of(Scalar(alpha)),
                                         objects.Of(out), &workspace, &executor));
    }
    objects.Destroy();
    EXPECT_OK(aclnnAdd(nullptr, workspace, executor, on == nullptr ? stream() : on));
    return found;
  }
  static void Wait() { EXPECT_OK(aclrtSynchronizeStream(stream())); }
};

TEST_F(CachedExecutor, IsFoundByTheKeyOfAnEarlierCall) {
  int hits = 0;
  for (int i = 0; i < 100; ++i)
    hits += Add("add of two", a_, b_, 1, out_) ? 1 : 0;
  EXPECT_EQ(hits, 99);
  Wait();
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
}

TEST_F(CachedExecutor, RunsAtTheAddressesOfItsCallWithTheNumbersOfTheFirst) {
  const Tensor c = In(ACL_FLOAT, {2}, {100, 200}), elsewhere = Out(ACL_FLOAT, {2});
  EXPECT_FALSE(Add("with addresses", a_, b_, 2, out_));
  EXPECT_TRUE(Add("with addresses", c, a_, 2, elsewhere));
  Wait();
  EXPECT_EQ(out_.Read(), (Values{21, 42}));
  EXPECT_EQ(elsewhere.Read(), (Values{102, 204}));
  // Other numbers have other keys.
  EXPECT_FALSE(Add("with addresses, 3", a_, b_, 3, out_));
  EXPECT_TRUE(Add("with addresses", a_, b_, 2, elsewhere));
  Wait();
  EXPECT_EQ(out_.Read(), (Values{31, 62}));
  EXPECT_EQ(elsewhere.Read(), (Values{21, 42}));
}

TEST_F(CachedExecutor, IsFoundByAHash) {
  const auto add = [&](std::uint64_t hash) {
    TheCache().begin();
    for (const Tensor* tensor : {&a_, &b_, &out_})
      TheCache().add(tensor->data());
    TheCache().set_hash(hash);
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = TheCache().get(hash, &workspace);
    const bool found = executor != nullptr;
    Objects objects;
    if (!found) {
      EXPECT_OK(aclnnAddGetWorkspaceSize(objects.Of(a_), objects.Of(b_), objects.Of(Scalar(1.0f)),
                                         objects.Of(out_), &workspace, &executor));
    }
    EXPECT_OK(aclnnAdd(nullptr, workspace, executor, stream()));
    TheCache().end();
    return found;
  };
  EXPECT_FALSE(add(7));
  EXPECT_TRUE(add(7));
  EXPECT_FALSE(add(8));
  EXPECT_FALSE(add(0));  // 0 says that nothing is kept
  EXPECT_FALSE(add(0));
  Wait();
}

// Several may be between their phases, and each is used once.
TEST_F(CachedExecutor, IsAFreshOneForEachCall) {
  Add("fresh", a_, b_, 1, out_);
  const Tensor other = Out(ACL_FLOAT, {2});
  aclOpExecutor *first = nullptr, *second = nullptr;
  {
    KeyedCall call("fresh", {&a_, &b_, &out_});
    first = call.Find();
  }
  {
    KeyedCall call("fresh", {&b_, &b_, &other});
    second = call.Find();
  }
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(first, second);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    EXPECT_OK(aclnnAdd(nullptr, 0, second, stream()));
    EXPECT_OK(aclnnAdd(nullptr, 0, first, stream()));
    EXPECT_NE(aclnnAdd(nullptr, 0, first, stream()), 0);
  }).join();
  Wait();
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
  EXPECT_EQ(other.Read(), (Values{20, 40}));
}

TEST_F(CachedExecutor, RunsOnWhateverStream) {
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  EXPECT_FALSE(Add("streams", a_, b_, 1, out_));
  Wait();
  EXPECT_TRUE(Add("streams", b_, b_, 1, out_, other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(out_.Read(), (Values{20, 40}));
  EXPECT_OK(aclrtDestroyStream(other));
}

// Storage begins before the view; the executor knows how far.
TEST_F(CachedExecutor, KeepsTheOffsetsOfViews) {
  const Tensor memory = In(ACL_FLOAT, {4}, {1, 2, 3, 4}), other = In(ACL_FLOAT, {4}, {5, 6, 7, 8});
  const auto add = [&](const Tensor& whole) {
    KeyedCall call("offsets", {&whole, &whole, &out_});
    aclOpExecutor* executor = call.Find();
    const bool found = executor != nullptr;
    std::uint64_t workspace = 0;
    const std::int64_t dims = 2, stride = 1, room = 4;
    float one = 1;
    aclTensor* const view =
        aclCreateTensor(&dims, 1, ACL_FLOAT, &stride, 2, ACL_FORMAT_ND, &room, 1, whole.data());
    aclTensor* const out = out_.Create();
    aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
    if (!found) {
      EXPECT_OK(aclnnAddGetWorkspaceSize(view, view, alpha, out, &workspace, &executor));
    }
    EXPECT_OK(aclnnAdd(nullptr, 0, executor, stream()));
    EXPECT_OK(aclDestroyTensor(view));
    EXPECT_OK(aclDestroyTensor(out));
    EXPECT_OK(aclDestroyScalar(alpha));
    Wait();
    return found;
  };
  EXPECT_FALSE(add(memory));
  EXPECT_EQ(out_.Read(), (Values{6, 8}));
  EXPECT_TRUE(add(other));
  EXPECT_EQ(out_.Read(), (Values{14, 16}));
}

TEST_F(CachedExecutor, TakesListsFlattened) {
  const Tensor joined = Out(ACL_FLOAT, {4});
  const auto cat = [&](const Tensor& first, const Tensor& second) {
    KeyedCall call("lists", {&first, &second, &joined});
    aclOpExecutor* executor = call.Find();
    const bool found = executor != nullptr;
    Objects objects;
    std::uint64_t workspace = 0;
    if (!found) {
      EXPECT_OK(aclnnCatGetWorkspaceSize(objects.Of(List{&first, &second}), 0, objects.Of(joined), &workspace,
                                         &executor));
    }
    EXPECT_OK(aclnnCat(nullptr, 0, executor, stream()));
    Wait();
    return found;
  };
  EXPECT_FALSE(cat(a_, b_));
  EXPECT_EQ(joined.Read(), (Values{1, 2, 10, 20}));
  EXPECT_TRUE(cat(b_, a_));
  EXPECT_EQ(joined.Read(), (Values{10, 20, 1, 2}));
}

// A client whose listed addresses are not those of the tensors is served by the long way only.
TEST_F(CachedExecutor, IsNotKeptWhereAddressesDoNotFit) {
  for (const auto& listed :
       std::vector<std::vector<const Tensor*>>{{&b_, &a_, &out_}, {&a_, &b_}, {&a_, &b_, &out_, &out_}}) {
    for (int round = 0; round < 2; ++round) {
      KeyedCall call("wrong addresses", listed);
      EXPECT_EQ(call.Find(), nullptr);
      Objects objects;
      std::uint64_t workspace = 0;
      aclOpExecutor* executor = nullptr;
      EXPECT_OK(aclnnAddGetWorkspaceSize(objects.Of(a_), objects.Of(b_), objects.Of(Scalar(1.0f)),
                                         objects.Of(out_), &workspace, &executor));
      EXPECT_OK(aclDestroyAclOpExecutor(executor));
    }
  }
  EXPECT_FALSE(Add("fewer addresses later", a_, b_, 1, out_));
  KeyedCall call("fewer addresses later", {&a_, &b_});
  EXPECT_EQ(call.Find(), nullptr);
  Wait();
}

// A call that fails leaves its key; what comes next is not kept by it.
TEST_F(CachedExecutor, IsNotMixedUpAfterAFailure) {
  const Tensor three = In(ACL_FLOAT, {3}, {1, 2, 3});
  Objects objects;
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  TheCache().begin();
  for (const Tensor* tensor : {&a_, &b_, &out_})
    TheCache().add(tensor->data());
  std::string key = "failed";
  TheCache().set_key(reinterpret_cast<std::uint8_t*>(key.data()), key.size());
  EXPECT_NE(aclnnAddGetWorkspaceSize(objects.Of(a_), objects.Of(three), objects.Of(Scalar(1.0f)),
                                     objects.Of(out_), &workspace, &executor),
            0);
  EXPECT_OK(
      aclnnMulGetWorkspaceSize(objects.Of(a_), objects.Of(b_), objects.Of(out_), &workspace, &executor));
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
  EXPECT_FALSE(Add("failed", a_, b_, 1, out_));
  Wait();
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
}

TEST_F(CachedExecutor, IsNotOfferedWhereCallsDoNotComeAgain) {
  EXPECT_TRUE(TheCache().can_use("aclnnAdd"));
  EXPECT_TRUE(TheCache().can_use("aclnnMatmul"));
  for (const char* name : {"aclnnInplaceUniform", "aclnnDropoutGenMask", "aclnnNoSuchOperator", ""})
    EXPECT_FALSE(TheCache().can_use(name)) << name;
  EXPECT_FALSE(TheCache().can_use(nullptr));
  // What tells a size is known as such once it was seen.
  const Tensor mask = In(ACL_BOOL, {2}, {1, 0}), places = Out(ACL_INT64, {2, 1});
  for (int round = 0; round < 2; ++round) {
    KeyedCall call("nonzero", {&mask, &places});
    EXPECT_EQ(call.Find(), nullptr);
    Objects objects;
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_OK(aclnnNonzeroGetWorkspaceSize(objects.Of(mask), objects.Of(places), &workspace, &executor));
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
  }
  EXPECT_FALSE(TheCache().can_use("aclnnNonzero"));
}

// A key that is too long has no bytes at all.
TEST_F(CachedExecutor, HasNoKeyBeyondTheLongest) {
  std::uint64_t workspace = 0;
  auto* const nowhere = reinterpret_cast<std::uint8_t*>(8);
  TheCache().begin();
  EXPECT_EQ(TheCache().find(nowhere, 9216, &workspace), nullptr);
  EXPECT_EQ(TheCache().find(nullptr, 0, &workspace), nullptr);
  TheCache().set_key(nullptr, 0);
  TheCache().end();
}

TEST_F(CachedExecutor, RefusesMemoryThatIsGone) {
  Add("gone", a_, b_, 1, out_);
  Wait();
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  KeyedCall call("gone", {});
  TheCache().add(freed);
  TheCache().add(b_.data());
  TheCache().add(out_.data());
  aclOpExecutor* const executor = call.Find();
  ASSERT_NE(executor, nullptr);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 161002);
}

TEST_F(CachedExecutor, GoesWhenNotUsedForLongest) {
  constexpr int kLimit = 10000;
  const auto key = [](int i) { return "eviction " + std::to_string(i); };
  Objects objects;
  aclTensor *const a = objects.Of(a_), *const b = objects.Of(b_), *const out = objects.Of(out_);
  aclScalar* const one = objects.Of(Scalar(1.0f));
  const auto hit = [&](int i) {
    KeyedCall call(key(i), {&a_, &b_, &out_});
    aclOpExecutor* executor = call.Find();
    const bool found = executor != nullptr;
    std::uint64_t workspace = 0;
    if (!found) {
      EXPECT_OK(aclnnAddGetWorkspaceSize(a, b, one, out, &workspace, &executor));
    }
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
    return found;
  };
  for (int i = 0; i < kLimit; ++i)
    ASSERT_FALSE(hit(i));
  EXPECT_TRUE(hit(0));
  EXPECT_FALSE(hit(kLimit));
  EXPECT_TRUE(hit(0));
  EXPECT_FALSE(hit(1));
}

// One call with memory of its own; true: its executor was there.
bool AddInChild(void* memory) {
  TheCache().begin();
  for (int i = 0; i < 3; ++i)
    TheCache().add(memory);
  TheCache().set_hash(77);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = TheCache().get(77, &workspace);
  const bool found = executor != nullptr;
  const std::int64_t two = 2;
  float one = 1;
  aclTensor* const tensor = aclCreateTensor(&two, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &two, 1, memory);
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  if (!found) {
    EXPECT_OK(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &workspace, &executor));
  }
  EXPECT_OK(aclnnAdd(nullptr, 0, executor, nullptr));
  TheCache().end();
  EXPECT_OK(aclDestroyTensor(tensor));
  EXPECT_OK(aclDestroyScalar(alpha));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  return found;
}

TEST_F(CachedExecutor, OfAParentIsNotFoundInItsChild) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const Tensor memory = Ref(ACL_FLOAT, {2}, {1, 2});
  EXPECT_FALSE(AddInChild(memory.data()));
  EXPECT_TRUE(AddInChild(memory.data()));
  EXPECT_EQ(InFork({},
                   [] {
                     ASSERT_OK(aclrtSetDevice(0));
                     void* own = nullptr;
                     ASSERT_OK(aclrtMalloc(&own, 64, ACL_MEM_MALLOC_HUGE_FIRST));
                     EXPECT_FALSE(AddInChild(own));
                     EXPECT_TRUE(AddInChild(own));
                   }),
            0);
  EXPECT_TRUE(AddInChild(memory.data()));
}

// Settings of the process stand in front of the name, as numbers: whether results have to be the same again.
TEST_F(CachedExecutor, IsFoundByAllBytesOfTheKey) {
  const std::string name("aclnnAdd"), no(4, '\0'), yes("\1\0\0\0", 4);
  EXPECT_FALSE(Add(no + name, a_, b_, 1, out_));
  EXPECT_FALSE(Add(yes + name, a_, b_, 2, out_));
  EXPECT_TRUE(Add(no + name, a_, b_, 1, out_));
  Wait();
  EXPECT_EQ(out_.Read(), (Values{11, 22}));
  EXPECT_TRUE(Add(yes + name, a_, b_, 2, out_));
  Wait();
  EXPECT_EQ(out_.Read(), (Values{21, 42}));
}

TEST_F(CachedExecutor, DISABLED_RunsOnTheSecondDevice) {
  EXPECT_FALSE(Add("devices", a_, b_, 1, out_));
  Wait();
  ASSERT_OK(aclrtSetDevice(1));
  {
    aclrtStream there = nullptr;
    ASSERT_OK(aclrtCreateStream(&there));
    const Tensor c = In(ACL_FLOAT, {2}, {5, 6}), sum = Out(ACL_FLOAT, {2});
    EXPECT_TRUE(Add("devices", c, c, 1, sum, there));
    EXPECT_OK(aclrtSynchronizeStream(there));
    EXPECT_EQ(sum.Read(), (Values{10, 12}));
    EXPECT_OK(aclrtDestroyStream(there));
  }
  ASSERT_OK(aclrtSetDevice(0));
}

TEST_F(CachedExecutor, RunsOnWhateverDevice) {
  EXPECT_EQ(InNewProgram("CachedExecutor.DISABLED_RunsOnTheSecondDevice", {{"FOOTHOLD_DEVICES", "2"}}), 0);
}

TEST_F(CachedExecutor, DISABLED_HasRoomForTwo) {
  const auto hit = [&](const char* key) { return Add(key, a_, b_, 1, out_); };
  EXPECT_FALSE(hit("one"));
  EXPECT_FALSE(hit("two"));
  EXPECT_TRUE(hit("one"));
  EXPECT_FALSE(hit("three"));
  EXPECT_TRUE(hit("one"));
  EXPECT_FALSE(hit("two"));
  Wait();
}

TEST_F(CachedExecutor, DISABLED_HasNoRoom) {
  EXPECT_FALSE(TheCache().can_use("aclnnAdd"));
  EXPECT_FALSE(Add("one", a_, b_, 1, out_));
  EXPECT_FALSE(Add("one", a_, b_, 1, out_));
  Wait();
}

TEST_F(CachedExecutor, IsKeptAsLongAsTheEnvironmentSays) {
  EXPECT_EQ(InNewProgram("CachedExecutor.DISABLED_HasRoomForTwo", {{"ACLNN_CACHE_LIMIT", "2"}}), 0);
  EXPECT_EQ(InNewProgram("CachedExecutor.DISABLED_HasNoRoom", {{"ACLNN_CACHE_LIMIT", "0"}}), 0);
}

TEST_F(CachedExecutor, IsOfOneThread) {
  EXPECT_FALSE(Add("threads", a_, b_, 1, out_));
  Wait();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  std::atomic<int> hits = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      const Tensor out = Out(ACL_FLOAT, {2});
      for (int i = 0; i < 200; ++i)
        hits += Add("threads", a_, b_, 1, out) ? 1 : 0;
      EXPECT_OK(aclrtSynchronizeStream(stream()));
      EXPECT_EQ(out.Read(), (Values{11, 22}));
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(hits, 4 * 199);
}

}  // namespace
}  // namespace nn
