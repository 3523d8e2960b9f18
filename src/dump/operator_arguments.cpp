// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/operator_arguments.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "dump/dump_codes.h"
#include "dump/dump_target.h"
#include "dump/file_names.h"

namespace foothold {

OperatorArguments& OperatorArguments::Get() {
  return PerProcess<OperatorArguments>::Get();
}

void OperatorArguments::Start(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) Fail(kInvalidFile, "the directory '{}' cannot be made: {}", directory, error.message());
  std::lock_guard<std::mutex> lock(mutex_);
  if (active()) Fail(kDumpAlreadyRun, "arguments are dumped to '{}' already", directory_);
  directory_ = directory;
  noted_.clear();
  active_ = true;
}

void OperatorArguments::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!active()) Fail(kDumpNotRun, "aclopStartDumpArgs has to be called first");
  active_ = false;
}

void OperatorArguments::Note(const std::string& type, const std::string& text) noexcept try {
  std::string path;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!active() || !noted_.insert(text).second) return;
    path = fmt::format("{}/{}.{}.txt", directory_, FileNamePart(type), noted_.size() - 1);
  }
  const auto file = OpenDumpFile(path);
  file->Write(text);
  file->Close();
} catch (...) {
  Log(LogLevel::kError, "the arguments of '{}' are not dumped: {}", type, CurrentError().message());
}

}  // namespace foothold
