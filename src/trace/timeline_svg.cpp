// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/html.h"
#include "trace/timeline.h"
#include "trace/timeline_scale.h"
#include "trace/timeline_style.h"

namespace foothold::timeline {
namespace {

constexpr double kWidth = 1400, kLeft = 150, kLine = 18, kGap = 10, kMemoryHeight = 60, kTop = 56;
constexpr std::string_view kHeldUpColor = "#c03030";
constexpr double kArrowDistance = 28;  // between arrows that are drawn

constexpr const char* kPatterns =
    "<defs><pattern id=\"wait\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f4f4f4\"/><line y2=\"6\" "
    "stroke=\"#ccc\" stroke-width=\"2\"/></pattern></defs>\n";

class Svg {
 public:
  Svg(const Timeline& timeline, const std::string& title) : timeline_(timeline), scale_(timeline) {
    double y = kTop;
    for (const Row& row : timeline_.rows) {
      tops_.push_back(y);
      y += row.depth * kLine + kGap;
    }
    bottom_ = y;
    Add("<text x=\"10\" y=\"22\" font-size=\"16\">{}</text>\n", EscapedHtml(title));
    Axis();
    for (std::size_t i = 0; i < timeline_.rows.size(); ++i)
      DrawRow(timeline_.rows[i], tops_[i]);
    drawn_arrows_ = DrawArrows(timeline_.arrows, "#666");
    DrawArrows(timeline_.held_up, kHeldUpColor);
    DrawCuts();
    DrawFindings();
    if (!timeline_.memory.empty()) DrawMemory();
    Legend();
  }

  std::string Text() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{}</svg>\n",
        kLeft + kWidth + 20, bottom_ + kMemoryHeight + 90, kPatterns, text_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }
  double X(double time) const { return kLeft + kWidth * scale_.Place(time); }

  void Axis() {
    for (int i = 0; i <= 10; ++i) {
      const double time = scale_.TimeAt(i / 10.0);
      Add("<line x1=\"{0:.1f}\" y1=\"{3}\" x2=\"{0:.1f}\" y2=\"{1:.1f}\" stroke=\"#eee\"/><text "
          "x=\"{0:.1f}\" y=\"{4}\" text-anchor=\"{5}\" fill=\"#888\">{2}</text>\n",
          kLeft + kWidth * i / 10, bottom_, Duration(time), kTop - 6, kTop - 8, i == 10 ? "end" : "start");
    }
  }

  void DrawRow(const Row& row, double top) {
    Add("<text x=\"10\" y=\"{:.1f}\">{}</text>\n", top + 12, EscapedHtml(row.name));
    for (const Box& box : row.boxes) {
      const double x = X(box.begin), width = std::max(X(box.end) - x, box.category == "callback" ? 2 : 0.5);
      const double y = top + box.depth * kLine;
      Add("<g><title>{}: {}</title><rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" "
          "fill=\"{}\"/>",
          EscapedHtml(box.name), Duration(box.end - box.begin), x, y, width, kLine - 2,
          StyleOf(box.category).fill);
      const auto fits = static_cast<std::size_t>(width / 7);
      if (fits > 3)
        Add("<text x=\"{:.2f}\" y=\"{:.1f}\">{}</text>", x + 2, y + 12,
            EscapedHtml(box.name.substr(0, fits)));
      Add("</g>\n");
    }
  }

