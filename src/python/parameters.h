// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// With how many arguments a Python function can be called, so that one that does not fit is refused when it
// is given and not when it is called, where nobody sees what it raises. Needs the interpreter's lock; raises
// nothing.
#pragma once

#include <Python.h>

#include <optional>
#include <string>

namespace foothold {

struct Parameters {
  Py_ssize_t least = 0;
  Py_ssize_t most = 0;       // PY_SSIZE_T_MAX for *args
  bool needs_names = false;  // of arguments that can only be given by name

  bool Take(Py_ssize_t arguments) const { return !needs_names && least <= arguments && arguments <= most; }
  // "takes 2 arguments"
  std::string Describe() const;
};

// Nothing if Python does not say: many functions written in C.
std::optional<Parameters> ParametersOf(PyObject* callable);

}  // namespace foothold
