// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "model/model_codes.h"
#include "model/om_layout.h"

namespace foothold {
namespace {

using Sink = std::function<void(const void* data, std::size_t size)>;

std::vector<OmEntry> MakeEntries(const std::vector<OmSection>& sections) {
  std::vector<OmEntry> entries;
  std::size_t offset = RoundUpToSection(sizeof(OmHeader) + sections.size() * sizeof(OmEntry));
  for (const OmSection& section : sections) {
    FOOTHOLD_CHECK(section.name.size() < kOmNameBytes);
    OmEntry& entry = entries.emplace_back();
    std::memset(&entry, 0, sizeof entry);
    section.name.copy(entry.name, kOmNameBytes - 1);
    entry.offset = offset;
    entry.size = section.size();
    OmChecksum checksum;
    for (const ConstBytes piece : section.pieces)
      checksum.Add(piece.data(), piece.size());
    entry.checksum = checksum.value();
    offset = RoundUpToSection(offset + entry.size);
  }
  return entries;
}

OmHeader MakeHeader(const std::vector<OmEntry>& entries) {
  OmHeader header{};
  std::memcpy(header.magic, kOmMagic, sizeof header.magic);
  header.version = kOmVersion;
  header.sections = static_cast<std::uint32_t>(entries.size());
  header.file_size =
      entries.empty() ? kOmAlignment : RoundUpToSection(entries.back().offset + entries.back().size);
  header.checksum =
      OmChecksum().Add(&header, sizeof header).Add(entries.data(), entries.size() * sizeof(OmEntry)).value();
  return header;
}

void WritePadding(const Sink& sink, std::size_t from, std::size_t to) {
  static const std::byte zeros[kOmAlignment] = {};
  while (from < to) {
    const std::size_t some = std::min(to - from, sizeof zeros);
    sink(zeros, some);
    from += some;
  }
}

void WriteTo(const Sink& sink, const std::vector<OmSection>& sections) {
  FOOTHOLD_CHECK(sections.size() <= kOmMostSections);
  const std::vector<OmEntry> entries = MakeEntries(sections);
  const OmHeader header = MakeHeader(entries);
  sink(&header, sizeof header);
  sink(entries.data(), entries.size() * sizeof(OmEntry));
  std::size_t written = sizeof header + entries.size() * sizeof(OmEntry);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    WritePadding(sink, written, entries[i].offset);
    for (const ConstBytes piece : sections[i].pieces)
      sink(piece.data(), piece.size());
    written = entries[i].offset + entries[i].size;
  }
  WritePadding(sink, written, header.file_size);
}

// A file beside the one that is meant, until it is complete.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path)
      : path_(path),
        unfinished_(fmt::format("{}.{}.part", path, getpid())),
        file_(std::fopen(unfinished_.c_str(), "wb")) {
    if (file_ == nullptr) Refuse();
  }
  ~UnfinishedFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (!finished_) std::remove(unfinished_.c_str());
  }
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void Write(const void* data, std::size_t size) {
    if (size > 0 && std::fwrite(data, 1, size, file_) != size) Refuse();
  }
  void Finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) Refuse();
    if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) Refuse();
    finished_ = true;
  }

 private:
  [[noreturn]] void Refuse() const {
    Fail(kWriteFile, "the model cannot be written to '{}': {}", path_, std::strerror(errno));
  }

  const std::string path_;
  const std::string unfinished_;
  std::FILE* file_;
  bool finished_ = false;
};

}  // namespace

std::size_t OmSection::size() const {
  std::size_t sum = 0;
  for (const ConstBytes piece : pieces)
    sum += piece.size();
  return sum;
}

std::vector<std::byte> WriteOm(const std::vector<OmSection>& sections) {
  std::vector<std::byte> bytes;
  WriteTo(
      [&](const void* data, std::size_t size) {
        const auto* begin = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), begin, begin + size);
      },
      sections);
  return bytes;
}

void WriteOmFile(const std::string& path, const std::vector<OmSection>& sections) {
  UnfinishedFile file(path);
  WriteTo([&](const void* data, std::size_t size) { file.Write(data, size); }, sections);
  file.Finish();
}

void WriteOmBytes(const std::string& path, ConstBytes bytes) {
  UnfinishedFile file(path);
  file.Write(bytes.data(), bytes.size());
  file.Finish();
}

}  // namespace foothold
