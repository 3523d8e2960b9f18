// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/reporter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/data_file.h"
#include "base/environment.h"
#include "base/per_process.h"
#include "base/schedule.h"
#include "base/watch.h"
#include "check/check.h"
#include "check/faults.h"
#include "check/history.h"
#include "check/html_report.h"
#include "check/order.h"
#include "check/stillness.h"
#include "trace/chrome_trace.h"
#include "trace/recorder.h"
#include "trace/timeline.h"
#include "trace/trace.h"

namespace foothold::check {
namespace {

void WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void WriteTo(const std::string& path, std::string_view text, int mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0666);
  if (file < 0) {
    TellWrongSetting("FOOTHOLD_CHECK_OUTPUT",
                     fmt::format("FOOTHOLD_CHECK_OUTPUT: '{}' cannot be written: {}", path, strerror(errno)));
    return;
  }
  WriteAll(file, text);
  close(file);
}

bool EndsWith(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

bool IsWrittenAsAWhole(const std::string& path) {
  return EndsWith(path, ".sarif") || EndsWith(path, ".html");
}

std::string PageOf(const std::vector<nlohmann::ordered_json>& findings) {
  constexpr std::size_t kMostEvents = 20000;
  const std::string trace = trace::FindingsTrace(kMostEvents);
  const std::string picture =
      trace.empty()
          ? ""
          : timeline::DrawSvg(timeline::ParseTimeline(trace, "the recording"), "around the findings");
  return HtmlPage(HtmlSection(findings, getpid(), picture));
}

// Both tasks, or this thread, get a mark.
void MarkInTrace(const Finding& finding) {
  const Nanoseconds now = Now();
  const char* const what = trace::Keep(finding.headline);
  const auto number = [](const Act& act) { return act.task ? std::uint64_t{*act.task} + 1 : 0; };
  trace::Record(
      {trace::Kind::kFinding, finding.now.stream, finding.rule->id, what, number(finding.now), now, now});
  if (finding.before && finding.before->task)
    trace::Record({trace::Kind::kBefore, finding.before->stream, finding.rule->id, what,
                   number(*finding.before), now, now});
}

std::string Plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void Stop(OnFinding on) {
  if (on == OnFinding::kAbort) std::abort();
  if (on == OnFinding::kBreak) raise(SIGTRAP);
}

std::string UnusedFaults() {
  std::string text;
  for (const std::string& fault : FaultsThatNeverHappened())
    text += fmt::format("== foothold check == fault that never happened: {}\n", fault);
  return text;
}

}  // namespace

Reporter& Reporter::Get() {
  return PerProcess<Reporter>::Get();
}

Reporter::Reporter() : settings_(TheSettings()) {
  std::vector<std::string> problems;
  for (const std::string& path : settings_.suppressions) {
    const DataFile file = DataFile::Open(path);
    std::string text(file.problem().empty() ? file.size() : 0, '\0');
    if (!file.problem().empty()) {
      problems.push_back(fmt::format("'{}' {}", path, file.problem()));
    } else if (file.Read(0, reinterpret_cast<std::byte*>(text.data()), text.size())) {
      suppressions_.Add(text, problems);
    }
  }
  for (const std::string& problem : problems)
    TellWrongSetting("FOOTHOLD_CHECK_SUPPRESS", "FOOTHOLD_CHECK_SUPPRESS: " + problem);
}

// "%p" is the number of the process. Without it, a forked child puts its number before the ending.
std::string Reporter::PathOf(const std::string& output) const {
  std::string path = output;
  const std::string number = fmt::format("{}", getpid());
  if (const auto at = path.find("%p"); at != std::string::npos) return path.replace(at, 2, number);
  if (Forks() == 0) return path;
  return path.insert(std::min(path.rfind('.'), path.size()), "." + number);
}

void Reporter::Open() noexcept try {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::string& output : settings_.outputs) {
    if (output == "stderr" || EndsWith(output, ".sarif")) continue;
    if (EndsWith(output, ".html")) trace::Recorder::Get().Begin();  // what findings are drawn on
    std::string first;
    if (EndsWith(output, ".json")) {
      std::string groups;
      for (const Group group : settings_.groups)
        groups += fmt::format("{}{}", groups.empty() ? "" : ",", NameOf(group));
      first =
          nlohmann::ordered_json{{"foothold check", 1}, {"process", getpid()}, {"groups", groups}}.dump() +
          "\n";
    }
    WriteTo(PathOf(output), first, O_TRUNC);
  }
} catch (...) {  // reports that cannot be written are told when there are any
}

bool Reporter::Report(Finding finding) noexcept {
  const bool fails = finding.weight() == Severity::kError && settings_.on == OnFinding::kError;
  try {
    Add(std::move(finding));
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++counts_.lost;
  }
  return fails;
}

void Reporter::ReportLater(Finding finding) noexcept try {
  const std::lock_guard<std::mutex> lock(mutex_);
  later_.push_back(std::move(finding));
  waiting_.store(true);
} catch (...) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_.lost;
}

