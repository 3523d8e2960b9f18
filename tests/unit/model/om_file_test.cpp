// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/om_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "model/model_codes.h"
#include "model/om_layout.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "om_file_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

ConstBytes Bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string Text(ConstBytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<OmSection> Sections() {
  static const std::string large(10000, 'w');
  return {{"first", {Bytes("one "), Bytes("two")}}, {"empty", {}}, {"weights", {Bytes(large)}}};
}

Error Refusal(const std::vector<std::byte>& bytes) {
  try {
    OmFile::FromMemory(bytes.data(), bytes.size())->Verify();
  } catch (const Error& error) {
    return error;
  }
  return Error(kSuccess, "nothing was refused");
}

TEST(OmFile, GivesBackTheSectionsThatWereWritten) {
  const auto bytes = WriteOm(Sections());
  const auto file = OmFile::FromMemory(bytes.data(), bytes.size());
  EXPECT_EQ(Text(file->Get("first")), "one two");
  EXPECT_EQ(Text(file->Get("empty")), "");
  EXPECT_EQ(file->Get("weights").size(), 10000u);
  EXPECT_TRUE(file->Find("missing").empty());
  EXPECT_THROW(file->Get("missing"), Error);
  for (const OmFile::Entry& entry : file->entries())
    EXPECT_EQ(entry.offset % kOmAlignment, 0u) << entry.name;
}

TEST(OmFile, IsTheSameOnDiskAndInMemory) {
  const TemporaryFolder folder;
  WriteOmFile(folder / "model.om", Sections());
  const auto file = OmFile::Open(folder / "model.om");
  EXPECT_EQ(file->size(), WriteOm(Sections()).size());
  EXPECT_EQ(Text(file->Get("first")), "one two");
  file->Verify();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1)
      << "nothing unfinished is left";
}

TEST(OmFile, RefusesAFileThatWasCutOffAnywhere) {
  const auto bytes = WriteOm(Sections());
  for (std::size_t size = 0; size < bytes.size(); size += 512)
    EXPECT_NE(Refusal({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}).code(), kSuccess)
        << size;
}

TEST(OmFile, NoticesEveryChangedByteThatCounts) {
  const auto good = WriteOm(Sections());
  const auto file = OmFile::FromMemory(good.data(), good.size());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < sizeof(OmHeader) + 3 * sizeof(OmEntry); ++i)
    places.push_back(i);
  for (const OmFile::Entry& entry : file->entries())
    for (std::size_t i = 0; i < entry.size; i += 37)
      places.push_back(entry.offset + i);
  for (const std::size_t place : places) {
    auto bad = good;
    bad[place] ^= std::byte{0x40};
    EXPECT_NE(Refusal(bad).code(), kSuccess) << "byte " << place;
  }
}

// Someone who means harm writes checksums that fit.
std::vector<std::byte> WithEntry(void (*change)(OmEntry&)) {
  auto bytes = WriteOm(Sections());
  OmHeader header;
  OmEntry entry;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(&entry, bytes.data() + sizeof header, sizeof entry);
  change(entry);
  std::memcpy(bytes.data() + sizeof header, &entry, sizeof entry);
  header.checksum = 0;
  const std::uint64_t sum =
      OmChecksum().Add(&header, sizeof header).Add(bytes.data() + sizeof header, 3 * sizeof entry).value();
  header.checksum = sum;
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(OmFile, RefusesSectionsOutsideTheFileAlthoughTheChecksumFits) {
  EXPECT_THAT(Refusal(WithEntry([](OmEntry& entry) { entry.offset = 1 << 30; })).message(),
              HasSubstr("outside"));
  EXPECT_THAT(Refusal(WithEntry([](OmEntry& entry) { entry.size = UINT64_MAX; })).message(),
              HasSubstr("outside"));
  EXPECT_THAT(Refusal(WithEntry([](OmEntry& entry) { entry.offset += 8; })).message(), HasSubstr("outside"));
  EXPECT_THAT(
      Refusal(WithEntry([](OmEntry& entry) { std::memset(entry.name, 'x', sizeof entry.name); })).message(),
      HasSubstr("outside"));
}

TEST(OmFile, SaysWhatAForeignFileLooksLike) {
  const auto refusal = [](std::string_view text) {
    const ConstBytes bytes = Bytes(text);
    return Refusal({bytes.begin(), bytes.end()}).message();
  };
  EXPECT_THAT(refusal("<html><body>404</body></html>"), HasSubstr("web page"));
  EXPECT_THAT(refusal("IMOD............................"), HasSubstr("original tool"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF............"),
              HasSubstr("program"));
  EXPECT_THAT(refusal("\x08\x07"
                      "onnx"),
              HasSubstr("ONNX"));
}

TEST(OmFile, SaysWhichVersionItReads) {
  auto bytes = WriteOm(Sections());
  bytes[8] = std::byte{7};
  EXPECT_THAT(Refusal(bytes).message(), HasSubstr("version 7"));
}

TEST(OmFile, NamesThePathThatCannotBeOpened) {
  const TemporaryFolder folder;
  const auto refusal = [](const std::string& path) {
    try {
      OmFile::Open(path);
    } catch (const Error& error) {
      return error;
    }
    return Error(kSuccess, "opened");
  };
  EXPECT_EQ(refusal(folder / "missing.om").code(), kGeModelPathInvalid);
  EXPECT_THAT(refusal(folder / "missing.om").message(), HasSubstr("missing.om"));
  EXPECT_EQ(refusal(folder / "").code(), kGeModelPathInvalid);
  std::ofstream(folder / "empty.om").flush();
  EXPECT_EQ(refusal(folder / "empty.om").code(), kGeModelDataSizeInvalid);
}

TEST(OmFile, NoticesThatItsFileWasOverwrittenButNotThatItWasReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder / "model.om";
  WriteOmFile(path, Sections());
  const auto file = OmFile::Open(path);
  file->CheckUnchanged();
  WriteOmFile(path, {});  // takes the name, not the file
  file->CheckUnchanged();
  EXPECT_EQ(Text(file->Get("first")), "one two");
  const auto second = OmFile::Open(path);
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_THROW(second->CheckUnchanged(), Error);
}

TEST(OmFile, ReadsSmallFilesAndMapsOthers) {
  const TemporaryFolder folder;
  const std::string path = folder / "model.om";
  const std::string large(OmFile::kSmall + 1, 'w');
  const auto inner = WriteOm({{"weights", {Bytes(large)}}});
  const std::vector<OmSection> sections[] = {Sections(), {{"model", {ConstBytes(inner)}}}};
  for (const bool small : {true, false}) {
    WriteOmFile(path, sections[small ? 0 : 1]);
    const auto file = OmFile::Open(path);
    const auto read = OmFile::Open(path, SIZE_MAX);
    const auto of_it = small ? file : file->Inner("model");
    of_it->CheckMapped();
    std::filesystem::resize_file(path, 100);
    EXPECT_THROW(file->CheckUnchanged(), Error);
    EXPECT_THROW(read->CheckUnchanged(), Error);
    read->CheckMapped();
    read->Verify();
    if (small) {
      file->CheckMapped();
      file->Verify();
    } else {
      EXPECT_THROW(of_it->CheckMapped(), Error);
    }
  }
}

TEST(OmFile, SaysWhyItCannotBeWritten) {
  try {
    WriteOmFile("/proc/no/such/folder/model.om", Sections());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kWriteFile);
    EXPECT_THAT(error.message(), HasSubstr("/proc/no/such/folder/model.om"));
  }
}

}  // namespace
}  // namespace foothold
