// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

// Libraries that are loaded when something needs them, so that everything else works without.
struct OnDemand {
  const char* library;
  const char* use;  // what does not work without it
  const char* mend;
  bool in_tree;                  // a part of Foothold: that it cannot be loaded is a fault
  const char* chosen = nullptr;  // a variable that names another file
};
constexpr OnDemand kOnDemand[] = {
    {"libfoothold_onnx.so", "reading ONNX models", "apt-get install libonnx1 libprotobuf32", true},
    {"libturbojpeg.so.0", "JPEG pictures (acldvppJpeg*)", "apt-get install libturbojpeg0", false},
    {"libpng16.so.16", "PNG pictures (acldvppPng*)", "apt-get install libpng16-16", false},
    {"libopenh264.so.7", "H.264 video (aclvdec*, aclvenc*)", "apt-get install libopenh264-7", false},
    {"libde265.so.0", "H.265 video (aclvdec*)", "apt-get install libde265-0", false},
    {"libonnxruntime.so.1", "foothold dump diff with a .onnx model",
     "export FOOTHOLD_ONNXRUNTIME=/path/of/libonnxruntime.so", false, "FOOTHOLD_ONNXRUNTIME"},
    {"libucp.so.0", "collectives of ranks on several hosts", "apt-get install libucx0", false}};

std::string PathOf(const OnDemand& one, const Subject& subject) {
  if (one.in_tree) return subject.tree.libraries + "/" + one.library;
  const std::string chosen = one.chosen == nullptr ? "" : Variable(one.chosen);
  return chosen.empty() ? one.library : chosen;
}

void Check(const OnDemand& one, const Subject& subject, Findings& findings) {
  const std::string path = PathOf(one, subject);
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr)
    return findings.Fine(fmt::format("{} can be loaded, for {}", path, one.use));
  const char* const why = dlerror();
  const std::string text =
      fmt::format("{} does not work: {}", one.use, why == nullptr ? "no reason given" : why);
  if (one.in_tree) return findings.Bad(text, one.mend);
  findings.Note(text, one.mend);
}

}  // namespace

void CheckOnDemand(const Subject& subject, Findings& findings) {
  setenv("UCX_MEM_EVENTS", "n", 0);  // UCX leaves this process as it is
  setenv("UCX_HANDLE_ERRORS", "none", 0);
  for (const OnDemand& one : kOnDemand)
    Check(one, subject, findings);
}

}  // namespace foothold::doctor
