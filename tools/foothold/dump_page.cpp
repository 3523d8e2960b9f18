// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/dump_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "base/html.h"

namespace foothold::dump {
namespace {

constexpr int kWidth = 190, kHeight = 34, kGapX = 24, kGapY = 30;

struct Box {
  std::string name, type;
  const Difference* worst = nullptr;  // null: nothing was compared
  int row = 0, column = 0;
  std::vector<std::size_t> sources;
};

bool IsWorse(const Difference& a, const Difference& b) {
  if (a.diverges() != b.diverges()) return a.diverges();
  return a.largest_relative > b.largest_relative;
}

// Green at 1e-7 and below, yellow about 1e-4, red at 0.1 and above.
std::string ColourOf(const Difference* difference) {
  if (difference == nullptr) return "#e8e8e8";
  if (!difference->problem.empty()) return "#b070d0";
  const double error = std::max(difference->largest_relative, 1e-7);
  const double badness = std::clamp((std::log10(std::min(error, 0.1)) + 7) / 6, 0.0, 1.0);
  return fmt::format("hsl({:.0f},75%,{:.0f}%)", 120 - 120 * badness, 72 - 12 * badness);
}

std::string TipOf(const Box& box) {
  if (box.worst == nullptr) return EscapedHtml(fmt::format("{} ({}): not in both dumps", box.name, box.type));
  if (!box.worst->problem.empty()) return EscapedHtml(fmt::format("{}: {}", box.name, box.worst->problem));
  return EscapedHtml(fmt::format(
      "{} ({}): cosine {:.6f}, largest error {:.3g} absolute, {:.3g} relative, {} ULP", box.name, box.type,
      box.worst->cosine, box.worst->largest_absolute, box.worst->largest_relative, box.worst->largest_ulp));
}

class Picture {
 public:
  Picture(const DifferenceReport& report, const Graph* graph) {
    for (const Difference& difference : report.differences) {
      const Difference*& worst = worst_[difference.tensor->node];
      if (difference.tensor->is_input) continue;
      if (worst == nullptr || IsWorse(difference, *worst)) worst = &difference;
    }
    graph == nullptr ? AddInOrder(report) : AddGraph(*graph);
    for (Box& box : boxes_)
      box.column = columns_[box.row]++;
  }

  std::string Svg() const {
    int rows = 0, columns = 0;
    for (const auto& [row, count] : columns_) {
      rows = std::max(rows, row + 1);
      columns = std::max(columns, count);
    }
    std::string svg =
        fmt::format("<svg width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"11\">\n",
                    columns * (kWidth + kGapX), rows * (kHeight + kGapY));
    for (const Box& box : boxes_)
      for (const std::size_t source : box.sources)
        svg += Line(boxes_[source], box);
    for (const Box& box : boxes_)
      svg += Rectangle(box);
    return svg + "</svg>\n";
  }

 private:
  void AddInOrder(const DifferenceReport& report) {
    std::map<std::string, bool> seen;
    for (const Difference& difference : report.differences) {
      const std::string& name = difference.tensor->node;
      if (std::exchange(seen[name], true)) continue;
      Box box{name, difference.tensor->type, worst_[name], static_cast<int>(boxes_.size()), 0, {}};
      if (!boxes_.empty()) box.sources.push_back(boxes_.size() - 1);
      boxes_.push_back(std::move(box));
    }
  }

  void AddGraph(const Graph& graph) {
    std::map<const Node*, std::size_t> places;
    for (const Node* node : graph.Order()) {
      if (node->type() == "Const" || node->type() == "Constant") continue;
      const auto found = worst_.find(node->name());
      Box box{node->name(), node->type(), found == worst_.end() ? nullptr : found->second, 0, 0, {}};
      for (const Input& input : node->inputs()) {
        const auto source = input.source ? places.find(input.source.node) : places.end();
        if (source == places.end()) continue;
        box.sources.push_back(source->second);
        box.row = std::max(box.row, boxes_[source->second].row + 1);
      }
      places[node] = boxes_.size();
      boxes_.push_back(std::move(box));
    }
  }

  static int X(const Box& box) { return box.column * (kWidth + kGapX) + kGapX / 2; }
  static int Y(const Box& box) { return box.row * (kHeight + kGapY) + kGapY / 2; }

  static std::string Line(const Box& from, const Box& to) {
    return fmt::format("<path d=\"M{} {} C{} {} {} {} {} {}\" fill=\"none\" stroke=\"#999\"/>\n",
                       X(from) + kWidth / 2, Y(from) + kHeight, X(from) + kWidth / 2,
                       Y(from) + kHeight + kGapY, X(to) + kWidth / 2, Y(to) - kGapY, X(to) + kWidth / 2,
                       Y(to));
  }

  static std::string Rectangle(const Box& box) {
    const std::string shown = box.name.size() > 30 ? "…" + box.name.substr(box.name.size() - 29) : box.name;
    return fmt::format(
        "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"{}\" "
        "stroke=\"{}\" stroke-width=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" "
        "fill=\"#555\">{}</text></g>\n",
        TipOf(box), X(box), Y(box), kWidth, kHeight, ColourOf(box.worst),
        box.worst != nullptr && box.worst->diverges() ? "#c00" : "#666",
        box.worst != nullptr && box.worst->diverges() ? 2 : 1, X(box) + 6, Y(box) + 14, EscapedHtml(shown),
        X(box) + 6, Y(box) + 28, EscapedHtml(box.type));
  }

  std::map<std::string, const Difference*> worst_;
  std::map<int, int> columns_;
  std::vector<Box> boxes_;
};

std::string Rows(const DifferenceReport& report) {
  std::string rows;
  for (const Difference& one : report.differences) {
    const std::string what = EscapedHtml(one.tensor->Describe());
    if (!one.problem.empty()) {
      rows += fmt::format("<tr class=\"bad\"><td>{}</td><td colspan=\"4\">{}</td></tr>\n", what,
                          EscapedHtml(one.problem));
      continue;
    }
    rows += fmt::format("<tr{}><td>{}</td><td>{:.6f}</td><td>{:.3g}</td><td>{:.3g}</td><td>{}</td></tr>\n",
                        one.diverges() ? " class=\"bad\"" : "", what, one.cosine, one.largest_absolute,
                        one.largest_relative, one.largest_ulp);
  }
  return rows;
}

}  // namespace

std::string DifferencePage(const DifferenceReport& report, const std::string& title, const Graph* graph) {
  const Difference* first = report.first_diverging();
  const std::string verdict = first == nullptr
                                  ? "All tensors are within the tolerance."
                                  : "The first that diverges is " + first->tensor->Describe() + ".";
  return HtmlDocument(
      title,
      fmt::format("<p id=\"verdict\">{} {} tensors were compared, {} are only in the first dump, {} only in "
                  "the second.</p>\n<div class=\"graph\">\n{}</div>\n"
                  "<table class=\"rows\"><tr><th>tensor</th><th>cosine</th><th>absolute</th>"
                  "<th>relative</th><th>ULP</th></tr>\n{}</table>\n",
                  EscapedHtml(verdict), report.differences.size(), report.only_first.size(),
                  report.only_second.size(), Picture(report, graph).Svg(), Rows(report)));
}

}  // namespace foothold::dump
