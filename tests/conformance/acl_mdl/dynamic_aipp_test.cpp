// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cmath>
#include <limits>

#include "conformance/acl_mdl/aipp_fixture.h"

namespace {

constexpr char kDynamic[] = "aipp_mode: dynamic max_src_image_size: 400";

class Parameters {
 public:
  explicit Parameters(uint64_t batch = 1) : aipp_(aclmdlCreateAIPP(batch)) { EXPECT_NE(aipp_, nullptr); }
  ~Parameters() { EXPECT_OK(aclmdlDestroyAIPP(aipp_)); }
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  aclmdlAIPP* get() const { return aipp_; }
  Parameters& Of(aclAippInputFormat format, int32_t width, int32_t height) {
    EXPECT_OK(aclmdlSetAIPPInputFormat(aipp_, format));
    EXPECT_OK(aclmdlSetAIPPSrcImageSize(aipp_, width, height));
    return *this;
  }

 private:
  aclmdlAIPP* aipp_;
};

TEST(AippParameters, AreAsManyAsThePictures) {
  EXPECT_EQ(aclmdlCreateAIPP(0), nullptr);
  EXPECT_EQ(aclmdlCreateAIPP(UINT64_MAX), nullptr);
  size_t size = 0;
  EXPECT_OK(aclmdlGetAippDataSize(2, &size));
  EXPECT_EQ(size, 64u + 2 * 96u);
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_BATCH_EMPTY, aclmdlGetAippDataSize(0, &size));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlGetAippDataSize(1, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyAIPP(nullptr));
  aclmdlAIPP* const once = aclmdlCreateAIPP(1);
  EXPECT_OK(aclmdlDestroyAIPP(once));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlDestroyAIPP(once));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPInputFormat(once, ACL_RGB888_U8));
}

