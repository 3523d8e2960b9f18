// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "formats/type_numbers.h"

namespace foothold {
namespace {

template <typename T>
double Widen(T value) {
  return static_cast<double>(value);
}
double Widen(Half value) {
  return static_cast<float>(value);
}
double Widen(Bfloat16 value) {
  return static_cast<float>(value);
}

// Bytes of a file may stand anywhere, so they are copied out.
template <typename T>
bool Visit(const DumpTensor& tensor, const std::function<void(double)>& each) {
  for (std::uint64_t i = 0; i < tensor.size / sizeof(T); ++i) {
    T value;
    std::memcpy(&value, tensor.data + i * sizeof(T), sizeof(T));
    each(Widen(value));
  }
  return true;
}

bool IsFloating(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 || type == DataType::kBfloat16 ||
         type == DataType::kDouble;
}

struct Column {
  DumpStatistic statistic;
  const char* name;
  std::string (*show)(const TensorStatistics&);
};

constexpr Column kColumns[] = {
    {DumpStatistic::kMax, "Max Value", [](const TensorStatistics& s) { return fmt::format("{}", s.max); }},
    {DumpStatistic::kMin, "Min Value", [](const TensorStatistics& s) { return fmt::format("{}", s.min); }},
    {DumpStatistic::kAverage, "Avg Value",
     [](const TensorStatistics& s) { return fmt::format("{}", s.average); }},
    {DumpStatistic::kL2Norm, "l2norm",
     [](const TensorStatistics& s) { return fmt::format("{}", s.l2_norm); }},
    {DumpStatistic::kNan, "Nan Count", [](const TensorStatistics& s) { return fmt::format("{}", s.nan); }},
    {DumpStatistic::kNegativeInf, "Negative Inf Count",
     [](const TensorStatistics& s) { return fmt::format("{}", s.negative_infinity); }},
    {DumpStatistic::kPositiveInf, "Positive Inf Count",
     [](const TensorStatistics& s) { return fmt::format("{}", s.positive_infinity); }},
};

bool Shows(const std::vector<DumpStatistic>& columns, DumpStatistic statistic) {
  return columns.empty() || std::find(columns.begin(), columns.end(), statistic) != columns.end();
}

}  // namespace

bool ForEachValue(const DumpTensor& tensor, const std::function<void(double)>& each) {
  switch (tensor.type.type) {
    case DataType::kFloat:
      return Visit<float>(tensor, each);
    case DataType::kFloat16:
      return Visit<Half>(tensor, each);
    case DataType::kBfloat16:
      return Visit<Bfloat16>(tensor, each);
    case DataType::kDouble:
      return Visit<double>(tensor, each);
    case DataType::kInt8:
      return Visit<std::int8_t>(tensor, each);
    case DataType::kUint8:
    case DataType::kBool:
      return Visit<std::uint8_t>(tensor, each);
    case DataType::kInt16:
      return Visit<std::int16_t>(tensor, each);
    case DataType::kUint16:
      return Visit<std::uint16_t>(tensor, each);
    case DataType::kInt32:
      return Visit<std::int32_t>(tensor, each);
    case DataType::kUint32:
      return Visit<std::uint32_t>(tensor, each);
    case DataType::kInt64:
      return Visit<std::int64_t>(tensor, each);
    case DataType::kUint64:
      return Visit<std::uint64_t>(tensor, each);
    default:
      return false;
  }
}

TensorStatistics StatisticsOf(const DumpTensor& tensor) {
  TensorStatistics result;
  double sum = 0, squares = 0;
  double max = -std::numeric_limits<double>::infinity(), min = -max;
  ForEachValue(tensor, [&](double value) {
    ++result.count;
    if (std::isnan(value)) {
      ++result.nan;
      return;
    }
    if (std::isinf(value)) ++(value < 0 ? result.negative_infinity : result.positive_infinity);
    max = std::max(max, value);
    min = std::min(min, value);
    sum += value;
    squares += value * value;
  });
  const std::uint64_t numbers = result.count - result.nan;
  if (numbers == 0) return result;
  result.max = max;
  result.min = min;
  result.average = sum / static_cast<double>(numbers);
  result.l2_norm = std::sqrt(squares);
  return result;
}

bool HasOverflow(const DumpTensor& tensor) {
  bool found = false;
  if (IsFloating(tensor.type.type))
    ForEachValue(tensor, [&](double value) { found = found || !std::isfinite(value); });
  return found;
}

std::string StatisticsHeader(const std::vector<DumpStatistic>& columns) {
  std::string line = "Input/Output,Index,Data Size,Data Type,Format,Shape,Count";
  for (const Column& column : kColumns)
    if (Shows(columns, column.statistic)) line += fmt::format(",{}", column.name);
  return line + "\n";
}

std::string StatisticsLine(const char* direction, std::size_t index, const DumpTensor& tensor,
                           const std::vector<DumpStatistic>& columns) {
  const TensorStatistics statistics = StatisticsOf(tensor);
  std::string line =
      fmt::format("{},{},{},{},{},{},{}", direction, index, tensor.size, DataTypeName(tensor.type.type),
                  LayoutName(tensor.type.format), fmt::join(tensor.type.dims, "x"), statistics.count);
  for (const Column& column : kColumns)
    if (Shows(columns, column.statistic)) line += "," + column.show(statistics);
  return line + "\n";
}

}  // namespace foothold
