// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The cases of the ONNX backend suite that are installed, and the lists of those that are known to fail. A
// line of a list is a name, blanks and the reason; # begins a comment.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace foothold {

struct OnnxCase {
  std::string name;    // "node/test_abs"
  std::string folder;  // with model.onnx and test_data_set_0
};

// Sorted by name. Only cases that have a model and data.
std::vector<OnnxCase> FindOnnxCases();

using CaseList = std::map<std::string, std::string>;  // name to reason
CaseList ReadCaseList(const std::string& path);
// Keeps the comment lines at the head of the file.
void WriteCaseList(const std::string& path, const CaseList& list);

}  // namespace foothold