TEST(AippParameters, OfAllPicturesHaveRanges) {
  const Parameters two(2);
  aclmdlAIPP* const aipp = two.get();
  for (const aclAippInputFormat format : {ACL_YUV420SP_U8, ACL_XRGB8888_U8, ACL_RGB888_U8, ACL_YUV400_U8,
                                          ACL_ARGB8888_U8, ACL_YUYV_U8, ACL_YUV422SP_U8, ACL_AYUV444_U8})
    EXPECT_OK(aclmdlSetAIPPInputFormat(aipp, format));
  for (const aclAippInputFormat format : {ACL_NC1HWC0DI_FP16, ACL_RAW10, ACL_AIPP_RESERVED})
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPInputFormat(aipp, format));
  EXPECT_OK(aclmdlSetAIPPSrcImageSize(aipp, 4096, 4096));
  EXPECT_OK(aclmdlSetAIPPSrcImageSize(aipp, 2, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPSrcImageSize(aipp, 1, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPSrcImageSize(aipp, 2, 4097));
  EXPECT_OK(aclmdlSetAIPPRbuvSwapSwitch(aipp, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPRbuvSwapSwitch(aipp, 2));
  EXPECT_OK(aclmdlSetAIPPAxSwapSwitch(aipp, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPAxSwapSwitch(aipp, -1));
  EXPECT_OK(
      aclmdlSetAIPPCscParams(aipp, 1, 298, 516, 0, 298, -100, -208, 298, 0, 409, 0, 0, 0, 16, 128, 128));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPCscParams(aipp, 3, 298, 516, 0, 298, -100, -208, 298, 0,
                                                               409, 0, 0, 0, 16, 128, 128));
}

TEST(AippParameters, OfOnePictureHaveRanges) {
  const Parameters two(2);
  aclmdlAIPP* const aipp = two.get();
  EXPECT_OK(aclmdlSetAIPPCropParams(aipp, 1, 0, 4095, 4096, 1, 1));
  EXPECT_OK(aclmdlSetAIPPCropParams(aipp, 0, -1, -1, 0, 0, 0));  // off: nobody looks at them
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 4, 4, 2));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPCropParams(aipp, 2, 0, 0, 4, 4, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPCropParams(aipp, 1, 4096, 0, 4, 4, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPCropParams(aipp, 1, 0, 0, 0, 4, 0));
  EXPECT_OK(aclmdlSetAIPPScfParams(aipp, 1, 32, 32, 512, 16, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPScfParams(aipp, 1, 15, 32, 32, 32, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPScfParams(aipp, 1, 4096, 32, 1921, 32, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPScfParams(aipp, 1, 16, 32, 272, 32, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPScfParams(aipp, 0, 16, 16, 16, 16, 9));
  EXPECT_OK(aclmdlSetAIPPPaddingParams(aipp, 1, 0, 32, 1, 2, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPaddingParams(aipp, 1, 33, 0, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPaddingParams(aipp, 4, 0, 0, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPaddingParams(aipp, 1, 0, 0, 0, 0, 2));
  EXPECT_OK(aclmdlSetAIPPDtcPixelMean(aipp, 0, 255, 104, 0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPDtcPixelMean(aipp, 0, 256, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPDtcPixelMean(aipp, 0, 0, 0, 0, 2));
  EXPECT_OK(aclmdlSetAIPPDtcPixelMin(aipp, 0, 255, 0.5f, 0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPDtcPixelMin(aipp, -1, 0, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPDtcPixelMin(aipp, 0, 0, 0, 0, 2));
  EXPECT_OK(aclmdlSetAIPPPixelVarReci(aipp, 0.00392f, 1, -1, 0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPixelVarReci(aipp, 70000, 1, 1, 1, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPixelVarReci(aipp, std::nanf(""), 1, 1, 1, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPPixelVarReci(aipp, 1, 1, 1, 1, 2));
}

TEST(DynamicAippModel, HasAnInputForTheParameters) {
  Session session;
  const LoadedModel model(AippModel(kDynamic));
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 2u);
  size_t index = 0;
  ASSERT_OK(aclmdlGetInputIndexByName(model.desc(), ACL_DYNAMIC_AIPP_NAME, &index));
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 1), 160u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 0), 400u);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 0), ACL_UINT8);
  EXPECT_EQ(aclmdlGetInputDataType(model.desc(), 1), ACL_UINT8);
  aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
  size_t attached = 0;
  ASSERT_OK(aclmdlGetAippType(model.id(), 0, &type, &attached));
  EXPECT_EQ(type, ACL_DATA_WITH_DYNAMIC_AIPP);
  EXPECT_EQ(attached, 1u);
  ASSERT_OK(aclmdlGetAippType(model.id(), 1, &type, &attached));
  EXPECT_EQ(type, ACL_DYNAMIC_AIPP_NODE);
  EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
  const auto info = std::make_unique<aclAippInfo>();
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_NOT_EXIST, aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
}

TEST(DynamicAippModel, HasAnInputForTheParametersOfEachInputWithPictures) {
  Session session;
  const ge::op::Data a = FloatData("a", 0, {1, 1, 1, 2}), b = FloatData("b", 1, {1, 1, 1, 2});
  const ge::op::Sub y = ge::op::Sub("y").set_input_x1(a).set_input_x2(b);
  const ge::Graph graph = ge::Graph("two").SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{y});
  const AippFile file(
      "aipp_op { aipp_mode: dynamic max_src_image_size: 4 related_input_rank: 1 }\n"
      "aipp_op { aipp_mode: dynamic max_src_image_size: 6 related_input_rank: 0 }\n");
  const LoadedModel model(BuildModel(graph, file.Options()));
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 4u);
  aclmdlInputAippType type = ACL_DATA_WITHOUT_AIPP;
  size_t of_a = 0, of_b = 0;
  ASSERT_OK(aclmdlGetAippType(model.id(), 0, &type, &of_a));
  ASSERT_OK(aclmdlGetAippType(model.id(), 1, &type, &of_b));
  EXPECT_EQ(of_a + of_b, 5u);
  DeviceSet inputs, outputs;
  AddPixels(inputs, {9, 8});
  AddPixels(inputs, {1, 2});
  inputs.Add(160).Add(160);
  outputs.Add(2 * sizeof(float));
  Parameters plain, twice;
  plain.Of(ACL_YUV400_U8, 2, 1);
  twice.Of(ACL_YUV400_U8, 2, 1);
  ASSERT_OK(aclmdlSetAIPPPixelVarReci(twice.get(), 2, 1, 1, 1, 0));
  ASSERT_OK(aclmdlSetAIPPByInputIndex(model.id(), inputs.get(), 0, twice.get()));
  ASSERT_OK(aclmdlSetInputAIPP(model.id(), inputs.get(), of_b, plain.get()));
  ASSERT_OK(aclmdlExecute(model.id(), inputs.get(), outputs.get()));
  EXPECT_EQ(outputs.Read(0, 2), (Floats{17, 14}));
}

struct Sets {
  explicit Sets(const Pixels& pixels, size_t parameters = 160) {
    AddPixels(inputs, pixels);
    inputs.Add(parameters);
    outputs.Add(72 * sizeof(float));
  }
  DeviceSet inputs, outputs;
};

TEST(DynamicAippModel, DoesWhatTheProgramSaysBeforeEachRun) {
  Session session;
  const LoadedModel model(AippModel(kDynamic));
  Sets sets(Ramp(96));  // less than the largest picture
  Parameters aipp;
  aipp.Of(ACL_RGB888_U8, 6, 4);
  ASSERT_OK(aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, aipp.get()));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 25)[24], -7);  // the second channel of the first pixel
  aipp.Of(ACL_XRGB8888_U8, 6, 4);
  ASSERT_OK(aclmdlSetAIPPAxSwapSwitch(aipp.get(), 1));
  ASSERT_OK(aclmdlSetAIPPPixelVarReci(aipp.get(), 1, 2, 1, 1, 0));
  ASSERT_OK(aclmdlSetAIPPByInputIndex(model.id(), sets.inputs.get(), 0, aipp.get()));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 25)[0], -7);
  EXPECT_EQ(sets.outputs.Read(0, 25)[24], -28);
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_OK(aclmdlSetAIPPAxSwapSwitch(aipp.get(), 0));
  ASSERT_OK(aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, aipp.get()));
  ASSERT_OK(aclmdlExecuteAsync(model.id(), sets.inputs.get(), sets.outputs.get(), stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sets.outputs.Read(0, 25)[24], -14);
  ASSERT_OK(aclrtDestroyStream(stream));
}

TEST(DynamicAippModel, HasParametersOfItsOwnForEachPicture) {
  Session session;
  const LoadedModel model(AippModel("aipp_mode: dynamic max_src_image_size: 40",
                                    {{"input_shape", "x:-1,1,2,2"}, {"ge.dynamicBatchSize", "1,2"}},
                                    PictureGraph({-1, 1, 2, 2})));
  ASSERT_EQ(aclmdlGetNumInputs(model.desc()), 3u);
  EXPECT_EQ(aclmdlGetInputSizeByIndex(model.desc(), 1), 256u);
  Sets sets(Ramp(40), 256);
  sets.inputs.Add(aclmdlGetInputSizeByIndex(model.desc(), 2));
  Parameters aipp(2);
  aipp.Of(ACL_YUV400_U8, 4, 4);
  ASSERT_OK(aclmdlSetAIPPCropParams(aipp.get(), 1, 0, 0, 2, 2, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "become 4 x 4",
                    aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, aipp.get()));
  ASSERT_OK(aclmdlSetAIPPCropParams(aipp.get(), 1, 2, 1, 1, 1, 1));
  ASSERT_OK(aclmdlSetAIPPPaddingParams(aipp.get(), 1, 1, 0, 0, 1, 1));
  ASSERT_OK(aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, aipp.get()));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  EXPECT_EQ(sets.outputs.Read(0, 8), (Floats{0, -7, -28, -35, 0, 0, -(22 * 7), 0}));
  ASSERT_OK(aclmdlSetDynamicBatchSize(model.id(), sets.inputs.get(), 2, 1));
  ASSERT_OK(aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  const Parameters one(1);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, one.get()));
}

