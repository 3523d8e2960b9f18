// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/aipp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "ops/aipp/block.h"
#include "ops/aipp/file.h"
#include "ops/aipp/plain_aipp.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr AippFormat kAll[] = {AippFormat::kYuv420sp, AippFormat::kXrgb8888, AippFormat::kRgb888,
                               AippFormat::kYuv400,   AippFormat::kArgb8888, AippFormat::kYuyv,
                               AippFormat::kYuv422sp, AippFormat::kAyuv444};

TensorValue ByteTensor(const Dims& dims, const Bytes8& bytes) {
  TensorValue value(TensorType{DataType::kUint8, Format::kNhwc, dims});
  std::memcpy(value.mutable_data(), bytes.data(), bytes.size());
  return value;
}

AippSettings Settings(AippFormat format) {
  AippSettings s;
  s.input_format = format;
  s.src_image_size_w = 70;
  s.src_image_size_h = 10;
  s.matrix = {256, -88, 359, 290, -100, -208, 256, 454, 3};
  s.input_bias = {16, 128, 127};
  s.output_bias = {3, 128, 16};
  s.mean_chn = {104, 0, 123, 7};
  s.min_chn = {0.5, 3, 0, 1};
  s.var_reci_chn = {0.25, 1, 0.0078125, 2};
  return s;
}

struct Wanted {
  std::int64_t channels, height, width;
  bool last = false;
  DataType type = DataType::kFloat;
};

TensorValue Prepare(const AippSettings& s, const TensorValue& images, const Wanted& wanted) {
  return OpRun("Aipp")
      .Late("images", images)
      .Attr("aipp", ToText(s))
      .Attr("features_dims", Ints{wanted.channels, wanted.height, wanted.width})
      .Attr("channels_last", wanted.last)
      .Attr("features_type", static_cast<std::int64_t>(wanted.type))
      .Out("features")
      .Run();
}

void ExpectAsByDefinition(const AippSettings& s, const Wanted& wanted) {
  constexpr std::int64_t kBatch = 2;
  const AippSize size{s.src_image_size_w, s.src_image_size_h};
  const Dims dims = PictureDims(s.input_format, kBatch, size);
  const Bytes8 bytes = SomeBytes(static_cast<std::size_t>(ElementCount(dims)), 7);
  std::vector<double> expected;
  for (std::size_t n = 0; n < kBatch; ++n)
    for (const double value :
         PlainAipp(s, bytes.data() + n * bytes.size() / kBatch, wanted.channels, wanted.height, wanted.width,
                   wanted.last, wanted.type != DataType::kUint8))
      expected.push_back(value);
  SCOPED_TRACE(ToText(s));
  ExpectNear(Prepare(s, ByteTensor(dims, bytes), wanted), expected,
             wanted.type == DataType::kFloat16 ? 1e-3 : 1e-6);
}

TEST(Aipp, PreparesEveryFormatWithEveryChangeOfColours) {
  for (const AippFormat format : kAll)
    for (int changes = 0; changes < 8; ++changes) {
      AippSettings s = Settings(format);
      s.rbuv_swap_switch = (changes & 1) != 0;
      s.ax_swap_switch = (changes & 2) != 0;
      s.csc_switch = (changes & 4) != 0 && format != AippFormat::kYuv400;
      for (const std::int64_t channels : {1, 3, 4})
        for (const bool last : {false, true})
          if (static_cast<std::size_t>(channels) <= ChannelsOf(format))
            ExpectAsByDefinition(s, {channels, 10, 70, last});
    }
}

TEST(Aipp, CropsAndPads) {
  for (const AippFormat format : kAll)
    for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kUint8})
      for (const bool last : {false, true}) {
        AippSettings s = Settings(format);
        s.crop = s.padding = true;
        s.load_start_pos_w = 4;
        s.load_start_pos_h = 2;
        s.crop_size_w = 33;
        s.crop_size_h = 5;
        s.left_padding_size = 1;
        s.right_padding_size = 2;
        s.top_padding_size = 3;
        s.padding_value = 9;
        ExpectAsByDefinition(s, {1, 8, 36, last, type});
      }
}

