// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/graph_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"

namespace foothold {
namespace {

using testing::StartsWith;

TEST(GraphErrors, AreTakenOldestFirst) {
  TakeGraphErrors();
  RecordGraphError("E10001", "first");
  RecordGraphError("E10002", "second");
  EXPECT_EQ(TakeGraphErrors(), "E10001: first\nE10002: second");
  EXPECT_EQ(TakeGraphErrors(), "");
}

TEST(GraphErrors, OfWorkersBelongToTheProcess) {
  TakeGraphErrors();
  std::thread([] {
    const GraphWorkerScope worker;
    RecordGraphError("E19999", "from a worker");
    EXPECT_EQ(TakeGraphErrors(), "E19999: from a worker") << "its callback may ask on this thread";
    RecordGraphError("E19999", "for the caller");
  }).join();
  RecordGraphError("E10001", "own");
  EXPECT_EQ(TakeGraphErrors(), "E10001: own") << "own ones first";
  EXPECT_EQ(TakeGraphErrors(), "E19999: for the caller");
}

TEST(GraphErrors, AreKeptApartFromWarnings) {
  TakeGraphErrors();
  RecordGraphWarning("W11001", "slow");
  EXPECT_EQ(TakeGraphErrors(), "");
  EXPECT_EQ(TakeGraphWarnings(), "W11001: slow");
}

TEST(GraphErrors, DropTheOldest) {
  TakeGraphErrors();
  for (std::size_t i = 0; i <= kMaxGraphMessages; ++i)
    RecordGraphError("E10001", std::to_string(i));
  EXPECT_THAT(TakeGraphErrors(), StartsWith("(1 older messages were dropped)\nE10001: 1\n"));
}

TEST(GraphErrors, HaveTheCodeOfTheirCause) {
  TakeGraphErrors();
  ReportGraphFailure("Graph::AddOp", Error(kInvalidParam, "twice", "E13009"));
  ReportGraphFailure("Graph::Dump", Error(kFeatureUnsupported, "no"));
  EXPECT_EQ(TakeGraphErrors(), "E13009: Graph::AddOp failed: twice\nE10055: Graph::Dump failed: no");
}

}  // namespace
}  // namespace foothold
