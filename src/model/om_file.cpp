// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/om_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "model/model_codes.h"
#include "model/om_layout.h"

namespace foothold {
namespace {

// What is read at once anyway, or in a few milliseconds.
constexpr std::size_t kCheckedAtOnce = 16 << 20;

// What people pass by mistake, by its first bytes.
const char* Guess(ConstBytes bytes) {
  struct Known {
    std::string_view start;
    const char* what;
  };
  static constexpr Known kKnown[] = {
      {"IMOD",
       "It looks like a model that the original tool compiled for its hardware; convert the network again "
       "with "
       "Foothold's atc"},
      {"\x89"
       "FHOM",
       "It is an .om file that was changed in transfer, perhaps sent as text"},
      {"<", "It looks like a web page"},
      {"\x7f"
       "ELF",
       "It looks like a program or library"},
      {"\x08", "It may be an ONNX or .air file; atc makes an .om of it"},
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const Known& known : kKnown)
    if (text.substr(0, known.start.size()) == known.start) return known.what;
  return "atc and aclgrphSaveModel write such files";
}

}  // namespace

std::shared_ptr<const OmFile> OmFile::Open(const std::string& path, std::size_t most_read) {
  std::shared_ptr<OmFile> file(new OmFile);
  file->origin_ = "'" + path + "'";
  file->path_ = path;
  file->Take(path, most_read);
  file->ReadHeader();
  return file;
}

std::shared_ptr<const OmFile> OmFile::FromMemory(const void* data, std::size_t size) {
  std::shared_ptr<OmFile> file(new OmFile);
  file->origin_ = "in memory";
  file->owned_ = AllocateBytes(size);
  if (size > 0) std::memcpy(file->owned_.get(), data, size);
  file->bytes_ = {file->owned_.get(), size};
  file->ReadHeader();
  return file;
}

std::shared_ptr<const OmFile> OmFile::Inner(std::string_view name) const {
  std::shared_ptr<OmFile> file(new OmFile);
  file->origin_ = std::string(name) + " of " + origin_;
  file->bytes_ = Get(name);
  file->outer_ = shared_from_this();
  file->ReadHeader();
  return file;
}

OmFile::~OmFile() {
  if (descriptor_ < 0) return;
  if (!owned_ && !bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  close(descriptor_);
}

// A pipe that nobody writes to would keep its reader for ever.
void OmFile::Take(const std::string& path, std::size_t most_read) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0)
    Fail(kGeModelPathInvalid, "the model {} cannot be opened: {}", origin_, std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
    Fail(kGeModelPathInvalid, "the model {} is not a file", origin_);
  identity_ = Identify();
  if (status.st_size == 0) Fail(kGeModelDataSizeInvalid, "the model {} is empty", origin_);
  const auto size = static_cast<std::size_t>(status.st_size);
  size <= most_read ? Read(size) : Map(size);
}

void OmFile::Read(std::size_t size) {
  owned_ = AllocateBytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = pread(descriptor_, owned_.get() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      Fail(kReadModelFailure, "the model {} cannot be read: {}", origin_,
           got == 0 ? "it was cut off meanwhile" : std::strerror(errno));
    done += static_cast<std::size_t>(got);
  }
  bytes_ = {owned_.get(), size};
}

void OmFile::Map(std::size_t size) {
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
  if (mapped == MAP_FAILED)
    Fail(kReadModelFailure, "the model {} cannot be mapped: {}", origin_, std::strerror(errno));
  bytes_ = {static_cast<const std::byte*>(mapped), size};
}

void OmFile::ReadHeader() {
  OmHeader header;
  if (bytes_.size() < sizeof header || std::memcmp(bytes_.data(), kOmMagic, sizeof kOmMagic) != 0)
    Fail(kParseModel, "the model {} is not an .om file of Foothold. {}", origin_, Guess(bytes_));
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.version != kOmVersion)
    Fail(kParseModel,
         "the model {} has version {} of the format, and this library reads version {}; convert it again",
         origin_, header.version, kOmVersion);
  if (header.file_size != bytes_.size())
    Fail(kGeModelDataSizeInvalid, "the model {} has {} bytes and should have {}: {}", origin_, bytes_.size(),
         header.file_size, bytes_.size() < header.file_size ? "it was cut off" : "something was added to it");
  const std::size_t entries = header.sections * sizeof(OmEntry);
  if (header.sections > kOmMostSections || sizeof header + entries > bytes_.size())
    Fail(kParseModel, "the model {} is damaged: it claims to have {} sections", origin_, header.sections);
  const std::uint64_t expected = std::exchange(header.checksum, 0);
  const std::byte* table = bytes_.data() + sizeof header;
  if (OmChecksum().Add(&header, sizeof header).Add(table, entries).value() != expected)
    Fail(kParseModel, "the model {} is damaged: its header does not fit its checksum", origin_);
  for (std::size_t i = 0; i < header.sections; ++i)
    ReadEntry(i);
}

// A checksum keeps accidents away, not someone who computes it: nothing is taken on trust.
void OmFile::ReadEntry(std::size_t index) {
  OmEntry raw;
  std::memcpy(&raw, bytes_.data() + sizeof(OmHeader) + index * sizeof raw, sizeof raw);
  if (memchr(raw.name, 0, sizeof raw.name) == nullptr || raw.offset % kOmAlignment != 0 ||
      raw.offset > bytes_.size() || raw.size > bytes_.size() - raw.offset)
    Fail(kParseModel, "the model {} is damaged: section {} lies outside the file", origin_, index);
  entries_.push_back({raw.name, raw.offset, raw.size, raw.checksum});
}

void OmFile::Check(const Entry& entry) const {
  if (OmChecksum().Add(bytes_.data() + entry.offset, entry.size).value() != entry.checksum)
    Fail(kDeserializeModel, "the model {} is damaged: its section '{}' does not fit its checksum", origin_,
         entry.name);
}

ConstBytes OmFile::Find(std::string_view name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  if (found == entries_.end()) return {};
  if (found->size <= kCheckedAtOnce) Check(*found);
  return bytes_.subspan(found->offset, found->size);
}

ConstBytes OmFile::Get(std::string_view name) const {
  const bool exists =
      std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  if (!exists) Fail(kParseModel, "the model {} is damaged: it has no section '{}'", origin_, name);
  return Find(name);
}

void OmFile::Verify() const {
  for (const Entry& entry : entries_)
    Check(entry);
}

OmFile::Identity OmFile::Identify() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

void OmFile::CheckUnchanged() const {
  if (outer_) return outer_->CheckUnchanged();
  if (descriptor_ < 0 || Identify() == identity_) return;
  Fail(kReadModelFailure,
       "the file of the model {} was overwritten while the model is loaded; unload it and load it again. "
       "Writing a new "
       "file and renaming it leaves loaded models alone",
       origin_);
}

void OmFile::CheckMapped() const {
  if (outer_) return outer_->CheckMapped();
  if (!owned_) CheckUnchanged();
}

}  // namespace foothold
