// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// hccl_bench [results.md [rounds]]: collectives of processes of one host, beside Open MPI (mpi_peer) and
// beside what shared memory allows, in turn.
#include <acl/acl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "check.h"
#include "hccl_ranks.h"
#include "report.h"

namespace {

using bench::Job;
using bench::Percentile;
using bench::Seconds;

constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

struct Started {
  pid_t process = 0;
  std::FILE* answer = nullptr;
};

std::string Folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

Started Start(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> arguments;
    for (const std::string& word : words)
      arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::_Exit(127);
  }
  close(ends[1]);
  return {child, fdopen(ends[0], "r")};
}

// The line it says, and its end.
std::string Finish(const Started& started) {
  char line[256] = {};
  std::string last;
  while (std::fgets(line, sizeof line, started.answer) != nullptr)
    last = line;
  std::fclose(started.answer);
  waitpid(started.process, nullptr, 0);
  return last;
}

class RankFile {
 public:
  RankFile() : path_(fmt::format("/var/tmp/hccl_bench_{}_{}", getpid(), ++number)) {}
  ~RankFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  static inline int number = 0;
  const std::string path_;
};

std::vector<Started> StartRanks(const Job& job, std::uint32_t ranks, const std::string& file) {
  std::vector<Started> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    all.push_back(
        Start({"/proc/self/exe", "rank", job.operation, std::to_string(job.bytes), std::to_string(job.times),
               std::to_string(job.batch), std::to_string(rank), std::to_string(ranks), file}));
  return all;
}

double Ours(const Job& job, std::uint32_t ranks) {
  const RankFile file;
  double seconds = 0;
  const std::vector<Started> all = StartRanks(job, ranks, file.path());
  for (std::size_t rank = all.size(); rank-- > 0;)
    seconds = std::atof(Finish(all[rank]).c_str());
  return seconds;
}

// Nothing if there is none.
std::optional<double> Mpi(const Job& job, std::uint32_t ranks) {
  const std::string peer = Folder() + "/mpi_peer";
  if (!std::filesystem::exists(peer)) return std::nullopt;
  const std::string answer =
      Finish(Start({"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                    std::to_string(ranks), peer, job.operation, std::to_string(job.bytes),
                    std::to_string(job.times), std::to_string(job.batch)}));
  const double seconds = std::atof(answer.c_str());
  if (seconds <= 0) return std::nullopt;
  return seconds;
}

double Death() {
  const RankFile file;
  const std::vector<Started> all = StartRanks({"death"}, 2, file.path());
  char line[256] = {};
  if (std::fgets(line, sizeof line, all[0].answer) == nullptr) return 0;
  usleep(200000);  // both are asleep
  const double killed = Seconds();
  kill(all[1].process, SIGKILL);
  Finish(all[1]);
  return std::atof(Finish(all[0]).c_str()) - killed;
}

struct Row {
  std::string name, floor;
  std::vector<double> ours, theirs;
  void Add(double own, std::optional<double> other) {
    ours.push_back(own);
    if (other) theirs.push_back(*other);
  }
};

std::string Time(const std::vector<double>& seconds) {
  if (seconds.empty()) return "-";
  const double best = Percentile(seconds, 0);
  return best < 1e-3 ? fmt::format("{:.2f} µs", best * 1e6) : fmt::format("{:.2f} ms", best * 1e3);
}

