// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/child_process.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

namespace foothold::doctor {
namespace {

constexpr int kCannotStart = 127;

std::string ReadAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text;
}

[[noreturn]] void BeChild(const std::function<void()>& function, int output, unsigned seconds) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  alarm(seconds);
  int status = 0;
  try {
    function();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    status = 1;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(status);
}

ChildResult Wait(pid_t child, std::string output) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) output += "it did not end in time\n";
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM)
    output += fmt::format("it died: {}\n", strsignal(WTERMSIG(status)));
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, std::move(output)};
}

}  // namespace

ChildResult RunInChild(const std::function<void()>& function, unsigned seconds) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return {false, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) BeChild(function, ends[1], seconds);
  const int why = errno;
  close(ends[1]);
  std::string output = child < 0 ? std::strerror(why) : ReadAll(ends[0]);
  close(ends[0]);
  if (child < 0) return {false, std::move(output)};
  return Wait(child, std::move(output));
}

ChildResult RunProgram(const std::vector<std::string>& words, unsigned seconds) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return RunInChild(
      [&] {
        execvp(arguments[0], arguments.data());
        fmt::print(stderr, "{}: {}\n", words[0], std::strerror(errno));
        std::fflush(stderr);
        _exit(kCannotStart);
      },
      seconds);
}

}  // namespace foothold::doctor
