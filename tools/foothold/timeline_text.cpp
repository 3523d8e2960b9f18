// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/timeline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "trace/timeline_scale.h"
#include "trace/timeline_style.h"

namespace foothold::timeline {
namespace {

constexpr std::size_t kNameColumns = 18;
constexpr std::string_view kCutSign = "┆";

class TextDrawing {
 public:
  TextDrawing(const Timeline& timeline, std::size_t width) : scale_(timeline), width_(width) {}

  std::string RowText(const Row& row) const {
    std::vector<std::string_view> cells(width_, " ");
    for (const bool waits : {true, false})  // a wait must not hide what happened in the same column
      for (const Box& box : row.boxes)      // inner boxes come later and lie on top
        for (std::size_t i = Column(box.begin); box.Waits() == waits && i <= Column(box.end); ++i)
          cells[i] = StyleOf(box.category).sign;
    for (const TimeScale::Cut& cut : scale_.cuts())
      cells[Column((cut.begin + cut.end) / 2)] = kCutSign;
    return fmt::format("{:<{}.{}} {}\n", row.name, kNameColumns - 1, kNameColumns - 1, fmt::join(cells, ""));
  }

  std::string Legend() const {
    std::string text = fmt::format("{:<{}} {} to {}:", "", kNameColumns - 1, Duration(scale_.TimeAt(0)),
                                   Duration(scale_.TimeAt(1)));
    for (const Style& style : kStyles)
      text += fmt::format("  {} {}", style.sign, style.meaning);
    for (const TimeScale::Cut& cut : scale_.cuts())
      text += fmt::format("  {} {} of waiting left out", kCutSign, Duration(cut.end - cut.begin));
    return text + "\n";
  }

 private:
  std::size_t Column(double time) const {
    return std::min(width_ - 1, static_cast<std::size_t>(scale_.Place(time) * static_cast<double>(width_)));
  }

  TimeScale scale_;
  std::size_t width_;
};

}  // namespace

std::string DrawText(const Timeline& timeline, std::size_t columns) {
  const TextDrawing drawing(timeline, columns > kNameColumns + 20 ? columns - kNameColumns : 20);
  std::string text;
  for (const Row& row : timeline.rows)
    text += drawing.RowText(row);
  return text + drawing.Legend();
}

}  // namespace foothold::timeline
