// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <filesystem>

#include "foothold/doctor.h"
#include "foothold/library_search.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualName = "libascendcl.so";

void Judge(const LoadedObject& object, const Subject& subject, Findings& findings) {
  if (subject.tree.Owns(object.path))
    return findings.Fine(fmt::format("{} is {}, of this toolkit: {}", object.name, object.path, object.why));
  const bool foothold = IsFoothold(object.path);
  const std::string text = fmt::format("{} is {}, {}: {}", object.name, object.path,
                                       foothold ? "of another Foothold" : "which is no Foothold", object.why);
  // The loader looks there before it looks at LD_LIBRARY_PATH.
  const bool fixed = object.why.find("RPATH") != std::string::npos;
  const std::string mend = fixed ? fmt::format("LD_PRELOAD={}/{} PROGRAM, or link it without that RPATH",
                                               subject.tree.libraries, kUsualName)
                                 : subject.tree.UseCommand();
  if (foothold) return findings.Note(text, mend);
  findings.Bad(text, mend);
}

void JudgeMissing(const LoadedObject& object, const std::string& wanted_by, const Subject& subject,
                  Findings& findings) {
  const bool ours = fs::exists(fs::path(subject.tree.libraries) / object.name);
  findings.Bad(fmt::format("{} is found nowhere; {} needs it", object.name, wanted_by),
               ours ? subject.tree.UseCommand()
                    : fmt::format("apt-file search {}, or remove it from the line that links", object.name));
}

void CheckUsual(const Subject& subject, Findings& findings) {
  const LoadedObject usual = LibrarySearch(subject.root).Find(kUsualName);
  if (usual.path.empty())
    return findings.Bad(fmt::format("{} is found nowhere: programs that want it do not start", kUsualName),
                        subject.tree.UseCommand());
  Judge(usual, subject, findings);
}

void CheckProgram(const std::string& program, const Subject& subject, Findings& findings) {
  const std::vector<LoadedObject> objects = LibrarySearch(subject.root).LoadAll(program);
  if (objects.empty())
    return findings.Bad(fmt::format("{} is no program or library of this machine", program),
                        fmt::format("file {}", program));
  bool uses = false;
  for (const LoadedObject& object : objects) {
    const bool known = &object != &objects[0] && fs::exists(fs::path(subject.tree.libraries) / object.name);
    uses = uses || known;
    if (object.path.empty())
      JudgeMissing(object, objects[static_cast<std::size_t>(object.asked_by)].path, subject, findings);
    else if (known)
      Judge(object, subject, findings);
  }
  if (uses) return;
  findings.Note(
      fmt::format("{} is linked with no library of this toolkit; what it may load itself:", program));
  CheckUsual(subject, findings);
}

}  // namespace

void CheckLibrary(const Subject& subject, Findings& findings) {
  if (subject.programs.empty()) CheckUsual(subject, findings);
  for (const std::string& program : subject.programs) {
    if (fs::is_directory(program))
      CheckUsual(subject, findings);
    else
      CheckProgram(program, subject, findings);
  }
}

}  // namespace foothold::doctor
