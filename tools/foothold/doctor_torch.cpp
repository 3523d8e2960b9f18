// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// torch and torch_npu of the Python that programs use: whether they fit each other, and whether they start.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "foothold/child_process.h"
#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

constexpr unsigned kSeconds = 120;  // a cold start reads gigabytes

// Pairs that the project runs (tests/torch/pairs), oldest first, and the Pythons torch_npu has wheels for.
struct Pair {
  std::string_view torch, torch_npu;
  int oldest_minor, newest_minor;  // of Python 3
  std::string_view with;           // what both want besides and pip does not bring
};
constexpr Pair kPairs[] = {
    {"2.1.0", "2.1.0.post17", 8, 11, "\"numpy<2\" pyyaml"},
    {"2.7.1", "2.7.1.post11", 9, 13, "numpy pyyaml"},
    {"2.9.0", "2.9.0.post9", 10, 14, "numpy pyyaml"},
    {"2.14.0", "2.14.0", 10, 14, "numpy pyyaml"},
};
constexpr std::string_view kUsual = "2.7.1";

constexpr const char* kQuestion = R"(
import importlib.metadata, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
print(sys.version_info[1])
print(version("torch"))
print(version("torch_npu"))
)";

constexpr const char* kTrial = R"(
import torch, torch_npu
one = torch.ones(2).npu()
print((one + one).sum().item())
)";

struct Packages {
  int minor = 0;
  std::string torch, torch_npu;  // versions; empty for what is not installed
};

Packages Read(const std::string& text) {
  Packages packages;
  std::istringstream lines(text);
  std::string minor;
  std::getline(lines, minor);
  packages.minor = std::atoi(minor.c_str());
  std::getline(lines, packages.torch);
  std::getline(lines, packages.torch_npu);
  return packages;
}

// "2.7.1" of "2.7.1+cu126" and "2.7.1.post11".
std::string Base(const std::string& version) {
  return version.substr(0, std::min(version.find('+'), version.find(".post")));
}

const Pair* Find(std::string_view torch) {
  const auto* const found = std::find_if(std::begin(kPairs), std::end(kPairs),
                                         [&](const Pair& pair) { return pair.torch == torch; });
  return found == std::end(kPairs) ? nullptr : found;
}

// torch_npu names a build of torch that the index does not have, so it is installed without what it names.
std::string InstallNpu(const Subject& subject, const std::string& torch) {
  const Pair* const pair = Find(torch);
  return fmt::format("{} -m pip install --no-deps \"torch_npu=={}\"", subject.python,
                     pair != nullptr ? std::string(pair->torch_npu) : torch + ".*");
}

std::string Install(const Subject& subject, const std::string& torch) {
  const Pair* const pair = Find(torch);
  return fmt::format("{} -m pip install torch=={} {}\n              {}", subject.python, torch,
                     (pair != nullptr ? *pair : kPairs[1]).with, InstallNpu(subject, torch));
}

bool Fits(const Pair& pair, int minor) {
  return pair.oldest_minor <= minor && minor <= pair.newest_minor;
}

void JudgeNone(const Subject& subject, int minor, Findings& findings) {
  const Pair* usual = Find(kUsual);
  for (const Pair& pair : kPairs) {
    if (!Fits(*usual, minor) && Fits(pair, minor)) usual = &pair;
  }
  if (!Fits(*usual, minor))
    return findings.Note(fmt::format("Python 3.{} has no torch, and torch_npu has no wheels for it", minor));
  std::string others;
  for (const Pair& pair : kPairs) {
    if (Fits(pair, minor) && pair.torch != usual->torch)
      others += fmt::format("{}{} with torch_npu {}", others.empty() ? "" : ", ", pair.torch, pair.torch_npu);
  }
  findings.Note(
      fmt::format("Python 3.{} has no torch{}", minor, others.empty() ? "" : "; others that fit: " + others),
      Install(subject, std::string(usual->torch)));
}

std::string LastLine(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text.substr(text.rfind('\n') + 1);
}

// The package of a module that is missing; empty if the text names none.
std::string MissingPackage(const std::string& text) {
  constexpr std::string_view kSaid = "No module named '";
  const std::size_t at = text.find(kSaid);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kSaid.size();
  const std::string module = text.substr(begin, text.find_first_of(".'", begin) - begin);
  return module == "yaml" ? "pyyaml" : module;
}

void JudgeImport(const Subject& subject, const Packages& packages, Findings& findings) {
  const std::string pair = fmt::format("torch {} and torch_npu {}", packages.torch, packages.torch_npu);
  const ChildResult tried = RunProgram({subject.python, "-c", kTrial}, kSeconds);
  if (tried.fine) return findings.Fine(fmt::format("{}: a tensor on device npu is computed with", pair));
  const std::string missing = MissingPackage(tried.output);
  findings.Bad(fmt::format("{} do not start: {}", pair, LastLine(tried.output)),
               missing.empty() ? subject.tree.UseCommand()
                               : fmt::format("{} -m pip install {}", subject.python, missing));
}

}  // namespace

void CheckTorch(const Subject& subject, Findings& findings) {
  const ChildResult answer = RunProgram({subject.python, "-c", kQuestion}, kSeconds);
  if (!answer.fine) return findings.Note(fmt::format("{} does not start", subject.python));
  const Packages packages = Read(answer.output);
  if (packages.torch.empty()) return JudgeNone(subject, packages.minor, findings);
  if (packages.torch_npu.empty())
    return findings.Note(
        fmt::format("torch {} is there, and torch_npu is not: there is no device npu", packages.torch),
        InstallNpu(subject, Base(packages.torch)));
  if (Base(packages.torch) != Base(packages.torch_npu))
    return findings.Bad(
        fmt::format(
            "torch {} and torch_npu {} do not fit: both have to have the same version in front of \".post\"",
            packages.torch, packages.torch_npu),
        Install(subject, Base(packages.torch_npu)));
  JudgeImport(subject, packages, findings);
}

}  // namespace foothold::doctor
