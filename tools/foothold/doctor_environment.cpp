// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/edit_distance.h"
#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTreeVariables[] = {"ASCEND_TOOLKIT_HOME", "ASCEND_HOME_PATH", "ASCEND_OPP_PATH"};
constexpr std::string_view kSettings[] = {
    "FOOTHOLD_CAPTURE_JOINS",  "FOOTHOLD_CHECK",         "FOOTHOLD_CHECK_HANG",   "FOOTHOLD_CHECK_LIMIT",
    "FOOTHOLD_CHECK_ON",       "FOOTHOLD_CHECK_OUTPUT",  "FOOTHOLD_CHECK_STACKS", "FOOTHOLD_CHECK_SUPPRESS",
    "FOOTHOLD_DEVICES",        "FOOTHOLD_DEVICE_MEMORY", "FOOTHOLD_FAULTS",       "FOOTHOLD_HCCL_HOST",
    "FOOTHOLD_HCCL_SECRET",    "FOOTHOLD_MAX_EVENTS",    "FOOTHOLD_MAX_NOTIFIES", "FOOTHOLD_MAX_STREAMS",
    "FOOTHOLD_NARROW_WEIGHTS", "FOOTHOLD_ONNXRUNTIME",   "FOOTHOLD_SCHEDULE",     "FOOTHOLD_SOC_NAME",
    "FOOTHOLD_THREADS",        "FOOTHOLD_TRACE",         "FOOTHOLD_WINOGRAD"};

bool Inside(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const std::string canonical = fs::weakly_canonical(path, error).string() + "/";
  return canonical.starts_with(folder.string() + "/");
}

void CheckTreeVariable(const char* name, const Subject& subject, Findings& findings) {
  const std::string value = Variable(name);
  const std::string mend = subject.tree.UseCommand();
  if (value.empty()) {
    findings.Note(fmt::format("{} is not set: build files that look there find no toolkit", name), mend);
  } else if (!fs::is_directory(value)) {
    findings.Bad(fmt::format("{} is {}, which is no folder", name, value), mend);
  } else if (!Inside(value, subject.tree.folder)) {
    findings.Note(fmt::format("{} is {}, which is not this toolkit", name, value), mend);
  } else {
    findings.Fine(fmt::format("{} is {}", name, value));
  }
}

// Folders that are not there do no harm, but tell of a path that was meant.
void CheckPathVariable(const char* name, const std::string& wanted, const Subject& subject,
                       Findings& findings) {
  bool has_wanted = false;
  for (const std::string& folder : PathList(Variable(name))) {
    if (!fs::is_directory(folder)) findings.Note(fmt::format("{} has {}, which is no folder", name, folder));
    std::error_code error;
    has_wanted = has_wanted || fs::equivalent(folder, wanted, error);
  }
  if (has_wanted) return findings.Fine(fmt::format("{} has {}", name, wanted));
  findings.Note(Variable(name).empty() ? fmt::format("{} is not set", name)
                                       : fmt::format("{} does not have {}", name, wanted),
                subject.tree.UseCommand());
}

void CheckSetting(std::string_view name, std::string_view value, Findings& findings) {
  if (std::find(std::begin(kSettings), std::end(kSettings), name) != std::end(kSettings))
    return findings.Fine(fmt::format("{} is {}", name, value));
  findings.Note(fmt::format("{} is no setting; {} is the nearest", name,
                            NearestName(name, kSettings, name.size() + 99)),
                fmt::format("unset {}", name));
}

bool IsTreeVariable(std::string_view name) {
  return std::find(std::begin(kTreeVariables), std::end(kTreeVariables), name) != std::end(kTreeVariables);
}

void CheckOthers(Findings& findings) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    const std::string_view value = name.size() < text.size() ? text.substr(name.size() + 1) : "";
    if (name.starts_with("FOOTHOLD_")) CheckSetting(name, value, findings);
    if (name.starts_with("ASCEND_") && !IsTreeVariable(name))
      findings.Fine(fmt::format("{} is {}", name, value));
  }
}

}  // namespace

void CheckEnvironment(const Subject& subject, Findings& findings) {
  for (const char* name : kTreeVariables)
    CheckTreeVariable(name, subject, findings);
  CheckPathVariable("LD_LIBRARY_PATH", subject.tree.libraries, subject, findings);
  CheckPathVariable("PYTHONPATH", subject.tree.folder + "/python/site-packages", subject, findings);
  CheckOthers(findings);
}

}  // namespace foothold::doctor
