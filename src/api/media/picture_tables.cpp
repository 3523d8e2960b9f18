// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Lookup tables and histograms.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

namespace {

constexpr uint32_t kTables = 3;

void CheckDim(uint32_t dim) {
  if (dim >= kTables) Fail(kInvalidParam, "there are tables 0 to {}, not {}", kTables - 1, dim);
}

}  // namespace

acldvppLutMap* acldvppCreateLutMap() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppLutMap*>(nullptr), [&] {
    return static_cast<acldvppLutMap*>(LookupTables::Get().Add(std::make_shared<LookupTable>()));
  });
}

aclError acldvppDestroyLutMap(acldvppLutMap* lutMap) {
  return Guard(FOOTHOLD_CALL(lutMap), [&] { LookupTables::Get().Remove(lutMap); });
}

aclError acldvppGetLutMapData(const acldvppLutMap* lutMap, uint32_t dim, uint8_t** data, uint32_t* len) {
  return Guard(FOOTHOLD_CALL(lutMap, dim, data, len), [&] {
    LookupTable& table = *LookupTables::Get().Find(lutMap);
    CheckNotNull(data, "data", kInvalidParam);
    CheckNotNull(len, "len", kInvalidParam);
    CheckDim(dim);
    *data = table[dim].data();
    *len = static_cast<uint32_t>(table[dim].size());
  });
}

uint32_t acldvppGetLutMapDims(const acldvppLutMap* lutMap) {
  return GuardValue(FOOTHOLD_CALL(lutMap), uint32_t{0}, [&] {
    LookupTables::Get().Find(lutMap);
    return kTables;
  });
}

acldvppHist* acldvppCreateHist() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppHist*>(nullptr), [&] {
    return static_cast<acldvppHist*>(Histograms::Get().Add(std::make_shared<HistogramState>()));
  });
}

aclError acldvppDestroyHist(acldvppHist* hist) {
  return Guard(FOOTHOLD_CALL(hist), [&] { Histograms::Get().Remove(hist); });
}

aclError acldvppGetHistData(acldvppHist* hist, uint32_t dim, uint32_t** data, uint16_t* len) {
  return Guard(FOOTHOLD_CALL(hist, dim, data, len), [&] {
    HistogramState& state = *Histograms::Get().Find(hist);
    CheckNotNull(data, "data", kInvalidParam);
    CheckNotNull(len, "len", kInvalidParam);
    CheckDim(dim);
    *data = state.counts[dim].data();
    *len = static_cast<uint16_t>(state.counts[dim].size());
  });
}

uint32_t acldvppGetHistDims(acldvppHist* hist) {
  return GuardValue(FOOTHOLD_CALL(hist), uint32_t{0}, [&] {
    Histograms::Get().Find(hist);
    return kTables;
  });
}

uint32_t acldvppGetHistRetCode(acldvppHist* hist) {
  return GuardValue(FOOTHOLD_CALL(hist), uint32_t{0}, [&] { return Histograms::Get().Find(hist)->ret_code; });
}

aclError acldvppClearHist(acldvppHist* hist) {
  return Guard(FOOTHOLD_CALL(hist), [&] { *Histograms::Get().Find(hist) = {}; });
}
