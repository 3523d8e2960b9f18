// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/import_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/graph_errors.h"

namespace foothold::onnx {
namespace {

[[noreturn]] void Refuse(std::string_view option, std::string_view part, std::string_view why) {
  throw Error(kInvalidParam, fmt::format("option {}: \"{}\" {}", option, part, why), "E10001");
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.emplace_back(Trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<std::string> Names(std::string_view text, char separator) {
  std::vector<std::string> names = Split(text, separator);
  std::erase(names, "");
  return names;
}

std::int64_t Number(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < -1)
    Refuse(option, text, "is no dimension");
  return value;
}

// "1,3,-1" or "1~8,3": nothing is a scalar.
void ParseDims(std::string_view option, std::string_view text, InputShape& shape) {
  for (const std::string& part : Split(text, ',')) {
    if (part.empty()) continue;
    const auto tilde = part.find('~');
    if (tilde == std::string::npos) {
      const std::int64_t dim = Number(option, part);
      shape.dims.push_back(dim);
      shape.ranges.emplace_back(std::max<std::int64_t>(dim, 0), dim);
      continue;
    }
    shape.dims.push_back(kUnknownDim);
    shape.ranges.emplace_back(Number(option, part.substr(0, tilde)), Number(option, part.substr(tilde + 1)));
  }
  if (text.find('~') == std::string_view::npos) shape.ranges.clear();
}

bool IsDims(std::string_view text) {
  return text.find_first_not_of("0123456789,-~ ") == std::string_view::npos;
}

std::vector<InputShape> ParseShapes(std::string_view option, std::string_view text) {
  std::vector<InputShape> shapes;
  std::size_t position = 0;
  for (const std::string& part : Split(text, ';')) {
    InputShape shape;
    shape.position = position++;
    if (part.empty()) continue;
    const auto colon = part.rfind(':');
    const bool by_position = colon == std::string::npos && IsDims(part);
    if (!by_position) shape.name = std::string(Trim(std::string_view(part).substr(0, colon)));
    if (by_position) {
      ParseDims(option, part, shape);
    } else if (colon != std::string::npos) {
      ParseDims(option, std::string_view(part).substr(colon + 1), shape);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

void RefuseHardwareLayout(std::string_view option, const std::string& text) {
  for (const std::string& part : Split(text, ','))
    if (part != "false" && part != "0" && !part.empty())
      Refuse(option, part, "asks for a layout that processors do not have; only false is supported");
}

}  // namespace

ImportOptions ParseOptions(const std::map<std::string, std::string>& texts) {
  ImportOptions options;
  for (const auto& [key, text] : texts) {
    if (key == "input_shape" || key == "ge.inputShape") {
      options.input_shapes = ParseShapes(key, text);
    } else if (key == "output") {
      options.graph_name = text;
    } else if (key == "ge.outputNodeName") {
      options.output_names = Names(text, ';');
    } else if (key == "input_data_names") {
      options.input_order = Names(text, ',');
    } else if (key == "ge.INPUT_NODES_SET_FP16") {
      options.half_inputs = Names(text, ';');
    } else if (key == "is_input_adjust_hw_layout" || key == "is_output_adjust_hw_layout") {
      RefuseHardwareLayout(key, text);
    } else {
      RecordGraphWarning("W10001", fmt::format("option {} says nothing to the ONNX parser", key));
    }
  }
  return options;
}

}  // namespace foothold::onnx
