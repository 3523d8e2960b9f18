// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
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

double Percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(values.size() * fraction))];
}

void Report::Section(const std::string& title, const std::string& text) {
  text_ += "\n## " + title + "\n\n" + text + "\n\n";
  std::cout << "\n## " << title << "\n" << std::flush;
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
  std::ofstream out(path);
  out << "# Benchmark results\n\n"
      << fmt::format(
             "{} with {} cores, load average {}, {}. Written by `make bench`; rounds of all candidates are "
             "interleaved in one "
             "run.\n",
             Cpu(), std::thread::hardware_concurrency(), Load(), date)
      << text_;
}

}  // namespace bench
