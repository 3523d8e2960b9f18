// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/exception_callbacks.h"

#include <gtest/gtest.h>

#include <vector>

namespace foothold {
namespace {

std::vector<std::uint32_t> codes;
void NoteCode(rtExceptionInfo* info) {
  codes.push_back(info->code);
}
void Throw(rtExceptionInfo*) {
  throw 1;
}

TEST(ExceptionCallbacks, CallTheSlotAndEachOfTheList) {
  codes.clear();
  ExceptionCallbacks callbacks;
  callbacks.Notify({1, 0, 0, 0, 0});
  EXPECT_TRUE(codes.empty());
  callbacks.SetSlot(NoteCode);
  callbacks.Add(NoteCode);
  callbacks.Add(NoteCode);
  callbacks.Notify({2, 0, 0, 0, 0});
  EXPECT_EQ(codes, (std::vector<std::uint32_t>{2, 2}));
  callbacks.Remove(NoteCode);
  callbacks.Notify({3, 0, 0, 0, 0});
  EXPECT_EQ(codes.size(), 3u);
  callbacks.Clear();
  callbacks.Notify({4, 0, 0, 0, 0});
  EXPECT_EQ(codes.size(), 3u);
}

TEST(ExceptionCallbacks, SurviveOneThatThrows) {
  codes.clear();
  ExceptionCallbacks callbacks;
  callbacks.SetSlot(Throw);
  callbacks.Add(NoteCode);
  callbacks.Notify({5, 0, 0, 0, 0});
  EXPECT_EQ(codes, std::vector<std::uint32_t>{5});
}

}  // namespace
}  // namespace foothold
