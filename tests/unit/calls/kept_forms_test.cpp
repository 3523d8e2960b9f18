// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/kept_forms.h"

#include <gtest/gtest.h>

#include <vector>

namespace foothold {
namespace {

struct Prepared {
  std::uint64_t hash = 0;
  LastUse used;
};

class Kept {
 public:
  // True if it was there.
  bool Use(std::int64_t number) {
    CallKey key;
    AppendPlain(key, number);
    if (forms_.Find(key)) return true;
    auto form = std::make_shared<Prepared>();
    all_.push_back(form);
    forms_.Keep(key, form);
    return false;
  }
  std::size_t count() const {
    std::size_t count = 0;
    for (const auto& form : all_)
      count += form.expired() ? 0 : 1;
    return count;
  }
  std::uint64_t prepared() const { return forms_.prepared(); }

 private:
  KeptForms<Prepared> forms_;
  std::vector<std::weak_ptr<Prepared>> all_;
};

TEST(KeptForms, AreFewWhereNoneIsAskedForAgain) {
  Kept kept;
  for (std::int64_t length = 0; length < 5000; ++length) {
    EXPECT_FALSE(kept.Use(length));
    EXPECT_TRUE(kept.Use(length));  // by the next layer
    EXPECT_LE(kept.count(), kFirstForms);
  }
  EXPECT_EQ(kept.prepared(), 5000u);
}

TEST(KeptForms, GetRoomForWhatGoesRoundAndRound) {
  Kept kept;
  int hits = 0;
  for (int round = 0; round < 4; ++round)
    for (std::int64_t number = 0; number < 3000; ++number)
      hits += kept.Use(number) ? 1 : 0;
  EXPECT_GE(hits, 2 * 3000);
  EXPECT_EQ(kept.count(), 3000u);
}

}  // namespace
}  // namespace foothold
