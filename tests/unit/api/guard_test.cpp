// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/guard.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace foothold {
namespace {

class GuardTest : public ::testing::Test {
 protected:
  void SetUp() override { TakeRecentErrors(); }
  static std::string Text() {
    const char* text = TakeRecentErrors();
    return text == nullptr ? "" : text;
  }
};

enum Kind { kOne = 1 };
struct Opaque {};

int aclrtExample(void* dst, std::size_t count, Kind kind, const char* path, Opaque by_value) {
  return Guard(FOOTHOLD_CALL(dst, count, kind, path, by_value), [&] {
    FOOTHOLD_NOT_NULL(dst);
    if (count > 8) Fail(kRtInvalidMemoryType, "count ({}) is larger than 8", count);
  });
}

TEST_F(GuardTest, LeavesNothingBehindOnSuccess) {
  int value = 0;
  EXPECT_EQ(aclrtExample(&value, 1, kOne, "", {}), kSuccess);
  EXPECT_EQ(Text(), "");
}

TEST_F(GuardTest, DescribesTheCall) {
  EXPECT_EQ(aclrtExample(nullptr, 3, kOne, "a\n\"b\"", {}), kRtParamInvalid);
  const std::string text = Text();
  EXPECT_EQ(text.substr(0, text.find(" [")),
            R"(EE1004: aclrtExample(dst=null, count=3, kind=1, path="a\n\"b\"", by_value={...}) failed: )"
            "dst must not be null.");
}

TEST_F(GuardTest, PrintsPointersInHexadecimal) {
  EXPECT_EQ(aclrtExample(reinterpret_cast<void*>(0x1f0), 9, kOne, nullptr, {}), kRtInvalidMemoryType);
  EXPECT_NE(Text().find("(dst=0x1f0, count=9, kind=1, path=null, "), std::string::npos);
}

TEST_F(GuardTest, CutsALongText) {
  const std::string long_text(5000, 'x');
  EXPECT_EQ(aclrtExample(nullptr, 9, kOne, long_text.c_str(), {}), kRtParamInvalid);
  EXPECT_LT(Text().size(), 1000u);
}

TEST_F(GuardTest, LetsNoExceptionPass) {
  EXPECT_EQ(Guard(FOOTHOLD_CALL(), [] { throw std::bad_alloc(); }), kBadAlloc);
  EXPECT_EQ(Guard(FOOTHOLD_CALL(), [] { throw std::runtime_error("odd"); }), kInternalError);
  EXPECT_EQ(Guard(FOOTHOLD_CALL(), [] { throw 1; }), kInternalError);
  EXPECT_NE(Text().find("odd"), std::string::npos);
}

TEST_F(GuardTest, PassesOnCodesOfExpectedOutcomes) {
  EXPECT_EQ(Guard(FOOTHOLD_CALL(), [] { return 207013; }), 207013);
  EXPECT_EQ(Text(), "");
}

TEST_F(GuardTest, AnswersWithTheFallbackValue) {
  EXPECT_EQ(GuardValue(FOOTHOLD_CALL(), 7, [] { return 5; }), 5);
  EXPECT_EQ(GuardValue(FOOTHOLD_CALL(), 7, []() -> int { throw std::bad_alloc(); }), 7);
  EXPECT_NE(Text(), "");
}

}  // namespace
TEST(Guard, QuotesTextsWithAnyBytes) {
  const char* name = "a\"b\\\n\x7f\xf0\x9f\xc3";
  EXPECT_EQ(FOOTHOLD_CALL(name).Describe(), "name=\"a\\\"b\\\\\\n\\x7f\xf0\x9f\xc3\"");
}

TEST(Guard, DoesNotReadRoomForAnswers) {
  char room[4] = {'\xf0', '\x9f', '\xc3', '\xff'};  // without an end
  char* path = room;
  EXPECT_EQ(FOOTHOLD_CALL(path).Describe(),
            fmt::format("path={:#x}", reinterpret_cast<std::uintptr_t>(room)));
}

}  // namespace foothold
