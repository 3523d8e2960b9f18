// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/flags.h"

#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ranges>

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
  AddFlag(app, values, "singleop",
          "Instead: a JSON file of single operators, each converted to a file of its own", "Files");
  AddFlag(app, values, "output",
          "The file to write, .om is added; with --singleop the folder. Folders are made", "Files");
  AddFlag(app, values, "om", "The model to show", "Files");
  AddFlag(app, values, "json", "With mode 1: write what the model says about itself to this file", "Files");
  AddFlag(app, values, "log", "Print the library's log from this level: debug, info, warning, error, null",
          "Files");
  AddFlag(app, values, "progress", "Say every so many seconds how long a stage has taken (5; 0 never)",
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

// Flags may have one dash, which the parser takes for a bundle of letters.
std::vector<std::string> WithTwoDashes(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::string& word : words)
    if (word.size() > 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])))
      word.insert(0, "-");
  return words;
}

// False if help was asked for, and printed.
bool Parse(CLI::App& app, int argc, char** argv) try {
  std::vector<std::string> words = WithTwoDashes(argc, argv);
  std::reverse(words.begin(), words.end());  // the parser takes them from the end
  app.parse(words);
  return true;
} catch (const CLI::CallForHelp&) {
  fmt::print("{}", app.help());
  return false;
} catch (const CLI::ParseError& error) {
  Refuse(error.what());
}

void RefuseUnknown(const std::vector<std::string>& rest, const Values& known) {
  if (rest.empty()) return;
  const auto start = rest[0].find_first_not_of('-');
  if (start == 0 || start == std::string::npos)
    Refuse(fmt::format("\"{}\" belongs to no flag; --help lists them", rest[0]));
  const std::string name = rest[0].substr(start, rest[0].find('=') - start);
  const std::string_view nearest = NearestName(name, known | std::views::keys, 3);
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

// Folders are made when there is something to write; that they can be is seen before it is compiled.
void CheckFolder(std::filesystem::path folder) {
  namespace fs = std::filesystem;
  while (!folder.empty() && !fs::exists(folder))
    folder = folder.parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder)) Refuse(fmt::format("--output: {} is a file, not a folder", folder.string()));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    Refuse(fmt::format("--output: the folder {} cannot be written to", folder.string()));
}

void CheckOutput(const Flags& flags) {
  if (flags.output.empty())
    Refuse(flags.single_op.empty() ? "--output is missing: the name of the file to write, without .om"
                                   : "--output is missing: the folder for the files of the operators");
  const std::filesystem::path output(flags.output);
  CheckFolder(flags.single_op.empty() ? output.parent_path() : output);
}

// What the channels of ONNX models come after is settled by the standard.
void CheckInputFormat(const Flags& flags, const std::string& format) {
  if (flags.framework != Framework::kOnnx || (format != "NHWC" && format != "NDHWC")) return;
  Refuse(fmt::format(
      "--input_format={} does not fit an ONNX model, whose operators take channels before heights "
      "and widths: leave it out, or give NCHW, NCDHW or ND",
      format));
}

double ProgressOf(const std::string& text) {
  if (text.empty()) return 5;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(seconds >= 0 && seconds < 1e6))
    Refuse(fmt::format("--progress={} is no number of seconds", text));
  return seconds;
}

void ReadModelFlags(Flags& flags, Values& values) {
  if (flags.model.empty()) Refuse("--model is missing: the model to convert");
  flags.framework = FrameworkOf(values["framework"]);
  CheckGears(values);
  CheckInputFormat(flags, values["input_format"]);
}

// What describes a model says nothing to operators, whose file has it all.
void ReadOperatorFlags(const Flags& flags, Values& values) {
  if (!flags.model.empty()) Refuse("--model and --singleop exclude each other");
  for (const OptionFlag& known : kOptionFlags)
    if (known.of_models && !values[known.flag].empty())
      Refuse(fmt::format("--{} belongs to models; with --singleop the file {} describes the operators",
                         known.flag, flags.single_op));
}

void ReadConversion(Flags& flags, Values& values) {
  if (!values["om"].empty() || !values["json"].empty())
    Refuse("--om and --json belong to --mode=1, which shows a model");
  flags.model = values["model"];
  flags.single_op = values["singleop"];
  flags.output = values["output"];
  flags.progress = ProgressOf(values["progress"]);
  if (flags.single_op.empty()) {
    ReadModelFlags(flags, values);
  } else {
    ReadOperatorFlags(flags, values);
  }
  CheckOutput(flags);
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
