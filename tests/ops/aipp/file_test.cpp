// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace foothold {
namespace {

std::string Refusal(const char* text) try {
  ParseAipp(text, "aipp.cfg");
  return "";
} catch (const Error& error) {
  EXPECT_EQ(error.code(), kParseFile);
  return error.message();
}

TEST(AippFile, SaysHowPicturesArePrepared) {
  const auto ops = ParseAipp(R"(# the file of a sample
aipp_op {
  aipp_mode: static
  input_format : YUV420SP_U8   # as decoders write it
  src_image_size_w : 256
  src_image_size_h : 224,
  crop: true; load_start_pos_w: 4 load_start_pos_h: 2
  crop_size_w: 224 crop_size_h: 222
  padding: 1 top_padding_size: 2
  csc_switch: true
  rbuv_swap_switch: false
  matrix_r0c0: 256 matrix_r2c1: -454
  input_bias_0: 0
  mean_chn_0: 104
  min_chn_1: 0.5
  var_reci_chn_2: [0.0174292]
  related_input_name: "the \"input\""
}
aipp_op { aipp_mode: static input_format: RGB888_U8 related_input_rank: 1 }
)",
                             "aipp.cfg");
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].input_format, AippFormat::kYuv420sp);
  EXPECT_EQ(ops[0].src_image_size_w, 256);
  EXPECT_EQ(ops[0].load_start_pos_h, 2);
  EXPECT_TRUE(ops[0].crop && ops[0].padding && ops[0].csc_switch && !ops[0].rbuv_swap_switch);
  EXPECT_EQ(ops[0].matrix, (std::array<std::int64_t, 9>{256, 516, 0, 298, -100, -208, 298, -454, 409}));
  EXPECT_EQ(ops[0].var_reci_chn[2], 0.0174292);
  EXPECT_EQ(ops[0].related_input_name, "the \"input\"");
  EXPECT_EQ(ops[1].related_input_rank, 1);
  for (const AippSettings& settings : ops)
    EXPECT_EQ(ParseAipp(ToText(settings), "again").at(0), settings) << ToText(settings);
}

TEST(AippFile, LeavesTheRestToTheProgramWhereItIsDynamic) {
  const auto ops = ParseAipp("aipp_op: { aipp_mode: dynamic max_src_image_size: 752640 }", "aipp.cfg");
  EXPECT_TRUE(ops.at(0).dynamic);
  EXPECT_EQ(ops[0].max_src_image_size, 752640);
  EXPECT_EQ(ParseAipp(ToText(ops[0]), "again").at(0), ops[0]);
}

TEST(AippFile, IsRefusedWithFileLineFieldExpectedAndFound) {
  using testing::HasSubstr;
  EXPECT_EQ(Refusal("aipp_op {\n aipp_mode: static\n crop_size_w: 5000\n}"),
            "aipp.cfg, line 3: crop_size_w: expected a whole number from 0 to 4096, found \"5000\"");
  EXPECT_EQ(Refusal("aipp_op {\n csc_swich: true }"),
            "aipp.cfg, line 2: an aipp_op has no field \"csc_swich\"; did you mean csc_switch?");
  EXPECT_EQ(Refusal("aipp_op { crop true }"), "aipp.cfg, line 1: crop: expected :, found \"true\"");
  EXPECT_THAT(Refusal(""), HasSubstr("found nothing"));
  EXPECT_THAT(Refusal("op { }"), HasSubstr("expected aipp_op, found \"op\""));
  EXPECT_THAT(Refusal("aipp_op {"), HasSubstr("found the end of the file"));
  EXPECT_THAT(Refusal("aipp_op { }"), HasSubstr("aipp_mode: expected static or dynamic, found nothing"));
  EXPECT_THAT(Refusal("aipp_op { aipp_mode: static }"), HasSubstr("input_format: expected YUV420SP_U8"));
  EXPECT_THAT(Refusal("aipp_op { aipp_mode: dynamic }"), HasSubstr("max_src_image_size"));
  EXPECT_THAT(Refusal("aipp_op { aipp_mode: dynamic max_src_image_size: 0 }"), HasSubstr("found 0"));
  EXPECT_THAT(Refusal("aipp_op { aipp_mode: both }"), HasSubstr("found \"both\""));
  EXPECT_THAT(Refusal("aipp_op { input_format: RAW10 }"), HasSubstr("RAW10"));
  EXPECT_THAT(Refusal("aipp_op { resize: true }"), HasSubstr("resize: expected false"));
  EXPECT_THAT(Refusal("aipp_op { crop: \"true\" }"), HasSubstr("crop: expected true or false"));
  EXPECT_THAT(Refusal("aipp_op { crop: true crop: true }"), HasSubstr("crop stands twice"));
  EXPECT_THAT(Refusal("aipp_op { min_chn_0: nan }"), HasSubstr("min_chn_0: expected a number"));
  EXPECT_THAT(Refusal("aipp_op { mean_chn_0: 1.5 }"), HasSubstr("mean_chn_0: expected a whole number"));
  EXPECT_THAT(Refusal("aipp_op { related_input_name: \"a\n"), HasSubstr("does not end"));
  EXPECT_THAT(Refusal("aipp_op { aipp_mode: static input_format: RGB888_U8 } aipp_op { aipp_mode: dynamic "
                      "max_src_image_size: 9 }"),
              HasSubstr("found both"));
}

TEST(AippFile, ThatIsNotThereIsNamed) {
  try {
    ReadAippFile("/nowhere/aipp.cfg");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), testing::HasSubstr("/nowhere/aipp.cfg"));
  }
}

}  // namespace
}  // namespace foothold
