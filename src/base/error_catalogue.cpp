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

struct IndexedName {
  std::string upper;
  const CatalogueEntry* entry;
  std::string_view core() const { return Core(upper); }
};

std::vector<IndexedName> MakeIndex() {
  std::vector<IndexedName> index;
  for (const CatalogueEntry* entry : AllErrors()) {
    index.push_back({Upper(entry->name), entry});
    for (const std::string_view alias : SplitText(entry->aliases, ','))
      index.push_back({Upper(alias), entry});
  }
  return index;
}

// Every name of every entry, by number. Never destroyed: failures are explained until the end of a process.
const std::vector<IndexedName>& Index() {
  static const auto* const index = new std::vector<IndexedName>(MakeIndex());
  return *index;
}

template <typename Matches>
const CatalogueEntry* FindIf(Matches matches) {
  const auto found = std::find_if(Index().begin(), Index().end(), matches);
  return found == Index().end() ? nullptr : found->entry;
}

using Scored = std::pair<std::size_t, const CatalogueEntry*>;

std::vector<const CatalogueEntry*> Best(std::vector<Scored> scored, std::size_t count) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const Scored& a, const Scored& b) { return a.first < b.first; });
  std::vector<const CatalogueEntry*> best;
  for (const Scored& one : scored) {
    if (best.size() == count) break;
    const bool listed = std::find(best.begin(), best.end(), one.second) != best.end();
    if (!listed) best.push_back(one.second);
  }
  return best;
}

// A name that holds the whole text is as near as one letter; else as far as they differ.
std::size_t NameDistance(std::string_view wanted, std::string_view name, std::size_t limit) {
  const bool inside = wanted.size() >= 4 && name.find(wanted) != std::string_view::npos;
  return inside ? 1 : EditDistance(wanted, name, limit);
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
  if (const CatalogueEntry* entry = FindIf([&](const IndexedName& one) { return one.upper == wanted; }))
    return entry;
  const std::string_view core = Core(wanted);
  if (core.empty()) return nullptr;
  return FindIf([&](const IndexedName& one) { return one.core() == core; });
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
  for (const IndexedName& one : Index()) {
    const std::size_t distance = NameDistance(wanted, one.core(), limit);
    if (distance <= limit) near.emplace_back(distance, one.entry);
  }
  return Best(std::move(near), count);
}

std::vector<const CatalogueEntry*> SuggestErrors(std::int64_t number, std::size_t count) {
  const std::string wanted = std::to_string(number);
  std::vector<Scored> near;
  for (const CatalogueEntry* entry : AllErrors()) {
    if (EditDistance(wanted, std::to_string(entry->number), 1) == 1) near.emplace_back(1, entry);
  }
  return Best(std::move(near), count);
}

}  // namespace foothold
