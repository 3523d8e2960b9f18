// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/fault_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/edit_distance.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/error_catalogue.h"

namespace foothold::check {
namespace {

using At = FaultItem::At;

constexpr std::string_view kTaskWords[] = {"copy", "op", "model", "graph"};
constexpr std::string_view kAllocations[] = {"aclrtMalloc", "aclrtMemAllocManaged", "aclrtMemPoolMalloc",
                                             "acldvppMalloc", "hi_mpi_dvpp_malloc"};

struct Words {
  At site;
  std::string_view where;  // how the call begins; empty: any
  std::vector<std::string_view> what;
};

// What may happen where. The first that fits counts; "code" fits everywhere a call is.
const std::vector<Words>& AllWords() {
  static const auto* const words = new std::vector<Words>{
      {At::kCall, "allocation", {"oom", "oom:full", "watch"}},
      {At::kCall, "aclrtMalloc", {"oom", "oom:full"}},
      {At::kCall, "aclrtMemAllocManaged", {"oom", "oom:full"}},
      {At::kCall, "aclrtMemPoolMalloc", {"oom", "oom:full"}},
      {At::kCall, "acldvppMalloc", {"oom", "oom:full"}},
      {At::kCall, "aclrtCreateStream", {"limit"}},
      {At::kCall, "aclrtCreateEvent", {"limit"}},
      {At::kCall, "aclrtCreateNotify", {"limit"}},
      {At::kCall, "aclrtCntNotifyCreate", {"limit"}},
      {At::kCall, "aclrtSetDevice", {"absent"}},
      {At::kCall, "aclrtGetDeviceCount", {"absent"}},
      {At::kCall, "aclrtSynchronize", {"timeout"}},
      {At::kCall, "aclrtProcessReport", {"timeout"}},
      {At::kCall, "aclmdlLoad", {"fail", "short"}},
      {At::kCall, "aclmdlExecute", {"fail"}},
      {At::kCall, "GE", {"fail", "oom"}},
      {At::kCall, "RunGraph", {"fail", "oom"}},
      {At::kCall, "LoadGraph", {"fail", "oom"}},
      {At::kCall, "", {}},
      {At::kTask, "copy", {"fail", "delay", "flip"}},
      {At::kTask, "", {"aicore", "aicpu", "vector", "timeout", "overflow", "delay"}},
      {At::kDevice, "", {"lost", "ecc", "abort"}},
      {At::kAllocator, "", {"null", "small", "throw"}},
      {At::kDump, "", {"refuse"}},
  };
  return *words;
}

// Reads a text from its front.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  void SkipSpace() {
    while (!rest_.empty() && rest_.front() == ' ')
      rest_.remove_prefix(1);
  }
  bool Take(std::string_view word) {
    SkipSpace();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  // Up to one of these, or a space.
  std::string_view Until(std::string_view ends) {
    SkipSpace();
    const std::size_t length = std::min(rest_.find_first_of(std::string(ends) + " "), rest_.size());
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

[[noreturn]] void FailItem(const std::string& item, const std::string& why) {
  Fail(kInvalidParam, "\"{}\": {}", item, why);
}

std::uint64_t NumberOf(const FaultItem& item, std::string_view word, const char* of) {
  const auto number = ParseInt(word);
  if (!number || *number < 0)
    FailItem(item.text, fmt::format("{} needs a whole number, not \"{}\"", of, word));
  return static_cast<std::uint64_t>(*number);
}

Nanoseconds TimeOf(const FaultItem& item, std::string_view word) {
  constexpr std::pair<std::string_view, Nanoseconds> kUnits[] = {
      {"ns", 1}, {"us", kMicrosecond}, {"ms", kMillisecond}, {"s", kSecond}};
  for (const auto& [unit, factor] : kUnits) {
    if (!word.ends_with(unit)) continue;
    const auto number = ParseInt(word.substr(0, word.size() - unit.size()));
    if (number && *number >= 0) return *number * factor;
  }
  FailItem(item.text, fmt::format("\"{}\" is no time; expected for instance 5ms (ns, us, ms, s)", word));
}

std::string Suggestion(std::string_view word, const std::vector<std::string_view>& known) {
  std::string list;
  for (const std::string_view one : known)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", one);
  const std::string_view nearest = NearestName(word, known, 4);
  return nearest.empty() ? fmt::format("expected {}", list)
                         : fmt::format("did you mean \"{}\"? There are {}", nearest, list);
}

bool LooksLikeCall(std::string_view word) {
  return word.starts_with("acl") || word.starts_with("GE") || word.starts_with("RunGraph") ||
         word.starts_with("LoadGraph") || word.starts_with("Hccl") || word.starts_with("hi_mpi_");
}

void ReadWhere(Cursor& text, FaultItem& item) {
  std::string_view word = text.Until("#%@=");
  if (word == "device") {
    item.site = At::kDevice;
    item.device_hit = static_cast<int>(NumberOf(item, text.Until("#%@="), "device"));
    return;
  }
  if (word == "allocator" || word == "dump") {
    item.site = word == "dump" ? At::kDump : At::kAllocator;
  } else if (std::find(std::begin(kTaskWords), std::end(kTaskWords), word) != std::end(kTaskWords)) {
    item.site = At::kTask;
  } else if (word != "allocation" && !LooksLikeCall(word)) {
    FailItem(item.text, fmt::format("there is no \"{}\"; {}", word,
                                    Suggestion(word, {"copy", "op", "model", "graph", "device", "allocator",
                                                      "dump", "allocation", "or the name of a call"})));
  }
  item.prefix = word.ends_with('*');
  if (item.prefix) word.remove_suffix(1);
  item.where = word;
}

void ReadPlace(Cursor& text, FaultItem& item) {
  if (text.Take("stream=")) {
    item.stream = static_cast<int>(NumberOf(item, text.Until("#%@="), "@stream"));
  } else if (text.Take("device=")) {
    item.device = static_cast<int>(NumberOf(item, text.Until("#%@="), "@device"));
  } else if (text.Take("thread=main")) {
    item.main_thread = true;
  } else {
    const std::string_view word = text.Until("=");
    FailItem(item.text, fmt::format("there is no \"@{}\"; {}", word,
                                    Suggestion(word, {"stream", "device", "thread=main"})));
  }
}

void ReadWhich(Cursor& text, FaultItem& item) {
  for (;;) {
    if (text.Take("#")) {
      item.nth = NumberOf(item, text.Until("#%@="), "#");
      if (item.nth == 0) FailItem(item.text, "# counts from 1");
    } else if (text.Take("%")) {
      item.percent = static_cast<double>(NumberOf(item, text.Until("#%@="), "%"));
      if (*item.percent > 100)
        FailItem(item.text, fmt::format("% goes from 0 to 100, not {}", *item.percent));
    } else if (text.Take("every")) {
      item.every = NumberOf(item, text.Until("#%@="), "every");
      if (item.every == 0) FailItem(item.text, "every counts from 1");
    } else if (text.Take("@")) {
      ReadPlace(text, item);
    } else if (text.Take("after=")) {
      item.after = TimeOf(item, text.Until("="));
    } else {
      return;
    }
  }
}

const Words& WordsFor(const FaultItem& item) {
  for (const Words& words : AllWords())
    if (words.site == item.site && (words.where.empty() || item.where.starts_with(words.where))) return words;
  return AllWords().back();
}

void ReadWhat(Cursor& text, FaultItem& item) {
  if (!text.Take("=")) {
    const std::string_view word = text.rest();
    FailItem(item.text, word.empty()
                            ? std::string("what is to happen is missing: expected = and a word")
                            : fmt::format("\"{}\" is not understood; {}", word,
                                          Suggestion(word, {"#n", "%p", "every n", "@stream=k", "@device=k",
                                                            "@thread=main", "after=t"})));
  }
  const std::string_view word = text.Until("=");
  std::vector<std::string_view> known = WordsFor(item).what;
  if (item.site == At::kCall) known.push_back("code");
  if (std::find(known.begin(), known.end(), word) == known.end())
    FailItem(item.text, fmt::format("\"{}\" cannot happen there; {}", word, Suggestion(word, known)));
  item.what = word;
  const bool has_value = text.Take("=");
  const std::string_view value = text.rest();
  if (item.what == "delay") {
    item.time = TimeOf(item, has_value ? value : "");
  } else if (item.what == "flip" || item.what == "code") {
    item.number = NumberOf(item, has_value ? value : "", item.what.c_str());
  } else if (has_value) {
    FailItem(item.text, fmt::format("\"{}\" takes no value", word));
  }
  if (item.what == "code" && FindError(static_cast<std::int64_t>(item.number)) == nullptr)
    FailItem(item.text,
             fmt::format("{} is no number of the library (foothold explain {})", item.number, item.number));
}

FaultItem ReadItem(std::string_view text) {
  FaultItem item;
  item.text = text;
  Cursor cursor(text);
  ReadWhere(cursor, item);
  ReadWhich(cursor, item);
  ReadWhat(cursor, item);
  return item;
}

}  // namespace

FaultPlan ReadFaultPlan(std::string_view text) {
  FaultPlan plan;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    Cursor cursor(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    cursor.SkipSpace();
    if (cursor.rest().empty()) continue;
    if (cursor.rest() == "sweep") {
      plan.sweep = true;
    } else if (cursor.Take("seed=")) {
      FaultItem seed;
      seed.text = fmt::format("seed={}", cursor.rest());
      plan.seed = NumberOf(seed, cursor.Until(""), "seed");
    } else {
      plan.items.push_back(ReadItem(cursor.rest()));
    }
  }
  return plan;
}

bool IsAllocation(std::string_view call) {
  return std::any_of(std::begin(kAllocations), std::end(kAllocations),
                     [&](std::string_view begin) { return call.starts_with(begin); });
}

}  // namespace foothold::check
