// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "api/ge/graph_guard.h"
#include "base/error_catalogue.h"
#include "base/graph_status.h"
#include "base/per_process.h"
#include "ge/ge_api_error_codes.h"

namespace ge {
namespace {

struct Texts {
  std::mutex mutex;
  std::map<uint32_t, std::string> of = {{SUCCESS, "success"}, {FAILED, "failed"}};  // guarded by mutex
};

// Never destroyed: programs register and ask in constructors and destructors of static objects.
Texts& TheTexts() {
  static Texts* const texts = new Texts;
  return *texts;
}

std::mutex& MutexOfTexts() {
  return TheTexts().mutex;
}
[[maybe_unused]] const foothold::HeldDuringFork<MutexOfTexts> held_for_texts;

std::string_view KnownText(uint32_t err) {
  if (!foothold::DecodeGraphStatus(err)) return {};
  const foothold::CatalogueEntry* entry = foothold::FindError(err);
  return entry == nullptr ? std::string_view() : entry->meaning;
}

}  // namespace

// Never destroyed, as programs register from constructors and may ask from destructors of static objects; nor
// filled, as their strings may be of either kind.
StatusFactory* StatusFactory::Instance() {
  struct Factory : StatusFactory {};
  static Factory* const factory = new Factory;
  return factory;
}

void StatusFactory::RegisterErrorNo(const uint32_t err, const char* const desc) {
  (void)foothold::GuardGraph("StatusFactory::RegisterErrorNo", [&] {
    const std::lock_guard lock(TheTexts().mutex);
    TheTexts().of.emplace(err, desc == nullptr ? "" : desc);
  });
}

AscendString StatusFactory::GetErrDescV2(const uint32_t err) {
  return foothold::GuardGraphValue("StatusFactory::GetErrDesc", [&]() -> AscendString {
    {
      const std::lock_guard lock(TheTexts().mutex);
      const auto found = TheTexts().of.find(err);
      if (found != TheTexts().of.end()) return {found->second.data(), found->second.size()};
    }
    const std::string_view known = KnownText(err);
    return {known.data(), known.size()};
  });
}

}  // namespace ge
