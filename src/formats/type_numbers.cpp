// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/type_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"
#include "base/format_names.h"

namespace foothold {
namespace {

// The saved number of the types 0 ... 13; 5 is no type.
constexpr std::array<int, 14> kFirstNumbers = {1, 2, 3, 7, 4, -1, 5, 6, 9, 8, 10, 12, 11, 13};
constexpr int kUndefinedInApi = 28;  // later types are saved one lower, since this one is 0
constexpr int kLastType = 42;

}  // namespace

int ModelTypeNumber(DataType type) noexcept {
  const int number = static_cast<int>(type);
  if (number < 0 || number == kUndefinedInApi) return 0;
  if (number < static_cast<int>(kFirstNumbers.size())) return kFirstNumbers[static_cast<std::size_t>(number)];
  return number < kUndefinedInApi ? number : number - 1;
}

DataType TypeOfModelNumber(std::int64_t number) {
  if (number == 0) return DataType::kUndefined;
  const auto* first = std::find(kFirstNumbers.begin(), kFirstNumbers.end(), number);
  if (number > 0 && first != kFirstNumbers.end()) return static_cast<DataType>(first - kFirstNumbers.begin());
  const std::int64_t type = number < kUndefinedInApi ? number : number + 1;
  if (number < 0 || type > kLastType) Fail(kInvalidParam, "{} is not the number of an element type", number);
  return static_cast<DataType>(type);
}

bool IsLayout(int number) noexcept {
  const int primary = number & 0xff;
  return number == static_cast<int>(Format::kUndefined) ||
         (number >= 0 && static_cast<std::size_t>(primary) < FormatNames().size());
}

std::string LayoutName(Format format) {
  const auto names = FormatNames();
  const auto number = static_cast<std::size_t>(format);
  return number < names.size() ? names[number] : std::to_string(static_cast<int>(format));
}

Format LayoutOfName(std::string_view name) {
  if (name.empty()) return Format::kNd;
  const auto names = FormatNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Format>(found - names.begin());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size())
    Fail(kInvalidParam, "'{}' is not the name of a layout", name);
  return static_cast<Format>(number);
}

}  // namespace foothold
