// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One model read, compiled and written, with a line for each stage and a summary at the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "atc/flags.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"

namespace foothold::atc {

// The model does not become one that runs; the text is the library's, with one line for each bad node.
struct CannotConvert : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws CannotConvert with what the library says.
void Check(ge::graphStatus status);
// With those above it, if it is not there.
void MakeFolder(const std::string& folder);

class Conversion {
 public:
  explicit Conversion(const Flags& flags) : flags_(flags) {}
  // Throws CannotConvert; then no file was written.
  void Run();

 private:
  void Read();
  void CompileAndWrite();
  void Summarize() const;

  const Flags& flags_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string path_;  // of the file that was written
  ge::Graph graph_;
  std::size_t nodes_ = 0;
};

}  // namespace foothold::atc
