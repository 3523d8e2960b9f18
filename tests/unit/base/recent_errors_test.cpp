// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/recent_errors.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/error.h"

namespace foothold {
namespace {

class RecentErrors : public ::testing::Test {
 protected:
  void SetUp() override { Clear(); }
  void TearDown() override { Clear(); }
  static void Clear() {
    SetErrorScope(ErrorScope::kProcess);
    TakeRecentErrors();
    SetErrorScope(ErrorScope::kThread);
    TakeRecentErrors();
    TakeLastError();
  }
};

using LastError = RecentErrors;

TEST_F(RecentErrors, AreNullWhenNothingFailed) {
  EXPECT_EQ(TakeRecentErrors(), nullptr);
}

TEST_F(RecentErrors, ComeNewestFirstAndOnce) {
  AddRecentError("one");
  AddRecentError("two");
  EXPECT_STREQ(TakeRecentErrors(), "two\none");
  EXPECT_EQ(TakeRecentErrors(), nullptr);
}

TEST_F(RecentErrors, HaveTheAnswerOfAQuestionOnlyWhereNothingElseFailed) {
  AddRecentError("no such package", Lasting::kUntilNextFailure);
  AddRecentError("no such device", Lasting::kUntilNextFailure);
  EXPECT_STREQ(TakeRecentErrors(), "no such device");
  EXPECT_EQ(TakeRecentErrors(), nullptr);
  AddRecentError("no such package", Lasting::kUntilNextFailure);
  AddRecentError("out of memory");
  AddRecentError("nothing to destroy", Lasting::kUntilNextFailure);
  EXPECT_STREQ(TakeRecentErrors(), "out of memory");
  EXPECT_EQ(TakeRecentErrors(), nullptr);
}

TEST_F(RecentErrors, StayValidUntilTheNextCall) {
  AddRecentError("first");
  const char* text = TakeRecentErrors();
  AddRecentError("second");
  EXPECT_STREQ(text, "first");
  EXPECT_STREQ(TakeRecentErrors(), "second");
}

TEST_F(RecentErrors, KeepOnlyTheNewest) {
  for (std::size_t i = 0; i < kMaxRecentErrors + 3; ++i)
    AddRecentError(std::to_string(i));
  const std::string text = TakeRecentErrors();
  EXPECT_EQ(text.substr(0, 6), "66\n65\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), kMaxRecentErrors);
  EXPECT_NE(text.find("\n3\n(3 older messages were dropped)"), std::string::npos);
  AddRecentError("later");
  EXPECT_STREQ(TakeRecentErrors(), "later");
}

TEST_F(RecentErrors, OfAnotherThreadAreNotSeenInThreadScope) {
  std::thread([] {
    AddRecentError("elsewhere");
    EXPECT_STREQ(TakeRecentErrors(), "elsewhere");
    AddRecentError("left behind");
  }).join();
  EXPECT_EQ(TakeRecentErrors(), nullptr);
}

TEST_F(RecentErrors, OfEveryThreadAreSeenInProcessScope) {
  SetErrorScope(ErrorScope::kProcess);
  std::thread([] { AddRecentError("elsewhere"); }).join();
  AddRecentError("here");
  EXPECT_STREQ(TakeRecentErrors(), "here\nelsewhere");
  EXPECT_EQ(TakeRecentErrors(), nullptr);
}

// Destroyed after the thread's own list, because it is made before the first failure.
struct FailsAtThreadExit {
  bool used = false;
  ~FailsAtThreadExit() {
    if (!used) return;
    AddRecentError("at the end");
    EXPECT_STREQ(TakeRecentErrors(), "at the end");
  }
};

TEST_F(RecentErrors, MayBeUsedByDestructorsOfAnEndingThread) {
  std::thread([] {
    static thread_local FailsAtThreadExit last;
    last.used = true;
    AddRecentError("before");
  }).join();
}

TEST_F(RecentErrors, DoNotHangAForkedChild) {
  SetErrorScope(ErrorScope::kProcess);
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop)
      AddRecentError("busy");
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      AddRecentError("child");
      _exit(TakeRecentErrors() != nullptr ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

TEST_F(RecentErrors, MayBeUsedDuringStaticDestruction) {
  const pid_t child = fork();
  if (child == 0) {
    AddRecentError("before the end");
    std::atexit([] { _exit(std::string(TakeRecentErrors()) == "before the end" ? 0 : 1); });
    std::exit(2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(LastError, IsKeptByPeekAndClearedByTake) {
  EXPECT_EQ(PeekLastError(), kSuccess);
  SetLastError(kRtParamInvalid);
  EXPECT_EQ(PeekLastError(), kRtParamInvalid);
  EXPECT_EQ(TakeLastError(), kRtParamInvalid);
  EXPECT_EQ(TakeLastError(), kSuccess);
}

TEST_F(LastError, BelongsToItsThread) {
  SetLastError(kRtParamInvalid);
  std::thread([] { EXPECT_EQ(PeekLastError(), kSuccess); }).join();
  EXPECT_EQ(PeekLastError(), kRtParamInvalid);
}

TEST_F(LastError, IsSetByFailuresOfTheRuntimeLayerOnly) {
  ReportFailure("aclmdlExecute", "", Error(kInvalidParam, "bad"));
  EXPECT_EQ(PeekLastError(), kSuccess);
  ReportFailure("aclrtMalloc", "", Error(kRtParamInvalid, "bad"));
  EXPECT_EQ(PeekLastError(), kRtParamInvalid);
}

TEST_F(RecentErrors, HoldTheTextOfAFailedCall) {
  ReportFailure("aclrtMalloc", "size=0", Error(kRtParamInvalid, "size must not be 0."));
  const std::string text = TakeRecentErrors();
  EXPECT_NE(text.find("aclrtMalloc(size=0) failed: size must not be 0."), std::string::npos) << text;
}

}  // namespace
}  // namespace foothold
