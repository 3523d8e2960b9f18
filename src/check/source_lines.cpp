// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/source_lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <sstream>

#include "base/clock.h"

namespace foothold::check {
namespace {

constexpr Nanoseconds kMostWork = 5 * kSecond;  // processor time, which a busy machine does not change
constexpr Nanoseconds kPause = 100 * kMillisecond;
constexpr int kMostPauses = 600;  // without a word
std::atomic<bool> given_up{false};

// Only what is safe between fork and exec in a process with threads.
[[noreturn]] void BecomeProgram(const char* program, char* const* arguments, int output) {
  static char* const kNoEnvironment[] = {const_cast<char*>("LC_ALL=C"), nullptr};
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execve(program, arguments, kNoEnvironment);
  _exit(127);
}

Nanoseconds WorkOf(pid_t process) {
  clockid_t clock;
  timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return time.tv_sec * kSecond + time.tv_nsec;
}

// What comes until the other end closes; nothing if that takes too long.
bool ReadAll(pid_t process, int from, std::string& text) {
  char buffer[4096];
  for (int pauses = 0; pauses < kMostPauses && WorkOf(process) < kMostWork;) {
    pollfd wait{from, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(kPause / kMillisecond));
    if (ready < 0 && errno != EINTR) return false;
    if (ready == 0) ++pauses;
    if (ready <= 0) continue;
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count <= 0) return count == 0;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return false;
}

// A clone that tells nobody when it ends: wait() of the program does not see it, and no SIGCHLD is sent.
bool RunProgram(const char* program, std::vector<std::string>& words, std::string& output) {
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const long child = syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) BecomeProgram(program, arguments.data(), ends[1]);
  close(ends[1]);
  const bool whole = child > 0 && ReadAll(static_cast<pid_t>(child), ends[0], output);
  close(ends[0]);
  if (child <= 0) return false;
  if (!whole) kill(static_cast<pid_t>(child), SIGKILL);
  int status = 0;
  while (waitpid(static_cast<pid_t>(child), &status, __WCLONE) < 0 && errno == EINTR) {
  }
  return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// "file.cpp:12 (discriminator 3)", "??:0", "??:?"
void ReadPlace(const std::string& text, SourceLine& into) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || text.starts_with("??")) return;
  into.file = text.substr(0, colon);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), into.line);
}

// With -a each address stands on a line of its own before its answers, which are two lines each.
std::vector<std::vector<SourceLine>> Parse(const std::string& output, std::size_t addresses) {
  std::vector<std::vector<SourceLine>> found;
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("0x")) {
      found.emplace_back();
      continue;
    }
    std::string place;
    if (found.empty() || !std::getline(lines, place)) break;
    SourceLine& one = found.back().emplace_back();
    if (line != "??") one.function = line;
    ReadPlace(place, one);
  }
  found.resize(addresses);
  return found;
}

}  // namespace

std::vector<std::vector<SourceLine>> FindSourceLines(const std::string& path,
                                                     const std::vector<std::uint64_t>& addresses) {
  static constexpr const char* kProgram = "/usr/bin/addr2line";
  if (given_up.load() || addresses.empty() || access(kProgram, X_OK) != 0)
    return std::vector<std::vector<SourceLine>>(addresses.size());
  std::vector<std::string> words = {"addr2line", "-e", path, "-a", "-f", "-C", "-i"};
  for (const std::uint64_t address : addresses)
    words.push_back(fmt::format("{:#x}", address));
  std::string output;
  if (!RunProgram(kProgram, words, output)) {
    given_up.store(true);
    output.clear();
  }
  return Parse(output, addresses.size());
}

}  // namespace foothold::check
