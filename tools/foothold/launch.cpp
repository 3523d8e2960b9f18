// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "foothold/command.h"

namespace foothold {
namespace {

constexpr int kCannotStart = 127;
constexpr Nanoseconds kMercy = 5 * kSecond;  // from asking a rank to end to ending it

// Lines of one rank, with its number in front.
class Output {
 public:
  Output(int descriptor, FILE* to, std::string prefix)
      : descriptor_(descriptor), to_(to), prefix_(std::move(prefix)) {}
  int descriptor() const { return descriptor_; }
  void Read() {
    char room[4096];
    const ssize_t count = read(descriptor_, room, sizeof room);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return Close();
    line_.append(room, static_cast<std::size_t>(count));
    for (std::size_t end; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1))
      Print(line_.substr(0, end));
  }
  // A line without an end, of a pipe that somebody else still has.
  void Finish() {
    if (!line_.empty()) Print(std::exchange(line_, ""));
  }

 private:
  void Print(const std::string& line) {
    fmt::print(to_, "{}{}\n", prefix_, line);
    std::fflush(to_);
  }
  void Close() {
    Finish();
    close(descriptor_);
    descriptor_ = -1;
  }

  int descriptor_;
  FILE* const to_;
  const std::string prefix_;
  std::string line_;
};

struct Rank {
  pid_t process = -1;
  bool ended = false;
};

volatile std::sig_atomic_t stopped_by = 0;

class Launch final : public Command {
 public:
  void AddOptions(CLI::App& app) override {
    app.add_option("-n,--ranks", count_, "Processes to start")->required()->check(CLI::Range(1, 4096));
    app.add_flag("--rank-table", with_table_, "Write a rank table and name it in RANK_TABLE_FILE");
    app.add_flag("--no-prefix", without_prefix_, "Leave the number of the rank away in front of lines");
    app.add_option("--port", port_, "MASTER_PORT of the ranks")->check(CLI::Range(1, 65535));
    app.add_option("--hosts", hosts_, "Not offered: ranks are started on this host only");
    app.add_option("program", words_, "The program and its arguments, behind --")->required();
    app.positionals_at_end();
    app.footer("For instance: foothold launch -n 4 -- ./program arguments");
  }
  int Run(const CLI::App& app) override;

 private:
  void Start(int rank);
  [[noreturn]] void BecomeRank(int rank, int output, int errors) const;
  void WriteTable();
  void Watch();
  void Reap();
  void EndAll(int signal);
  bool AllEnded() const;

  int count_ = 0;
  int port_ = 29500;
  bool with_table_ = false;
  bool without_prefix_ = false;
  std::string hosts_;
  std::vector<std::string> words_;
  std::string table_;
  std::vector<Rank> ranks_;
  std::vector<Output> outputs_;
  int status_ = 0;
  Nanoseconds end_ = kForever;  // from here on, those that are left are killed
};

int Launch::Run(const CLI::App&) {
  if (!hosts_.empty()) {
    std::fputs(
        "foothold launch starts ranks on this host only and does not offer --hosts: start the program on "
        "each host by "
        "mpirun, torchrun or ssh, with RANK and WORLD_SIZE set (docs/collectives.md, \"Several hosts\")\n",
        stderr);
    return 1;
  }
  if (with_table_) WriteTable();
  struct sigaction action {};
  action.sa_handler = [](int signal) { stopped_by = signal; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  for (int rank = 0; rank < count_; ++rank)
    Start(rank);
  while (!AllEnded())
    Watch();
  for (Output& output : outputs_) {  // what is left of it; a process of a rank may still have it
    while (output.descriptor() >= 0) {
      pollfd one{output.descriptor(), POLLIN, 0};
      if (poll(&one, 1, 0) <= 0) break;
      output.Read();
    }
    output.Finish();
  }
  if (!table_.empty()) unlink(table_.c_str());
  return status_;
}

void Launch::WriteTable() {
  char path[] = "/var/tmp/foothold_rank_table_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) throw std::runtime_error(fmt::format("no file for the rank table: {}", std::strerror(errno)));
  close(file);
  table_ = path;
  std::string devices;
  for (int rank = 0; rank < count_; ++rank) {
    devices +=
        fmt::format("{}{{\"device_id\": \"{}\", \"rank_id\": \"{}\"}}", rank == 0 ? "" : ", ", rank, rank);
  }
  std::ofstream(table_) << fmt::format(
      "{{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\", \"server_list\": "
      "[{{\"server_id\": \"foothold-launch-{}\", \"device\": [{}]}}]}}\n",
      getpid(), devices);
}

void Launch::Start(int rank) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("no pipe for rank {}: {}", rank, std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) BecomeRank(rank, output[1], errors[1]);
  close(output[1]);
  close(errors[1]);
  const std::string prefix = without_prefix_ ? "" : fmt::format("[{}] ", rank);
  outputs_.emplace_back(output[0], stdout, prefix);
  outputs_.emplace_back(errors[0], stderr, prefix);
  ranks_.push_back({process, process < 0});
  if (process < 0) {
    fmt::print(stderr, "foothold: rank {} cannot be started: {}\n", rank, std::strerror(errno));
    status_ = kCannotStart;
    EndAll(SIGTERM);
  }
}

void Launch::BecomeRank(int rank, int output, int errors) const {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  const std::string number = std::to_string(rank), count = std::to_string(count_);
  for (const char* name : {"RANK", "LOCAL_RANK", "RANK_ID", "DEVICE_ID"})
    set(name, number);
  for (const char* name : {"WORLD_SIZE", "LOCAL_WORLD_SIZE", "RANK_SIZE"})
    set(name, count);
  setenv("MASTER_ADDR", "127.0.0.1", 0);
  set("MASTER_PORT", std::to_string(port_));
  setenv("FOOTHOLD_DEVICES", count.c_str(), 0);
  if (!table_.empty()) set("RANK_TABLE_FILE", table_);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words_)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fmt::print(stderr, "{}: {}\n", words_[0], std::strerror(errno));
  std::fflush(stderr);
  _exit(kCannotStart);
}

bool Launch::AllEnded() const {
  for (const Rank& rank : ranks_) {
    if (!rank.ended) return false;
  }
  return true;
}

void Launch::Watch() {
  std::vector<pollfd> polled;
  for (const Output& output : outputs_)
    polled.push_back({output.descriptor(), POLLIN, 0});
  poll(polled.data(), polled.size(), 100);
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0) outputs_[i].Read();
  }
  Reap();
  if (const int signal = stopped_by; signal != 0 && end_ == kForever) {
    status_ = 128 + signal;
    EndAll(signal);
  }
  if (Now() >= end_) EndAll(SIGKILL);
}

void Launch::Reap() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    int status = 0;
    if (ranks_[rank].ended || waitpid(ranks_[rank].process, &status, WNOHANG) <= 0) continue;
    ranks_[rank].ended = true;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == 0 || status_ != 0) continue;
    status_ = code;
    fmt::print(stderr, "foothold: rank {} ended with {}{}; the others are ended\n", rank,
               WIFEXITED(status) ? "status " : "signal ", WIFEXITED(status) ? code : WTERMSIG(status));
    EndAll(SIGTERM);
  }
}

void Launch::EndAll(int signal) {
  if (end_ == kForever) end_ = Now() + kMercy;
  for (const Rank& rank : ranks_) {
    if (!rank.ended) kill(rank.process, signal);
  }
}

const RegisterCommand<Launch> launch("launch", "Start a program as several ranks");

}  // namespace
}  // namespace foothold