  // A few stand for all: one for each stretch of the row that queues and the row that runs.
  std::size_t DrawArrows(std::vector<Arrow> arrows, std::string_view color) {
    std::map<std::pair<std::size_t, std::size_t>, Arrow> last;
    std::size_t drawn = 0;
    std::sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) { return a.from < b.from; });
    for (const Arrow& arrow : arrows) {
      const auto [place, first] = last.try_emplace({arrow.from_row, arrow.to_row}, arrow);
      const Arrow& before = place->second;
      const bool near = X(arrow.from) - X(before.from) < kArrowDistance &&
                        std::abs(X(arrow.to) - X(before.to)) < kArrowDistance;
      if (!first && near) continue;
      place->second = arrow;
      DrawArrow(arrow, color);
      ++drawn;
    }
    return drawn;
  }

  void DrawArrow(const Arrow& arrow, std::string_view color) {
    const double y1 = tops_[arrow.from_row] + kLine / 2, y2 = tops_[arrow.to_row];
    Add("<path class=\"arrow\" d=\"M{0:.2f} {1:.1f} C{0:.2f} {2:.1f} {3:.2f} {2:.1f} {3:.2f} {4:.1f}\" "
        "fill=\"none\" stroke=\"{5}\" stroke-width=\"0.6\"/>\n",
        X(arrow.from), y1, (y1 + y2) / 2, X(arrow.to), y2, color);
  }

  void DrawFindings() {
    for (const Arrow& arrow : timeline_.findings) {
      const double y1 = tops_[arrow.from_row] + kLine / 2, y2 = tops_[arrow.to_row] + kLine / 2;
      Add("<path class=\"finding\" d=\"M{0:.2f} {1:.1f} C{0:.2f} {2:.1f} {3:.2f} {2:.1f} {3:.2f} {4:.1f}\" "
          "fill=\"none\" stroke=\"#c00\" stroke-width=\"1.6\"/>\n",
          X(arrow.from), y1, (y1 + y2) / 2, X(arrow.to), y2);
    }
    for (const Mark& mark : timeline_.marks)
      Add("<g class=\"mark\"><title>{}: {}</title><circle cx=\"{:.2f}\" cy=\"{:.1f}\" r=\"5\" "
          "fill=\"#c00\" stroke=\"white\"/></g>\n",
          EscapedHtml(mark.name), EscapedHtml(mark.text), X(mark.time), tops_[mark.row] + kLine / 2);
  }

  void DrawCuts() {
    for (const TimeScale::Cut& cut : scale_.cuts()) {
      const double x = X(cut.begin), width = X(cut.end) - x;
      Add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"white\" "
          "fill-opacity=\"0.7\"/><text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" fill=\"#888\">{} "
          "of "
          "waiting left out</text>\n",
          x, kTop - 6, width, bottom_ - kTop + 6, x + width / 2 + 4, bottom_ - 4,
          Duration(cut.end - cut.begin));
    }
  }

  void DrawMemory() {
    double most = 1;
    for (const MemoryUse& use : timeline_.memory)
      most = std::max(most, use.bytes);
    const auto y = [&](double bytes) { return bottom_ + kMemoryHeight * (1 - bytes / most); };
    std::string path = fmt::format("M{:.1f} {:.1f}", kLeft, y(0));
    for (const MemoryUse& use : timeline_.memory)
      path += fmt::format("H{:.2f}V{:.2f}", X(use.time), y(use.bytes));
    path += fmt::format("H{:.1f}", kLeft + kWidth);
    Add("<text x=\"10\" y=\"{:.1f}\">device memory</text><text x=\"10\" y=\"{:.1f}\" fill=\"#888\">up to "
        "{:.1f} "
        "MiB</text><path d=\"{}\" fill=\"none\" stroke=\"#a06030\"/>\n",
        bottom_ + 14, bottom_ + 30, most / (1 << 20), path);
  }

  void Legend() {
    double x = kLeft;
    const double y = bottom_ + kMemoryHeight + 24;
    for (const Style& style : kStyles) {
      Add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\"/><text x=\"{:.1f}\" "
          "y=\"{:.1f}\">{}</text>\n",
          x, y, style.fill, x + 18, y + 11, style.meaning);
      x += 140;
    }
    if (!timeline_.marks.empty())
      Add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#c00\"/><text x=\"{:.1f}\" "
          "y=\"{:.1f}\">findings, "
          "with an arrow from what was before</text>\n",
          kLeft + 7, y + 46, kLeft + 18, y + 50);
    if (drawn_arrows_ > 0)
      Add("<text x=\"{:.1f}\" y=\"{:.1f}\">arrows: from the call that queues a task to its run, {} of {} "
          "drawn</text>\n",
          kLeft, y + 32, drawn_arrows_, timeline_.arrows.size());
    if (!timeline_.held_up.empty())
      Add("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">red: from the rank that came last to those that "
          "waited "
          "for it</text>\n",
          kLeft + 600, y + 32, kHeldUpColor);
  }

  const Timeline& timeline_;
  const TimeScale scale_;
  std::size_t drawn_arrows_ = 0;
  std::vector<double> tops_;
  double bottom_ = 0;
  std::string text_;
};

}  // namespace

std::string DrawSvg(const Timeline& timeline, const std::string& title) {
  return Svg(timeline, title).Text();
}

}  // namespace foothold::timeline
