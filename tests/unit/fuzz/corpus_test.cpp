// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Replays the seeds of the fuzzers, and cut and damaged forms of them, without a fuzzer.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/aipp_file_target.h"
#include "fuzz/control_messages_target.h"
#include "fuzz/dump_config_target.h"
#include "fuzz/dump_file_target.h"
#include "fuzz/environment_target.h"
#include "fuzz/explain_target.h"
#include "fuzz/graph_model_target.h"
#include "fuzz/graph_seeds.h"
#include "fuzz/init_config_target.h"
#include "fuzz/jpeg_target.h"
#include "fuzz/npy_target.h"
#include "fuzz/om_seeds.h"
#include "fuzz/packets_target.h"
#include "fuzz/png_target.h"
#include "fuzz/rank_table_target.h"

namespace foothold {
namespace {

std::vector<std::string> Seeds(const char* name) {
  std::vector<std::string> seeds;
  const auto directory = std::filesystem::path(FOOTHOLD_SOURCE_DIR) / "tests" / "fuzz" / "corpus" / name;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::stringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    seeds.push_back(bytes.str());
  }
  return seeds;
}

template <typename Target>
void Replay(const char* name, Target target) {
  const std::vector<std::string> seeds = Seeds(name);
  ASSERT_GE(seeds.size(), 5u) << name;
  for (const std::string& seed : seeds) {
    target(seed);
    const CompilesOnly damaged_ones;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      target(seed.substr(0, i));
      std::string damaged = seed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      target(damaged);
    }
  }
}

TEST(FuzzCorpus, OfAippFileHolds) {
  Replay("aipp_file", FuzzAippFile);
}
TEST(FuzzCorpus, OfInitConfigHolds) {
  Replay("init_config", FuzzInitConfig);
}
TEST(FuzzCorpus, OfExplainHolds) {
  Replay("explain", FuzzExplain);
}
TEST(FuzzCorpus, OfRankTablesHolds) {
  Replay("rank_table", FuzzRankTable);
}
TEST(FuzzCorpus, OfControlMessagesHolds) {
  Replay("control_messages", FuzzControlMessages);
}
TEST(FuzzCorpus, OfPacketsHolds) {
  Replay("packets", FuzzPackets);
}
TEST(FuzzCorpus, OfEnvironmentHolds) {
  Replay("environment", FuzzEnvironment);
}
TEST(FuzzCorpus, OfGraphModelHolds) {
  Replay("graph_model", FuzzGraphModel);
}
// Each operator with odd shapes; of the damaged forms only some, at other places in each.
TEST(FuzzCorpus, OfOperatorsHolds) {
  const auto seeds = GraphSeeds();
  EXPECT_GE(seeds.size(), 1000u);
  std::size_t place = 0;
  for (const auto& [name, seed] : seeds) {
    FuzzGraphModel(seed);
    const CompilesOnly damaged_ones;
    for (int i = 0; i < 4; ++i) {
      place = place * 31 + 7;
      std::string damaged = seed;
      damaged[place % seed.size()] ^= static_cast<char>(1 << place % 8);
      FuzzGraphModel(damaged);
    }
  }
}
TEST(FuzzCorpus, OfNpyHolds) {
  Replay("npy", FuzzNpy);
}

// Whole files are mostly padding, and most of large ones is weights: of those only some places are damaged.
TEST(FuzzCorpus, OfOfflineModelsHolds) {
  for (const auto& [name, seed] : OmSeeds()) {
    FuzzOmModel(seed);
    const CompilesOnly damaged_ones;
    const std::size_t step = seed.size() / 400 + (seed[0] == kWholeFile ? 36 : 1);
    for (std::size_t i = 1; i < seed.size(); i += step) {
      FuzzOmModel(seed.substr(0, i));
      std::string damaged = seed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      FuzzOmModel(damaged);
    }
  }
}

TEST(FuzzCorpus, OfOfflineModelsBeginsWithGoodOnes) {
  for (const auto& [name, seed] : OmSeeds()) {
    if (seed[0] != kWholeFile) continue;
    const auto file = OmFile::FromMemory(seed.data() + 1, seed.size() - 1);
    EXPECT_NO_THROW(FuzzOneOm(IsBundle(*file) ? BundledModel(*file, 1) : file)) << name;
  }
}

TEST(FuzzCorpus, OfOfflineModelsHasPackedWeights) {
  int packed = 0;
  for (const auto& [name, seed] : OmSeeds()) {
    SectionLengths lengths;
    std::memcpy(&lengths, seed.data() + 1, sizeof lengths);
    packed += seed[0] == kSections && lengths[3] > 0;
  }
  EXPECT_GE(packed, 3);
}

TEST(FuzzCorpus, OfDumpConfigHolds) {
  Replay("dump_config", FuzzDumpConfig);
}
TEST(FuzzCorpus, OfDumpFileHolds) {
  Replay("dump_file", FuzzDumpFile);
}

// Each of them is decoded thousands of times: not every byte is damaged.
template <typename Target>
void ReplayPictures(const char* name, Target target) {
  const std::vector<std::string> seeds = Seeds(name);
  ASSERT_GE(seeds.size(), 9u) << name;
  for (const std::string& seed : seeds) {
    target(seed);
    for (std::size_t i = 0; i < seed.size(); i += 7) {
      target(seed.substr(0, i));
      std::string damaged = seed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      target(damaged);
    }
  }
}

TEST(FuzzCorpus, OfJpegHolds) {
  ReplayPictures("jpeg", FuzzJpeg);
}
TEST(FuzzCorpus, OfPngHolds) {
  ReplayPictures("png", FuzzPng);
}

}  // namespace
}  // namespace foothold
