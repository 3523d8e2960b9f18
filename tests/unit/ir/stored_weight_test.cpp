// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/stored_weight.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <thread>

#include "base/error.h"
#include "ir/weight_memory.h"

namespace foothold {
namespace {

constexpr std::size_t kSize = 1 << 20;
constexpr std::size_t kOffset = 13;  // files have weights anywhere

class StoredWeights : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasPagesOfItsOwn(kSize)) GTEST_SKIP() << "blocks are not pages here";
    path_ = testing::TempDir() + "stored_weight_XXXXXX";
    close(mkstemp(path_.data()));
    bytes_.resize(kSize);
    std::iota(bytes_.begin(), bytes_.end(), char{0});
    Write(bytes_);
    MakeOld();
  }
  void TearDown() override { unlink(path_.c_str()); }

  void Write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << std::string(kOffset, '#') << bytes;
  }
  void MakeOld() const {
    const timespec times[2] = {{1000000, 0}, {1000000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }
  TensorValue Read() const {
    const TensorType type{DataType::kUint8, Format::kNd, {static_cast<std::int64_t>(kSize)}};
    return ReadWeight(type, kSize, std::make_shared<const WeightFile>(open(path_.c_str(), O_RDONLY), path_),
                      kOffset);
  }
  bool IsRight(const TensorValue& value) const {
    return std::memcmp(value.data(), bytes_.data(), kSize) == 0;
  }
  static bool IsInMemory(const TensorValue& value) {
    std::vector<unsigned char> pages(kSize / 4096);
    EXPECT_EQ(mincore(const_cast<std::byte*>(value.data()), kSize, pages.data()), 0);
    return std::any_of(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  }
  static void Use(const TensorValue& value) {
    const WeightUses uses;
    LoadWeight(value);
  }

  std::string path_, bytes_;
};

TEST_F(StoredWeights, AreInMemoryFromTheStart) {
  const TensorValue weight = Read();
  EXPECT_TRUE(IsInMemory(weight));
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, LeaveMemoryWithTheLastUseAndComeBack) {
  const TensorValue weight = Read();
  Use(weight);
  EXPECT_FALSE(IsInMemory(weight));
  const WeightUses uses;
  LoadWeight(weight);
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, StayAsLongAsAnOuterUseOrAnotherThreadHasThem) {
  const TensorValue weight = Read();
  {
    const WeightUses outer;
    LoadWeight(weight);
    Use(weight);
    std::thread([&] { Use(weight); }).join();
    EXPECT_TRUE(IsRight(weight));
  }
  EXPECT_FALSE(IsInMemory(weight));
}

TEST_F(StoredWeights, StayForGoodWhenReadOutsideOfAnyUse) {
  const TensorValue weight = Read();
  Use(weight);
  LoadWeight(weight);
  Use(weight);
  EXPECT_TRUE(IsInMemory(weight));
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, StayForGoodWhenKeptWithinAUse) {
  const TensorValue weight = Read();
  {
    const WeightUses uses;
    KeepWeight(weight);
  }
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, AreSharedByCopies) {
  const TensorValue weight = Read(), copy = weight;
  Use(copy);
  EXPECT_FALSE(IsInMemory(weight));
  EXPECT_TRUE(IsRight(weight.Clone()));
}

TEST_F(StoredWeights, ComeBackFromAFileThatWasRemovedOrReplaced) {
  const TensorValue weight = Read();
  Use(weight);
  unlink(path_.c_str());
  Write(std::string(kSize, 'x'));
  LoadWeight(weight);
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, AreRefusedWhenTheFileWasOverwritten) {
  const TensorValue weight = Read();
  Use(weight);
  Write(std::string(kSize, 'x'));
  try {
    LoadWeight(weight);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidFile);
    EXPECT_NE(error.message().find(path_), std::string::npos);
  }
}

TEST_F(StoredWeights, StayWhenTheFileWasOverwrittenBefore) {
  const TensorValue weight = Read();
  Write(std::string(10, 'x'));
  Use(weight);
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, StayWhenTheFileIsTooNewToBeSure) {
  Write(bytes_);
  const TensorValue weight = Read();
  Use(weight);
  EXPECT_TRUE(IsRight(weight));
}

TEST_F(StoredWeights, AreUsedByManyThreadsAtOnce) {
  const TensorValue weight = Read();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const WeightUses uses;
        LoadWeight(weight);
        if (!IsRight(weight)) ++wrong;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StoredWeights, FailWhereTheBytesAreNotThere) {
  ASSERT_EQ(truncate(path_.c_str(), kSize / 2), 0);
  EXPECT_THROW(Read(), Error);
}

// Programs that close all descriptors get its number for files of their own.
TEST_F(StoredWeights, LeaveDescriptorsOfOthersOpen) {
  const int descriptor = open(path_.c_str(), O_RDONLY);
  auto file = std::make_unique<const WeightFile>(descriptor, path_);
  close(descriptor);
  ASSERT_EQ(open("/dev/null", O_RDONLY), descriptor);
  file.reset();
  EXPECT_EQ(fcntl(descriptor, F_GETFD), 0);
  close(descriptor);
}

}  // namespace
}  // namespace foothold
