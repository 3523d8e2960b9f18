// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/dump_target.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "dump/receiver.h"

namespace foothold {
namespace {

// Small enough to stay in the cache between the copy that fills it and the function that reads it.
constexpr std::size_t kPieceBytes = 256 * 1024;

class DiskTarget final : public DumpTarget {
 public:
  DiskTarget(std::string path, OpenMode mode) : path_(std::move(path)), mode_(mode) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
    const int how = mode == OpenMode::kAppend ? O_APPEND : O_TRUNC;
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | how, 0640);
    if (file_ < 0) Fail(kInvalidFile, "the dump file '{}' cannot be made: {}", path_, std::strerror(errno));
  }
  ~DiskTarget() override {
    if (file_ >= 0) Discard();
  }

  void Write(const void* data, std::size_t bytes) override {
    const char* next = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t written = write(file_, next, bytes);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) FailWrite();
      next += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }

  void Close() override {
    if (close(std::exchange(file_, -1)) != 0) FailWrite();
  }

 private:
  [[noreturn]] void FailWrite() {
    const int number = errno;
    Discard();
    Fail(kInvalidFile, "the dump file '{}' cannot be written: {}", path_, std::strerror(number));
  }

  // Half a dump would look like one that is damaged; what others appended stays.
  void Discard() {
    if (file_ >= 0) close(std::exchange(file_, -1));
    if (mode_ == OpenMode::kReplace) unlink(path_.c_str());
  }

  const std::string path_;
  const OpenMode mode_;
  int file_ = -1;
};

// A piece is sent when there is more to come, so that the last one can be marked.
class ReceiverTarget final : public DumpTarget {
 public:
  ReceiverTarget(std::shared_ptr<DumpReceiver::Registration> registration, const std::string& path,
                 ChunkMemory& memory)
      : registration_(std::move(registration)), memory_(memory) {
    if (path.size() >= DumpChunkHead::kNameBytes)
      Fail(kInvalidFile, "the name '{}' of a dump is longer than a chunk can hold", path);
    memory_.resize(kDumpChunkSize + kPieceBytes);
    std::memset(head().file_name, 0, DumpChunkHead::kNameBytes);
    std::memcpy(head().file_name, path.data(), path.size());
    head().offset = kAppend;
    head().flag = 0;
  }

  void Write(const void* data, std::size_t bytes) override {
    const std::byte* next = static_cast<const std::byte*>(data);
    while (bytes > 0) {
      if (filled_ == kPieceBytes) Send(false);
      const std::size_t taken = std::min(bytes, kPieceBytes - filled_);
      std::memcpy(memory_.data() + kDumpChunkData + filled_, next, taken);
      filled_ += taken;
      next += taken;
      bytes -= taken;
    }
  }

  void Close() override {
    if (filled_ > 0) Send(true);
  }

 private:
  DumpChunkHead& head() { return *reinterpret_cast<DumpChunkHead*>(memory_.data()); }

  void Send(bool last) {
    head().bytes = static_cast<std::uint32_t>(filled_);
    head().is_last = last ? 1 : 0;
    filled_ = 0;
    DumpReceiver::Get().Send(*registration_, head());
  }

  const std::shared_ptr<DumpReceiver::Registration> registration_;
  ChunkMemory& memory_;
  std::size_t filled_ = 0;
};

}  // namespace

std::unique_ptr<DumpTarget> OpenDumpTarget(const std::string& path, bool to_disk, ChunkMemory& memory,
                                           OpenMode mode) {
  if (auto registration = DumpReceiver::Get().current())
    return std::make_unique<ReceiverTarget>(std::move(registration), path, memory);
  return to_disk ? OpenDumpFile(path, mode) : nullptr;
}

std::unique_ptr<DumpTarget> OpenDumpFile(const std::string& path, OpenMode mode) {
  return std::make_unique<DiskTarget>(path, mode);
}

}  // namespace foothold
