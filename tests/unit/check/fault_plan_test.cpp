// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/fault_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace foothold::check {
namespace {

using At = FaultItem::At;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

FaultItem Only(std::string_view text) {
  const FaultPlan plan = ReadFaultPlan(text);
  EXPECT_THAT(plan.items, SizeIs(1)) << text;
  return plan.items.empty() ? FaultItem{} : plan.items.front();
}

std::string Refusal(std::string_view text) {
  try {
    ReadFaultPlan(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidParam) << text;
    return error.message();
  }
  ADD_FAILURE() << "understood: " << text;
  return {};
}

TEST(FaultPlan, MayBeEmpty) {
  EXPECT_THAT(ReadFaultPlan("").items, IsEmpty());
  EXPECT_THAT(ReadFaultPlan(" ; ;").items, IsEmpty());
  EXPECT_FALSE(ReadFaultPlan("").sweep);
}

TEST(FaultPlan, HasItemsSeparatedBySemicolons) {
  const FaultPlan plan = ReadFaultPlan("aclrtMalloc=oom; seed=7 ;copy=fail;");
  ASSERT_THAT(plan.items, SizeIs(2));
  EXPECT_EQ(plan.seed, 7u);
  EXPECT_EQ(plan.items[0].where, "aclrtMalloc");
  EXPECT_EQ(plan.items[0].what, "oom");
  EXPECT_EQ(plan.items[1].text, "copy=fail");
}

TEST(FaultPlan, KnowsPlaces) {
  EXPECT_EQ(Only("aclrtMalloc=oom").site, At::kCall);
  EXPECT_FALSE(Only("aclrtMalloc=oom").prefix);
  EXPECT_TRUE(Only("aclrtMalloc*=oom").prefix);
  EXPECT_EQ(Only("allocation=oom:full").what, "oom:full");
  for (const char* sort : {"copy", "op", "model", "graph"})
    EXPECT_EQ(Only(std::string(sort) + "=delay=1ms").site, At::kTask) << sort;
  const FaultItem device = Only("device 3=lost");
  EXPECT_EQ(device.site, At::kDevice);
  EXPECT_EQ(device.device_hit, 3);
  EXPECT_EQ(Only("allocator=null").site, At::kAllocator);
  EXPECT_EQ(Only("dump=refuse").site, At::kDump);
}

TEST(FaultPlan, KnowsWhichOfMany) {
  EXPECT_EQ(Only("copy#3=fail").nth, 3u);
  EXPECT_EQ(Only("copy #3 =fail").nth, 3u);
  EXPECT_EQ(Only("copy every 4=fail").every, 4u);
  EXPECT_EQ(Only("copy%50=fail").percent, 50.0);
  EXPECT_EQ(Only("copy@stream=2=fail").stream, 2);
  EXPECT_EQ(Only("copy@device=1=fail").device, 1);
  EXPECT_TRUE(Only("aclrtMalloc@thread=main=oom").main_thread);
  EXPECT_EQ(Only("copy after=2s=fail").after, 2 * kSecond);
  const FaultItem all = Only("op#2@stream=1@device=0 after=5us=aicore");
  EXPECT_EQ(all.nth, 2u);
  EXPECT_EQ(all.stream, 1);
  EXPECT_EQ(all.device, 0);
  EXPECT_EQ(all.after, 5 * kMicrosecond);
}

TEST(FaultPlan, KnowsTimesAndNumbers) {
  EXPECT_EQ(Only("copy=delay=7ns").time, 7);
  EXPECT_EQ(Only("copy=delay=3ms").time, 3 * kMillisecond);
  EXPECT_EQ(Only("copy=flip=9").number, 9u);
  EXPECT_EQ(Only("aclrtFree=code=507899").number, 507899u);
}

struct Wrong {
  const char* plan;
  std::vector<const char*> named;  // what the refusal has to name: the word, and what was expected
};

TEST(FaultPlan, NamesTheWordItDoesNotUnderstandAndWhatItExpected) {
  const Wrong all[] = {
      {"cpoy=fail", {"\"cpoy\"", "did you mean \"copy\""}},
      {"quatsch=fail", {"\"quatsch\"", "expected copy, op, model, graph"}},
      {"copy=", {"\"\"", "fail, delay, flip"}},
      {"copy", {"\"copy\"", "what is to happen is missing"}},
      {"copy=explode", {"\"explode\"", "fail, delay, flip"}},
      {"aclrtMalloc=fail", {"\"fail\"", "oom, oom:full"}},
      {"aclrtCreateStream=oom", {"\"oom\"", "limit, code"}},
      {"device 0=fail", {"\"fail\"", "lost, ecc, abort"}},
      {"device=lost", {"device needs a whole number", "\"\""}},
      {"device x=lost", {"device needs a whole number", "\"x\""}},
      {"allocator=oom", {"\"oom\"", "null, small, throw"}},
      {"dump=fail", {"\"fail\"", "refuse"}},
      {"op=fail", {"\"fail\"", "aicore, aicpu, vector, timeout, overflow, delay"}},
      {"copy#x=fail", {"# needs a whole number", "\"x\""}},
      {"copy#0=fail", {"# counts from 1"}},
      {"copy#-1=fail", {"# needs a whole number", "\"-1\""}},
      {"copy every 0=fail", {"every counts from 1"}},
      {"copy%many=fail", {"% needs a whole number", "\"many\""}},
      {"copy%101=fail", {"% goes from 0 to 100", "101"}},
      {"copy@straem=1=fail", {"\"@straem\"", "did you mean \"stream\""}},
      {"copy@stream=x=fail", {"@stream needs a whole number", "\"x\""}},
      {"copy@thread=other=fail", {"\"@thread\"", "thread=main"}},
      {"copy soon=fail", {"\"soon=fail\" is not understood", "after=t"}},
      {"copy after=5=fail", {"\"5\" is no time", "5ms"}},
      {"copy=delay", {"\"\" is no time"}},
      {"copy=flip", {"flip needs a whole number"}},
      {"copy=fail=3", {"\"fail\" takes no value"}},
      {"aclrtFree=code=12345678", {"12345678 is no number of the library"}},
      {"seed=x", {"seed needs a whole number", "\"x\""}},
  };
  for (const Wrong& wrong : all) {
    const std::string refusal = Refusal(wrong.plan);
    for (const char* const word : wrong.named)
      EXPECT_THAT(refusal, HasSubstr(word)) << wrong.plan;
  }
}

TEST(FaultPlan, KnowsWhatAllocates) {
  for (const char* call : {"aclrtMalloc", "aclrtMallocHost", "aclrtMallocPhysical", "aclrtMemAllocManaged",
                           "acldvppMalloc", "aclrtMemPoolMallocAsync", "hi_mpi_dvpp_malloc"})
    EXPECT_TRUE(IsAllocation(call)) << call;
  EXPECT_FALSE(IsAllocation("aclrtFree"));
  EXPECT_FALSE(IsAllocation("GeSession::RunGraph"));
}

}  // namespace
}  // namespace foothold::check
