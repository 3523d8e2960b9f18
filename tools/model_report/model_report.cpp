// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model_report/model_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/format_names.h"
#include "model/bundle.h"

namespace foothold {
namespace {

std::string LayoutOf(const TensorType& type) {
  const auto index = static_cast<std::size_t>(type.format);
  return index < FormatNames().size() ? FormatNames()[index] : fmt::format("layout {}", index);
}

// Whether ranges say more than the dimensions do.
bool Bounded(const ModelPort& port) {
  return std::any_of(port.ranges.begin(), port.ranges.end(), [](const auto& range) {
    return range.first != range.second && (range.first > 1 || range.second >= 0);
  });
}

std::string RangesText(const ModelPort& port) {
  std::string text;
  if (!Bounded(port)) return text;
  for (const auto& [least, most] : port.ranges)
    text += fmt::format("{}{}", text.empty() ? " of " : ",",
                        most < 0        ? fmt::format("{}~", least)
                        : least == most ? fmt::to_string(least)
                                        : fmt::format("{}~{}", least, most));
  return text;
}

std::string PortLines(const char* label, const std::vector<ModelPort>& ports) {
  std::string lines;
  for (const ModelPort& port : ports)
    lines += fmt::format("{:<10}{}: {} {}{}\n", &port == &ports.front() ? label : "", port.name,
                         ToString(port.type), LayoutOf(port.type), RangesText(port));
  return lines;
}

// What is done to the pictures of an input, in the words of the file it was said in.
std::string AippLines(const std::vector<ModelPort>& inputs) {
  static constexpr const char* kNames[] = {"static", "dynamic", "parameters of"};
  std::string lines;
  for (const ModelPort& port : inputs) {
    if (!port.aipp) continue;
    const bool parameters = port.aipp->kind == PortAipp::Kind::kParameters;
    lines += fmt::format("{:<10}{}: {} {}\n", lines.empty() ? "aipp" : "", port.name,
                         kNames[static_cast<int>(port.aipp->kind)],
                         parameters ? inputs.at(port.aipp->attached).name : ToString(port.aipp->network));
    std::string_view rest = parameters ? std::string_view() : port.aipp->settings;
    for (; !rest.empty(); rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()))) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      if (line.starts_with("  ")) lines += fmt::format("{:<10}{}\n", "", line);
      if (rest.find('\n') == std::string_view::npos) break;
    }
  }
  return lines;
}

std::string GearLine(const ModelGears& gears) {
  static constexpr const char* kNames[] = {"none", "batch", "height,width", "open dimensions"};
  std::string text;
  for (const Dims& value : gears.values)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", fmt::join(value, ","));
  return fmt::format("{:<10}{}: {}\n", "gears", kNames[static_cast<int>(gears.kind)], text);
}

std::string SectionLines(const OmFile& file) {
  std::string lines =
      fmt::format("{:<16}{:>14}{:>14}  {}\n", "section", "offset", "bytes", "checksum (XXH3)");
  for (const OmFile::Entry& entry : file.entries())
    lines +=
        fmt::format("{:<16}{:>14}{:>14}  {:016x}\n", entry.name, entry.offset, entry.size, entry.checksum);
  return lines;
}

std::string OptionLines(const ModelDescription& description) {
  std::string lines;
  for (const auto& [key, value] : description.options)
    lines += fmt::format("{:<10}{} = {}\n", lines.empty() ? "options" : "", key, value);
  return lines;
}

}  // namespace

std::string DescriptionText(const ModelDescription& description) {
  std::string text = fmt::format("{:<10}{}\n", "name", description.name);
  text += PortLines("inputs", description.inputs) + PortLines("outputs", description.outputs);
  text += AippLines(description.inputs);
  if (description.gears.kind != ModelGears::Kind::kNone) text += GearLine(description.gears);
  return text;
}

std::string ReportText(const OmFile& file) {
  std::string text = fmt::format("{:<10}{}, {} bytes\n", "file", file.origin(), file.size());
  if (!IsBundle(file)) {
    const ModelDescription description = ReadDescription(file);
    return text + DescriptionText(description) + OptionLines(description) + SectionLines(file);
  }
  text += SectionLines(file);
  for (std::size_t i = 0; i < BundleSize(file); ++i)
    text += fmt::format("\n{}", ReportText(*BundledModel(file, i)));
  return text;
}

std::string Megabytes(std::size_t bytes) {
  return fmt::format("{:.2f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace foothold
