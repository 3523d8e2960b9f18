// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share_key.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace foothold {
namespace {

TEST(ShareKey, ComesBackFromItsText) {
  for (const ShareKind kind : {ShareKind::kMemory, ShareKind::kEvent, ShareKind::kNotify}) {
    const ShareKey key = ShareKey::Make(kind, 0x1234);
    const std::string text = key.Text();
    EXPECT_EQ(text.size(), ShareKey::kTextBytes - 1);
    EXPECT_EQ(ShareKey::FromText(kind, text), key);
  }
}

TEST(ShareKey, ComesBackFromItsNumber) {
  const ShareKey key = ShareKey::Make(ShareKind::kPages, 0xFEDCBA98);
  EXPECT_EQ(ShareKey::FromNumber(key.Number()), key);
}

TEST(ShareKey, HasASecretOfItsOwn) {
  EXPECT_NE(ShareKey::Make(ShareKind::kMemory, 1), ShareKey::Make(ShareKind::kMemory, 1));
}

TEST(ShareKey, IsNoOtherText) {
  const std::string text = ShareKey::Make(ShareKind::kMemory, 7).Text();
  EXPECT_THROW(ShareKey::FromText(ShareKind::kNotify, text), Error);
  EXPECT_THROW(ShareKey::FromText(ShareKind::kMemory, text + "."), Error);
  EXPECT_THROW(ShareKey::FromText(ShareKind::kMemory, text.substr(1)), Error);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_THROW(ShareKey::FromText(ShareKind::kMemory, text.substr(0, length)), Error);
  std::string upper = text;
  upper[20] = 'A';
  EXPECT_THROW(ShareKey::FromText(ShareKind::kMemory, upper), Error);
}

}  // namespace
}  // namespace foothold
