// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/stillness.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/per_process.h"

namespace foothold::check {
namespace {

// More than lies between two looks of a thread that gets its processor.
constexpr Nanoseconds kMostAtOnce = 250 * kMillisecond;

// One per process: a report that another thread was writing is none of a forked child's.
struct Reports {
  std::atomic<int> count{0};
};

thread_local Nanoseconds report_time = 0;

Nanoseconds ClockOf(clockid_t clock) noexcept {
  timespec time;
  return clock_gettime(clock, &time) == 0 ? time.tv_sec * kSecond + time.tv_nsec : 0;
}

// The beginning of a short file; empty if it cannot be read.
struct ShortFile {
  char text[512] = {};
  ShortFile(int folder, const char* path) noexcept {
    const int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, text, sizeof text - 1) < 0) text[0] = '\0';
    close(file);
  }
};

// Runs, waits for a processor, or for a page: "17 (name of the thread) R 1 ...", the name has anything in it.
bool CouldRun(int folder, const char* thread) noexcept {
  const int inside = openat(folder, thread, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (inside < 0) return false;
  const ShortFile stat(inside, "stat");
  close(inside);
  const char* const end = strrchr(stat.text, ')');
  return end != nullptr && end[1] == ' ' && (end[2] == 'R' || end[2] == 'D');
}

bool AnotherCouldRun() noexcept {
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return false;
  const long self = syscall(SYS_gettid);
  bool could = false;
  while (const dirent* const entry = readdir(folder)) {
    if (entry->d_name[0] == '.' || strtol(entry->d_name, nullptr, 10) == self) continue;
    could = CouldRun(dirfd(folder), entry->d_name);
    if (could) break;
  }
  closedir(folder);
  return could;
}

}  // namespace

Glance GlanceAtProcess() noexcept {
  Glance glance;
  glance.now = Now();
  glance.reports = ReportTime::IsAnywhere();
  glance.wants = AnotherCouldRun();
  glance.worked = ClockOf(CLOCK_PROCESS_CPUTIME_ID) - ClockOf(CLOCK_THREAD_CPUTIME_ID);
  return glance;
}

void Stillness::Restart(const Glance& glance) noexcept {
  last_ = glance;
  time_ = 0;
}

void Stillness::Continue(const Glance& glance) noexcept {
  const Nanoseconds passed = std::min(glance.now - last_.now, kMostAtOnce);
  // Of threads that share a processor fairly, each has had its turn once the others have worked for long.
  const Nanoseconds worked = std::max<Nanoseconds>(0, glance.worked - last_.worked);
  if (!glance.reports) time_ += glance.wants ? std::min(passed, worked) : passed;
  last_ = glance;
}

ReportTime::ReportTime() noexcept : begin_(Now()) {
  PerProcess<Reports>::Get().count.fetch_add(1);
}

ReportTime::~ReportTime() {
  PerProcess<Reports>::Get().count.fetch_sub(1);
  report_time += Now() - begin_;
}

bool ReportTime::IsAnywhere() noexcept {
  return PerProcess<Reports>::Get().count.load() > 0;
}

Nanoseconds ReportTime::OfThread() noexcept {
  return report_time;
}

// "time on a processor, time it waited for one, how often", in nanoseconds.
Nanoseconds WaitedForProcessor() noexcept {
  const ShortFile file(AT_FDCWD, "/proc/thread-self/schedstat");
  const char* const second = strchr(file.text, ' ');
  return second == nullptr ? 0 : strtoll(second, nullptr, 10);
}

}  // namespace foothold::check
