// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Copies past the end of a host buffer, into addresses without memory.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

constexpr size_t kPage = 4096, kThere = 4 * kPage, kWanted = 6 * kPage;

// Pages of host memory with nothing, or nothing usable, behind them.
class Cliff {
 public:
  enum class Behind { kNothing, kNoAccess };

  explicit Cliff(size_t pages, Behind behind = Behind::kNothing) : bytes_(pages * kPage) {
    start_ = mmap(nullptr, bytes_ + kBehind, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(start_, MAP_FAILED);
    char* const end = start() + bytes_;
    EXPECT_EQ(behind == Behind::kNothing ? munmap(end, kBehind) : mprotect(end, kBehind, PROT_NONE), 0);
    no_access_ = behind == Behind::kNoAccess;
  }
  ~Cliff() { munmap(start_, bytes_ + (no_access_ ? kBehind : 0)); }
  char* start() const { return static_cast<char*>(start_); }

 private:
  static constexpr size_t kBehind = 16 << 20;
  void* start_;
  size_t bytes_;
  bool no_access_;
};

class MemcpyOverrun : public testing::Test {
 protected:
  MemcpyOverrun() { EXPECT_OK(aclrtMalloc(&device_, 8 << 20, ACL_MEM_MALLOC_HUGE_FIRST)); }

  void ExpectRefused(char* host, size_t bytes, const char* text) {
    RecentError();
    EXPECT_EQ(aclrtMemcpy(device_, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE),
              ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_THAT(RecentError(), testing::HasSubstr(text));
    EXPECT_EQ(aclrtMemcpy(host, bytes, device_, bytes, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_THAT(RecentError(), testing::HasSubstr(text));
  }

  Session session_;
  void* device_ = nullptr;
};

TEST_F(MemcpyOverrun, IsRefusedAndSaysHowMuchIsThere) {
  for (const auto behind : {Cliff::Behind::kNothing, Cliff::Behind::kNoAccess}) {
    const Cliff host(4, behind);
    EXPECT_OK(aclrtMemcpy(device_, kThere, host.start(), kThere, ACL_MEMCPY_HOST_TO_DEVICE));
    ExpectRefused(host.start(), kWanted, "only the first 16384 are there");
    ExpectRefused(host.start() + 100, kThere, "only the first 16284 are there");
    ExpectRefused(host.start(), 6 << 20, "only the first 16384 are there");
    EXPECT_OK(aclrtMemcpy(host.start(), kThere, device_, kThere, ACL_MEMCPY_DEVICE_TO_HOST));
  }
}

TEST_F(MemcpyOverrun, IsSeenPieceByPiece) {
  const Cliff host(64);
  const size_t piece = 3 * kPage / 2;
  size_t at = 0;
  for (; at + piece <= 64 * kPage; at += piece)
    ASSERT_OK(aclrtMemcpy(device_, piece, host.start() + at, piece, ACL_MEMCPY_HOST_TO_DEVICE)) << at;
  ExpectRefused(host.start() + at, piece, "are there");
}

TEST_F(MemcpyOverrun, IsRefusedForMemoryThatIsGone) {
  char* gone = nullptr;
  {
    const Cliff host(16);
    gone = host.start();
    EXPECT_OK(aclrtMemcpy(device_, kPage, gone, kPage, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ExpectRefused(gone, 2 << 20, "no memory is there");
}

TEST_F(MemcpyOverrun, IsRefusedInStreamsAndRectanglesToo) {
  const Cliff host(4);
  aclrtStream stream = session_.Stream();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device_, kWanted, host.start(), kWanted, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy2d(device_, kPage, host.start(), kPage, 100, 6, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(host.start(), kWanted, 0, kWanted));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

}  // namespace
