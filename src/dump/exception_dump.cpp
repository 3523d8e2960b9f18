// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/exception_dump.h"

#include <fmt/format.h>

#include "base/environment.h"
#include "dump/dump_target.h"
#include "dump/file_names.h"

namespace foothold {
namespace {

void SaveRecord(const std::string& path, const DumpRecord& record) {
  const auto target = OpenDumpFile(path);
  target->Write(DumpHeader(record));
  for (const auto* list : {&record.inputs, &record.outputs, &record.buffers})
    for (const DumpTensor& tensor : *list)
      if (tensor.size > 0) target->Write(tensor.data, static_cast<std::size_t>(tensor.size));
  target->Close();
}

}  // namespace

std::string ExceptionPath(const DumpConfig& config) {
  for (const char* name : {"ASCEND_DUMP_PATH", "NPU_COLLECT_PATH", "ASCEND_WORK_PATH"})
    if (const auto path = GetEnv(name); path && !path->empty()) return *path;
  return config.path.empty() ? "." : config.path;
}

std::string ExceptionDirectory(const DumpConfig& config, int device) {
  return fmt::format("{}/extra-info/data-dump/{}/", ExceptionPath(config), device);
}

void SaveFailedNode(const DumpConfig& config, int device, const std::string& name,
                    const std::vector<DumpTensor>& inputs, std::uint32_t task, int stream) {
  const std::uint64_t time = DumpMicroseconds();
  SaveRecord(fmt::format("{}exception_info.{}.{}.{}", ExceptionDirectory(config, device), stream, task, time),
             {.op_name = name, .time = time, .inputs = inputs, .outputs = {}, .buffers = {}});
}

void SaveExceptionRecord(const std::string& directory, const std::string& file, const DumpRecord& record) {
  SaveRecord(fmt::format("{}{}.custom.{}", directory, file, DumpMicroseconds() / 1000), record);
}

}  // namespace foothold
