// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The outputs of a model as files.
#pragma once

#include <string>
#include <vector>

#include "ir/tensor_value.h"

namespace foothold::run {

// Names of files for tensors: letters, digits, '.', '-' and '_' stay, all else becomes '_'. Of names with
// colons ("node:0:probabilities") only the last part is taken. No two are alike, none is hidden.
std::vector<std::string> FileNames(const std::vector<std::string>& tensors);

// Writes <folder>/<name>.npy for each, and makes the folder. Answers with the paths. Throws kInvalidFile.
std::vector<std::string> WriteOutputs(const std::string& folder, const std::vector<std::string>& names,
                                      const std::vector<TensorValue>& values);

}  // namespace foothold::run
