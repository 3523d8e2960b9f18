// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/case_lists.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace foothold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kData = "/usr/share/libonnx-testdata/data";

}  // namespace

std::vector<OnnxCase> FindOnnxCases() {
  std::vector<OnnxCase> cases;
  for (const char* kind : {"node", "simple", "pytorch-converted", "pytorch-operator"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(kData) / kind, error))
      if (fs::exists(entry.path() / "model.onnx") && fs::exists(entry.path() / "test_data_set_0"))
        cases.push_back({std::string(kind) + "/" + entry.path().filename().string(), entry.path().string()});
  }
  std::sort(cases.begin(), cases.end(), [](const OnnxCase& a, const OnnxCase& b) { return a.name < b.name; });
  return cases;
}

CaseList ReadCaseList(const std::string& path) {
  CaseList list;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto blank = std::min(line.find(' '), line.size());
    const auto reason = line.find_first_not_of(' ', blank);
    list[line.substr(0, blank)] = reason == std::string::npos ? "" : line.substr(reason);
  }
  return list;
}

void WriteCaseList(const std::string& path, const CaseList& list) {
  std::string head;
  std::ifstream before(path);
  for (std::string line; std::getline(before, line) && !line.empty() && line[0] == '#';)
    head += line + "\n";
  before.close();
  std::ofstream file(path);
  file << head;
  for (const auto& [name, reason] : list)
    file << name << " " << reason << "\n";
}

}  // namespace foothold
