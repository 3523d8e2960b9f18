// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "foothold/child_process.h"
#include "foothold/doctor.h"
#include "foothold/model_buffers.h"
#include "kernels/winograd.h"

namespace foothold::doctor {
namespace {

constexpr unsigned kSeconds = 30;
constexpr std::size_t kBytes = 1 << 20;

void UseDevice() {
  void* memory = nullptr;
  aclrtStream stream = nullptr;
  RUN_CHECK(aclInit(nullptr));
  RUN_CHECK(aclrtSetDevice(0));
  RUN_CHECK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  RUN_CHECK(aclrtCreateStream(&stream));
  RUN_CHECK(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
  RUN_CHECK(aclrtSynchronizeStream(stream));
  RUN_CHECK(aclrtFree(memory));
}

void StartThreads() {
  std::vector<std::thread> threads;
  const auto wanted = static_cast<std::size_t>(ParallelThreads());
  std::string problem;
  try {
    while (threads.size() < wanted)
      threads.emplace_back([] {});
  } catch (const std::system_error& error) {
    problem = fmt::format("only {} of {} threads could be started: {}", threads.size(), wanted,
                          error.code().message());
  }
  for (std::thread& thread : threads)
    thread.join();
  if (!problem.empty()) throw std::runtime_error(problem);
}

void Try() {
  WinogradSide({});  // reads its setting
  StartThreads();
  UseDevice();
}

// Messages name the settings that decide.
std::string MendOf(const std::string& text) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    const bool setting = name.starts_with("FOOTHOLD_") || name.starts_with("ASCEND_");
    if (setting && text.find(name) != std::string::npos) return "unset " + name;
  }
  return "see the limits above; ulimit -a shows those of the shell";
}

}  // namespace

void CheckTrial(const Subject&, Findings& findings) {
  const ChildResult result = RunInChild(&Try, kSeconds);
  std::string failure;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("foothold: ")) {  // what the library tells of a setting it cannot use
      findings.Bad(line.substr(line.find(' ') + 1), MendOf(line));
    } else if (!line.empty()) {
      failure += (failure.empty() ? "" : "\n        ") + line;
    }
  }
  if (result.fine) return findings.Fine("a device starts, and a stream runs a task");
  findings.Bad(failure.empty() ? "the trial ended without a word" : failure, MendOf(failure));
}

}  // namespace foothold::doctor
