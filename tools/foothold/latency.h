// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How long runs took, as a table.
#pragma once

#include <string>
#include <vector>

namespace foothold::run {

// The value that a share (0 to 1) of all are not above; `sorted` is not empty. Between two measurements it
// lies between them.
double Percentile(const std::vector<double>& sorted, double share);

// `seconds` of each run, at least one.
std::string LatencyTable(std::vector<double> seconds);

}  // namespace foothold::run
