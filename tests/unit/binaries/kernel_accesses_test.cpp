// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tasks of kernels say they touch, and that a copy of one does the work again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "binaries/kernel_launch.h"
#include "binaries/symbols.h"
#include "unit/device/stored_tasks.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Arguments {
  const int* from;
  int* to;
};

void Double(const KernelBlock* block, const void* args) {
  const auto& a = *static_cast<const Arguments*>(args);
  a.to[block->index] = 2 * a.from[block->index];
}

std::size_t DoubleAccesses(const KernelBlock* block, const void* args, KernelAccess* list, std::size_t room) {
  const auto& a = *static_cast<const Arguments*>(args);
  const std::size_t bytes = block->count * sizeof(int);
  if (room >= 2) {
    list[0] = {a.to, bytes, kKernelWrites, 0};
    list[1] = {a.from, bytes, kKernelReads, 0};
  }
  return 2;
}

std::shared_ptr<KernelFunction> Function(KernelAccesses accesses) {
  return std::make_shared<KernelFunction>(KernelFunction::Parts{"Double", &Double, 0, accesses},
                                          std::make_shared<Binary>(nullptr, false));
}

TEST_F(TaskAccesses, OfAKernelThatDeclaresThem) {
  int* const from = OnDevice<int>({1, 2, 3});
  int* const to = OnDevice<int>({0, 0, 0});
  const Arguments arguments{from, to};
  Queue(Stored(), MakeLaunch(Function(&DoubleAccesses), {3}, "test", &arguments, sizeof arguments, {}));
  EXPECT_THAT(Accesses(), ElementsAre(Reads(from, 12), Writes(to, 12)));
  RunTwice([&] {
    EXPECT_THAT(Read(to, 3), ElementsAre(2, 4, 6));
    Write(from, {7, 8, 9});
  });
  EXPECT_THAT(Read(to, 3), ElementsAre(14, 16, 18));
}

TEST_F(TaskAccesses, OfAKernelThatDeclaresNone) {
  int* const from = OnDevice<int>({1, 2});
  int* const to = OnDevice<int>({0, 0});
  const Arguments arguments{from, to};
  Queue(Stored(), MakeLaunch(Function(nullptr), {2}, "test", &arguments, sizeof arguments, {}));
  EXPECT_THAT(Accesses(), IsEmpty());
  RunTwice([&] { Write(to, {0, 0}); });
  EXPECT_THAT(Read(to, 2), ElementsAre(2, 4));
}

TEST_F(TaskAccesses, OfAKernelWithArgumentsOnTheDevice) {
  int* const from = OnDevice<int>({5});
  int* const to = OnDevice<int>({0});
  const Arguments* const arguments = OnDevice<Arguments>({{from, to}});
  Queue(Stored(), MakeLaunchFrom(Function(&DoubleAccesses), {1}, "test", arguments, sizeof *arguments));
  EXPECT_THAT(Accesses(), ElementsAre(Reads(arguments, sizeof *arguments)));
  RunTwice([&] { Write(to, {0}); });
  EXPECT_THAT(Read(to, 1), ElementsAre(10));
}

}  // namespace
}  // namespace foothold