TEST(Aipp, CropsFromOddColumnsWhereTwoPixelsShareColours) {
  AippSettings s = Settings(AippFormat::kYuyv);
  s.crop = true;
  s.load_start_pos_w = 3;
  s.load_start_pos_h = 1;
  s.crop_size_w = 21;
  s.crop_size_h = 9;
  ExpectAsByDefinition(s, {3, 9, 21});
}

TEST(Aipp, PreparesPicturesWiderThanAPiece) {
  for (const AippFormat format : kAll) {
    AippSettings s = Settings(format);
    s.src_image_size_w = 1350;
    s.src_image_size_h = 2;
    ExpectAsByDefinition(s, {1, 2, 1350});
  }
}

TEST(Aipp, ConvertsColoursAsTheDocumentedMatricesSay) {
  AippSettings s;
  s.input_format = AippFormat::kYuv420sp;
  s.src_image_size_w = s.src_image_size_h = 2;
  s.csc_switch = true;
  s.matrix = {256, 0, 359, 256, -88, -183, 256, 454, 0};
  s.input_bias = {0, 128, 128};
  const TensorValue red = ByteTensor({1, 3, 2, 1}, {76, 76, 76, 76, 85, 255});
  ExpectNear(Prepare(s, red, {3, 2, 2}), {254, 254, 254, 254, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
}

TEST(Aipp, HasFactorsInHalfPrecision) {
  AippSettings s;
  s.input_format = AippFormat::kYuv400;
  s.src_image_size_w = 2;
  s.src_image_size_h = 1;
  s.var_reci_chn[0] = 1.0 / 255;
  const TensorValue made = Prepare(s, ByteTensor({1, 1, 2, 1}, {255, 1}), {1, 1, 2});
  EXPECT_EQ(made.As<float>()[1], 0.00392150879f);  // the nearest there is
}

TEST(Aipp, WritesWhatAConvolutionReads) {
  AippSettings s = Settings(AippFormat::kRgb888);
  const Bytes8 bytes = SomeBytes(70 * 10 * 3, 3);
  const TensorValue made = OpRun("Aipp")
                               .Late("images", ByteTensor({1, 10, 70, 3}, bytes))
                               .Attr("aipp", ToText(s))
                               .Attr("features_dims", Ints{3, 10, 70})
                               .Attr("features_type", std::int64_t{0})
                               .Attr("block_pads", Ints{1, 2, 3, 4})
                               .Out("features")
                               .Run();
  ASSERT_EQ(made.dims(), (Dims{1, 1, 13, 77, 3}));
  const std::vector<double> inner = PlainAipp(s, bytes.data(), 3, 10, 70, true, true);
  std::vector<double> expected(13 * 77 * 3, 0.0);
  for (std::size_t y = 0; y < 10; ++y)
    std::copy_n(inner.begin() + static_cast<std::ptrdiff_t>(y * 210), 210,
                expected.begin() + static_cast<std::ptrdiff_t>(((y + 1) * 77 + 3) * 3));
  ExpectNear(made, expected);
}

TEST(Aipp, OfAProgramReadsItsFile) {
  const std::string path = testing::TempDir() + "aipp_of_a_program.cfg";
  AippSettings s = Settings(AippFormat::kRgb888);
  FILE* file = std::fopen(path.c_str(), "w");
  std::fputs(ToText(s).c_str(), file);
  std::fclose(file);
  OpRun run("Aipp");
  const Bytes8 bytes = SomeBytes(70 * 10 * 3, 5);
  run.Late("images", ByteTensor({1, 10, 70, 3}, bytes)).NoInput("params").Attr("aipp_config_path", path);
  const TensorValue made = run.Out("features").Run();
  EXPECT_EQ(made.type(), (TensorType{DataType::kFloat16, Format::kNchw, {1, 3, 10, 70}}));
  ExpectNear(made, PlainAipp(s, bytes.data(), 3, 10, 70, false, true), 1e-3);
  std::remove(path.c_str());
  EXPECT_THROW(OpRun("Aipp").Late("images", ByteTensor({1, 10, 70, 3}, bytes)).Out("features").Run(), Error);
}

std::string Refusal(const AippSettings& s, const Wanted& wanted, const Dims& dims) try {
  Prepare(s, ByteTensor(dims, Bytes8(static_cast<std::size_t>(ElementCount(dims)))), wanted);
  return "";
} catch (const Error& error) {
  return error.message();
}

TEST(Aipp, RefusesWhatDoesNotFit) {
  using testing::HasSubstr;
  AippSettings s = Settings(AippFormat::kYuv420sp);
  EXPECT_THAT(Refusal(s, {3, 10, 68}, {1, 15, 70, 1}), HasSubstr("70 x 10"));
  EXPECT_THAT(Refusal(s, {3, 10, 70}, {1, 14, 70, 1}), HasSubstr("1050 bytes each"));
  EXPECT_THAT(Refusal(s, {4, 10, 70}, {1, 15, 70, 1}), HasSubstr("4 channels"));
  s.crop = true;
  s.crop_size_w = 60, s.crop_size_h = 10, s.load_start_pos_w = 12;
  EXPECT_THAT(Refusal(s, {3, 10, 60}, {1, 15, 70, 1}), HasSubstr("not inside"));
  s.load_start_pos_w = 1;
  EXPECT_THAT(Refusal(s, {3, 10, 60}, {1, 15, 70, 1}), HasSubstr("even"));
  s = Settings(AippFormat::kYuv400);
  s.csc_switch = true;
  EXPECT_THAT(Refusal(s, {1, 10, 70}, {1, 10, 70, 1}), HasSubstr("no colours"));
  s = Settings(AippFormat::kYuv420sp);
  s.src_image_size_h = 9;
  EXPECT_THAT(Refusal(s, {1, 9, 70}, {1, 15, 70, 1}), HasSubstr("even"));
}

TEST(AippData, IsWhatItIsGiven) {
  const TensorValue given = ByteTensor({4}, {1, 2, 3, 4});
  ExpectNear(OpRun("AippData").Late("data", given).Out("out").Run(), {1, 2, 3, 4});
}

AippBlock Block(std::size_t batch) {
  AippBlock block;
  block.parts.resize(batch);
  block.head.format = static_cast<std::uint8_t>(AippFormat::kRgb888);
  block.head.batch = static_cast<std::int8_t>(batch);
  block.head.source_width = 40;
  block.head.source_height = 20;
  return block;
}

TensorValue PrepareByBlock(const AippBlock& block, const Bytes8& bytes, const Wanted& wanted,
                           std::int64_t batch) {
  AippSettings s;
  s.dynamic = true;
  s.max_src_image_size = static_cast<std::int64_t>(bytes.size());
  Bytes8 written(block.bytes());
  block.Write(reinterpret_cast<std::byte*>(written.data()));
  return OpRun("Aipp")
      .Late("images", ByteTensor({batch, s.max_src_image_size / std::max<std::int64_t>(batch, 1)},
                                 batch == 0 ? Bytes8() : bytes))
      .Late("params", ByteTensor({static_cast<std::int64_t>(written.size())}, written))
      .Attr("aipp", ToText(s))
      .Attr("features_dims", Ints{wanted.channels, wanted.height, wanted.width})
      .Attr("features_type", std::int64_t{0})
      .Out("features")
      .Run();
}

TensorValue PrepareByBlock(const AippBlock& block, const Bytes8& bytes, const Wanted& wanted) {
  return PrepareByBlock(block, bytes, wanted, static_cast<std::int64_t>(block.parts.size()));
}

TEST(DynamicAipp, DoesWhatTheParametersSayOfEachPicture) {
  AippBlock block = Block(2);
  AippSettings s;
  s.input_format = AippFormat::kRgb888;
  s.src_image_size_w = 40, s.src_image_size_h = 20;
  s.crop = s.padding = true;
  s.crop_size_w = 30, s.crop_size_h = 16, s.left_padding_size = 2;
  for (int n = 0; n < 2; ++n) {
    AippPart& part = block.parts[static_cast<std::size_t>(n)];
    part.crop = part.padding = 1;
    part.crop_left = 5 * n, part.crop_top = n, part.crop_width = 30, part.crop_height = 16;
    part.pad_left = 2;
    part.mean[1] = static_cast<std::int16_t>(10 * n);
    part.factor[2] = 0x4000;  // 2
  }
  const Bytes8 bytes = SomeBytes(2 * 40 * 20 * 3, 1);
  std::vector<double> expected;
  for (int n = 0; n < 2; ++n) {
    s.load_start_pos_w = 5 * n, s.load_start_pos_h = n;
    s.mean_chn[1] = 10 * n;
    s.var_reci_chn[2] = 2;
    for (const double value : PlainAipp(s, bytes.data() + n * 2400, 3, 16, 32, false, true))
      expected.push_back(value);
  }
  ExpectNear(PrepareByBlock(block, bytes, {3, 16, 32}), expected);
}

TEST(DynamicAipp, PreparesNoPictures) {
  EXPECT_EQ(ElementCount(PrepareByBlock(Block(1), SomeBytes(40 * 20 * 3, 1), {3, 20, 40}, 0).dims()), 0);
}

TEST(DynamicAipp, Resizes) {
  AippBlock block = Block(1);
  block.parts[0].scale = 1;
  block.parts[0].scale_out_width = 20;
  block.parts[0].scale_out_height = 10;
  const Bytes8 bytes = SomeBytes(40 * 20 * 3, 9);
  std::vector<double> expected;
  const auto at = [&](std::size_t x, std::size_t y, std::size_t k) {
    return double(bytes[(y * 40 + x) * 3 + k]);
  };
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t y = 0; y < 20; y += 2)
      for (std::size_t x = 0; x < 40; x += 2)
        expected.push_back(
            std::floor((at(x, y, k) + at(x + 1, y, k) + at(x, y + 1, k) + at(x + 1, y + 1, k)) / 4 + 0.5));
  ExpectNear(PrepareByBlock(block, bytes, {3, 10, 20}), expected);
}

void ExpectRefused(const AippBlock& block, Code code, const char* part) {
  const Bytes8 bytes(40 * 20 * 3);
  try {
    PrepareByBlock(block, bytes, {3, 20, 40});
    FAIL() << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.message(), testing::HasSubstr(part));
  }
}

TEST(DynamicAipp, RefusesParametersThatMakeNoSense) {
  AippBlock block = Block(1);
  block.head = {};
  ExpectRefused(block, static_cast<Code>(145014), "aclmdlSetInputAIPP");
  block = Block(1);
  block.head.format = 5;
  ExpectRefused(block, kInvalidParam, "format 5");
  block = Block(1);
  block.head.source_width = -1;
  ExpectRefused(block, kInvalidParam, "-1 x 20");
  block = Block(1);
  block.head.source_height = 21;
  ExpectRefused(block, kInvalidParam, "40 x 21");
  block = Block(1);
  block.parts[0].crop = 1;
  block.parts[0].crop_left = -4;
  ExpectRefused(block, kInvalidParam, "-4");
  block = Block(1);
  block.parts[0].padding = 2;
  ExpectRefused(block, kInvalidParam, "kind 2");
  block = Block(1);
  block.head.source_width = 4000;  // more than there is
  block.parts[0].crop = 1;
  block.parts[0].crop_width = 40;
  block.parts[0].crop_height = 20;
  ExpectRefused(block, kInvalidParam, "max_src_image_size");
}

}  // namespace
}  // namespace foothold
