// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What `foothold doctor` looks at and what it finds. Each section is a function of a file of its own
// (doctor_*.cpp). One thread.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace foothold::doctor {

enum class Level { kFine, kNote, kBad };  // bad: something would not work

struct Finding {
  Level level;
  std::string text;
  std::string mend;  // the command that mends it; empty where there is none
};

class Findings {
 public:
  void Fine(std::string text) { all_.push_back({Level::kFine, std::move(text), ""}); }
  void Note(std::string text, std::string mend = "") {
    all_.push_back({Level::kNote, std::move(text), std::move(mend)});
  }
  void Bad(std::string text, std::string mend) {
    all_.push_back({Level::kBad, std::move(text), std::move(mend)});
  }
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

// The toolkit tree this program belongs to.
struct Tree {
  std::string folder;     // canonical
  std::string libraries;  // its folder of libraries, canonical

  // The command that puts it in front of everything.
  std::string UseCommand() const;
  // Whether `path` leads to its library.
  bool Owns(const std::string& path) const;
};

struct Subject {
  std::string root;  // stands before paths of the system (/etc, /usr, /proc ...); empty for this one
  Tree tree;
  std::vector<std::string> programs;
  std::string python;
};

Tree FindTree();

void CheckEnvironment(const Subject& subject, Findings& findings);
void CheckLibrary(const Subject& subject, Findings& findings);
void CheckNames(const Subject& subject, Findings& findings);
void CheckOtherToolkits(const Subject& subject, Findings& findings);
void CheckMachine(const Subject& subject, Findings& findings);
void CheckPython(const Subject& subject, Findings& findings);
void CheckTorch(const Subject& subject, Findings& findings);
void CheckOnDemand(const Subject& subject, Findings& findings);
void CheckOperators(const Subject& subject, Findings& findings);
void CheckTrial(const Subject& subject, Findings& findings);

// Whether a file has these bytes somewhere; false if it cannot be read.
bool Mentions(const std::string& path, const std::string& text);
// Whether a library is a Foothold, of this tree or another.
bool IsFoothold(const std::string& library);

// The parts of "a:b::c" that are not empty.
std::vector<std::string> PathList(const std::string& text);
// The value of a variable; empty if it is not set.
inline std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace foothold::doctor
