// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collects the tables of a run and writes them, with the machine they were measured on, to a file that
// several programs share: each replaces its own part.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

double Seconds();           // monotonic
double ProcessorSeconds();  // that this process has used, which others on the machine do not change much
double Percentile(std::vector<double> values, double fraction);

class Report {
 public:
  explicit Report(std::string part) : part_(std::move(part)) {}
  void Section(const std::string& title, const std::string& text);
  void Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);
  void Write(const std::string& path) const;

 private:
  const std::string part_;
  std::string text_;
};

}  // namespace bench
