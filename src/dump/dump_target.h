// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the bytes of a dump go: to a file, or in pieces to the function of the program. One thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace foothold {

class DumpTarget {
 public:
  virtual ~DumpTarget() = default;
  // Both throw an Error that names the file and the reason. A file that could not be written whole is
  // removed, and so is one that is not closed.
  virtual void Write(const void* data, std::size_t bytes) = 0;
  virtual void Close() = 0;

  void Write(std::string_view text) { Write(text.data(), text.size()); }
};

enum class OpenMode { kReplace, kAppend };

// Memory a thread sends pieces from, kept from file to file.
using ChunkMemory = std::vector<std::byte>;

// For the function that is registered now, else for the disk, where directories are made as needed. Null if
// none is registered and `to_disk` is false. `memory` is used until the target is destroyed.
std::unique_ptr<DumpTarget> OpenDumpTarget(const std::string& path, bool to_disk, ChunkMemory& memory,
                                           OpenMode mode = OpenMode::kReplace);

// For the disk, whoever is registered.
std::unique_ptr<DumpTarget> OpenDumpFile(const std::string& path, OpenMode mode = OpenMode::kReplace);

}  // namespace foothold
