// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <memory>

#include "conformance/acl_mdl/aipp_fixture.h"

namespace {

constexpr char kRgb[] = "aipp_mode: static input_format: RGB888_U8 mean_chn_1: 10 var_reci_chn_2: 0.5";

TEST(StaticAipp, TakesPicturesOfBytes) {
  Session session;
  const LoadedModel model(AippModel(kRgb));
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 72u);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_UINT8);
  EXPECT_EQ(aclmdlGetInputFormat(model.desc(), 0), ACL_FORMAT_NHWC);
  EXPECT_STREQ(aclmdlGetInputNameByIndex(model.desc(), 0), "x");
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{1, 4, 6, 3}));
  DeviceSet inputs, outputs;
  const Pixels pixels = Ramp(72);
  AddPixels(inputs, pixels);
  outputs.Add(72 * sizeof(float));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  const Floats found = outputs.Read(0, 72);
  for (size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(found[i], -float(pixels[3 * i]));
    EXPECT_EQ(found[24 + i], 10 - float(pixels[3 * i + 1]));
    EXPECT_EQ(found[48 + i], -0.5f * float(pixels[3 * i + 2]));
  }
}

struct FormatCase {
  const char* name;
  size_t bytes;
  Dims dims, memory_dims;
};
const FormatCase kFormats[] = {
    {"YUV420SP_U8", 36, {1, 4, 6, 1}, {1, 6, 6, 1}}, {"XRGB8888_U8", 96, {1, 4, 6, 4}, {1, 4, 6, 4}},
    {"ARGB8888_U8", 96, {1, 4, 6, 4}, {1, 4, 6, 4}}, {"AYUV444_U8", 96, {1, 4, 6, 4}, {1, 4, 6, 4}},
    {"RGB888_U8", 72, {1, 4, 6, 3}, {1, 4, 6, 3}},   {"YUYV_U8", 48, {1, 4, 6, 2}, {1, 4, 6, 2}},
    {"YUV422SP_U8", 48, {1, 4, 6, 1}, {1, 8, 6, 1}}};

TEST(StaticAipp, TellsTheSizeOfPicturesOfEveryFormat) {
  Session session;
  for (const FormatCase& format : kFormats) {
    const LoadedModel model(AippModel(std::string("aipp_mode: static input_format: ") + format.name));
    EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), format.bytes) << format.name;
    aclmdlIODims dims;
    ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
    EXPECT_EQ(DimsOf(dims), format.dims) << format.name;
    ASSERT_OK(aclmdlGetInputDimsV2(model.desc(), 0, &dims));
    EXPECT_EQ(DimsOf(dims), format.memory_dims) << format.name;
  }
}

