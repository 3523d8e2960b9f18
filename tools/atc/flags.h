// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The command line of `atc`, read and checked as far as that goes without the model.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace foothold::atc {

// The command line asks for something that no model could change.
struct WrongUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Mode { kConvert = 0, kDescribe = 1, kShow = 6 };
enum class Framework { kGraph = 1, kOnnx = 5 };

struct Flags {
  Mode mode = Mode::kConvert;
  Framework framework = Framework::kOnnx;
  std::string model;      // what is read
  std::string single_op;  // the file of operators that is read instead
  std::string output;     // what is written, without .om; for operators the folder
  double progress = 0;    // seconds after which a stage says how long it takes, and again; 0 never
  std::string json;       // where the description goes; empty for the terminal
  std::string log;        // a level, as the environment variables of the log have it; empty if not given
  std::map<std::string, std::string> options;  // for aclgrphBuildModel
  std::vector<std::string> without_effect;     // given, and only of meaning to the original hardware
};

// Nothing if help was asked for, and printed. Throws WrongUse.
std::optional<Flags> ReadFlags(int argc, char** argv);

}  // namespace foothold::atc
