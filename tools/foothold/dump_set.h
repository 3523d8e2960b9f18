// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The tensors of a folder: dump files, or .npy files that `foothold dump to-npy` or a script has written. One
// thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/dump_file.h"
#include "ir/tensor_value.h"

namespace foothold::dump {

struct DumpedTensor {
  std::string run;  // the folder of the run, "0", "1" ...; empty where there is none
  std::string node;
  std::string type;  // of the operator; empty for .npy files
  bool is_input = false;
  std::size_t index = 0;
  std::uint64_t order = 0;
  TensorValue value;

  // The same for a tensor in a dump and its .npy file, whatever characters its name has.
  std::string Key() const;
  std::string Describe() const;  // "node output 0"
};

// All below a folder, or one file, in the order they were written. Files that are neither are left out, and
// named in `skipped`. Throws kInvalidFile if there is no such path, kParseFile if a single file cannot be
// read.
std::vector<DumpedTensor> LoadTensors(const std::string& path, std::vector<std::string>* skipped = nullptr);

// The name of its .npy file, without folders.
std::string NpyName(const DumpedTensor& tensor);

}  // namespace foothold::dump
