// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A file of plain bytes that a model or graph names, open for reading. What is looked at is what is read:
// size and kind belong to the open file, not to a name that may mean another one a moment later. Immutable;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace foothold {

class DataFile {
 public:
  // Wherever it is.
  static DataFile Open(const std::string& path);
  // `path` is seen from `folder`, or absolute; neither it nor a link on the way may lead out of the folder.
  static DataFile OpenBelow(const std::string& folder, const std::string& path);
  ~DataFile();
  DataFile(DataFile&& other) noexcept;
  DataFile& operator=(DataFile&&) = delete;

  // Empty if the file is open; else how a sentence about it ends: "cannot be read: Permission denied".
  const std::string& problem() const { return problem_; }
  std::uint64_t size() const { return size_; }
  bool Has(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= size_ && bytes <= size_ - offset;
  }
  // False if the bytes are not there any more.
  bool Read(std::uint64_t offset, std::byte* to, std::size_t bytes) const;

 private:
  // Takes the descriptor, or errno where it is negative.
  explicit DataFile(int descriptor);
  static DataFile Outside();

  int descriptor_;
  std::uint64_t size_ = 0;
  std::string problem_;
};

}  // namespace foothold
