// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/conversion.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "atc/stage.h"
#include "ge/ge_api.h"
#include "ge/ge_ir_build.h"
#include "model_report/model_report.h"
#include "parser/onnx_parser.h"

namespace foothold::atc {
namespace {

using AscendOptions = std::map<ge::AscendString, ge::AscendString>;

// Names of outputs are those of the ONNX model, which its importer knows; the compiler knows the graph's.
bool ReadByImporter(const std::string& option) {
  return option == ge::ir_option::OUT_NODES;
}

AscendOptions ImportOptions(const Flags& flags) {
  AscendOptions chosen;
  for (const auto& [key, value] : flags.options)
    if (ReadByImporter(key) || key == ge::ir_option::INPUT_SHAPE) chosen[key.c_str()] = value.c_str();
  return chosen;
}

AscendOptions BuildOptions(const Flags& flags) {
  AscendOptions chosen;
  for (const auto& [key, value] : flags.options)
    if (flags.framework != Framework::kOnnx || !ReadByImporter(key)) chosen[key.c_str()] = value.c_str();
  return chosen;
}

std::size_t SectionBytes(const OmFile& file, const char* name) {
  for (const OmFile::Entry& entry : file.entries())
    if (entry.name == name) return entry.size;
  return 0;
}

}  // namespace

void Check(ge::graphStatus status) {
  if (status != ge::GRAPH_SUCCESS) throw CannotConvert(ge::GEGetErrorMsg());
}

void MakeFolder(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw CannotConvert(fmt::format("the folder {} cannot be made: {}", folder, error.message()));
}

void Conversion::Run() {
  Read();
  CompileAndWrite();
  Summarize();
}

void Conversion::Read() {
  const Stage stage(fmt::format("reading {}", flags_.model), flags_.progress);
  Check(flags_.framework == Framework::kOnnx
            ? ge::aclgrphParseONNX(flags_.model.c_str(), ImportOptions(flags_), graph_)
            : graph_.LoadFromFile(flags_.model.c_str()));
  nodes_ = graph_.GetAllNodes().size();
  if (nodes_ == 0)
    throw CannotConvert(fmt::format("{} has no nodes; does --framework say what it is?", flags_.model));
}

void Conversion::CompileAndWrite() {
  AscendOptions none;
  Check(ge::aclgrphBuildInitialize(none));
  ge::ModelBufferData model;
  {
    const Stage stage(fmt::format("compiling {} nodes", nodes_), flags_.progress);
    Check(ge::aclgrphBuildModel(graph_, BuildOptions(flags_), model));
  }
  path_ = flags_.output.ends_with(".om") ? flags_.output : flags_.output + ".om";
  MakeFolder(std::filesystem::path(path_).parent_path().string());
  const Stage stage(fmt::format("writing {}", path_), flags_.progress);
  Check(ge::aclgrphSaveModel(flags_.output.c_str(), model));
  ge::aclgrphBuildFinalize();
}

void Conversion::Summarize() const {
  const auto file = OmFile::Open(path_);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  fmt::print("\n{}{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{:.2f} s\n", DescriptionText(ReadDescription(*file)),
             "nodes", nodes_, "weights", Megabytes(SectionBytes(*file, "weights")), "file",
             Megabytes(file->size()), "time", seconds.count());
}

}  // namespace foothold::atc
