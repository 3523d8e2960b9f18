// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <filesystem>

#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

// Where installers of the original put it, and where programs that hard-code a path look.
constexpr const char* kUsualPlaces[] = {"/usr/local/Ascend/ascend-toolkit/latest", "/usr/local/Ascend/cann",
                                        "/usr/local/Ascend/latest", "/usr/local/Ascend/nnae/latest",
                                        "/usr/local/Ascend/nnrt/latest"};
constexpr const char* kDriver = "/dev/davinci_manager";

std::vector<std::string> Places(const Subject& subject) {
  std::vector<std::string> places;
  for (const char* place : kUsualPlaces)
    places.push_back(subject.root + place);
  for (const char* name : {"ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH"})
    if (!Variable(name).empty()) places.push_back(Variable(name));
  if (!Variable("HOME").empty()) places.push_back(Variable("HOME") + "/Ascend/ascend-toolkit/latest");
  return places;
}

bool Judge(const std::string& place, const Subject& subject, Findings& findings) {
  const std::string library = place + "/lib64/libascendcl.so";
  if (!fs::exists(library)) return false;
  if (subject.tree.Owns(library)) {
    findings.Fine(fmt::format("{} leads to this toolkit", place));
  } else if (IsFoothold(library)) {
    findings.Note(fmt::format("{} is another Foothold", place));
  } else {
    findings.Note(fmt::format("{} is a genuine CANN; what comes first in LD_LIBRARY_PATH is used", place),
                  subject.tree.UseCommand());
  }
  return true;
}

}  // namespace

void CheckOtherToolkits(const Subject& subject, Findings& findings) {
  bool any = false;
  for (const std::string& place : Places(subject))
    any = Judge(place, subject, findings) || any;
  if (fs::exists(subject.root + kDriver))
    findings.Note(fmt::format("{} is there: this machine has a card, which Foothold does not use", kDriver));
  if (!any) findings.Fine("there is no genuine CANN in the usual places");
}

}  // namespace foothold::doctor
