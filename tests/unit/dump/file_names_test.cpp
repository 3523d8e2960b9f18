// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/file_names.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(DumpFileName, HasNoCharactersThatSeparate) {
  EXPECT_EQ(FileNamePart("a.b/c\\d e"), "a_b_c_d_e");
  EXPECT_EQ(FileNamePart("tab\tline\n"), "tab_line_");
  EXPECT_EQ(FileNamePart("Größe"), "Größe");
  EXPECT_EQ(ToString(DumpFileName{"Conv2D", "layer1/conv", 3, 2, 99, ".csv"}),
            "Conv2D.layer1_conv.3.2.99.csv");
}

TEST(DumpFileName, HasATimeThatIsNeverTheSame) {
  std::uint64_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t next = DumpMicroseconds();
    EXPECT_GT(next, last);
    last = next;
  }
}

TEST(DumpFileName, IsShortenedToDigits) {
  const std::string digits = ShortNameFor(std::string(300, 'x'));
  EXPECT_EQ(digits.size(), 20u);
  EXPECT_EQ(digits.find_first_not_of("0123456789"), std::string::npos);
  EXPECT_NE(digits, ShortNameFor(std::string(301, 'x')));
}

}  // namespace
}  // namespace foothold