void Reporter::NoteInjected(const std::string& item, const std::string& where) noexcept try {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_.injected;
  for (const std::string& output : settings_.outputs)
    if (EndsWith(output, ".json"))
      WriteTo(PathOf(output), nlohmann::ordered_json{{"injected", item}, {"where", where}}.dump() + "\n",
              O_APPEND);
} catch (...) {  // no memory to say so
}

void Reporter::WriteWaiting() noexcept {
  std::vector<Finding> later;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    later.swap(later_);
    waiting_.store(false);
  }
  for (Finding& finding : later)
    Report(std::move(finding));
}

void Reporter::Add(Finding finding) {
  // Drawings leave this time out: it is none of the program's.
  const trace::Scope drawn(trace::Kind::kRange, "foothold check");
  const ReportTime not_counted;
  const ResolvedFinding found = Resolve(std::move(finding));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!IsNew(found)) return;
    Write(found);
  }
  Stop(settings_.on);
}

bool Reporter::IsNew(const ResolvedFinding& found) {
  if (++seen_[found.KeyText()] > settings_.limit_per_site) return false;
  const Finding& finding = found.finding;
  if (suppressions_.Matches(finding.rule->id, found.NowStack(), found.BeforeStack())) {
    ++counts_.suppressed;
    return false;
  }
  if (finding.rule->group == Group::kLeak && finding.leaks) {
    counts_.leaks += finding.places;
    ++counts_.leak_places;
  }
  ++counts_.by_severity[static_cast<int>(finding.weight())];
  if (++shown_ <= settings_.limit) return true;
  ++counts_.not_shown;
  return false;
}

void Reporter::Write(const ResolvedFinding& found) {
  const std::string text = TextOf(found);
  const std::string json = JsonOf(found);
  for (const std::string& output : settings_.outputs) {
    if (output == "stderr") {
      WriteAll(STDERR_FILENO, text);
    } else if (EndsWith(output, ".json")) {
      WriteTo(PathOf(output), json + "\n", O_APPEND);
    } else if (!IsWrittenAsAWhole(output)) {
      WriteTo(PathOf(output), text, O_APPEND);
    }
  }
  json_.push_back(json);
  if (trace::Active()) MarkInTrace(found.finding);
}

void Reporter::WriteFiles() noexcept try {
  WriteLater();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::string& output : settings_.outputs) {
    if (!IsWrittenAsAWhole(output)) continue;
    std::vector<nlohmann::ordered_json> findings;
    for (const std::string& one : json_)
      findings.push_back(nlohmann::ordered_json::parse(one));
    WriteTo(PathOf(output), EndsWith(output, ".html") ? PageOf(findings) : SarifOf(findings), O_TRUNC);
  }
} catch (...) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++counts_.lost;
}

std::string Reporter::Summary() const {
  std::string text =
      fmt::format("== foothold check == {}, {}", Plural(counts_.by_severity[0], "error", "errors"),
                  Plural(counts_.by_severity[1], "warning", "warnings"));
  for (const Severity severity : {Severity::kPortability, Severity::kAdvice})
    if (const std::uint64_t count = counts_.by_severity[static_cast<int>(severity)])
      text += fmt::format(", {} of {}", count, NameOf(severity));
  if (counts_.suppressed > 0) text += fmt::format(" ({} suppressed)", counts_.suppressed);
  if (counts_.leaks > 0)
    text += fmt::format(", {} in {}", Plural(counts_.leaks, "leak", "leaks"),
                        Plural(counts_.leak_places, "place", "places"));
  if (counts_.not_shown > 0) text += fmt::format("; {} not shown (FOOTHOLD_CHECK_LIMIT)", counts_.not_shown);
  if (counts_.lost > 0) text += fmt::format("; {} lost for want of memory", counts_.lost);
  if (counts_.injected > 0) text += fmt::format("; {} injected", Plural(counts_.injected, "fault", "faults"));
  if (const std::size_t shared = SharedBlocks())
    text += fmt::format("; {} shared with other processes not looked at for races",
                        Plural(shared, "block", "blocks"));
  if (const char* const by = schedule::Name()) text += fmt::format("; repeat: FOOTHOLD_SCHEDULE={}", by);
  return text + "\n";
}

void Reporter::WriteEnd() noexcept try {
  WriteFiles();
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string text;
  if (!seen_.empty() || counts_.lost > 0) text = Summary();
  for (const Suppressions::Line& line : suppressions_.lines())
    if (line.used == 0) text += fmt::format("== foothold check == unused suppression: {}\n", line.text);
  if (watch::Is(watch::kFaults)) text += UnusedFaults();
  if (text.empty()) return;
  for (const std::string& output : settings_.outputs) {
    if (output == "stderr")
      WriteAll(STDERR_FILENO, text);
    else if (!EndsWith(output, ".json") && !IsWrittenAsAWhole(output))
      WriteTo(PathOf(output), text, O_APPEND);
  }
} catch (...) {  // the process ends
}

}  // namespace foothold::check
