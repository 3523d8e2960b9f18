// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The fields of an aipp_op by name: how their values are read, checked and written. For file.cpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ops/aipp/settings.h"

namespace foothold {

// A value as it stands in the file.
struct AippWord {
  std::string text;
  bool quoted = false;
};

struct AippField {
  std::string name;
  std::string expected;  // "a whole number from 0 to 4096"
  // False if the value is none the field may have.
  std::function<bool(AippSettings&, const AippWord&)> set;
  // Nothing where the settings have what they have by default.
  std::function<std::optional<std::string>(const AippSettings&)> get;
};

std::span<const AippField> AippFields();
// Null: there is none.
const AippField* FindAippField(std::string_view name);

}  // namespace foothold
