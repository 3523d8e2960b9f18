// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/dump_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "dump/statistics.h"

namespace foothold::dump {
namespace {

DumpTensor AsDump(const TensorValue& value) {
  return {value.type(), value.size(), value.data()};
}

std::vector<double> ValuesOf(const TensorValue& value) {
  std::vector<double> values;
  ForEachValue(AsDump(value), [&](double one) { values.push_back(one); });
  return values;
}

// Numbers of one type in their order: neighbours differ by one.
std::int64_t Ordinal(DataType type, double value) {
  if (type == DataType::kDouble) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? std::int64_t{INT64_MIN} - bits : bits;
  }
  const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(value));
  const std::int64_t ordered = bits < 0 ? std::int64_t{INT32_MIN} - bits : bits;
  if (type == DataType::kFloat16) return ordered >> 13;
  return type == DataType::kBfloat16 ? ordered >> 16 : ordered;
}

bool IsFloating(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 || type == DataType::kBfloat16 ||
         type == DataType::kDouble;
}

std::uint64_t Ulp(DataType type, double a, double b) {
  const double apart = std::abs(a - b);
  if (!IsFloating(type)) return static_cast<std::uint64_t>(std::min(apart, 1e18));
  const std::int64_t x = Ordinal(type, a), y = Ordinal(type, b);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

class Sums {
 public:
  void Add(DataType type, double a, double b, double tolerance, Difference& result) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return AddProducts(a, b);
    if (!std::isfinite(a) || !std::isfinite(b)) {
      ++result.beyond;
      result.largest_absolute = result.largest_relative = std::numeric_limits<double>::infinity();
      return;
    }
    const double apart = std::abs(a - b);
    result.largest_absolute = std::max(result.largest_absolute, apart);
    if (b != 0) result.largest_relative = std::max(result.largest_relative, apart / std::abs(b));
    result.largest_ulp = std::max(result.largest_ulp, Ulp(type, a, b));
    if (apart > tolerance * (1 + std::abs(b))) ++result.beyond;
    AddProducts(a, b);
  }
  double cosine() const {
    if (aa_ == 0 && bb_ == 0) return 1;
    return aa_ == 0 || bb_ == 0 ? 0 : ab_ / std::sqrt(aa_ * bb_);
  }

 private:
  void AddProducts(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    ab_ += a * b;
    aa_ += a * a;
    bb_ += b * b;
  }
  double ab_ = 0, aa_ = 0, bb_ = 0;
};

Difference CompareTensors(const DumpedTensor& first, const DumpedTensor& second, double tolerance) {
  Difference result;
  result.tensor = &first;
  if (first.value.dims() != second.value.dims()) {
    result.problem = fmt::format("{} and {}", ToString(first.value.type()), ToString(second.value.type()));
    return result;
  }
  const std::vector<double> a = ValuesOf(first.value), b = ValuesOf(second.value);
  if (a.size() != b.size() || (a.empty() && first.value.size() > 0)) {
    result.problem = fmt::format("{} cannot be compared", ToString(first.value.type()));
    return result;
  }
  Sums sums;
  for (std::size_t i = 0; i < a.size(); ++i)
    sums.Add(first.value.type().type, a[i], b[i], tolerance, result);
  result.cosine = sums.cosine();
  return result;
}

}  // namespace

const Difference* DifferenceReport::first_diverging() const {
  const auto found = std::find_if(differences.begin(), differences.end(),
                                  [](const Difference& one) { return one.diverges(); });
  return found == differences.end() ? nullptr : &*found;
}

DifferenceReport CompareDumps(const std::vector<DumpedTensor>& first, const std::vector<DumpedTensor>& second,
                              double tolerance) {
  std::map<std::string, const DumpedTensor*> others;
  for (const DumpedTensor& tensor : second)
    others.emplace(tensor.Key(), &tensor);
  DifferenceReport report;
  for (const DumpedTensor& tensor : first) {
    const auto found = others.find(tensor.Key());
    if (found == others.end()) {
      report.only_first.push_back(tensor.Describe());
      continue;
    }
    report.differences.push_back(CompareTensors(tensor, *found->second, tolerance));
    others.erase(found);
  }
  for (const auto& [key, tensor] : others)
    report.only_second.push_back(tensor->Describe());
  return report;
}

}  // namespace foothold::dump
