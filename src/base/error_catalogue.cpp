// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error_catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <span>
#include <utility>

#include "base/edit_distance.h"
#include "base/error_tables.h"

namespace foothold {
namespace {

using Table = std::span<const CatalogueEntry>;

std::array<Table, 3> Tables() noexcept {
  return {Table(kAclErrors, kAclErrorsSize), Table(kRuntimeErrors, kRuntimeErrorsSize),
          Table(kGraphErrors, kGraphErrorsSize)};
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return upper;
}

bool DropPrefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// The part of an upper-case name that tells it from others: "RT_PARAM_INVALID", "GE_GRAPH_ISNULL".
std::string_view Core(std::string_view upper) {
  if (!DropPrefix(upper, "GE::")) DropPrefix(upper, "ACL_");
  DropPrefix(upper, "ERROR_");
  return upper;
}

std::vector<std::string> NamesOf(const CatalogueEntry& entry) {
  std::vector<std::string> names = {Upper(entry.name)};
  for (const std::string_view alias : SplitText(entry.aliases, ','))
    names.push_back(Upper(alias));
  return names;
}

template <typename Matches>
const CatalogueEntry* FindIf(Matches matches) {
  for (const Table& table : Tables()) {
    for (const CatalogueEntry& entry : table) {
      const std::vector<std::string> names = NamesOf(entry);
      if (std::any_of(names.begin(), names.end(), matches)) return &entry;
    }
  }
  return nullptr;
}

using Scored = std::pair<std::size_t, const CatalogueEntry*>;

std::vector<const CatalogueEntry*> Best(std::vector<Scored> scored, std::size_t count) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.first < b.first; });
  std::vector<const CatalogueEntry*> best;
  for (const Scored& one : scored) {
    if (best.size() == count) break;
    best.push_back(one.second);
  }
  return best;
}

// A name that holds the whole text is as near as one letter; else as far as they differ.
std::size_t NameDistance(std::string_view wanted, const CatalogueEntry& entry) {
  std::size_t nearest = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : NamesOf(entry)) {
    const std::string_view core = Core(name);
    const bool inside = wanted.size() >= 4 && core.find(wanted) != std::string_view::npos;
    nearest = std::min(nearest, inside ? 1 : EditDistance(wanted, core));
  }
  return nearest;
}

}  // namespace

std::vector<std::string_view> SplitText(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

const CatalogueEntry* FindError(std::int64_t number) noexcept {
  if (number < 0 && number >= std::numeric_limits<std::int32_t>::min())
    number = static_cast<std::uint32_t>(number);
  for (const Table& table : Tables()) {
    const auto entry =
        std::lower_bound(table.begin(), table.end(), number,
                         [](const CatalogueEntry& row, std::int64_t wanted) { return row.number < wanted; });
    if (entry != table.end() && entry->number == number) return &*entry;
  }
  return nullptr;
}

const CatalogueEntry* FindErrorByName(std::string_view name) {
  const std::string wanted = Upper(name);
  if (const CatalogueEntry* entry = FindIf([&](const std::string& one) { return one == wanted; }))
    return entry;
  const std::string_view core = Core(wanted);
  if (core.empty()) return nullptr;
  return FindIf([&](const std::string& one) { return Core(one) == core; });
}

std::vector<const CatalogueEntry*> AllErrors() {
  std::vector<const CatalogueEntry*> all;
  for (const Table& table : Tables()) {
    for (const CatalogueEntry& entry : table)
      all.push_back(&entry);
  }
  std::sort(all.begin(), all.end(),
            [](const CatalogueEntry* a, const CatalogueEntry* b) { return a->number < b->number; });
  return all;
}

std::vector<const CatalogueEntry*> SuggestErrors(std::string_view name, std::size_t count) {
  // Longer than any name with mistakes in it; comparing would only cost time.
  if (name.size() > 100) return {};
  const std::string upper = Upper(name);
  const std::string_view wanted = Core(upper);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<Scored> near;
  for (const CatalogueEntry* entry : AllErrors()) {
    const std::size_t distance = NameDistance(wanted, *entry);
    if (distance <= limit) near.emplace_back(distance, entry);
  }
  return Best(std::move(near), count);
}

std::vector<const CatalogueEntry*> SuggestErrors(std::int64_t number, std::size_t count) {
  const std::string wanted = std::to_string(number);
  std::vector<Scored> near;
  for (const CatalogueEntry* entry : AllErrors()) {
    const std::size_t distance = EditDistance(wanted, std::to_string(entry->number));
    if (distance <= 1) near.emplace_back(distance, entry);
  }
  return Best(std::move(near), count);
}

}  // namespace foothold
