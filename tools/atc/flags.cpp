// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "atc/flag_tables.h"
#include "base/edit_distance.h"

namespace foothold::atc {
namespace {

using Values = std::map<std::string, std::string>;

[[noreturn]] void Refuse(const std::string& why) {
  throw WrongUse(why);
}

void AddFlag(CLI::App& app, Values& values, const std::string& name, const char* help, const char* group) {
  app.add_option("--" + name, values[name], help)->group(group);
}

void AddFlags(CLI::App& app, Values& values) {
  AddFlag(app, values, "mode", "0 converts (default); 1 and 6 show what is inside --om", "Files");
  AddFlag(app, values, "model", "The model to convert", "Files");
  AddFlag(app, values, "framework", "What it is: 5 an ONNX model, 1 a saved graph (.air)", "Files");
  AddFlag(app, values, "output", "The file to write, .om is added", "Files");
  AddFlag(app, values, "om", "The model to show", "Files");
  AddFlag(app, values, "json", "With mode 1: write what the model says about itself to this file", "Files");
  AddFlag(app, values, "log", "Print the library's log from this level: debug, info, warning, error, null",
          "Files");
  for (const OptionFlag& known : kOptionFlags)
    AddFlag(app, values, known.flag, known.help, "The model");
  // Without a group they are left out of the help.
  for (const RefusedFlag& known : kRefusedFlags)
    AddFlag(app, values, known.flag, known.why, "");
  for (const char* known : kHardwareFlags)
    AddFlag(app, values, known, "", "");
  app.allow_extras();
}

// False if help was asked for, and printed.
bool Parse(CLI::App& app, int argc, char** argv) try {
  app.parse(argc, argv);
  return true;
} catch (const CLI::CallForHelp&) {
  fmt::print("{}", app.help());
  return false;
} catch (const CLI::ParseError& error) {
  Refuse(error.what());
}

std::string Nearest(const std::string& name, const Values& known) {
  std::string nearest;
  std::size_t limit = 4;
  for (const auto& [candidate, value] : known) {
    const std::size_t distance = EditDistance(name, candidate, limit);
    if (distance >= limit) continue;
    limit = distance;
    nearest = candidate;
  }
  return nearest;
}

void RefuseUnknown(const std::vector<std::string>& rest, const Values& known) {
  if (rest.empty()) return;
  const auto start = rest[0].find_first_not_of('-');
  if (start == 0 || start == std::string::npos)
    Refuse(fmt::format("\"{}\" belongs to no flag; --help lists them", rest[0]));
  const std::string name = rest[0].substr(start, rest[0].find('=') - start);
  const std::string nearest = Nearest(name, known);
  Refuse(fmt::format("there is no flag --{}{}", name,
                     nearest.empty() ? "; --help lists them" : fmt::format("; did you mean --{}?", nearest)));
}

Mode ModeOf(const std::string& text) {
  if (text.empty() || text == "0") return Mode::kConvert;
  if (text == "1") return Mode::kDescribe;
  if (text == "6") return Mode::kShow;
  const char* const what = text == "3"   ? " (check a model only)"
                           : text == "5" ? " (a graph's text into JSON)"
                                         : "";
  Refuse(fmt::format("--mode={}{} is not supported; 0 converts, 1 and 6 show a model", text, what));
}

Framework FrameworkOf(const std::string& text) {
  if (text == "1") return Framework::kGraph;
  if (text == "5") return Framework::kOnnx;
  const char* const what = text == "0" ? " (Caffe)" : text == "3" ? " (TensorFlow)" : "";
  if (text.empty()) Refuse("--framework is missing: 5 for an ONNX model, 1 for a saved graph (.air)");
  Refuse(fmt::format("--framework={}{} is not supported; convert the model to ONNX and give 5", text, what));
}

void CheckGears(const Values& values) {
  std::string given;
  for (const char* flag : kGearFlags) {
    if (values.at(flag).empty()) continue;
    if (!given.empty()) Refuse(fmt::format("--{} and --{} exclude each other", given, flag));
    given = flag;
  }
}

void CheckOutput(const std::string& output) {
  if (output.empty()) Refuse("--output is missing: the name of the file to write, without .om");
  const auto folder = std::filesystem::path(output).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    Refuse(fmt::format("--output: there is no folder {}", folder.string()));
}

void ReadConversion(Flags& flags, Values& values) {
  if (!values["om"].empty() || !values["json"].empty())
    Refuse("--om and --json belong to --mode=1, which shows a model");
  flags.model = values["model"];
  flags.output = values["output"];
  if (flags.model.empty()) Refuse("--model is missing: the model to convert");
  flags.framework = FrameworkOf(values["framework"]);
  CheckOutput(flags.output);
  CheckGears(values);
  for (const OptionFlag& known : kOptionFlags)
    if (!values[known.flag].empty()) flags.options[known.option] = values[known.flag];
}

std::string LogLevelOf(const std::string& text) {
  static constexpr const char* kLevels[] = {"debug", "info", "warning", "error", "null"};
  if (text.empty()) return text;
  for (std::size_t i = 0; i < std::size(kLevels); ++i)
    if (text == kLevels[i]) return std::to_string(i);
  Refuse(fmt::format("--log={} is no level; debug, info, warning, error and null are", text));
}

void RefuseUnsupported(const Values& values) {
  for (const RefusedFlag& known : kRefusedFlags)
    if (const std::string& value = values.at(known.flag); !value.empty() && value != "false")
      Refuse(fmt::format("--{} {}", known.flag, known.why));
}

Flags FlagsOf(Values values) {
  Flags flags;
  for (const char* known : kHardwareFlags)
    if (!values[known].empty()) flags.without_effect.push_back(known);
  flags.log = LogLevelOf(values["log"]);
  flags.mode = ModeOf(values["mode"]);
  if (flags.mode == Mode::kConvert) {
    ReadConversion(flags, values);
    return flags;
  }
  flags.model = values["om"].empty() ? values["model"] : values["om"];
  flags.json = values["json"];
  if (flags.model.empty()) Refuse("--om is missing: the model to show");
  return flags;
}

}  // namespace

std::optional<Flags> ReadFlags(int argc, char** argv) {
  CLI::App app("Converts models into offline models (.om), and shows what is inside them", "atc");
  app.footer("Exit status: 0 done, 1 the command line is wrong, 2 the model cannot be converted or read");
  Values values;
  AddFlags(app, values);
  if (!Parse(app, argc, argv)) return std::nullopt;
  RefuseUnknown(app.remaining(), values);
  RefuseUnsupported(values);
  return FlagsOf(values);
}

}  // namespace foothold::atc
