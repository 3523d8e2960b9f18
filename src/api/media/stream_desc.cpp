// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Descriptions of pieces of a video's stream.
#include "api/media/described.h"

using namespace foothold;
using namespace foothold::media;

namespace {

template <typename Value>
void SetField(acldvppStreamDesc* handle, Value StreamPiece::*field, Value value) {
  StreamPieces::Get().Find(handle)->Write([&](StreamPiece& piece) { piece.*field = value; });
}

template <typename Value>
Value GetField(const acldvppStreamDesc* handle, Value StreamPiece::*field) {
  return StreamPieces::Get().Find(handle)->Read().*field;
}

}  // namespace

acldvppStreamDesc* acldvppCreateStreamDesc() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acldvppStreamDesc*>(nullptr), [&] {
    return static_cast<acldvppStreamDesc*>(StreamPieces::Get().Add(std::make_shared<Shared<StreamPiece>>()));
  });
}

aclError acldvppDestroyStreamDesc(acldvppStreamDesc* streamDesc) {
  return Guard(FOOTHOLD_CALL(streamDesc), [&] { StreamPieces::Get().Remove(streamDesc); });
}

aclError acldvppSetStreamDescData(acldvppStreamDesc* streamDesc, void* dataDev) {
  return Guard(FOOTHOLD_CALL(streamDesc, dataDev),
               [&] { SetField(streamDesc, &StreamPiece::data, dataDev); });
}

void* acldvppGetStreamDescData(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), static_cast<void*>(nullptr),
                    [&] { return GetField(streamDesc, &StreamPiece::data); });
}

aclError acldvppSetStreamDescSize(acldvppStreamDesc* streamDesc, uint32_t size) {
  return Guard(FOOTHOLD_CALL(streamDesc, size), [&] { SetField(streamDesc, &StreamPiece::size, size); });
}

uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), uint32_t{0},
                    [&] { return GetField(streamDesc, &StreamPiece::size); });
}

aclError acldvppSetStreamDescFormat(acldvppStreamDesc* streamDesc, acldvppStreamFormat format) {
  return Guard(FOOTHOLD_CALL(streamDesc, format),
               [&] { SetField(streamDesc, &StreamPiece::format, static_cast<std::int32_t>(format)); });
}

acldvppStreamFormat acldvppGetStreamDescFormat(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), H265_MAIN_LEVEL, [&] {
    return static_cast<acldvppStreamFormat>(GetField(streamDesc, &StreamPiece::format));
  });
}

aclError acldvppSetStreamDescTimestamp(acldvppStreamDesc* streamDesc, uint64_t timestamp) {
  return Guard(FOOTHOLD_CALL(streamDesc, timestamp),
               [&] { SetField(streamDesc, &StreamPiece::timestamp, timestamp); });
}

uint64_t acldvppGetStreamDescTimestamp(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), uint64_t{0},
                    [&] { return GetField(streamDesc, &StreamPiece::timestamp); });
}

aclError acldvppSetStreamDescRetCode(acldvppStreamDesc* streamDesc, uint32_t retCode) {
  return Guard(FOOTHOLD_CALL(streamDesc, retCode),
               [&] { SetField(streamDesc, &StreamPiece::ret_code, retCode); });
}

uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), uint32_t{0},
                    [&] { return GetField(streamDesc, &StreamPiece::ret_code); });
}

aclError acldvppSetStreamDescEos(acldvppStreamDesc* streamDesc, uint8_t eos) {
  return Guard(FOOTHOLD_CALL(streamDesc, eos), [&] { SetField(streamDesc, &StreamPiece::eos, eos); });
}

uint8_t acldvppGetStreamDescEos(const acldvppStreamDesc* streamDesc) {
  return GuardValue(FOOTHOLD_CALL(streamDesc), uint8_t{0},
                    [&] { return GetField(streamDesc, &StreamPiece::eos); });
}
