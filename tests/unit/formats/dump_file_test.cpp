// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/dump_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace foothold {
namespace {

std::span<const std::byte> Bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

DumpRecord Example() {
  DumpRecord record;
  record.op_name = "layer/relu";
  record.time = 1'700'000'000'000'000;
  record.inputs = {{{DataType::kFloat, Format::kNchw, {1, 2}}, 8, nullptr},
                   {{DataType::kInt64, Format::kNd, {}}, 8, nullptr}};
  record.outputs = {{{DataType::kFloat16, Format::kNd, {3}}, 6, nullptr}};
  record.buffers = {{{DataType::kUint8, Format::kNd, {2}}, 2, nullptr}};
  return record;
}

TEST(DumpFileFormat, GivesBackWhatWasWritten) {
  const std::string file = DumpHeader(Example()) + "aaaaaaaabbbbbbbbccccccdd";
  const DumpRecord record = ReadDump(Bytes(file));
  EXPECT_EQ(record.op_name, "layer/relu");
  EXPECT_EQ(record.time, 1'700'000'000'000'000u);
  ASSERT_EQ(record.inputs.size(), 2u);
  EXPECT_EQ(record.inputs[0].type, Example().inputs[0].type);
  EXPECT_EQ(record.inputs[1].type, Example().inputs[1].type);
  EXPECT_EQ(std::memcmp(record.inputs[1].data, "bbbbbbbb", 8), 0);
  ASSERT_EQ(record.outputs.size(), 1u);
  EXPECT_EQ(record.outputs[0].type, Example().outputs[0].type);
  EXPECT_EQ(std::memcmp(record.outputs[0].data, "cccccc", 6), 0);
  ASSERT_EQ(record.buffers.size(), 1u);
  EXPECT_EQ(std::memcmp(record.buffers[0].data, "dd", 2), 0);
}

TEST(DumpFileFormat, NumbersTypesAsToolsDo) {
  const std::array<std::pair<DataType, char>, 8> known = {{{DataType::kFloat, 1},
                                                           {DataType::kFloat16, 2},
                                                           {DataType::kInt8, 3},
                                                           {DataType::kInt32, 7},
                                                           {DataType::kInt64, 8},
                                                           {DataType::kBool, 11},
                                                           {DataType::kDouble, 12},
                                                           {DataType::kBfloat16, 27}}};
  for (const auto& [type, number] : known) {
    DumpRecord record;
    record.outputs = {{{type, Format::kNd, {1}}, 0, nullptr}};
    const std::string expected = {'\x08', number, '\x10', '\x02'};
    EXPECT_THAT(DumpHeader(record), testing::HasSubstr(expected)) << DataTypeName(type);
  }
}

TEST(DumpFileFormat, BeginsWithTheLengthOfItsMessage) {
  const std::string header = DumpHeader(Example());
  std::uint64_t length = 0;
  std::memcpy(&length, header.data(), sizeof length);
  EXPECT_EQ(length, header.size() - sizeof length);
}

std::string Refusal(const std::string& file) {
  try {
    ReadDump(Bytes(file));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kParseFile);
    return error.message();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

TEST(DumpFileFormat, RefusesWhatIsNotAllThere) {
  using testing::HasSubstr;
  const std::string whole = DumpHeader(Example()) + "aaaaaaaabbbbbbbbccccccdd";
  EXPECT_THAT(Refusal("short"), HasSubstr("5 bytes"));
  EXPECT_THAT(Refusal(whole.substr(0, 20)), HasSubstr("message"));
  EXPECT_THAT(Refusal(whole.substr(0, whole.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(Refusal(whole + "x"), HasSubstr("1 bytes behind"));
  EXPECT_THAT(Refusal(std::string("\x03\0\0\0\0\0\0\0\xff\xff\xff", 11)), HasSubstr("no message"));
}

std::string Varint(std::int32_t number) {
  std::string bytes;
  auto rest = static_cast<std::uint64_t>(std::int64_t{number});
  for (; rest > 0x7f; rest >>= 7)
    bytes += static_cast<char>((rest & 0x7f) | 0x80);
  return bytes + static_cast<char>(rest);
}

// One output of float32 with a layout of this number, as any program may write it.
std::string WithLayout(std::int32_t number) {
  const std::string output = "\x08\x01\x10" + Varint(number);
  const std::string message = '\x1a' + std::string(1, static_cast<char>(output.size())) + output;
  return static_cast<char>(message.size()) + std::string(7, '\0') + message;
}

TEST(DumpFileFormat, RefusesALayoutThatIsNone) {
  for (const std::int32_t number : {55, 0xff, 0x1ff, -2, std::numeric_limits<std::int32_t>::min()})
    EXPECT_THAT(Refusal(WithLayout(number)), testing::HasSubstr(fmt::format("the layout {},", number)));
}

TEST(DumpFileFormat, ReadsEveryLayoutThereIs) {
  for (const std::int32_t number : {0, 2, 29, 54, 0x100 + 4, 0x3000004, -1})
    EXPECT_EQ(static_cast<int>(ReadDump(Bytes(WithLayout(number))).outputs.at(0).type.format), number);
}

TEST(DumpFileFormat, WritesALayoutThatIsNoneAsAnyOrder) {
  DumpRecord record;
  record.outputs = {{{DataType::kFloat, static_cast<Format>(999), {1}}, 0, nullptr}};
  EXPECT_EQ(ReadDump(Bytes(DumpHeader(record))).outputs.at(0).type.format, Format::kNd);
}

}  // namespace
}  // namespace foothold