TEST(DynamicAippModel, RefusesParametersThatDoNotFit) {
  Session session;
  const LoadedModel model(AippModel(kDynamic));
  const LoadedModel plain(BuildModel(PictureGraph()));
  const LoadedModel fixed(AippModel("aipp_mode: static input_format: RGB888_U8"));
  Sets sets(Ramp(400));
  Parameters aipp;
  aclmdlDataset* const inputs = sets.inputs.get();
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "aclmdlSetAIPPInputFormat",
                    aclmdlSetInputAIPP(model.id(), inputs, 1, aipp.get()));
  ASSERT_OK(aclmdlSetAIPPInputFormat(aipp.get(), ACL_RGB888_U8));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "aclmdlSetAIPPSrcImageSize",
                    aclmdlSetInputAIPP(model.id(), inputs, 1, aipp.get()));
  aipp.Of(ACL_RGB888_U8, 6, 5);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "become 6 x 5",
                    aclmdlSetInputAIPP(model.id(), inputs, 1, aipp.get()));
  aipp.Of(ACL_YUV400_U8, 6, 4);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "3 channels",
                    aclmdlSetInputAIPP(model.id(), inputs, 1, aipp.get()));
  aipp.Of(ACL_RGB888_U8, 20, 20);
  ASSERT_OK(aclmdlSetAIPPCropParams(aipp.get(), 1, 0, 0, 6, 4, 0));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "max_src_image_size of the model is 400",
                    aclmdlSetInputAIPP(model.id(), inputs, 1, aipp.get()));
  aipp.Of(ACL_RGB888_U8, 7, 5);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetInputAIPP(model.id(), inputs, 0, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPByInputIndex(model.id(), inputs, 1, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetInputAIPP(model.id(), inputs, 7, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetInputAIPP(model.id(), nullptr, 1, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetInputAIPP(model.id(), inputs, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlSetAIPPByInputIndex(model.id(), inputs, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID, aclmdlSetInputAIPP(99999, inputs, 1, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_NOT_EXIST, aclmdlSetInputAIPP(plain.id(), inputs, 0, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_MODE_INVALID, aclmdlSetInputAIPP(fixed.id(), inputs, 0, aipp.get()));
  EXPECT_FAILS(ACL_ERROR_GE_AIPP_MODE_INVALID, aclmdlSetAIPPByInputIndex(fixed.id(), inputs, 0, aipp.get()));
  Sets small(Ramp(400), 100);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, "takes 160 bytes",
                    aclmdlSetInputAIPP(model.id(), small.inputs.get(), 1, aipp.get()));
}

TEST(DynamicAippModel, LooksAtItsParametersWhenItRuns) {
  Session session;
  const LoadedModel model(AippModel(kDynamic));
  Sets sets(Ramp(96));
  void* const block = aclGetDataBufferAddr(sets.inputs.buffer(1));
  ASSERT_OK(aclrtMemset(block, 160, 0, 160));
  EXPECT_FAILS_WITH(ACL_ERROR_GE_AIPP_BATCH_EMPTY, "aclmdlSetInputAIPP",
                    aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  ASSERT_OK(aclrtMemset(block, 160, 0x7F, 160));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
  Parameters aipp;
  aipp.Of(ACL_RGB888_U8, 10, 10);  // 300 bytes, and the buffer has 96
  ASSERT_OK(aclmdlSetAIPPCropParams(aipp.get(), 1, 0, 0, 6, 4, 0));
  ASSERT_OK(aclmdlSetInputAIPP(model.id(), sets.inputs.get(), 1, aipp.get()));
  EXPECT_FAILS_WITH(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "300 bytes",
                    aclmdlExecute(model.id(), sets.inputs.get(), sets.outputs.get()));
}

}  // namespace
