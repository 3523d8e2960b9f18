// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "foothold/child_process.h"
#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 30;

// Its version, where it finds the module (nothing for a folder without a module for it), how modules for it
// end.
constexpr const char* kQuestion = R"(
import importlib.machinery, importlib.util, sys
spec = importlib.util.find_spec("acl")
print(sys.version.split()[0])
print(spec.origin if spec and spec.origin else "")
print(importlib.machinery.EXTENSION_SUFFIXES[0])
)";

struct Python {
  std::string version, module, suffix;
};

Python Read(const std::string& text) {
  Python python;
  std::istringstream lines(text);
  std::getline(lines, python.version);
  std::getline(lines, python.module);
  std::getline(lines, python.suffix);
  return python;
}

// The ending of the module in the tree, the wanted one if it has several; "" if there is none.
std::string SuffixInTree(const Tree& tree, const std::string& wanted) {
  const fs::path module = fs::path(tree.folder) / "python/site-packages/acl/__init__";
  if (fs::exists(module.string() + wanted)) return wanted;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(module.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("__init__.") && name.ends_with(".so")) return name.substr(name.find('.'));
  }
  return "";
}

void JudgeMissing(const Subject& subject, const Python& python, Findings& findings) {
  const std::string suffix = SuffixInTree(subject.tree, python.suffix);
  const std::string folder = subject.tree.folder + "/python/site-packages";
  if (suffix.empty())
    return findings.Note(
        fmt::format("Python {} finds no module acl, and this toolkit has none", python.version));
  if (suffix == python.suffix)
    return findings.Bad(
        fmt::format("Python {} finds no module acl: PYTHONPATH does not have {}", python.version, folder),
        fmt::format("export PYTHONPATH={}${{PYTHONPATH:+:$PYTHONPATH}}", folder));
  findings.Bad(
      fmt::format("Python {} finds no module acl: the one of this toolkit is for another version ({}, "
                  "wanted {})",
                  python.version, suffix, python.suffix),
      fmt::format("foothold-build-python {}", subject.python));
}

void JudgeImport(const Subject& subject, const Python& python, Findings& findings) {
  const ChildResult tried = RunProgram({subject.python, "-c", "import acl"}, kSeconds);
  if (tried.fine)
    return findings.Fine(fmt::format("Python {} imports acl from {}", python.version, python.module));
  findings.Bad(fmt::format("Python {} cannot import {}: {}", python.version, python.module,
                           tried.output.substr(0, tried.output.find_last_not_of('\n') + 1)),
               subject.tree.UseCommand());
}

}  // namespace

void CheckPython(const Subject& subject, Findings& findings) {
  const ChildResult answer = RunProgram({subject.python, "-c", kQuestion}, kSeconds);
  if (!answer.fine)
    return findings.Note(fmt::format("{} does not start, so no Python program does", subject.python),
                         "apt-get install python3");
  const Python python = Read(answer.output);
  if (python.module.empty()) return JudgeMissing(subject, python, findings);
  if (Mentions(python.module, "foothold")) return JudgeImport(subject, python, findings);
  findings.Bad(
      fmt::format("Python {} imports acl from {}, which is no Foothold", python.version, python.module),
      fmt::format("export PYTHONPATH={}/python/site-packages${{PYTHONPATH:+:$PYTHONPATH}}",
                  subject.tree.folder));
}

}  // namespace foothold::doctor
