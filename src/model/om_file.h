// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The container of an offline model (.om): named sections behind a checked header, described in
// docs/om_format.md. Knows nothing about what the sections hold. Small files are read; others are mapped, so
// that large weights cost nothing before they are read and processes share them. An open file is immutable;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tensor_value.h"

namespace foothold {

using ConstBytes = std::span<const std::byte>;

// Sections start at a multiple of this, so that a section can be mapped and read by kernels as it is.
constexpr std::size_t kOmAlignment = 4096;
// What a name of a section may be at most.
constexpr std::size_t kOmNameBytes = 64;

// One section to be written: pieces that stand one after the other. They are not copied.
struct OmSection {
  std::string name;
  std::vector<ConstBytes> pieces;

  std::size_t size() const;
};

// The bytes of a whole model.
std::vector<std::byte> WriteOm(const std::vector<OmSection>& sections);
// The same to a file. Whoever has the old file open keeps it: the new one takes its name when it is complete.
// Throws kModelSave-like errors that name the path and what the system said.
void WriteOmFile(const std::string& path, const std::vector<OmSection>& sections);

// Bytes that WriteOm gave.
void WriteOmBytes(const std::string& path, ConstBytes bytes);

class OmFile : public std::enable_shared_from_this<OmFile> {
 public:
  // Reading what is this small costs a fraction of a millisecond.
  static constexpr std::size_t kSmall = 1 << 20;

  // Throw an Error that says what is wrong: no such file, not a model, cut off, of another version, damaged.
  // Files of up to `most_read` bytes are read, others mapped.
  static std::shared_ptr<const OmFile> Open(const std::string& path, std::size_t most_read = kSmall);
  // A copy of the bytes, which the caller may free.
  static std::shared_ptr<const OmFile> FromMemory(const void* data, std::size_t size);
  ~OmFile();
  OmFile(const OmFile&) = delete;
  OmFile& operator=(const OmFile&) = delete;

  // Empty if there is none of that name. Small sections are checked before they are given out, large ones
  // only by Verify: reading them would cost what mapping saves.
  ConstBytes Find(std::string_view name) const;
  // The same; a model without it is damaged.
  ConstBytes Get(std::string_view name) const;
  // A section that is a whole file itself.
  std::shared_ptr<const OmFile> Inner(std::string_view name) const;
  // All sections, large ones too.
  void Verify() const;

  struct Entry {
    std::string name;
    std::size_t offset = 0;
    std::size_t size = 0;
    std::uint64_t checksum = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& origin() const { return origin_; }  // for messages
  const std::string& path() const { return path_; }      // empty unless it is a file by itself
  std::size_t size() const { return bytes_.size(); }

  // Throws if the file was changed since it was opened: then its bytes are not those of the model any more.
  void CheckUnchanged() const;
  // The same, only where somebody who cuts the file off takes bytes away that are still to be read: the
  // system ends a process that reads them. To be asked before and after they are used.
  void CheckMapped() const;

 private:
  struct Identity {
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Identity&) const = default;
  };

  OmFile() = default;
  void Take(const std::string& path, std::size_t most_read);
  void Read(std::size_t size);
  void Map(std::size_t size);
  void ReadHeader();
  void ReadEntry(std::size_t index);
  void Check(const Entry& entry) const;
  Identity Identify() const;

  std::string origin_, path_;
  ConstBytes bytes_;
  SharedBytes owned_;                    // null: mapped, or of outer_
  int descriptor_ = -1;                  // Open
  std::shared_ptr<const OmFile> outer_;  // Inner
  Identity identity_;
  std::vector<Entry> entries_;
};

}  // namespace foothold
