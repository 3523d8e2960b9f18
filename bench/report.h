// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collects the tables of a run and writes them, with the machine they were measured on, to bench/results.md.
#pragma once

#include <string>
#include <vector>

namespace bench {

double Seconds();  // monotonic
double Percentile(std::vector<double> values, double fraction);

class Report {
 public:
  void Section(const std::string& title, const std::string& text);
  void Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);
  void Write(const std::string& path) const;

 private:
  std::string text_;
};

}  // namespace bench
