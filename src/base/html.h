// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pages that stand alone, with one style for all that the project writes. Any thread.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace foothold {

inline constexpr std::string_view kPageStyle =
    "body{font-family:sans-serif;margin:1.5em;max-width:100em}"
    ".graph,.timeline{overflow:auto;border:1px solid #ccc}.graph{max-height:75vh}"
    "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;vertical-align:top}"
    ".rows td,.rows th{border-bottom:1px solid #ddd}.bad td{background:#fdd}"
    "td.label{color:#777}code{font-size:.95em}summary{cursor:pointer}"
    "details{border-left:5px solid #999;margin:.6em 0;padding:.2em .8em;background:#fafafa}"
    "details.error{border-color:#c00}details.warning{border-color:#e3a000}";

// As text of a page, or as the value of an attribute in double quotes.
inline std::string EscapedHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const char* const entity = c == '<'   ? "&lt;"
                               : c == '>' ? "&gt;"
                               : c == '&' ? "&amp;"
                               : c == '"' ? "&quot;"
                                          : nullptr;
    entity == nullptr ? escaped.push_back(c) : static_cast<void>(escaped.append(entity));
  }
  return escaped;
}

// A whole page; `title` is text, `body` is HTML. It needs nothing from elsewhere.
inline std::string HtmlDocument(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>"
      "<body>\n<h1>{0}</h1>\n{2}</body></html>\n",
      EscapedHtml(title), kPageStyle, body);
}

}  // namespace foothold
