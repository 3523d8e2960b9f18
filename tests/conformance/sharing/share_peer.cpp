// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/sharing/share_peer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "conformance/sharing/peer_commands.h"

namespace {

constexpr int kCommands = 3;  // descriptors of the other process
constexpr int kAnswers = 4;

bool ReadLine(int from, std::string& line) {
  line.clear();
  for (char byte = 0; read(from, &byte, 1) == 1;) {
    if (byte == '\n') return true;
    line += byte;
  }
  return false;
}

bool WriteLine(int to, std::string line) {
  line += '\n';
  return write(to, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

[[noreturn]] void Become(int commands, int answers, uid_t user) {
  // Out of the way first: either may lie where the other one goes.
  const int commands_aside = fcntl(commands, F_DUPFD_CLOEXEC, kAnswers + 1);
  const int answers_aside = fcntl(answers, F_DUPFD_CLOEXEC, kAnswers + 1);
  dup2(commands_aside, kCommands);
  dup2(answers_aside, kAnswers);
  dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
  alarm(100);
  if (user != 0 && (setgid(user) != 0 || setuid(user) != 0)) _exit(126);
  execl("/proc/self/exe", "conformance_tests", "--gtest_filter=SharePeer.DISABLED_DoesWhatItIsTold",
        "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
  _exit(127);
}

}  // namespace

TEST(SharePeer, DISABLED_DoesWhatItIsTold) {
  PeerCommands commands;
  std::string line;
  while (ReadLine(kCommands, line)) {
    if (!WriteLine(kAnswers, commands.Do(line))) break;
  }
}

SharePeer::SharePeer(uid_t user) {
  int commands[2], answers[2];
  EXPECT_EQ(pipe2(commands, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(answers, O_CLOEXEC), 0);
  signal(SIGPIPE, SIG_IGN);  // a killed one is told things, too
  pid_ = fork();
  if (pid_ == 0) Become(commands[0], answers[1], user);
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  EXPECT_EQ(Do("start"), ACL_SUCCESS) << answer_;
}

SharePeer::~SharePeer() {
  if (pid_ == 0) return;
  EXPECT_EQ(Do("stop"), ACL_SUCCESS) << answer_;
  close(to_);
  close(from_);
  int status = -1;
  EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
  EXPECT_EQ(status, 0) << "the other process failed or crashed";
}

void SharePeer::Begin(const std::string& command) {
  EXPECT_TRUE(WriteLine(to_, command)) << command;
}

aclError SharePeer::Finish() {
  std::string line;
  if (!ReadLine(from_, line)) {
    answer_ = "the other process is gone";
    return -1;
  }
  std::size_t used = 0;
  const int code = std::stoi(line, &used);
  answer_ = used < line.size() ? line.substr(used + 1) : "";
  return code;
}

aclError SharePeer::Do(const std::string& command) {
  Begin(command);
  return Finish();
}

std::string SharePeer::Get(const std::string& command) {
  EXPECT_EQ(Do(command), ACL_SUCCESS) << command << ": " << answer_;
  return answer_;
}

namespace {

template <typename Look>
bool Becomes(Look look) {
  for (int i = 0; i < 10'000; ++i) {
    if (look()) return true;
    usleep(1000);
  }
  return false;
}

}  // namespace

bool SharePeer::Comes(const std::string& command, const std::string& answer) {
  return Becomes([&] { return Get(command) == answer; });
}

bool SharePeer::ComesDownTo(const std::string& command, const std::string& most) {
  return Becomes([&] { return std::stoi(Get(command)) <= std::stoi(most); });
}

void SharePeer::Kill() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  close(to_);
  close(from_);
  pid_ = 0;
}
