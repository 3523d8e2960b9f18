// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace foothold {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Version 1, as numpy.save writes it, without padding.
std::string Npy(const std::string& dictionary, const std::string& elements) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(dictionary.size());
  bytes += '\0';
  return bytes + dictionary + elements;
}

std::string Described(const std::string& descr, const std::string& shape, const std::string& elements = "") {
  return Npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", elements);
}

TensorValue Parse(const std::string& bytes) {
  return ParseNpy(std::as_bytes(std::span(bytes)), "'x.npy'");
}

std::string WhyNot(const std::string& bytes) {
  try {
    Parse(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kParseFile);
    return error.message();
  }
  return "";
}

TEST(Npy, ReadsTypeShapeAndElements) {
  const TensorValue value = Parse(Described("<i2", "(2, 1)", std::string("\x01\x00\xff\xff", 4)));
  EXPECT_EQ(ToString(value.type()), "int16[2,1]");
  EXPECT_EQ(value.As<std::int16_t>()[0], 1);
  EXPECT_EQ(value.As<std::int16_t>()[1], -1);
}

TEST(Npy, ReadsEveryTypeOfNumber) {
  const std::pair<const char*, DataType> kTypes[] = {
      {"<f4", DataType::kFloat},     {"<f2", DataType::kFloat16}, {"<f8", DataType::kDouble},
      {"|i1", DataType::kInt8},      {"<i2", DataType::kInt16},   {"<i4", DataType::kInt32},
      {"<i8", DataType::kInt64},     {"|u1", DataType::kUint8},   {"<u2", DataType::kUint16},
      {"<u4", DataType::kUint32},    {"<u8", DataType::kUint64},  {"|b1", DataType::kBool},
      {"<c8", DataType::kComplex64}, {"=f4", DataType::kFloat},   {"|V2", DataType::kBfloat16},
      {"<V2", DataType::kBfloat16},
  };
  for (const auto& [descr, type] : kTypes)
    EXPECT_EQ(Parse(Described(descr, "(1,)", std::string(BytesPerElement(type), '\0'))).type().type, type)
        << descr;
}

TEST(Npy, ReadsScalarsAndArraysWithoutElements) {
  EXPECT_EQ(Parse(Described("|u1", "()", "\x07")).As<std::uint8_t>()[0], 7);
  EXPECT_EQ(Parse(Described("<f4", "(0, 9223372036854775807)")).size(), 0u);
}

TEST(Npy, ReadsLongHeadersOfVersions2And3) {
  for (const char version : {'\x02', '\x03'}) {
    const std::string dictionary =
        "{'shape':(1,),'fortran_order':False,'descr':'|u1'}" + std::string(70000, ' ');
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    const auto length = static_cast<std::uint32_t>(dictionary.size());
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    EXPECT_EQ(Parse(bytes + dictionary + "\x05").As<std::uint8_t>()[0], 5);
  }
}

TEST(Npy, RefusesOtherOrdersAndSaysHowToConvert) {
  EXPECT_THAT(WhyNot(Described(">f4", "(1,)", "1234")),
              AllOf(HasSubstr("'x.npy'"), HasSubstr("astype('<f4')")));
  EXPECT_THAT(WhyNot(Npy("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 1)}", "1")),
              HasSubstr("ascontiguousarray"));
}

TEST(Npy, RefusesHostileHeaders) {
  EXPECT_THAT(WhyNot("PK\x03\x04 and so on"), HasSubstr("does not begin"));
  EXPECT_THAT(WhyNot(std::string("\x93NUMPY\x04\x00\x00\x00", 10)), HasSubstr("version 4"));
  EXPECT_THAT(WhyNot(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
              HasSubstr("claims 4294967295 bytes"));
  EXPECT_THAT(WhyNot(Described("<f4", "(2,)", "1234")), HasSubstr("float[2] takes 8 bytes, and 4 follow"));
  EXPECT_THAT(WhyNot(Described("|u1", "(1,)", "12")), HasSubstr("and 2 follow"));
  EXPECT_THAT(WhyNot(Described("<f8", "(4611686018427387904, 4)")), HasSubstr("64 bits"));
  EXPECT_THAT(WhyNot(Described("<f4", "(-1,)")), HasSubstr("no size"));
  EXPECT_THAT(WhyNot(Described("|O", "(1,)")), HasSubstr("'|O'"));
  EXPECT_THAT(WhyNot(Npy("{'descr': '|u1', 'descr': '|u1', 'shape': ()}", "1")), HasSubstr("twice"));
  EXPECT_THAT(WhyNot(Npy("{'descr': '|u1', 'shape': ()}", "1")), HasSubstr("lacks one of"));
  EXPECT_THAT(WhyNot(Npy("{'descr': [('x', '<f4')]}", "1")), HasSubstr("records"));
  EXPECT_THAT(WhyNot(Npy("{'descr': '|u1', 'fortran_order': False, 'shape': ()} x", "1")),
              HasSubstr("follows"));
  std::string many = "(";
  for (int i = 0; i < 33; ++i)
    many += "1,";
  EXPECT_THAT(WhyNot(Described("|u1", many + ")", "1")), HasSubstr("more than 32"));
}

TEST(Npy, WritesWhatItReads) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const TensorValue value = TensorValue::Of<float>(DataType::kFloat, {2, 3}, values);
  const auto path = std::filesystem::temp_directory_path() / "foothold_npy_test.npy";
  WriteNpy(path, value.type(), {value.data(), value.size()});
  const TensorValue read = ReadNpy(path);
  EXPECT_EQ(read.type(), value.type());
  EXPECT_EQ(std::memcmp(read.data(), values.data(), sizeof(float) * values.size()), 0);
  EXPECT_EQ((std::filesystem::file_size(path) - value.size()) % 64, 0u);
  std::filesystem::remove(path);
}

TEST(Npy, WritesBfloat16AsItsBits) {
  EXPECT_THAT(NpyHeader({DataType::kBfloat16, Format::kNd, {3}}),
              HasSubstr("'<u2', 'fortran_order': False, 'shape': (3,)"));
}

TEST(Npy, NamesTheFileThatCannotBeOpened) {
  const auto message = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), kInvalidFile);
      return error.message();
    }
    return std::string();
  };
  EXPECT_THAT(message([] { ReadNpy("/nowhere/x.npy"); }),
              AllOf(HasSubstr("/nowhere/x.npy"), HasSubstr("No such")));
  EXPECT_THAT(message([] { ReadNpy("/tmp"); }), HasSubstr("folder"));
  EXPECT_THAT(message([] {
                WriteNpy("/nowhere/x.npy", {DataType::kFloat, Format::kNd, {0}}, {});
              }),
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace foothold
