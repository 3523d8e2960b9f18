// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/process_events.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

namespace foothold {
namespace {

std::string seen;  // what the handlers below have written; only while `watching`
bool watching = false;

template <char when, char who>
void Write() {
  if (watching) seen += {when, who};
}
template <char who>
AtFork::Does Writing() {
  return {Write<'<', who>, Write<'p', who>, Write<'c', who>};
}
// Registered in an order that is none of the stages.
const AtFork tables(ForkStage::kTables, Writing<'t'>());
const AtFork process(ForkStage::kProcess, Writing<'p'>());
const AtFork connections(ForkStage::kConnections, Writing<'n'>());
const AtFork log(ForkStage::kLog, Writing<'l'>());

// What the child has seen; the parent's is in `seen`.
std::string Fork() {
  seen.clear();
  watching = true;
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto written = write(ends[1], seen.data(), seen.size());
    _exit(written == static_cast<ssize_t>(seen.size()) ? 0 : 1);
  }
  watching = false;
  close(ends[1]);
  char text[256];
  const auto length = read(ends[0], text, sizeof text);
  close(ends[0]);
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return std::string(text, length > 0 ? static_cast<std::size_t>(length) : 0);
}

TEST(AtFork, GoesInwardsBeforeAndOutwardsAfterwards) {
  for (int again = 0; again < 2; ++again) {
    const std::string before = "<n<t<l<p";
    EXPECT_EQ(Fork(), before + "cpclctcn");
    EXPECT_EQ(seen, before + "ppplptpn");
  }
}

// One that comes while another thread forks is told of all of that fork or of nothing.
TEST(AtFork, TakesPartInWholeForksOnly) {
  static std::atomic<int> inside{0}, wrong{0};
  std::atomic<bool> stop{false};
  std::thread joining([&] {
    for (int i = 0; i < 200 && !stop; ++i)
      new AtFork(ForkStage::kErrors, {[] { ++inside; }, [] { wrong += --inside < 0; }, nullptr});
    stop = true;
  });
  do {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
  } while (!stop);
  joining.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(inside, 0);
}

// In a process of its own, which leaves by exit; what is asked for last does not run first.
TEST(AtExit, RunsTheStagesInTheirOrder) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  static int to;
  to = ends[1];
  const pid_t child = fork();
  if (child == 0) {
    AtExit(ExitStage::kFindings, [] { (void)!write(to, "f", 1); });
    AtExit(ExitStage::kTimeline, [] { (void)!write(to, "t", 1); });
    AtExit(ExitStage::kConnections, [] { (void)!write(to, "c", 1); });
    exit(0);
  }
  close(ends[1]);
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  char text[8] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text), 3);
  EXPECT_STREQ(text, "ctf");
  close(ends[0]);
}

}  // namespace
}  // namespace foothold
