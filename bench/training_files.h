// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What both sides of training_bench begin with: the arrays that tools/training/peer.py has written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bench {

using Dims = std::vector<std::int64_t>;

struct TrainingArray {
  bool integers = false;  // of 32 bits; else floats
  Dims dims;
  std::vector<std::uint8_t> bytes;
};

// By name; "inputs" and "labels" are the data, batch after batch, all others weights.
using TrainingArrays = std::map<std::string, TrainingArray>;

// Ends the program where a file is missing or short.
TrainingArrays ReadTrainingArrays(const std::string& folder);

std::int64_t CountOf(const Dims& dims);

}  // namespace bench