TEST(StaticAipp, TellsItsSettings) {
  Session session;
  const LoadedModel model(AippModel(
      "aipp_mode: static input_format: YUV420SP_U8 src_image_size_w: 16 src_image_size_h: 8 crop: true\n"
      "load_start_pos_w: 2 load_start_pos_h: 4 crop_size_w: 5 crop_size_h: 3 padding: true\n"
      "right_padding_size: 1 bottom_padding_size: 1 csc_switch: true rbuv_swap_switch: true\n"
      "matrix_r0c0: 256 matrix_r2c2: -7 input_bias_1: 127 output_bias_2: 1 mean_chn_3: 4 min_chn_0: 0.25\n"
      "var_reci_chn_1: 0.125"));
  aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
  size_t attached = 0;
  ASSERT_OK(aclmdlGetAippType(model.id(), 0, &type, &attached));
  EXPECT_EQ(type, ACL_DATA_WITH_STATIC_AIPP);
  EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
  const auto info = std::make_unique<aclAippInfo>();
  ASSERT_OK(aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
  EXPECT_EQ(info->inputFormat, ACL_YUV420SP_U8);
  EXPECT_EQ(info->srcImageSizeW, 16);
  EXPECT_EQ(info->srcImageSizeH, 8);
  EXPECT_TRUE(info->cropSwitch && info->paddingSwitch && info->cscSwitch && info->rbuvSwapSwitch);
  EXPECT_EQ(info->loadStartPosH, 4);
  EXPECT_EQ(info->cropSizeW, 5);
  EXPECT_EQ(info->bottomPaddingSize, 1);
  EXPECT_EQ(info->matrixR0C0, 256);
  EXPECT_EQ(info->matrixR2C2, -7);
  EXPECT_EQ(info->inputBias1, 127);
  EXPECT_EQ(info->outputBias2, 1);
  EXPECT_EQ(info->meanChn3, 4);
  EXPECT_EQ(info->minChn0, 0.25f);
  EXPECT_EQ(info->varReciChn1, 0.125f);
  EXPECT_EQ(info->varReciChn3, 1.0f);
  EXPECT_EQ(info->srcFormat, ACL_FORMAT_NCHW);
  EXPECT_EQ(info->srcDatatype, ACL_FLOAT);
  EXPECT_EQ(info->srcDimNum, 4u);
  ASSERT_EQ(info->shapeCount, 1u);
  EXPECT_EQ(DimsOf(info->outDims[0].aippOutdims), (Dims{1, 3, 4, 6}));
  EXPECT_EQ(info->outDims[0].aippOutSize, 288u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetFirstAippInfo(model.id(), 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetFirstAippInfo(model.id(), 1, info.get()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetAippType(model.id(), 0, nullptr, &attached));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetAippType(model.id(), 0, &type, nullptr));
}

TEST(StaticAipp, GivesANetworkTheLayoutAndTypeItTakes) {
  Session session;
  const LoadedModel model(AippModel(kRgb, {{"input_format", "NHWC"}, {"ge.INPUT_NODES_SET_FP16", "x"}},
                                    PictureGraph({1, 4, 6, 3})));
  const auto info = std::make_unique<aclAippInfo>();
  ASSERT_OK(aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
  EXPECT_EQ(info->srcFormat, ACL_FORMAT_NHWC);
  EXPECT_EQ(info->srcDatatype, ACL_FLOAT16);
  DeviceSet inputs, outputs;
  const Pixels pixels = Ramp(72);
  AddPixels(inputs, pixels);
  outputs.Add(72 * sizeof(float));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  const Floats found = outputs.Read(0, 72);
  for (size_t i = 0; i < 72; i += 3) {
    EXPECT_EQ(found[i], -float(pixels[i]));
    EXPECT_EQ(found[i + 1], 10 - float(pixels[i + 1]));
    EXPECT_EQ(found[i + 2], -0.5f * float(pixels[i + 2]));
  }
}

TEST(StaticAipp, IsThereForSeveralInputs) {
  Session session;
  const ge::op::Data a = FloatData("a", 0, {1, 1, 2, 2}), b = FloatData("b", 1, {1, 1, 2, 2});
  const ge::op::Sub y = ge::op::Sub("y").set_input_x1(a).set_input_x2(b);
  const ge::Graph graph = ge::Graph("two").SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{y});
  const AippFile file(
      "aipp_op { aipp_mode: static input_format: YUV400_U8 related_input_name: \"b\" }\n"
      "aipp_op { aipp_mode: static input_format: YUV400_U8 related_input_rank: 0 var_reci_chn_0: 2 }\n");
  const LoadedModel model(BuildModel(graph, file.Options()));
  DeviceSet inputs, outputs;
  AddPixels(inputs, {1, 2, 3, 4});
  AddPixels(inputs, {5, 5, 5, 5});
  outputs.Add(4 * sizeof(float));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 4), (Floats{-3, -1, 1, 3}));
}

TEST(StaticAipp, GoesWithBatchesOfSeveralSizes) {
  Session session;
  const LoadedModel model(AippModel("aipp_mode: static input_format: YUV400_U8",
                                    {{"input_shape", "x:-1,1,2,2"}, {"ge.dynamicBatchSize", "1,3"}},
                                    PictureGraph({-1, 1, 2, 2})));
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 2u);
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{-1, 2, 2, 1}));
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 12u);
  DeviceSet inputs, outputs;
  AddPixels(inputs, Ramp(12));
  inputs.Add(aclmdlGetInputSizeByIndex(model.desc(), 1));
  outputs.Add(12 * sizeof(float));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 12)[11], -77);
  ASSERT_OK(aclmdlSetDynamicBatchSize(model.id(), inputs.get(), 1, 1));
  outputs.Write(0, Floats(12, 5));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 5), (Floats{0, -7, -14, -21, 5}));
  const auto info = std::make_unique<aclAippInfo>();
  ASSERT_OK(aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
  ASSERT_EQ(info->shapeCount, 2u);
  EXPECT_EQ(DimsOf(info->outDims[1].srcDims), (Dims{3, 1, 2, 2}));
}

