// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

namespace foothold {
namespace {

struct FormatName {
  const char* name;
  AippFormat format;
};
constexpr FormatName kFormats[] = {
    {"YUV420SP_U8", AippFormat::kYuv420sp}, {"XRGB8888_U8", AippFormat::kXrgb8888},
    {"RGB888_U8", AippFormat::kRgb888},     {"YUV400_U8", AippFormat::kYuv400},
    {"ARGB8888_U8", AippFormat::kArgb8888}, {"YUYV_U8", AippFormat::kYuyv},
    {"YUV422SP_U8", AippFormat::kYuv422sp}, {"AYUV444_U8", AippFormat::kAyuv444}};

template <typename T>
std::optional<T> NumberOf(const AippWord& word) {
  const char *begin = word.text.data(), *end = begin + word.text.size();
  if (!word.quoted && begin != end && *begin == '+') ++begin;
  T value{};
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (word.quoted || begin == end || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<bool> TruthOf(const AippWord& word) {
  if (word.quoted) return std::nullopt;
  if (word.text == "true" || word.text == "True" || word.text == "t" || word.text == "1") return true;
  if (word.text == "false" || word.text == "False" || word.text == "f" || word.text == "0") return false;
  return std::nullopt;
}

// Where a value stands in the settings.
template <typename T>
using Place = std::function<T&(AippSettings&)>;

template <typename T>
const T& Read(const Place<T>& place, const AippSettings& settings) {
  return place(const_cast<AippSettings&>(settings));
}

AippField Truth(std::string name, Place<bool> place) {
  return {std::move(name), "true or false",
          [place](AippSettings& settings, const AippWord& word) {
            const auto value = TruthOf(word);
            if (value) place(settings) = *value;
            return value.has_value();
          },
          [place](const AippSettings& settings) -> std::optional<std::string> {
            if (!Read(place, settings)) return std::nullopt;
            return "true";
          }};
}

AippField Whole(std::string name, std::int64_t low, std::int64_t high, Place<std::int64_t> place) {
  return {std::move(name), fmt::format("a whole number from {} to {}", low, high),
          [=](AippSettings& settings, const AippWord& word) {
            const auto value = NumberOf<std::int64_t>(word);
            const bool fits = value && *value >= low && *value <= high;
            if (fits) place(settings) = *value;
            return fits;
          },
          [place](const AippSettings& settings) -> std::optional<std::string> {
            const std::int64_t value = Read(place, settings);
            if (value == Read(place, AippSettings())) return std::nullopt;
            return std::to_string(value);
          }};
}

AippField Real(std::string name, double low, double high, Place<double> place) {
  return {std::move(name), fmt::format("a number from {} to {}", low, high),
          [=](AippSettings& settings, const AippWord& word) {
            const auto value = NumberOf<double>(word);
            const bool fits = value && *value >= low && *value <= high;  // not a NaN
            if (fits) place(settings) = *value;
            return fits;
          },
          [place](const AippSettings& settings) -> std::optional<std::string> {
            const double value = Read(place, settings);
            if (value == Read(place, AippSettings())) return std::nullopt;
            return fmt::format("{}", value);
          }};
}

// Read and forgotten: the documents reserve it.
AippField Reserved(std::string name) {
  return {std::move(name), "a value", [](AippSettings&, const AippWord&) { return true; },
          [](const AippSettings&) { return std::nullopt; }};
}

AippField ReservedSwitch(std::string name) {
  return {std::move(name), "false: AIPP does not do this",
          [](AippSettings&, const AippWord& word) { return TruthOf(word) == false; },
          [](const AippSettings&) { return std::nullopt; }};
}

AippField Mode() {
  return {"aipp_mode", "static or dynamic",
          [](AippSettings& settings, const AippWord& word) {
            settings.dynamic = word.text == "dynamic" || word.text == "2";
            return settings.dynamic || word.text == "static" || word.text == "1";
          },
          [](const AippSettings& settings) { return settings.dynamic ? "dynamic" : "static"; }};
}

AippField InputFormat() {
  return {"input_format",
          "YUV420SP_U8, XRGB8888_U8, RGB888_U8, YUV400_U8, ARGB8888_U8, YUYV_U8, YUV422SP_U8 or AYUV444_U8",
          [](AippSettings& settings, const AippWord& word) {
            for (const FormatName& known : kFormats) {
              if (word.text != known.name && word.text != std::to_string(static_cast<int>(known.format)))
                continue;
              settings.input_format = known.format;
              return true;
            }
            return false;
          },
          [](const AippSettings& settings) -> std::optional<std::string> {
            if (settings.dynamic) return std::nullopt;
            return NameOf(settings.input_format);
          }};
}

AippField InputName() {
  return {"related_input_name", "the name of an input",
          [](AippSettings& settings, const AippWord& word) {
            settings.related_input_name = word.text;
            return !word.text.empty();
          },
          [](const AippSettings& settings) -> std::optional<std::string> {
            if (settings.related_input_name.empty()) return std::nullopt;
            std::string quoted = "\"";
            for (const char c : settings.related_input_name)
              quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
            return quoted + "\"";
          }};
}

#define FOOTHOLD_AT(member) [](AippSettings& settings) -> decltype(auto) { return (settings.member); }

void AddGeometry(std::vector<AippField>& fields) {
  constexpr std::int64_t kMost = 4096;
  fields.push_back(Whole("src_image_size_w", 0, kMost, FOOTHOLD_AT(src_image_size_w)));
  fields.push_back(Whole("src_image_size_h", 0, kMost, FOOTHOLD_AT(src_image_size_h)));
  fields.push_back(Truth("crop", FOOTHOLD_AT(crop)));
  fields.push_back(Whole("load_start_pos_w", 0, kMost - 1, FOOTHOLD_AT(load_start_pos_w)));
  fields.push_back(Whole("load_start_pos_h", 0, kMost - 1, FOOTHOLD_AT(load_start_pos_h)));
  fields.push_back(Whole("crop_size_w", 0, kMost, FOOTHOLD_AT(crop_size_w)));
  fields.push_back(Whole("crop_size_h", 0, kMost, FOOTHOLD_AT(crop_size_h)));
  fields.push_back(ReservedSwitch("resize"));
  fields.push_back(Reserved("resize_output_w"));
  fields.push_back(Reserved("resize_output_h"));
  fields.push_back(Truth("padding", FOOTHOLD_AT(padding)));
  fields.push_back(Whole("left_padding_size", 0, 32, FOOTHOLD_AT(left_padding_size)));
  fields.push_back(Whole("right_padding_size", 0, 32, FOOTHOLD_AT(right_padding_size)));
  fields.push_back(Whole("top_padding_size", 0, 32, FOOTHOLD_AT(top_padding_size)));
  fields.push_back(Whole("bottom_padding_size", 0, 32, FOOTHOLD_AT(bottom_padding_size)));
  fields.push_back(Real("padding_value", -65504, 65504, FOOTHOLD_AT(padding_value)));
}

void AddColours(std::vector<AippField>& fields) {
  fields.push_back(Truth("csc_switch", FOOTHOLD_AT(csc_switch)));
  fields.push_back(Truth("rbuv_swap_switch", FOOTHOLD_AT(rbuv_swap_switch)));
  fields.push_back(Truth("ax_swap_switch", FOOTHOLD_AT(ax_swap_switch)));
  for (std::size_t i = 0; i < 9; ++i)
    fields.push_back(Whole(
        fmt::format("matrix_r{}c{}", i / 3, i % 3), INT16_MIN,
        INT16_MAX, [i](AippSettings & settings) -> auto& { return settings.matrix[i]; }));
  for (std::size_t i = 0; i < 3; ++i) {
    fields.push_back(Whole(
        fmt::format("output_bias_{}", i), 0,
        255, [i](AippSettings & settings) -> auto& { return settings.output_bias[i]; }));
    fields.push_back(Whole(
        fmt::format("input_bias_{}", i), 0,
        255, [i](AippSettings & settings) -> auto& { return settings.input_bias[i]; }));
  }
}

void AddScale(std::vector<AippField>& fields) {
  for (std::size_t i = 0; i < 4; ++i) {
    fields.push_back(Whole(
        fmt::format("mean_chn_{}", i), 0,
        255, [i](AippSettings & settings) -> auto& { return settings.mean_chn[i]; }));
    fields.push_back(Real(
        fmt::format("min_chn_{}", i), 0,
        255, [i](AippSettings & settings) -> auto& { return settings.min_chn[i]; }));
    fields.push_back(Real(
        fmt::format("var_reci_chn_{}", i), -65504,
        65504, [i](AippSettings & settings) -> auto& { return settings.var_reci_chn[i]; }));
  }
}

std::vector<AippField> MakeFields() {
  std::vector<AippField> fields;
  fields.push_back(Mode());
  fields.push_back(Whole("related_input_rank", 0, 1023, FOOTHOLD_AT(related_input_rank)));
  fields.push_back(InputName());
  fields.push_back(Whole("max_src_image_size", 0, UINT32_MAX, FOOTHOLD_AT(max_src_image_size)));
  fields.push_back(ReservedSwitch("support_rotation"));
  fields.push_back(Reserved("rotation_angle"));
  fields.push_back(InputFormat());
  AddGeometry(fields);
  AddColours(fields);
  AddScale(fields);
  fields.push_back(Reserved("cpadding_value"));
  fields.push_back(Reserved("single_line_mode"));
  fields.push_back(Reserved("raw_rgbir_to_f16_n"));
  return fields;
}

#undef FOOTHOLD_AT

}  // namespace

std::span<const AippField> AippFields() {
  static const auto* const fields = new std::vector<AippField>(MakeFields());
  return *fields;
}

const AippField* FindAippField(std::string_view name) {
  for (const AippField& field : AippFields())
    if (field.name == name) return &field;
  return nullptr;
}

const char* NameOf(AippFormat format) {
  for (const FormatName& known : kFormats)
    if (known.format == format) return known.name;
  return "no format";
}

}  // namespace foothold
