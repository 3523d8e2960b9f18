// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/stacks.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "check/symbols.h"
#include "check/thread_state.h"

namespace foothold::check {
namespace {

// As an entry point of the API: what it is called by counts.
[[gnu::noinline]] StackId Callee() {
  return TakeStack(__builtin_return_address(0), __builtin_frame_address(0), thread_state);
}
[[gnu::noinline]] StackId Entry() {
  const StackId id = Callee();
  asm volatile("" ::: "memory");
  return id;
}
[[gnu::noinline]] StackId FirstCaller() {
  const StackId id = Entry();
  asm volatile("" ::: "memory");
  return id;
}
[[gnu::noinline]] StackId SecondCaller() {
  const StackId id = Entry();
  asm volatile("" ::: "memory");
  return id;
}

struct InMode {
  explicit InMode(StackMode mode) { SetStackMode(mode); }
  ~InMode() { SetStackMode(StackMode::kAuto); }
};

TEST(Stacks, OneOfTheSamePlaceIsTheSame) {
  std::vector<StackId> ids;
  for (int i = 0; i < 3; ++i)
    ids.push_back(FirstCaller());
  EXPECT_NE(ids[0], 0u);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[1], ids[2]);
}

TEST(Stacks, TellsCallersApartThatStandAtOnePlaceOfTheStack) {
  for (int i = 0; i < 3; ++i) {
    const StackId first = FirstCaller(), second = SecondCaller();
    EXPECT_NE(first, second);
    EXPECT_NE(FramesOf(first)[0], FramesOf(second)[0]);
  }
}

[[gnu::noinline]] StackId CallerOfLines(int line) {
  StackId id = 0;
  switch (line) {
    case 0:
      id = Entry();
      break;
    case 1:
      id = Entry();
      asm volatile("nop" ::: "memory");
      break;
    default:
      id = Entry();
      asm volatile("nop; nop" ::: "memory");
  }
  asm volatile("" ::: "memory");
  return id;
}

TEST(Stacks, TellsLinesOfOneFunctionApart) {
  for (int i = 0; i < 3; ++i) {
    const StackId ids[] = {CallerOfLines(0), CallerOfLines(1), CallerOfLines(2)};
    EXPECT_NE(ids[0], ids[1]);
    EXPECT_NE(ids[1], ids[2]);
    EXPECT_NE(ids[0], ids[2]);
  }
}

TEST(Stacks, RememberedOnesAreThoseOfTheUnwinder) {
  FirstCaller();
  const StackId remembered = FirstCaller();
  const InMode full(StackMode::kFull);
  EXPECT_EQ(FramesOf(FirstCaller())[0], FramesOf(remembered)[0]);
}

TEST(Stacks, CanBeShortOrNone) {
  {
    const InMode caller(StackMode::kCaller);
    std::thread([] { EXPECT_EQ(FramesOf(FirstCaller()).size(), 1u); }).join();
  }
  const InMode none(StackMode::kNone);
  EXPECT_EQ(FirstCaller(), 0u);
  EXPECT_TRUE(FramesOf(0).empty());
}

TEST(Stacks, HaveNames) {
  const std::vector<Frame> frames = ResolveStack(FirstCaller());
  ASSERT_FALSE(frames.empty());
  EXPECT_NE(frames[0].Name().find("FirstCaller"), std::string::npos) << frames[0].Name();
}

}  // namespace
}  // namespace foothold::check
