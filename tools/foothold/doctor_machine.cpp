// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <string_view>

#include "base/cgroup.h"
#include "base/environment.h"
#include "foothold/doctor.h"
#include "kernels/cpu_target.h"

namespace foothold::doctor {
namespace {

constexpr std::uint64_t kLittleMemory = 1u << 30;
constexpr rlim_t kFewFiles = 128;

// The library itself would also tell of a value it cannot use; that is the trial's.
int ParallelThreads() {
  const std::optional<std::int64_t> threads = ParseInt(Variable("FOOTHOLD_THREADS"));
  return threads && *threads >= 1 && *threads <= 1024 ? static_cast<int>(*threads) : UsableCpus();
}

// Beside the threads that compute: streams, timers, reports and those of the program.
std::uint64_t ThreadsWanted() {
  return 2 * static_cast<std::uint64_t>(ParallelThreads()) + 16;
}

std::string Gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

void CheckProcessor(Findings& findings) {
  const std::string_view target = CpuTarget();
  const bool slow = target.starts_with("SSE") || target.starts_with("SSSE") || target.starts_with("EMU");
  const std::string text = fmt::format("kernels use {}", target);
  if (!slow) return findings.Fine(text);
  findings.Note(text + ": everything works, but AVX2 is several times as fast",
                "give the virtual machine the processor of its host: qemu -cpu host");
}

void CheckMemory(const CgroupLimits& limits, Findings& findings) {
  const std::uint64_t usable = std::min(UsableMemory(), limits.memory_bytes.value_or(UsableMemory()));
  const std::string text = fmt::format("{} of memory{}", Gibibytes(usable),
                                       limits.memory_bytes ? ", a limit of the control group" : "");
  if (usable >= kLittleMemory) return findings.Fine(text);
  findings.Note(text + ": little for networks", "docker run --memory=4g, or MemoryMax= of the systemd unit");
}

void CheckThreads(const CgroupLimits& limits, Findings& findings) {
  const int threads = ParallelThreads(), cpus = UsableCpus();
  const std::string text =
      fmt::format("{} threads compute on {} processors{}", threads, cpus,
                  limits.cpus ? fmt::format(" (control group: {:g})", *limits.cpus) : "");
  if (threads > cpus) {
    findings.Note(text + ": more threads than processors slow each other down", "unset FOOTHOLD_THREADS");
  } else {
    findings.Fine(text);
  }
  if (limits.tasks && *limits.tasks < ThreadsWanted())
    findings.Bad(fmt::format("the control group allows {} threads and processes; {} are wanted",
                             *limits.tasks, ThreadsWanted()),
                 "docker run --pids-limit=-1, or TasksMax=infinity of the systemd unit");
}

// Text of a limit that is lower than wanted.
void CheckLimit(decltype(RLIMIT_AS) which, rlim_t wanted, const char* what, const char* mend,
                Findings& findings) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur >= wanted) return;
  findings.Note(fmt::format("the limit of {} is {}", what, limit.rlim_cur), mend);
}

}  // namespace

void CheckMachine(const Subject& subject, Findings& findings) {
  const CgroupLimits limits = ReadCgroupLimits(subject.root);
  CheckProcessor(findings);
  CheckMemory(limits, findings);
  CheckThreads(limits, findings);
  CheckLimit(RLIMIT_AS, RLIM_INFINITY, "address space, from which device memory is reserved",
             "ulimit -v unlimited", findings);
  CheckLimit(RLIMIT_NPROC, ThreadsWanted(), "threads of this user", "ulimit -u 4096", findings);
  CheckLimit(RLIMIT_NOFILE, kFewFiles, "open files", "ulimit -n 1024", findings);
}

}  // namespace foothold::doctor
