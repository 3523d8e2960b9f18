// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody asks `foothold explain` about. Used by the fuzzer and by the replay
// of its corpus.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/error_catalogue.h"
#include "base/graph_status.h"
#include "fuzz/require.h"

namespace foothold {

inline void FuzzExplain(const std::string& bytes) {
  if (const CatalogueEntry* entry = FindErrorByName(bytes)) Require(FindError(entry->number) == entry);
  Require(SuggestErrors(bytes, 3).size() <= 3);
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  if (const CatalogueEntry* entry = FindError(number)) Require(FindErrorByName(entry->name) == entry);
  Require(SuggestErrors(number, 3).size() <= 3);
  if (const auto status = DecodeGraphStatus(number))
    Require(status->code < 4096 && status->module.value < 32);
}

}  // namespace foothold
