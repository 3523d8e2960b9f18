// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/page_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "device/memory/address_range.h"

namespace foothold {
namespace {

class PageFileTest : public testing::Test {
 protected:
  char* At(std::size_t offset) { return reinterpret_cast<char*>(range_.base() + offset); }
  void Map(std::size_t at, std::uint64_t extent) {
    file_.Map(range_.base() + at, extent, kHugePage, PROT_READ | PROT_WRITE);
  }

  AddressRange range_{std::size_t{16} << 20, kHugePage};
  PageFile file_;
};

TEST_F(PageFileTest, KeepsContentWhileUnmapped) {
  const std::uint64_t extent = file_.Allocate(kHugePage);
  Map(0, extent);
  At(0)[5] = 42;
  Map(kHugePage, extent);
  EXPECT_EQ(At(kHugePage)[5], 42);
  At(kHugePage)[6] = 43;
  EXPECT_EQ(At(0)[6], 43) << "both places are the same pages";
}

TEST_F(PageFileTest, FreshPagesAreZeroAlsoWhenReused) {
  const std::uint64_t extent = file_.Allocate(kHugePage);
  Map(0, extent);
  At(0)[5] = 42;
  file_.Free(extent, kHugePage);
  const std::uint64_t again = file_.Allocate(kHugePage);
  EXPECT_EQ(again, extent);
  Map(0, again);
  EXPECT_EQ(At(0)[5], 0);
}

TEST_F(PageFileTest, JoinsFreedExtents) {
  const std::uint64_t a = file_.Allocate(kHugePage);
  const std::uint64_t b = file_.Allocate(kHugePage);
  const std::uint64_t c = file_.Allocate(kHugePage);
  file_.Free(a, kHugePage);
  file_.Free(c, kHugePage);
  file_.Free(b, kHugePage);
  EXPECT_EQ(file_.Allocate(3 * kHugePage), a);
}

}  // namespace
}  // namespace foothold
