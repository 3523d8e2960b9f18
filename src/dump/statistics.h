// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that describe a tensor, for dumps with "dump_data": "stats" and for people. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/dump_config.h"
#include "formats/dump_file.h"
#include "ir/tensor_type.h"

namespace foothold {

// Highest, lowest and mean leave out what is not a number; with an infinity among the values they are as
// arithmetic gives them.
struct TensorStatistics {
  std::uint64_t count = 0;
  double max = 0, min = 0, average = 0, l2_norm = 0;
  std::uint64_t nan = 0, negative_infinity = 0, positive_infinity = 0;
};

// Calls `each` with every element. False, and no call, for types that are no plain numbers.
bool ForEachValue(const DumpTensor& tensor, const std::function<void(double)>& each);

// Nothing known (a count of 0) for types that are no plain numbers.
TensorStatistics StatisticsOf(const DumpTensor& tensor);
// Whether an infinity or something that is not a number stands in it. False for integers.
bool HasOverflow(const DumpTensor& tensor);

// Lines of a statistics file, each with its end of line. No `columns` stands for all.
std::string StatisticsHeader(const std::vector<DumpStatistic>& columns);
std::string StatisticsLine(const char* direction, std::size_t index, const DumpTensor& tensor,
                           const std::vector<DumpStatistic>& columns);

}  // namespace foothold
