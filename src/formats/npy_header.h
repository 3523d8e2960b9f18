// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The header of a .npy file: a Python dictionary with the keys descr, fortran_order and shape. For npy.cpp.
#pragma once

#include <string>
#include <string_view>

#include "ir/tensor_type.h"

namespace foothold {

struct NpyDictionary {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  Dims shape;
};

// Throws kParseFile for anything else than this dictionary.
NpyDictionary ParseNpyDictionary(std::string_view text);

}  // namespace foothold
