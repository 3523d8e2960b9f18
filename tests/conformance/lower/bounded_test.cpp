// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies and texts that know how much room there is.
#include <cstdarg>
#include <cstring>
#include <string>

#include "conformance/lower/by_name.h"

namespace {

constexpr int kOk = 0, kInvalid = 22, kOutOfRange = 34, kInvalidCleared = 150, kOutOfRangeCleared = 162,
              kOverlapCleared = 182;

using CopyBytes = int(void*, size_t, const void*, size_t);
using CopyText = int(char*, size_t, const char*);
using CopyPart = int(char*, size_t, const char*, size_t);

TEST(memcpy_s, CopiesWhatFitsAndClearsTheRoomElse) {
  for (const char* const name : {"memcpy_s", "memmove_s"}) {
    auto* const copy = ByName<CopyBytes>(name);
    char room[4] = {1, 2, 3, 4};
    EXPECT_EQ(copy(room, 4, "abc", 4), kOk);
    EXPECT_STREQ(room, "abc");
    EXPECT_EQ(copy(room, 4, "abcde", 5), kOutOfRangeCleared);
    EXPECT_EQ(std::string(room, 4), std::string(4, '\0'));
    EXPECT_EQ(copy(room, 4, nullptr, 1), kInvalidCleared);
    EXPECT_EQ(copy(nullptr, 4, "a", 1), kInvalid);
    EXPECT_EQ(copy(room, 0, "a", 1), kOutOfRange);
    EXPECT_EQ(copy(room, size_t{1} << 31, "a", 1), kOutOfRange);
  }
}

TEST(memcpy_s, KnowsPlacesThatOverlap) {
  char text[] = "abcdef";
  EXPECT_EQ(ByName<CopyBytes>("memmove_s")(text + 1, 5, text, 5), kOk);
  EXPECT_STREQ(text, "aabcde");
  EXPECT_EQ(ByName<CopyBytes>("memcpy_s")(text, 6, text, 6), kOk);
  EXPECT_EQ(ByName<CopyBytes>("memcpy_s")(text + 1, 5, text, 5), kOverlapCleared);
  EXPECT_STREQ(text, "a");
}

TEST(memset_s, FillsTheRoomAtMost) {
  auto* const fill = ByName<int(void*, size_t, int, size_t)>("memset_s");
  char room[4] = {};
  EXPECT_EQ(fill(room, 3, 'x', 2), kOk);
  EXPECT_STREQ(room, "xx");
  EXPECT_EQ(fill(room, 3, 'y', 4), kOutOfRangeCleared);
  EXPECT_STREQ(room, "yyy");
  EXPECT_EQ(fill(nullptr, 3, 0, 1), kInvalid);
  EXPECT_EQ(fill(room, 0, 0, 1), kOutOfRange);
}

TEST(strcpy_s, LeavesNoTextWhereItDoesNotFit) {
  auto* const copy = ByName<CopyText>("strcpy_s");
  char room[4] = "old";
  EXPECT_EQ(copy(room, 4, "abcd"), kOutOfRangeCleared);
  EXPECT_STREQ(room, "");
  EXPECT_EQ(copy(room, 4, "abc"), kOk);
  EXPECT_STREQ(room, "abc");
  EXPECT_EQ(copy(room, 4, room), kOk);
  EXPECT_EQ(copy(room, 4, room + 1), kOverlapCleared);
  EXPECT_EQ(copy(room, 4, nullptr), kInvalidCleared);
  EXPECT_EQ(copy(nullptr, 4, "a"), kInvalid);
}

TEST(strncpy_s, TakesTheBeginning) {
  auto* const copy = ByName<CopyPart>("strncpy_s");
  char room[4] = "old";
  EXPECT_EQ(copy(room, 4, "abcdef", 3), kOk);
  EXPECT_STREQ(room, "abc");
  EXPECT_EQ(copy(room, 4, "abcdef", 4), kOutOfRangeCleared);
  EXPECT_STREQ(room, "");
  EXPECT_EQ(copy(room, 4, "ab", 100), kOk);
  EXPECT_STREQ(room, "ab");
}

TEST(strcat_s, PutsTextsBehindTexts) {
  char room[6] = "ab";
  EXPECT_EQ(ByName<CopyText>("strcat_s")(room, 6, "c"), kOk);
  EXPECT_EQ(ByName<CopyPart>("strncat_s")(room, 6, "defgh", 2), kOk);
  EXPECT_STREQ(room, "abcde");
  EXPECT_EQ(ByName<CopyText>("strcat_s")(room, 6, "f"), kOutOfRangeCleared);
  EXPECT_STREQ(room, "");
  std::memset(room, 'x', sizeof room);
  EXPECT_EQ(ByName<CopyText>("strcat_s")(room, 6, "f"), kInvalidCleared) << "no end in the room";
}

TEST(strtok_s, GoesOnWhereItWas) {
  auto* const next = ByName<char*(char*, const char*, char**)>("strtok_s");
  char text[] = "a,b;c";
  char* place = nullptr;
  EXPECT_STREQ(next(text, ",;", &place), "a");
  EXPECT_STREQ(next(nullptr, ",;", &place), "b");
  EXPECT_STREQ(next(nullptr, ",;", &place), "c");
  EXPECT_EQ(next(nullptr, ",;", &place), nullptr);
  EXPECT_EQ(next(text, ",;", nullptr), nullptr);
}

TEST(sprintf_s, PrintsWhatFits) {
  auto* const print = ByName<int(char*, size_t, const char*, ...)>("sprintf_s");
  char room[6] = "old";
  EXPECT_EQ(print(room, 6, "%s-%d", "ab", 12), 5);
  EXPECT_STREQ(room, "ab-12");
  EXPECT_EQ(print(room, 6, "%s-%d", "ab", 123), -1);
  EXPECT_STREQ(room, "");
  EXPECT_EQ(print(nullptr, 6, "a"), -1);
  EXPECT_EQ(print(room, 0, "a"), -1);
}

TEST(snprintf_s, CutsAtTheCountAndNotAtTheRoom) {
  auto* const print = ByName<int(char*, size_t, size_t, const char*, ...)>("snprintf_s");
  char room[6] = "old";
  EXPECT_EQ(print(room, 6, 5, "%s", "abcde"), 5);
  EXPECT_EQ(print(room, 6, 3, "%s", "abcde"), -1);
  EXPECT_STREQ(room, "abc");
  EXPECT_EQ(print(room, 6, 6, "%s", "abcdef"), -1);
  EXPECT_STREQ(room, "");
  EXPECT_EQ(print(room, 6, SIZE_MAX, "%s", "abc"), 3);
  EXPECT_EQ(print(room, 6, size_t{1} << 31, "%s", "abc"), -1);
}

TEST(snprintf_truncated_s, AnswersTheLengthOfWhatIsLeft) {
  auto* const print = ByName<int(char*, size_t, const char*, ...)>("snprintf_truncated_s");
  char room[4] = "old";
  EXPECT_EQ(print(room, 4, "%s", "abcde"), 3);
  EXPECT_STREQ(room, "abc");
  EXPECT_EQ(print(room, 4, "%s", "ab"), 2);
  EXPECT_EQ(print(room, 0, "%s", "ab"), -1);
}

int Forward(const char* name, char* room, size_t bytes, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = ByName<int(char*, size_t, const char*, va_list)>(name)(room, bytes, format, arguments);
  va_end(arguments);
  return length;
}

TEST(vsprintf_s, PrintsWhatOthersWereGiven) {
  char room[4] = "";
  EXPECT_EQ(Forward("vsprintf_s", room, 4, "%d", 123), 3);
  EXPECT_EQ(Forward("vsprintf_s", room, 4, "%d", 1234), -1);
  EXPECT_EQ(Forward("vsnprintf_truncated_s", room, 4, "%d", 1234), 3);
  EXPECT_STREQ(room, "123");
}

}  // namespace
