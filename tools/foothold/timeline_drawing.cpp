// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "foothold/timeline.h"

namespace foothold::timeline {
namespace {

constexpr std::size_t kNameColumns = 18;
constexpr double kWidth = 1400, kLeft = 150, kLine = 18, kGap = 10, kMemoryHeight = 60;

struct Style {
  std::string_view category, colour, sign, meaning;
};
constexpr std::array<Style, 5> kStyles = {{{"api", "#7aa6d8", "─", "call of the API"},
                                           {"task", "#8ac48a", "▓", "task of a stream"},
                                           {"node", "#e3a857", "█", "kernel"},
                                           {"callback", "#c48ac4", "◆", "function of the program"},
                                           {"mark", "#d87a7a", "▒", "range of the program"}}};

const Style& StyleOf(const std::string& category) {
  const auto found = std::find_if(kStyles.begin(), kStyles.end(),
                                  [&](const Style& style) { return style.category == category; });
  return found == kStyles.end() ? kStyles.front() : *found;
}

// Names of threads may hold anything.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Duration(double microseconds) {
  if (microseconds < 1000) return fmt::format("{:.3g} µs", microseconds);
  return microseconds < 1e6 ? fmt::format("{:.3g} ms", microseconds / 1e3)
                            : fmt::format("{:.3g} s", microseconds / 1e6);
}

class Svg {
 public:
  Svg(const Timeline& timeline, const std::string& title) : timeline_(timeline) {
    double y = 40;
    for (const Row& row : timeline_.rows) {
      tops_.push_back(y);
      y += row.depth * kLine + kGap;
    }
    bottom_ = y;
    Add("<text x=\"10\" y=\"22\" font-size=\"16\">{}</text>\n", Escaped(title));
    Axis();
    for (std::size_t i = 0; i < timeline_.rows.size(); ++i)
      DrawRow(timeline_.rows[i], tops_[i]);
    for (const Arrow& arrow : timeline_.arrows)
      DrawArrow(arrow);
    if (!timeline_.memory.empty()) DrawMemory();
    Legend();
  }

  std::string Text() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
        kLeft + kWidth + 20, bottom_ + kMemoryHeight + 60, text_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }
  double X(double time) const { return kLeft + kWidth * time / std::max(timeline_.length, 1e-3); }

  void Axis() {
    for (int i = 0; i <= 10; ++i) {
      const double time = timeline_.length * i / 10;
      Add("<line x1=\"{0:.1f}\" y1=\"34\" x2=\"{0:.1f}\" y2=\"{1:.1f}\" stroke=\"#eee\"/><text x=\"{0:.1f}\" "
          "y=\"32\" "
          "fill=\"#888\">{2}</text>\n",
          X(time), bottom_, Duration(time));
    }
  }

  void DrawRow(const Row& row, double top) {
    Add("<text x=\"10\" y=\"{:.1f}\">{}</text>\n", top + 12, Escaped(row.name));
    for (const Box& box : row.boxes) {
      const double x = X(box.begin), width = std::max(X(box.end) - x, 0.5);
      const double y = top + box.depth * kLine;
      Add("<g><title>{}: {}</title><rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" "
          "fill=\"{}\"/>",
          Escaped(box.name), Duration(box.end - box.begin), x, y, width, kLine - 2,
          StyleOf(box.category).colour);
      const auto fits = static_cast<std::size_t>(width / 7);
      if (fits > 3)
        Add("<text x=\"{:.2f}\" y=\"{:.1f}\">{}</text>", x + 2, y + 12, Escaped(box.name.substr(0, fits)));
      Add("</g>\n");
    }
  }

  void DrawArrow(const Arrow& arrow) {
    const double y1 = tops_[arrow.from_row] + kLine / 2, y2 = tops_[arrow.to_row];
    Add("<path d=\"M{0:.2f} {1:.1f} C{0:.2f} {2:.1f} {3:.2f} {2:.1f} {3:.2f} {4:.1f}\" fill=\"none\" "
        "stroke=\"#555\" stroke-opacity=\"0.35\"/>\n",
        X(arrow.from), y1, (y1 + y2) / 2, X(arrow.to), y2);
  }

  void DrawMemory() {
    double most = 1;
    for (const MemoryUse& use : timeline_.memory)
      most = std::max(most, use.bytes);
    const auto y = [&](double bytes) { return bottom_ + kMemoryHeight * (1 - bytes / most); };
    std::string path = fmt::format("M{:.1f} {:.1f}", X(0), y(0));
    for (const MemoryUse& use : timeline_.memory)
      path += fmt::format("H{:.2f}V{:.2f}", std::min(X(use.time), kLeft + kWidth), y(use.bytes));
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
          x, y, style.colour, x + 18, y + 11, style.meaning);
      x += 180;
    }
  }

  const Timeline& timeline_;
  std::vector<double> tops_;
  double bottom_ = 0;
  std::string text_;
};

}  // namespace

std::string DrawText(const Timeline& timeline, std::size_t columns) {
  const std::size_t width = columns > kNameColumns + 20 ? columns - kNameColumns : 20;
  std::string text;
  for (const Row& row : timeline.rows) {
    std::vector<std::string_view> cells(width, " ");
    for (const Box& box : row.boxes) {  // inner boxes come later and lie on top
      const auto place = [&](double time) {
        return std::min(width - 1, static_cast<std::size_t>(time / std::max(timeline.length, 1e-3) *
                                                            static_cast<double>(width)));
      };
      for (std::size_t i = place(box.begin); i <= place(box.end); ++i)
        cells[i] = StyleOf(box.category).sign;
    }
    text += fmt::format("{:<{}.{}} {}\n", row.name, kNameColumns - 1, kNameColumns - 1, fmt::join(cells, ""));
  }
  text += fmt::format("{:<{}} 0 to {}:", "", kNameColumns - 1, Duration(timeline.length));
  for (const Style& style : kStyles)
    text += fmt::format("  {} {}", style.sign, style.meaning);
  return text + "\n";
}

std::string DrawSvg(const Timeline& timeline, const std::string& title) {
  return Svg(timeline, title).Text();
}

}  // namespace foothold::timeline
