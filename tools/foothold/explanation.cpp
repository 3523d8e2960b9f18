// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/graph_status.h"

namespace foothold {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::int64_t> ParseNumber(std::string_view text) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole && !(hex && number < 0) ? std::optional(number) : std::nullopt;
}

const TextCodeEntry* FindTextCode(std::string text) {
  for (char& letter : text)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (const TextCodeEntry& entry : AllTextCodes()) {
    if (entry.text_code == text) return &entry;
  }
  return nullptr;
}

std::vector<const CatalogueEntry*> NumbersBehind(const TextCodeEntry& text_code) {
  std::vector<const CatalogueEntry*> all = AllErrors();
  std::erase_if(all, [&](const CatalogueEntry* entry) {
    return entry->number > 999999 || TextCode(static_cast<Code>(entry->number)) != text_code.text_code;
  });
  return all;
}

std::string WithName(const StatusField& field) {
  return field.name.empty() ? std::to_string(field.value) : fmt::format("{} ({})", field.value, field.name);
}

std::string FieldsText(const GraphStatus& status) {
  return fmt::format("side {}, type {}, level {}, system {}, module {}, code {}", WithName(status.side),
                     WithName(status.type), status.level, WithName(status.system), WithName(status.module),
                     status.code);
}

Json FieldsJson(const GraphStatus& status) {
  const auto field = [](const StatusField& one) { return Json{{"value", one.value}, {"name", one.name}}; };
  return Json{{"side", field(status.side)},     {"type", field(status.type)},     {"level", status.level},
              {"system", field(status.system)}, {"module", field(status.module)}, {"code", status.code}};
}

std::string Bullets(const char* title, std::string_view lines) {
  std::string text = fmt::format("  {}:\n", title);
  for (const std::string_view line : SplitText(lines, '\n'))
    text += fmt::format("    - {}\n", line);
  return text;
}

std::string OccurrenceText(const CatalogueEntry& entry) {
  switch (entry.occurrence) {
    case Occurrence::kPossible:
      return "";
    case Occurrence::kReserved:
      return "  Foothold does not return this number.\n";
    case Occurrence::kHardware:
      return "  Does not occur on Foothold: only an NPU, its driver or a cluster of NPUs reports it.\n";
    case Occurrence::kLegacy:
      return fmt::format("  An older number: {} ({}) is returned now.\n", FindError(entry.replacement)->name,
                         entry.replacement);
  }
  return "";
}

const char* OccurrenceName(Occurrence occurrence) {
  constexpr const char* kNames[] = {"possible", "reserved", "hardware", "legacy"};
  return kNames[static_cast<int>(occurrence)];
}

std::string EntryText(const CatalogueEntry& entry) {
  std::string text =
      fmt::format("{}  {} ({:#x})\n  {}\n", entry.name, entry.number, entry.number, entry.meaning);
  if (!entry.aliases.empty())
    text += fmt::format("  Also named: {}\n", fmt::join(SplitText(entry.aliases, ','), ", "));
  text += OccurrenceText(entry);
  if (const auto status = DecodeGraphStatus(entry.number)) text += "  Fields: " + FieldsText(*status) + "\n";
  return text + Bullets("Usual causes", entry.causes) + Bullets("What to do", entry.fixes);
}

std::string TextCodeText(const TextCodeEntry& text_code) {
  std::string text = fmt::format("{}\n  {}\n", text_code.text_code, text_code.meaning);
  const std::vector<const CatalogueEntry*> numbers = NumbersBehind(text_code);
  if (!numbers.empty()) text += "  It stands in front of the texts of:\n";
  for (const CatalogueEntry* entry : numbers)
    text += fmt::format("    {}  {}\n", entry->number, entry->name);
  return text;
}

}  // namespace

Explanation::Explanation(const std::string& query) : query_(query), number_(ParseNumber(query)) {
  if (number_) {
    entry_ = FindError(*number_);
    if (entry_ == nullptr) suggestions_ = SuggestErrors(*number_);
    return;
  }
  entry_ = FindErrorByName(query);
  if (entry_ == nullptr) text_code_ = FindTextCode(query);
  if (!Known()) suggestions_ = SuggestErrors(query);
}

std::string Explanation::ToText() const {
  if (entry_ != nullptr) return EntryText(*entry_);
  if (text_code_ != nullptr) return TextCodeText(*text_code_);
  std::string text = fmt::format("{} is not a known error {}.\n", query_, number_ ? "number" : "name");
  const auto status = number_ ? DecodeGraphStatus(*number_) : std::nullopt;
  if (status) text += fmt::format("  It has the form of a graph engine status: {}\n", FieldsText(*status));
  if (suggestions_.empty()) return text + "  foothold explain --all lists all of them.\n";
  text += "  Did you mean:\n";
  for (const CatalogueEntry* entry : suggestions_)
    text += fmt::format("    {}  {}\n", entry->number, entry->name);
  return text;
}

nlohmann::ordered_json Explanation::ToJson() const {
  Json json{{"query", query_}, {"known", Known()}};
  if (entry_ != nullptr) {
    json.update(foothold::ToJson(*entry_));
  } else if (text_code_ != nullptr) {
    json["text_code"] = text_code_->text_code;
    json["meaning"] = text_code_->meaning;
    json["numbers"] = Json::array();
    for (const CatalogueEntry* entry : NumbersBehind(*text_code_))
      json["numbers"].push_back(entry->number);
  } else {
    const auto status = number_ ? DecodeGraphStatus(*number_) : std::nullopt;
    if (status) json["fields"] = FieldsJson(*status);
    json["suggestions"] = Json::array();
    for (const CatalogueEntry* entry : suggestions_)
      json["suggestions"].push_back(entry->name);
  }
  return json;
}

nlohmann::ordered_json ToJson(const CatalogueEntry& entry) {
  Json json{{"number", entry.number},
            {"hex", fmt::format("{:#x}", entry.number)},
            {"name", entry.name},
            {"aliases", SplitText(entry.aliases, ',')},
            {"occurrence", OccurrenceName(entry.occurrence)}};
  if (entry.occurrence == Occurrence::kLegacy) json["replacement"] = entry.replacement;
  if (const auto status = DecodeGraphStatus(entry.number)) json["fields"] = FieldsJson(*status);
  json["meaning"] = entry.meaning;
  json["causes"] = SplitText(entry.causes, '\n');
  json["fixes"] = SplitText(entry.fixes, '\n');
  return json;
}

}  // namespace foothold
