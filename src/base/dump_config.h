// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is to be dumped, as the "dump" part of a configuration says: the file of aclInit or of aclmdlSetDump.
// Checked completely when it is read, so that users of the struct need not. Any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace foothold {

enum class DumpMode { kInput, kOutput, kAll };
enum class DumpLevel { kOp, kKernel, kAll };
enum class DumpData { kTensor, kStatistics };
enum class DumpScene {
  kNone,
  kNormal,
  kLiteException,
  kBriefException,
  kNormException,
  kDetailException,
  kWatcher
};
enum class DumpStatistic { kMax, kMin, kAverage, kL2Norm, kNan, kNegativeInf, kPositiveInf };
enum class DumpKernelData { kAll, kPrintf, kTensor, kAssert, kTimestamp };

// Tensors that are left out. No positions stand for all of the operator.
struct DumpExclusion {
  struct Position {
    bool is_input = false;
    std::uint32_t index = 0;
    bool operator==(const Position&) const = default;
  };
  std::string name;
  std::vector<Position> positions;
  bool operator==(const DumpExclusion&) const = default;
};

// Which operators of which models. An empty list stands for all.
struct DumpSelection {
  std::string model_name;
  std::vector<std::string> layers;
  std::vector<std::string> watcher_nodes;  // scene kWatcher: dumped after each of `layers`
  std::vector<DumpExclusion> excluded_names = {};
  std::vector<DumpExclusion> excluded_types = {};
  bool operator==(const DumpSelection&) const = default;
};

struct DumpSteps {
  std::uint64_t first;
  std::uint64_t last;
  bool operator==(const DumpSteps&) const = default;
};

struct DumpConfig {
  std::string path;  // empty only in the scenes of exceptions
  std::vector<DumpSelection> selections;
  DumpMode mode = DumpMode::kOutput;
  DumpLevel level = DumpLevel::kAll;
  bool single_operators = false;
  DumpData data = DumpData::kTensor;
  std::vector<DumpSteps> steps;           // empty: all
  std::vector<DumpStatistic> statistics;  // empty: all
  bool overflow_only = false;
  DumpScene scene = DumpScene::kNone;
  std::vector<DumpKernelData> kernel_data;

  bool IncludesStep(std::uint64_t step) const;
  // Scenes that dump what fails, and nothing else.
  bool ForExceptions() const;
  bool operator==(const DumpConfig&) const = default;
};

// `dump` is the value of the key "dump". Fails with kInvalidDumpConfig.
DumpConfig ParseDumpConfig(const nlohmann::json& dump);

// The "dump" part of a file, which must have one. Fails with kInvalidFile, kInvalidFileSize, kParseFile or
// kInvalidDumpConfig.
DumpConfig LoadDumpConfig(const char* path);

}  // namespace foothold
