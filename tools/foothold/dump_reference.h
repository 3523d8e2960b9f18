// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What ONNX Runtime computes at every node of a model, as the tensors of a dump: the other side of `foothold
// dump diff DUMP model.onnx`. One thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "foothold/dump_set.h"

namespace foothold::dump {

struct ReferenceSource {
  std::string model;                // an .onnx file
  std::string library;              // of ONNX Runtime; empty: where it usually is
  std::vector<std::string> inputs;  // "name=file.npy"; what is not named is taken from the dump
};

struct Reference {
  std::vector<DumpedTensor> dumped;    // outputs of the first run that the model has too
  std::vector<DumpedTensor> expected;  // the same of ONNX Runtime
  std::size_t other_form = 0;          // nodes of one name with another type or number of elements
  std::size_t not_in_model = 0;        // dumped outputs of nodes the model does not have
};

// Throws kInvalidFile, with the reason, if the model, the library or an input cannot be had.
Reference MakeReference(const ReferenceSource& source, const std::vector<DumpedTensor>& dump);

}  // namespace foothold::dump
