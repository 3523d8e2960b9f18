// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/gear_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/graph_codes.h"
#include "options/input_shapes.h"
#include "options/option_text.h"

namespace foothold {
namespace {

struct Spelling {
  ModelGears::Kind kind;
  const char* names[3];  // constants of the headers, keys of the documents, flags of atc
};
constexpr Spelling kSpellings[] = {
    {ModelGears::Kind::kBatch, {"ge.dynamicBatchSize", "dynamic_batch_size", "DYNAMIC_BATCH_SIZE"}},
    {ModelGears::Kind::kImage, {"ge.dynamicImageSize", "dynamic_image_size", "DYNAMIC_IMAGE_SIZE"}},
    {ModelGears::Kind::kDims, {"ge.dynamicDims", "dynamic_dims", "DYNAMIC_DIMS"}},
};

[[noreturn]] void Refuse(const std::string& option, const std::string& why) {
  throw Error(kGeParamInvalid, fmt::format("option {} {}", option, why), kBadOption);
}

struct Given {
  const Spelling* spelling = nullptr;
  std::string name, text;
};

Given FindGiven(const OptionMap& options) {
  Given given;
  for (const Spelling& spelling : kSpellings) {
    for (const char* name : spelling.names) {
      const auto found = options.find(name);
      if (found == options.end() || found->second.empty()) continue;
      if (given.spelling != nullptr && given.spelling != &spelling)
        Refuse(name, fmt::format("and option {} exclude each other", given.name));
      given = {&spelling, name, found->second};
    }
  }
  return given;
}

Dims Numbers(const Given& given, std::string_view text) {
  Dims numbers;
  for (const std::string_view part : Split(text, ',')) {
    const auto number = ParseInteger(part);
    if (!number || *number <= 0)
      Refuse(given.name, fmt::format("is \"{}\"; \"{}\" is no size", given.text, part));
    numbers.push_back(*number);
  }
  return numbers;
}

// Batches are separated by commas, all else by semicolons.
std::vector<Dims> ReadValues(const Given& given) {
  std::vector<Dims> values;
  if (given.spelling->kind == ModelGears::Kind::kBatch) {
    for (const std::int64_t batch : Numbers(given, given.text))
      values.push_back({batch});
    return values;
  }
  for (std::string_view text = given.text; !text.empty();) {
    const auto end = std::min(text.find(';'), text.size());
    if (end > 0) values.push_back(Numbers(given, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (given.spelling->kind == ModelGears::Kind::kImage)
    for (const Dims& value : values)
      if (value.size() != 2)
        Refuse(given.name, fmt::format("is \"{}\"; each image has a height and a width", given.text));
  return values;
}

// The values of one gear, once for each time its dimensions are open.
Dims Repeat(const Given& given, const Dims& value, std::size_t open) {
  if (given.spelling->kind == ModelGears::Kind::kDims) return value;
  if (open == 0 || open % value.size() != 0)
    Refuse(given.name,
           fmt::format("needs inputs with {} open dimension{} (-1) each in input_shape; found {} in all",
                       value.size(), value.size() > 1 ? "s" : "", open));
  Dims all;
  while (all.size() < open)
    all.insert(all.end(), value.begin(), value.end());
  return all;
}

}  // namespace

GearOptions ReadGearOptions(const std::vector<Node*>& data, const OptionMap& options) {
  GearOptions read;
  read.options = options;
  for (const Spelling& spelling : kSpellings)
    for (const char* name : spelling.names)
      read.options.erase(name);
  if (const auto upper = options.find("INPUT_SHAPE"); upper != options.end())
    read.options.emplace("input_shape", upper->second);
  const Given given = FindGiven(options);
  if (given.spelling == nullptr) return read;
  read.kind = given.spelling->kind;
  read.values = ReadValues(given);
  const InputShapes shapes(data, Options(read.options));
  std::size_t open = 0;
  for (std::size_t i = 0; i < data.size(); ++i)
    open += static_cast<std::size_t>(std::count(shapes.dims(i).begin(), shapes.dims(i).end(), kUnknownDim));
  std::string gears;
  for (const Dims& value : read.values)
    gears += fmt::format("{};", fmt::join(Repeat(given, value, open), ","));
  read.options["ge.dynamicDims"] = gears;
  return read;
}

}  // namespace foothold
