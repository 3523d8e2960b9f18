// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/html_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/html.h"

namespace foothold::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBegin = "<!-- sections -->\n";
constexpr const char* kEnd = "<!-- end of sections -->\n";

std::string Row(const std::string& label, const std::string& html) {
  return fmt::format("<tr><td class=\"label\">{}</td><td>{}</td></tr>\n", EscapedHtml(label), html);
}

std::string StackOf(const Json& stack) {
  std::string html;
  for (const Json& frame : stack) {
    const std::string file = frame.value("file", frame.value("module", ""));
    html += fmt::format(
        "<br><code>{}</code> {}", EscapedHtml(frame.value("function", "")),
        EscapedHtml(frame.contains("line") ? fmt::format("{}:{}", file, frame.value("line", 0)) : file));
  }
  return html;
}

std::string ActOf(const Json& act) {
  std::string where = act.value("agent", "");
  if (act.contains("task")) where += fmt::format(", task {}", act.value("task", 0));
  return fmt::format("<code>{}({})</code> {} <i>{}, thread {}</i>{}", EscapedHtml(act.value("call", "")),
                     EscapedHtml(act.value("arguments", "")), EscapedHtml(act.value("does", "")),
                     EscapedHtml(where), act.value("thread", 0), StackOf(act.at("stack")));
}

std::string ObjectOf(const Json& object) {
  std::string html = EscapedHtml(object.value("text", ""));
  for (const Json& step : object.at("history"))
    html += fmt::format("<br>{} <code>{}</code>{}", EscapedHtml(step.value("how", "")),
                        EscapedHtml(step.value("call", "")), StackOf(step.at("stack")));
  return html;
}

std::string FindingOf(const Json& finding, bool open) {
  const std::string severity = finding.value("severity", ""), rule = finding.value("rule", "");
  std::string html = fmt::format(
      "<details class=\"{0}\"{1}><summary><b>{2}</b> {0}: {3}</summary>\n<table>\n", EscapedHtml(severity),
      open ? " open" : "", EscapedHtml(rule), EscapedHtml(finding.value("message", "")));
  html += Row("now", ActOf(finding.at("now")));
  if (finding.contains("before")) html += Row("before", ActOf(finding.at("before")));
  for (const Json& object : finding.at("objects"))
    html += Row(object.value("kind", ""), ObjectOf(object));
  for (const Json& edge : finding.at("edges"))
    html += Row("order", EscapedHtml(edge.get<std::string>()));
  html += Row("fix", EscapedHtml(finding.value("fix", "")));
  html += Row("more", fmt::format("<code>foothold explain {}</code>", EscapedHtml(rule)));
  return html + "</table></details>\n";
}

}  // namespace

std::string HtmlSection(const std::vector<Json>& findings, int process, const std::string& picture) {
  constexpr std::size_t kOpen = 3;  // the first are unfolded
  std::string html = fmt::format("<section>\n<h2>process {}: {} finding{}</h2>\n", process, findings.size(),
                                 findings.size() == 1 ? "" : "s");
  if (!picture.empty()) html += fmt::format("<div class=\"timeline\">\n{}</div>\n", picture);
  for (std::size_t i = 0; i < findings.size(); ++i)
    html += FindingOf(findings[i], i < kOpen);
  return html + "</section>\n";
}

std::string HtmlPage(const std::string& sections) {
  return HtmlDocument("foothold check", kBegin + sections + kEnd);
}

std::string SectionsOf(const std::string& page) {
  const auto begin = page.find(kBegin), end = page.rfind(kEnd);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const auto first = begin + std::string(kBegin).size();
  return page.substr(first, end - first);
}

}  // namespace foothold::check
