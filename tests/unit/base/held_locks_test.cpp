// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Only in the build that counts locks (make locks-check).
#ifdef FOOTHOLD_LOCKS_CHECK

#include "base/held_locks.h"

#include <gtest/gtest.h>

#include <mutex>
#include <shared_mutex>

#include "base/spin.h"

namespace foothold {
namespace {

template <typename Lock>
class HeldLocksDeathTest : public testing::Test {};
using Locks = testing::Types<std::mutex, std::shared_mutex, SpinLock>;
TYPED_TEST_SUITE(HeldLocksDeathTest, Locks);

TYPED_TEST(HeldLocksDeathTest, EndsTheProcessInsideALockOnly) {
  TypeParam lock;
  EXPECT_DEATH(
      {
        const std::lock_guard held(lock);
        EnterProgram("a test");
      },
      "a test is called with 1 locks held");
  { const std::lock_guard held(lock); }
  EnterProgram("a test");
}

}  // namespace
}  // namespace foothold

#endif
