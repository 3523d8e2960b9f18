// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The answer of `foothold explain` to one question: an error number, a name, or the code in front of an error
// text.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error_catalogue.h"
#include "base/failure_text.h"

namespace foothold {

class Explanation {
 public:
  explicit Explanation(const std::string& query);

  // Whether an entry, not only suggestions or the fields of a structured number, answers the question.
  bool Known() const { return entry_ != nullptr || text_code_ != nullptr; }
  std::string ToText() const;
  nlohmann::ordered_json ToJson() const;

 private:
  std::string query_;
  std::optional<std::int64_t> number_;
  const CatalogueEntry* entry_ = nullptr;
  const TextCodeEntry* text_code_ = nullptr;
  std::vector<const CatalogueEntry*> suggestions_;
};

nlohmann::ordered_json ToJson(const CatalogueEntry& entry);

}  // namespace foothold
