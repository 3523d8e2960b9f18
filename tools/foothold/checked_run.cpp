// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/checked_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/clock.h"
#include "base/error.h"
#include "check/html_report.h"

namespace foothold {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "foothold-check-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      Fail(kInvalidFile, "no folder for reports can be made in '{}': {}", fs::temp_directory_path().string(),
           std::strerror(errno));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The keyboard's signals go to the program as well, which decides.
class LeftToProgram {
 public:
  LeftToProgram() : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~LeftToProgram() { Restore(); }
  LeftToProgram(const LeftToProgram&) = delete;
  LeftToProgram& operator=(const LeftToProgram&) = delete;
  void Restore() const {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }

 private:
  void (*const interrupt_)(int);
  void (*const quit_)(int);
};

[[noreturn]] void BecomeProgram(const std::vector<std::string>& words, int tell) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t written = write(tell, &why, sizeof why);
  _exit(127);
}

// Leaves the child to be waited for.
void EndAfter(int seconds, pid_t child, CheckedRun& run) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd ends{process, POLLIN, 0};
  const Nanoseconds until = Now() + seconds * kSecond;
  int found = 0;
  do {
    const Nanoseconds left = std::max<Nanoseconds>(until - Now(), 0);
    found = poll(&ends, 1, static_cast<int>(left / kMillisecond));
  } while (found < 0 && errno == EINTR);
  run.took_too_long = found == 0;
  if (process >= 0) close(process);
  if (run.took_too_long) kill(-child, SIGKILL);
}

void Start(const std::vector<std::string>& words,
           const std::vector<std::pair<std::string, std::string>>& variables, int time_limit,
           CheckedRun& run) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) Fail(kInternalError, "no pipe can be made: {}", std::strerror(errno));
  const LeftToProgram signals;
  const pid_t child = fork();
  if (child == 0) {
    signals.Restore();
    if (time_limit > 0) setpgid(0, 0);
    for (const auto& [name, value] : variables)
      setenv(name.c_str(), value.c_str(), 1);
    BecomeProgram(words, ends[1]);
  }
  int why = child < 0 ? errno : 0;
  close(ends[1]);
  if (child > 0 && read(ends[0], &why, sizeof why) != sizeof why) why = 0;
  close(ends[0]);
  if (why != 0) run.cannot_start = std::strerror(why);
  if (child > 0 && time_limit > 0) EndAfter(time_limit, child, run);
  while (child > 0 && waitpid(child, &run.status, 0) < 0 && errno == EINTR) {
  }
}

void ReadLines(const fs::path& path, CheckedRun& run) {
  std::ifstream file(path);
  std::vector<std::string> places;
  for (std::string line; std::getline(file, line);) {
    auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!json.is_object()) continue;
    if (json.value("injected", "") == "allocation=watch")
      places.push_back(json.value("where", ""));
    else if (json.contains("injected"))
      ++run.injected;
    if (json.contains("rule")) run.findings.push_back(std::move(json));
  }
  ++run.processes;
  if (!places.empty()) run.allocations.push_back(std::move(places));
}

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::size_t CheckedRun::Count(const std::string& severity) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return finding.value("severity", "") == severity;
  }));
}

void CheckedRun::Add(CheckedRun other) {
  status = other.status;
  took_too_long = other.took_too_long;
  cannot_start = std::move(other.cannot_start);
  processes += other.processes;
  injected += other.injected;
  for (auto& finding : other.findings)
    findings.push_back(std::move(finding));
  text += other.text;
}

CheckedRun RunChecked(const std::vector<std::string>& words,
                      const std::vector<std::pair<std::string, std::string>>& variables, bool page,
                      int time_limit) {
  const TemporaryFolder folder;
  auto all = variables;
  all.emplace_back("FOOTHOLD_CHECK_OUTPUT",
                   fmt::format("stderr,{0}/%p.json,{0}/%p.txt{1}", folder.path(),
                               page ? fmt::format(",{}/%p.html", folder.path()) : ""));
  CheckedRun run;
  Start(words, all, time_limit, run);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    if (path.extension() == ".json")
      ReadLines(path, run);
    else if (path.extension() == ".html")
      run.sections += check::SectionsOf(ReadText(path));
    else
      run.text += ReadText(path);
  }
  return run;
}

}  // namespace foothold
