// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What every public error number means, what usually causes it and what to do: the numbers of aclError and of
// ge::Status. Used for the text of failed calls and by `foothold explain`. Constant data, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foothold {

enum class Occurrence {
  kPossible,  // Foothold may return it
  kReserved,  // a number of the API that Foothold does not return
  kHardware,  // only an NPU, its driver or a cluster of them returns it
  kLegacy,    // an older number for a case that now has another one
};

struct CatalogueEntry {
  std::int64_t number;
  std::string_view name;
  std::string_view aliases;  // other names of the number, separated by commas
  Occurrence occurrence;
  std::int64_t replacement;  // of a kLegacy entry: the number that is returned now
  std::string_view meaning;  // one sentence
  std::string_view causes;   // one per line, the most usual first
  std::string_view fixes;    // one per line, the first to try first
};

// Null when unknown. A number printed as a signed 32-bit integer is found too: -1 is ge::FAILED.
const CatalogueEntry* FindError(std::int64_t number) noexcept;

// Null when unknown. Any case; "ACL_", "ACL_ERROR_" and "ge::" in front may be left out.
const CatalogueEntry* FindErrorByName(std::string_view name);

// Every entry, by number.
std::vector<const CatalogueEntry*> AllErrors();

// The names nearest to a name that is not known, or the entries nearest to a number, best first; at most
// `count`, and only near ones.
std::vector<const CatalogueEntry*> SuggestErrors(std::string_view name, std::size_t count = 3);
std::vector<const CatalogueEntry*> SuggestErrors(std::int64_t number, std::size_t count = 3);

// The parts of `text` between separators, without empty ones: lines of causes and fixes, aliases.
std::vector<std::string_view> SplitText(std::string_view text, char separator);

}  // namespace foothold
