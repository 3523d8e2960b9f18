// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/library_threads.h"

#include <dirent.h>

#include "base/process_events.h"

namespace foothold {

std::atomic<int> LibraryThread::count_{0};

namespace {

const AtFork at_fork(ForkStage::kThreads, {.in_child = LibraryThread::ForgetAll});

}  // namespace

int ThreadsOfProcess() noexcept {
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return 0;
  int count = 0;
  while (const dirent* const entry = readdir(folder))
    if (entry->d_name[0] != '.') ++count;
  closedir(folder);
  return count;
}

}  // namespace foothold
