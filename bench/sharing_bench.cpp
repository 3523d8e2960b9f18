// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// sharing_bench [results.md [rounds]]: from memory of one process to a copy of it in another.
#include <acl/acl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "report.h"

namespace {

using bench::Check;
using bench::Percentile;
using bench::Seconds;

constexpr std::size_t kBytes = std::size_t{64} << 20;

template <typename T>
void Send(int to, const T& value) {
  if (write(to, &value, sizeof(value)) != static_cast<ssize_t>(sizeof(value))) std::exit(2);
}
template <typename T>
bool Receive(int from, T& value) {
  return read(from, &value, sizeof(value)) == static_cast<ssize_t>(sizeof(value));
}

struct Key {
  char text[65];
};
struct Times {
  double import, copy, plain;
};

// What is compared: the first copy of what was just imported, and a plain one in this process. Both go from
// memory whose bytes exist into the same block.
int Import(int keys, int answers) {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  void *own = nullptr, *target = nullptr;
  Check(aclrtMalloc(&own, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMalloc(&target, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMemset(own, kBytes, 1, kBytes));
  Check(aclrtMemset(target, kBytes, 1, kBytes));
  for (Key key; Receive(keys, key);) {
    const double begin = Seconds();
    std::memcpy(target, own, kBytes);
    const double start = Seconds();
    void* there = nullptr;
    Check(aclrtIpcMemImportByKey(&there, key.text, 0));
    const double imported = Seconds();
    Check(aclrtMemcpy(target, kBytes, there, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
    Send(answers, Times{imported - start, Seconds() - imported, start - begin});
    Check(aclrtIpcMemClose(key.text));
  }
  Check(aclFinalize());
  return 0;
}

struct Way {
  const char* name;
  aclrtMemMallocPolicy policy;
  std::vector<double> exported, imported, copied, plain, ratio;
};

void Measure(Way& way, int keys, int answers) {
  void* block = nullptr;
  Check(aclrtMalloc(&block, kBytes, way.policy));
  Check(aclrtMemset(block, kBytes, 5, kBytes));
  Key key;
  const double start = Seconds();
  Check(aclrtIpcMemGetExportKey(block, kBytes, key.text, sizeof(key.text), 1));
  const double exported = Seconds() - start;
  Send(keys, key);
  Times times;
  if (!Receive(answers, times)) std::exit(2);
  way.exported.push_back(exported);
  way.imported.push_back(times.import);
  way.copied.push_back(times.copy);
  way.plain.push_back(times.plain);
  way.ratio.push_back(times.plain / (exported + times.import + times.copy));
  Check(aclrtIpcMemClose(key.text));
  Check(aclrtFree(block));
}

std::string Milliseconds(const std::vector<double>& seconds) {
  return fmt::format("{:.2f}", Percentile(seconds, 0.5) * 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--import") return Import(std::atoi(argv[2]), std::atoi(argv[3]));
  const char* path = argc > 1 ? argv[1] : "bench/results.md";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  int keys[2], answers[2];
  if (pipe(keys) != 0 || pipe(answers) != 0) return 2;
  const pid_t child = fork();
  if (child == 0) {
    close(keys[1]);
    const std::string in = std::to_string(keys[0]), out = std::to_string(answers[1]);
    execl("/proc/self/exe", "sharing_bench", "--import", in.c_str(), out.c_str(), nullptr);
    _exit(127);
  }
  close(keys[0]);
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  Way ways[] = {{"made to be shared (..._P2P)", ACL_MEM_MALLOC_HUGE_FIRST_P2P, {}, {}, {}, {}, {}},
                {"any other: moves at its first export", ACL_MEM_MALLOC_HUGE_FIRST, {}, {}, {}, {}, {}}};
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : ways)
      Measure(way, keys[1], answers[0]);
  }
  close(keys[1]);
  waitpid(child, nullptr, 0);
  Check(aclFinalize());
  bench::Report report("Sharing between processes");
  report.Section(
      "64 MiB from one process to another",
      "Medians in ms: the export, the import and the first copy of the imported block into a block of "
      "the importer, beside memcpy of as many bytes within it. The ratio is memcpy to the sum.");
  std::vector<std::vector<std::string>> rows;
  for (const Way& way : ways) {
    rows.push_back({way.name, Milliseconds(way.exported), Milliseconds(way.imported),
                    Milliseconds(way.copied), Milliseconds(way.plain),
                    fmt::format("{:.2f}", Percentile(way.ratio, 0.5))});
  }
  report.Table({"memory", "export", "import", "first copy", "memcpy", "memcpy / sum"}, rows);
  report.Write(path);
  return 0;
}
