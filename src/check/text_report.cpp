// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>

#include "check/resolved_finding.h"

namespace foothold::check {
namespace {

constexpr std::size_t kColumns = 120;
constexpr std::size_t kShownFrames = 6;
constexpr const char* kFront = "== foothold check ==";

// "   label   ", then the text; further lines of it below its beginning.
void AddField(std::string& out, const char* label, std::string_view text) {
  out += fmt::format("   {:<7} ", label);
  const std::size_t room = kColumns - 11;
  while (text.size() > room) {
    const auto space = text.rfind(' ', room);
    const std::size_t cut = space == std::string_view::npos || space == 0 ? room : space;
    out += fmt::format("{}\n{:11}", text.substr(0, cut), "");
    text.remove_prefix(std::min(cut + (cut == space), text.size()));
  }
  out += fmt::format("{}\n", text);
}

// What the standard library puts between two functions of the program.
bool IsLibraryCode(const Frame& frame) {
  return frame.file.find("/include/c++/") != std::string::npos || frame.function.find("std::__invoke") == 0;
}

std::vector<const Frame*> Shown(const std::vector<Frame>& frames) {
  std::vector<const Frame*> shown;
  for (const Frame& frame : frames)
    if ((shown.empty() || !IsLibraryCode(frame)) && shown.size() < kShownFrames) shown.push_back(&frame);
  return shown;
}

// "             queued by thread 7083 in  Function  file.cpp:88", and its callers below.
void AddStack(std::string& out, const std::string& how, const Site& site, const std::vector<Frame>& frames) {
  if (!site) return;
  const std::string lead = fmt::format("{} thread {}", how, site.thread);
  if (frames.empty()) out += fmt::format("{:13}{}\n", "", lead);
  std::size_t widest = 0;
  const std::vector<const Frame*> shown = Shown(frames);
  for (const Frame* const frame : shown)
    widest = std::max(widest, std::min<std::size_t>(frame->Name().size(), 48));
  for (const Frame* const frame : shown) {
    const bool first = frame == shown.front();
    const std::string line = fmt::format("{:13}{:<{}} {}  {:<{}}  {}", "", first ? lead : "", lead.size(),
                                         first ? "in  " : "from", frame->Name(), widest, frame->Place());
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
}

std::string Sentence(const Act& act) {
  std::string text = act.call;
  if (!act.arguments.empty()) text += fmt::format("({})", act.arguments);
  if (!act.does.empty()) text += (text.empty() ? "" : " ") + act.does;
  if (!act.agent.empty()) text += fmt::format("   {}", act.agent);
  if (act.task) text += fmt::format(", task {}", *act.task);
  return text;
}

void AddAct(std::string& out, const char* label, const Act& act, const std::vector<Frame>& frames) {
  AddField(out, label, Sentence(act));
  AddStack(out, act.how, act.site, frames);
}

}  // namespace

std::string TextOf(const ResolvedFinding& found) {
  const Finding& finding = found.finding;
  std::string out =
      fmt::format("{} {} {}: {}\n", kFront, finding.rule->id, NameOf(finding.weight()), finding.headline);
  AddAct(out, "now", finding.now, found.NowStack());
  if (finding.before) AddAct(out, "before", *finding.before, found.BeforeStack());
  for (const Object& object : finding.objects) {
    AddField(out, object.label.c_str(), object.text);
    for (const auto& [how, site] : object.history)
      AddStack(out, fmt::format("{} {},", how, site.call), site, found.StackOf(site));
  }
  if (!finding.order.empty()) AddField(out, "order", finding.order);
  const std::string fix = finding.fix.empty() ? finding.rule->fixes : finding.fix;
  AddField(out, "fix", fix.substr(0, fix.find('\n')));
  AddField(out, "key", found.KeyText());
  AddField(out, "more", fmt::format("foothold explain {}", finding.rule->id));
  return out;
}

}  // namespace foothold::check
