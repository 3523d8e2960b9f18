// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <pybind11/pybind11.h>

#include <vector>

#include "python/chapters.h"
#include "python/interpreter.h"

namespace foothold {
namespace {

struct Chapter {
  const char* module;
  const char* text;
  std::vector<std::span<const Function>> tables;
};

std::vector<Chapter> Chapters() {
  return {
      {"rt",
       "Devices, contexts, streams, events, memory and callbacks.",
       {DeviceFunctions(), ContextFunctions(), StreamFunctions(), EventFunctions(), MemoryFunctions(),
        VirtualMemoryFunctions(), CallbackFunctions(), KernelFunctions()}},
      {"mdl",
       "Offline models: load, describe, run, dump.",
       {ModelFunctions(), ModelDescFunctions(), AippFunctions(), DumpFunctions()}},
      {"op", "Single operators.", {OperatorFunctions()}},
      {"blas", "Products of matrices and vectors.", {BlasFunctions()}},
      {"prof", "Profiling.", {ProfilingFunctions()}},
      {"util", "Addresses of Python objects, and native threads.", {PointerFunctions(), ThreadFunctions()}},
      {"media",
       "Image and video processing. Only the memory functions work, the others answer \"not supported\".",
       {MediaFunctions(), VideoFunctions()}},
  };
}

void DefineAll(pybind11::module_ acl) {
  for (const auto& table : {InitFunctions(), DataBufferFunctions(), TensorFunctions()})
    Define(acl.ptr(), table);
  for (const Chapter& chapter : Chapters()) {
    // def_submodule also registers the dotted name, so that "from acl.rt import memcpy" works.
    const pybind11::module_ module = acl.def_submodule(chapter.module, chapter.text);
    for (const std::span<const Function> table : chapter.tables)
      Define(module.ptr(), table);
  }
}

pybind11::object Table() {
  return pybind11::reinterpret_steal<pybind11::object>(DefinedFunctions().Release());
}

}  // namespace
}  // namespace foothold

PYBIND11_MODULE(acl, module) {
  module.doc() =
      "AscendCL for Python. Handles and addresses are int; the last value returned is an error code.";
  foothold::DefineAll(module);
  // Both spellings are in the documentation.
  module.attr("prof").attr("model_un_subscribe") = module.attr("prof").attr("model_unsubscribe");
  module.def("_functions", foothold::Table, "The table behind docstrings, type stubs and documentation.");
  foothold::WatchInterpreterExit();
}
