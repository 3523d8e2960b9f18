// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Names that programs use and that lead nowhere here: each says so, and what to do.
#include "conformance/ge/graph_fixture.h"
#include "parser/caffe_parser.h"
#include "parser/tensorflow_parser.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

void ExpectOnnxIsNamed(ge::graphStatus status, const char* function) {
  EXPECT_NE(status, ge::GRAPH_SUCCESS);
  EXPECT_THAT(GraphError(), AllOf(HasSubstr(function), HasSubstr("not supported"), HasSubstr("ONNX")));
}

TEST(OtherParsers, NameOnnxAsTheWay) {
  ge::Graph graph = AddGraphOf({2}, 1);
  const GeOptions none;
  ForgetMessages();
  ExpectOnnxIsNamed(ge::aclgrphParseTensorFlow("a.pb", graph), "aclgrphParseTensorFlow");
  ExpectOnnxIsNamed(ge::aclgrphParseTensorFlow("a.pb", none, graph), "aclgrphParseTensorFlow");
  ExpectOnnxIsNamed(ge::aclgrphParseTensorFlow(nullptr, graph), "aclgrphParseTensorFlow");
  ExpectOnnxIsNamed(ge::aclgrphParseCaffe("a.prototxt", "a.caffemodel", graph), "aclgrphParseCaffe");
  ExpectOnnxIsNamed(ge::aclgrphParseCaffe("a.prototxt", nullptr, none, graph), "aclgrphParseCaffe");
  EXPECT_TRUE(graph.IsValid()) << "it stays as it was";
}

TEST(PublishedNames, AreThoseOfThePages) {
  EXPECT_EQ(ge::GE_CLI_GE_NOT_INITIALIZED, 1343229963u);
  EXPECT_EQ(ge::GE_SESSION_MANAGER_NOT_INIT, 1343238150u);
  ge::GeSession session({});
  const ge::session::RunCallBack callback = [](uint32_t, const auto&) { return ge::SUCCESS; };
  EXPECT_EQ(session.RegisterCallBackFunc("Save", callback), ge::GE_SESSION_MANAGER_NOT_INIT);
  EXPECT_EQ(session.AddGraph(1, AddGraphOf({2}, 1)), ge::GE_CLI_GE_NOT_INITIALIZED);
  ForgetMessages();
}

}  // namespace