TEST(StaticAipp, GoesWithPicturesOfSeveralSizes) {
  Session session;
  const LoadedModel model(AippModel("aipp_mode: static input_format: YUV420SP_U8",
                                    {{"input_shape", "x:1,3,-1,-1"}, {"ge.dynamicImageSize", "2,4;4,4"}},
                                    PictureGraph({1, 3, -1, -1})));
  aclmdlIODims dims;
  ASSERT_OK(aclmdlGetInputDims(model.desc(), 0, &dims));
  EXPECT_EQ(DimsOf(dims), (Dims{1, -1, -1, 1}));
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 24u);
  DeviceSet inputs, outputs;
  AddPixels(inputs, Ramp(24));
  inputs.Add(aclmdlGetInputSizeByIndex(model.desc(), 1));
  outputs.Add(48 * sizeof(float));
  ASSERT_OK(aclmdlSetDynamicHWSize(model.id(), inputs.get(), 1, 2, 4));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  const Floats found = outputs.Read(0, 24);
  EXPECT_EQ(found[7], -49);
  EXPECT_EQ(found[8 + 3], -7.0f * 10);   // U of the second pair
  EXPECT_EQ(found[16 + 3], -7.0f * 11);  // V of it
}

TEST(StaticAipp, IsRefusedWhereItDoesNotFitTheNetwork) {
  const auto refuse = [](const std::string& text, const char* part, const GeOptions& more = {},
                         const ge::Graph& graph = PictureGraph()) {
    const AippFile file(text);
    GeOptions none;
    ASSERT_EQ(ge::aclgrphBuildInitialize(none), ge::GRAPH_SUCCESS);
    ge::ModelBufferData bytes;
    EXPECT_REFUSED(ge::GRAPH_FAILED, part, ge::aclgrphBuildModel(graph, file.Options(more), bytes));
    ge::aclgrphBuildFinalize();
  };
  const std::string rgb = "aipp_mode: static input_format: RGB888_U8 ";
  refuse("aipp_op {\n crop: maybe }", "line 2: crop: expected true or false, found \"maybe\"");
  refuse("aipp_op { " + rgb + "related_input_rank: 3 }", "1 inputs, and 3 is none");
  refuse("aipp_op { " + rgb + "related_input_name: 'z' }", "no input 'z'");
  refuse("aipp_op { " + rgb + "} aipp_op { " + rgb + "}", "two aipp_op");
  refuse("aipp_op { " + rgb + "src_image_size_w: 8 src_image_size_h: 4 }", "become 8 x 4");
  refuse("aipp_op { " + rgb + "crop: true }", "crop needs the size of the source");
  refuse("aipp_op { aipp_mode: static input_format: YUV400_U8 }", "3 channels; YUV400_U8 has 1");
  refuse("aipp_op { " + rgb + "}", "four dimensions", {}, PictureGraph({3, 4}));
  refuse("aipp_op { " + rgb + "}", "open dimensions", {}, PictureGraph({1, 3, -1, 6}));
  refuse("aipp_op { " + rgb + "}", "dynamic_dims exclude",
         {{"input_shape", "x:-1,3,4,6"}, {"ge.dynamicDims", "1;2"}}, PictureGraph({-1, 3, 4, 6}));
  refuse("aipp_op { " + rgb + "src_image_size_w: 4 src_image_size_h: 4 }", "with dynamic_image_size",
         {{"input_shape", "x:1,3,-1,-1"}, {"ge.dynamicImageSize", "2,4;4,4"}}, PictureGraph({1, 3, -1, -1}));
}

}  // namespace