std::string Ratio(double value) {
  return value < 0.1 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::vector<std::string> Cells(const Row& row) {
  return {row.name, Time(row.ours), Time(row.theirs),
          row.theirs.empty() ? "-" : Ratio(Percentile(row.theirs, 0) / Percentile(row.ours, 0)), row.floor};
}

void MeasureSpeed(bench::Report& report, int rounds) {
  Row rows[] = {{"all-reduce, 64 MiB, beside Open MPI", "1.3", {}, {}},
                {"the same beside shared memory itself", "0.2", {}, {}},
                {"all-gather, 64 MiB, beside Open MPI", "1.0", {}, {}},
                {"all-to-all, 64 MiB, beside Open MPI", "1.0", {}, {}},
                {"all-reduce, 8 bytes, queued back to back, beside Open MPI", "0.25", {}, {}},
                {"one process, two devices, 64 MiB, beside two threads", "0.8", {}, {}},
                {"8 ranks, all-reduce, 1 MiB, beside Open MPI", "1.0", {}, {}},
                {"16 ranks, all-reduce, 1 MiB, beside Open MPI", "1.0", {}, {}},
                {"a killed peer, until the error", "500 ms", {}, {}}};
  const Job reduce{"allreduce", kLarge, 7}, gather{"allgather", kLarge, 7}, swap{"alltoall", kLarge, 7};
  const Job tiny{"allreduce", 8, 7, 1000}, middle{"allreduce", std::uint64_t{1} << 20, 30};
  for (int round = 0; round < rounds; ++round) {
    const double reduced = Ours(reduce, 2);
    rows[0].Add(reduced, Mpi(reduce, 2));
    rows[1].Add(reduced, bench::SharedMemoryLimit(kLarge, 7, true));
    rows[2].Add(Ours(gather, 2), Mpi(gather, 2));
    rows[3].Add(Ours(swap, 2), Mpi(swap, 2));
    rows[4].Add(Ours(tiny, 2), Mpi(tiny, 2));
    rows[5].Add(std::atof(Finish(Start({"/proc/self/exe", "devices"})).c_str()),
                bench::SharedMemoryLimit(kLarge, 7, false));
    rows[6].Add(Ours(middle, 8), Mpi(middle, 8));
    rows[7].Add(Ours(middle, 16), Mpi(middle, 16));
    rows[8].Add(Death(), std::nullopt);
  }
  report.Section(
      "Processes of one host",
      "The best of rounds in which all run in turn, since others use this machine as well: what is not "
      "disturbed can be compared. The ratio says how many times as fast as the other it is. Two processes "
      "where nothing else is said.");
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : rows)
    cells.push_back(Cells(row));
  report.Table({"what", "Foothold", "the other", "ratio", "at least"}, cells);
}

void MeasureGrowth(bench::Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const std::uint32_t ranks : {2u, 4u, 8u, 16u}) {
    const RankFile file;
    std::vector<double> seconds, files, kilobytes;
    for (const Started& one : StartRanks({"setup"}, ranks, file.path())) {
      double time = 0, open = 0, memory = 0;
      if (std::sscanf(Finish(one).c_str(), "%lf %lf %lf", &time, &open, &memory) != 3) continue;
      seconds.push_back(time);
      files.push_back(open);
      kilobytes.push_back(memory);
    }
    if (seconds.empty()) continue;
    rows.push_back({std::to_string(ranks), Time({Percentile(seconds, 1.0)}),
                    fmt::format("{:.0f} / {:.0f}", Percentile(files, 0.5), Percentile(files, 1.0)),
                    fmt::format("{:.0f} KiB", Percentile(kilobytes, 0.5))});
  }
  report.Section(
      "More processes than cores",
      "A communicator of so many processes: until the last of them has it, which includes that they start; "
      "files it keeps open, in the middle and at the root; memory of a rank after three small all-reduces.");
  report.Table({"ranks", "until all have it", "open files, middle / root", "memory of a rank"}, rows);
}

int BeRank(char** words) {
  const Job job{words[2], std::strtoull(words[3], nullptr, 10), std::atoi(words[4]), std::atoi(words[5])};
  return bench::RunRank(job, static_cast<std::uint32_t>(std::atoi(words[6])),
                        static_cast<std::uint32_t>(std::atoi(words[7])), words[8]);
}

int BeDevices() {
  bench::Check(aclInit(nullptr));
  std::printf("%.9f\n", bench::TwoDevices(kLarge, 7));
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  setenv("FOOTHOLD_DEVICES", "2", 1);
  setenv("HCCL_SOCKET_IFNAME", "lo", 0);
  if (argc == 9 && std::string(argv[1]) == "rank") return BeRank(argv);
  if (argc == 2 && std::string(argv[1]) == "devices") return BeDevices();
  const std::string path = argc > 1 ? argv[1] : "bench/results.md";
  bench::Report report("Collectives");
  MeasureSpeed(report, argc > 2 ? std::atoi(argv[2]) : 5);
  MeasureGrowth(report);
  report.Write(path);
  return 0;
}
