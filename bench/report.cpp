// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

namespace bench {
namespace {

std::string Cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

// Other work on the machine: above the number of cores, the numbers say little about a quiet one.
std::string Load() {
  std::ifstream file("/proc/loadavg");
  std::string load;
  file >> load;
  return load;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells)
    out += " " + cell + " |";
  return out + "\n";
}

}  // namespace

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double Percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(values.size() * fraction))];
}

void Report::Section(const std::string& title, const std::string& text) {
  text_ += "\n### " + title + "\n\n" + text + "\n\n";
  std::cout << "\n### " << title << "\n" << std::flush;
}

void Report::Table(const std::vector<std::string>& header,
                   const std::vector<std::vector<std::string>>& rows) {
  std::string table = Row(header) + Row(std::vector<std::string>(header.size(), "---"));
  for (const auto& row : rows)
    table += Row(row);
  text_ += table;
  std::cout << table << std::flush;
}

void Report::Write(const std::string& path) const {
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  const std::string heading = "\n## " + part_ + "\n";
  const std::string mine = heading +
                           fmt::format("\n{} with {} cores, load average {}, {}.\n", Cpu(),
                                       std::thread::hardware_concurrency(), Load(), date) +
                           text_;
  std::string all = ReadAll(path);
  if (all.empty())
    all =
        "# Benchmark results\n\nWritten by `make bench`; rounds of all candidates are interleaved in one "
        "run.\n";
  const std::size_t begin = std::min(all.find(heading), all.size());
  const std::size_t end = begin < all.size() ? all.find("\n## ", begin + 1) : std::string::npos;
  all.replace(begin, std::min(end, all.size()) - begin, mine);
  std::ofstream(path) << all;
}

}  // namespace bench
