// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/whole_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace foothold {
namespace {

bool MayBeReplaced(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode);
}

FileOutcome Write(const std::string& path, std::string_view text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return FileOutcome::kNotOpened;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  return written && closed ? FileOutcome::kDone : FileOutcome::kNotWritten;
}

}  // namespace

FileOutcome WriteWholeFile(const std::string& path, std::string_view text) {
  if (!MayBeReplaced(path)) return Write(path, text);
  const std::string part = fmt::format("{}.{}.part", path, getpid());
  FileOutcome outcome = Write(part, text);
  if (outcome == FileOutcome::kDone && std::rename(part.c_str(), path.c_str()) != 0)
    outcome = FileOutcome::kNotWritten;
  if (outcome == FileOutcome::kNotWritten) {
    const int reason = errno;
    std::remove(part.c_str());
    errno = reason;
  }
  return outcome;
}

}  // namespace foothold
