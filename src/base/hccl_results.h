// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The results of HCCL calls: small numbers with names and phrases of their own. Any thread.
#pragma once

namespace foothold {

struct HcclResultEntry {
  int number;
  const char* name;
  const char* phrase;
};

// Null for a number that is none, and for success.
const HcclResultEntry* FindHcclResult(int number) noexcept;

}  // namespace foothold
