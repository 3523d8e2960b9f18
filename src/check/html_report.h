// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Findings as one page for a browser that needs nothing else: drawn on the timeline, and as a list. A page
// has a section for each process; sections of several pages make one. Any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace foothold::check {

// `picture` is a drawing of the timeline (SVG); empty: there is none.
std::string HtmlSection(const std::vector<nlohmann::ordered_json>& findings, int process,
                        const std::string& picture);
std::string HtmlPage(const std::string& sections);
// Those of a page.
std::string SectionsOf(const std::string& page);

}  // namespace foothold::check
