// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "base/error.h"
#include "formats/npy_header.h"

namespace foothold {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they stand");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kFixedBytes = 8;  // magic and version
constexpr std::size_t kMostHeaderBytes = 1 << 20;
constexpr std::size_t kHeaderAlignment = 64;

struct TypeName {
  DataType type;
  const char* descr;
};
// Of several names for a type, the first is written.
constexpr TypeName kTypeNames[] = {
    {DataType::kFloat, "<f4"},     {DataType::kFloat16, "<f2"},     {DataType::kDouble, "<f8"},
    {DataType::kInt8, "|i1"},      {DataType::kInt16, "<i2"},       {DataType::kInt32, "<i4"},
    {DataType::kInt64, "<i8"},     {DataType::kUint8, "|u1"},       {DataType::kUint16, "<u2"},
    {DataType::kUint32, "<u4"},    {DataType::kUint64, "<u8"},      {DataType::kBool, "|b1"},
    {DataType::kComplex64, "<c8"}, {DataType::kComplex128, "<c16"}, {DataType::kBfloat16, "<V2"},
};

// Byte order matters only where an element has several bytes.
DataType TypeOf(const std::string& descr) {
  const std::string_view kind = descr.empty() ? std::string_view() : std::string_view(descr).substr(1);
  for (const TypeName& known : kTypeNames) {
    if (kind != known.descr + 1) continue;
    const bool bytes = known.descr[0] == '|' || kind == "V2";
    if (descr[0] == '<' || descr[0] == '=' || (descr[0] == '|' && bytes)) return known.type;
    if (descr[0] == '>')
      Fail(kParseFile, "its elements are '{}', big-endian; convert them with array.astype('{}')", descr,
           known.descr);
  }
  Fail(kParseFile, "its elements are '{}', which is no type of number known here", descr);
}

std::string_view HeaderText(std::string_view file) {
  if (file.size() < kFixedBytes + 2 || !file.starts_with(kMagic))
    Fail(kParseFile, "it does not begin as arrays of NumPy do");
  const auto version = static_cast<unsigned char>(file[kMagic.size()]);
  if (version < 1 || version > 3) Fail(kParseFile, "its format has version {}", version);
  const std::size_t width = version == 1 ? 2 : 4;
  std::uint32_t length = 0;
  if (file.size() < kFixedBytes + width) Fail(kParseFile, "it was cut off");
  std::memcpy(&length, file.data() + kFixedBytes, width);
  if (length > kMostHeaderBytes || length > file.size() - kFixedBytes - width)
    Fail(kParseFile, "its header claims {} bytes, of {} there are", length, file.size());
  return file.substr(kFixedBytes + width, length);
}

TensorValue Parse(std::string_view file) {
  const std::string_view header = HeaderText(file);
  const NpyDictionary dictionary = ParseNpyDictionary(header);
  const TensorType type = {TypeOf(dictionary.descr), Format::kNd, dictionary.shape};
  if (dictionary.fortran_order && type.dims.size() > 1)
    Fail(kParseFile, "it is stored column by column; convert it with numpy.ascontiguousarray");
  const char* const elements = header.data() + header.size();
  const auto left = static_cast<std::size_t>(file.data() + file.size() - elements);
  const std::size_t needed = ByteSize(type);
  if (left != needed)
    Fail(kParseFile, "{} takes {} bytes, and {} follow its header", ToString(type), needed, left);
  TensorValue value(type);
  if (needed > 0) std::memcpy(value.mutable_data(), elements, needed);
  return value;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

bool WriteAll(std::FILE* file, const void* data, std::size_t size) {
  return size == 0 || std::fwrite(data, 1, size, file) == size;
}

}  // namespace

TensorValue ParseNpy(std::span<const std::byte> bytes, const std::string& origin) try {
  return Parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
} catch (const Error& error) {
  Fail(error.code() == kInvalidParam ? kParseFile : error.code(), "{} cannot be read as an array (.npy): {}",
       origin, error.message());
}

TensorValue ReadNpy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    Fail(kInvalidFile, "'{}' cannot be opened: {}", path, file ? "it is a folder" : std::strerror(errno));
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return ParseNpy(std::as_bytes(std::span(bytes)), "'" + path + "'");
}

std::string NpyHeader(const TensorType& type) {
  const DataType written = type.type == DataType::kBfloat16 ? DataType::kUint16 : type.type;
  const auto known = std::find_if(std::begin(kTypeNames), std::end(kTypeNames),
                                  [&](const TypeName& name) { return name.type == written; });
  if (known == std::end(kTypeNames))
    Fail(kInvalidParam, "elements of type {} have no name in NumPy", DataTypeName(type.type));
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", known->descr,
                                 fmt::join(type.dims, ", "), type.dims.size() == 1 ? "," : "");
  const std::size_t before = kFixedBytes + 2;
  while ((before + text.size() + 1) % kHeaderAlignment != 0)
    text += ' ';
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  return fmt::format("{}\x01{}{}{}{}", kMagic, '\0', static_cast<char>(length & 0xff),
                     static_cast<char>(length >> 8), text);
}

void WriteNpy(const std::string& path, const TensorType& type, std::span<const std::byte> elements) {
  FOOTHOLD_CHECK(elements.size() == ByteSize(type));
  const std::string header = NpyHeader(type);
  File file(std::fopen(path.c_str(), "wb"), &std::fclose);
  bool good = file != nullptr && WriteAll(file.get(), header.data(), header.size()) &&
              WriteAll(file.get(), elements.data(), elements.size());
  const bool opened = file != nullptr;
  if (opened) good = std::fclose(file.release()) == 0 && good;
  if (good) return;
  const std::string why = std::strerror(errno);
  if (opened) std::remove(path.c_str());
  Fail(kInvalidFile, "'{}' cannot be written: {}", path, why);
}

}  // namespace foothold
