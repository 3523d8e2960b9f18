// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options nobody knows, options that do nothing, and numbers in options: what is said about them.
#include "acl/acl.h"
#include "conformance/config_file.h"
#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"
#include "conformance/in_fork.h"
#include "ge/ge_ir_build.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(UnknownOptions, OfTheEngineAreWarnedAboutOnceWithTheNearestName) {
  EXPECT_EQ(InFork({},
                   [] {
                     EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"ge.exec.deviceid", "0"}}));
                     EXPECT_THAT(ge::GEGetWarningMsg(),
                                 AllOf(HasSubstr("option ge.exec.deviceid is not known and was ignored"),
                                       HasSubstr("did you mean ge.exec.deviceId?")));
                     EXPECT_GE_OK(ge::GEFinalize());
                     EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"ge.exec.deviceid", "0"}}));
                     EXPECT_THAT(ge::GEGetWarningMsg(), IsEmpty()) << "it was said before";
                     EXPECT_GE_OK(ge::GEFinalize());
                   }),
            0);
}

TEST(UnknownOptions, OfSessionsGraphsAndLoadsAreWarnedAbout) {
  EXPECT_EQ(InFork({},
                   [] {
                     const Engine engine;
                     ge::GeSession session(GeOptions{{"ge.exec.enableDumpp", "0"}});
                     EXPECT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1), GeOptions{{"ge.inputShap", "2"}}));
                     EXPECT_THAT(ge::GEGetWarningMsg(), AllOf(HasSubstr("did you mean ge.exec.enableDump?"),
                                                              HasSubstr("did you mean ge.inputShape?")));
                     EXPECT_GE_OK(session.LoadGraph(1, GeOptions{{"ge.exec.hostInputIndex", "0"}}, nullptr));
                     EXPECT_THAT(ge::GEGetWarningMsg(), HasSubstr("did you mean ge.exec.hostInputIndexes?"));
                   }),
            0);
}

TEST(UnknownOptions, ThatResembleNothingAreOnlyNamed) {
  EXPECT_EQ(InFork({},
                   [] {
                     EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"vendor.secret", "17"}}));
                     EXPECT_THAT(ge::GEGetWarningMsg(), AllOf(HasSubstr("option vendor.secret is not known"),
                                                              Not(HasSubstr("did you"))));
                     EXPECT_GE_OK(ge::GEFinalize());
                   }),
            0);
}

TEST(UnknownOptions, OfModelsAreWarnedAbout) {
  EXPECT_EQ(
      InFork(
          {},
          [] {
            GeOptions global;
            EXPECT_GE_OK(ge::aclgrphBuildInitialize(global));
            ge::ModelBufferData model;
            EXPECT_GE_OK(ge::aclgrphBuildModel(AddGraphOf({2}, 1), GeOptions{{"input_formt", "ND"}}, model));
            EXPECT_THAT(ge::GEGetWarningMsg(), HasSubstr("did you mean input_format?"));
            ge::aclgrphBuildFinalize();
          }),
      0);
}

TEST(KnownOptions, DISABLED_WithoutEffect) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_GE_OK(ge::GEInitialize(GeOptions{{"ge.exec.graphExecTimeout", "77"},
                                            {"ge.exec.rankId", ""},
                                            {"ge.graphRunMode", "1"},
                                            {"ge.exec.precision_mode", "force_fp16"}}));
    EXPECT_THAT(ge::GEGetWarningMsg(), IsEmpty());
    EXPECT_GE_OK(ge::GEFinalize());
  }
}

TEST(KnownOptions, WithoutEffectAreNamedOnceInTheLog) {
  const TemporaryDirectory logs;
  EXPECT_EQ(
      InNewProgram("KnownOptions.DISABLED_WithoutEffect", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "0"},
                                                           {"ASCEND_PROCESS_LOG_PATH", logs.path().c_str()},
                                                           {"ASCEND_GLOBAL_LOG_LEVEL", "2"}}),
      0);
  const std::string text = logs.AllText();
  const std::string said = "option ge.exec.graphExecTimeout is \"77\" and has no effect here";
  EXPECT_THAT(text, HasSubstr(said));
  EXPECT_EQ(text.find(said), text.rfind(said)) << text;
  for (const char* silent : {"rankId", "graphRunMode", "precision_mode"})
    EXPECT_THAT(text, Not(HasSubstr(silent)));
}

class NumbersInOptions : public testing::Test {
 protected:
  ge::Status Load(const char* indexes) {
    ge::GeSession session{GeOptions{}};
    EXPECT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
    return session.LoadGraph(1, {{"ge.exec.hostInputIndexes", indexes}}, nullptr);
  }
  const Engine engine_;
};

TEST_F(NumbersInOptions, OfInputsAreTakenInAllWaysOfWritingLists) {
  for (const char* list : {"", "0", "0,1", "0;1", "[0, 1]", "0|1;", " 00000000000 "})
    EXPECT_GE_OK(Load(list)) << list;
}

TEST_F(NumbersInOptions, OfInputsAreRefusedWhereTheyAreNone) {
  for (const char* wrong : {"first", "0,one", "-1", "0x1", "1.5", "99999999999999999999999"})
    EXPECT_REFUSED(kParamInvalid, "E10001", Load(wrong));
}

TEST_F(NumbersInOptions, OfDevicesAreNotCut) {
  for (const char* wrong : {"0 and more", "0.5", "", "-2", "99999999999999999999"})
    EXPECT_REFUSED(kParamInvalid, "ge.exec.deviceId",
                   ge::GeSession(GeOptions{{"ge.exec.deviceId", wrong}}).AddGraph(1, AddGraphOf({2}, 1)));
  EXPECT_REFUSED(
      kParamInvalid, "device 4294967296 was asked for",
      ge::GeSession(GeOptions{{"ge.exec.deviceId", "4294967296"}}).AddGraph(1, AddGraphOf({2}, 1)));
}

TEST_F(NumbersInOptions, OfGearsAreNotPutTogether) {
  GeOptions global;
  EXPECT_GE_OK(ge::aclgrphBuildInitialize(global));
  ge::ModelBufferData model;
  const GeOptions options = {{"input_shape", "x:-1,3"}, {"dynamic_batch_size", "1, 2 4"}};
  GraphError();
  EXPECT_NE(ge::aclgrphBuildModel(AddGraphOf({-1, 3}, 1), options, model), ge::GRAPH_SUCCESS);
  EXPECT_THAT(GraphError(), AllOf(HasSubstr("E10001"), HasSubstr("\"2 4\" is no size")));
  ge::aclgrphBuildFinalize();
}

}  // namespace
