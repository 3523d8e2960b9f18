// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share.h"

#include <utility>

#include "base/error.h"
#include "base/per_process.h"
#include "device/device_memory.h"
#include "device/event.h"
#include "device/memory_map.h"
#include "device/notify.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/sharing/share_channel.h"
#include "device/sharing/share_codes.h"
#include "device/sharing/share_exports.h"
#include "device/sharing/share_imports.h"
#include "device/sharing/shared_sync.h"
#include "device/sharing/shared_watch.h"

namespace foothold {
namespace {

VirtualMemory& Virtual() {
  return MemoryMap::Get().virtual_memory;
}

void CheckMayExport(const MemoryUse& use, const void* address) {
  if (use.kind == MemoryKind::kDevice) return;
  const char* const hint =
      use.kind == MemoryKind::kMapped ? "; share physical memory with aclrtMemExportToShareableHandle" : "";
  Fail(kRtParamInvalid, "only memory of aclrtMalloc and its like can be exported by key; {} {}{}", address,
       MemoryMap::Get().Describe(address), hint);
}

// Gone with the last handle of the event or notify.
Exports::Provide OfferOf(const std::shared_ptr<SharedSync>& object) {
  return [weak = std::weak_ptr<SharedSync>(object)]() -> std::optional<ShareOffer> {
    const auto alive = weak.lock();
    if (!alive) return std::nullopt;
    return ShareOffer{alive->file(), 0, alive->file()->bytes()};
  };
}

ShareKey ExportSync(ShareKind kind, const std::shared_ptr<SharedSync>& object, bool white_list) {
  const ShareKey key = Exports::Get().Add(kind, white_list, OfferOf(object));
  Imports::Get().Know(key, object);
  return key;
}

// The one key of a notify.
ShareKey KeyOf(NotifyState& notify, bool white_list) {
  std::lock_guard<std::mutex> lock(notify.key_mutex);
  if (!notify.key || !Exports::Get().Has(*notify.key))
    notify.key = ExportSync(ShareKind::kNotify, notify.Share(), white_list);
  return *notify.key;
}

}  // namespace

ShareKey ExportMemory(void* address, std::size_t bytes, bool white_list) {
  const MemoryUse use = CheckRange(address, bytes, Use::kWrite, "devPtr");
  CheckMayExport(use, address);
  DeviceMemory& owner = *MemoryMap::Get().OwnerOf(address);
  owner.Share(address, use.serial);
  TellWritten(address, bytes);  // others may write it from now on
  if (auto* const observer = Observer()) observer->OnMemoryShared(use.serial);
  return Exports::Get().Add(ShareKind::kMemory, white_list,
                            [&owner, address, bytes, serial = use.serial]() -> std::optional<ShareOffer> {
                              const auto pages = owner.FindShared(address, serial);
                              if (!pages) return std::nullopt;
                              return ShareOffer{pages->file, pages->offset, bytes};
                            });
}

void CloseMemory(const ShareKey& key) {
  if (!Imports::Get().UnmapMemory(key) && !Exports::Get().Remove(key))
    Fail(kRtIpcError, "this process has neither imported nor exported it, or has closed it already");
}

ShareKey ExportPages(const void* handle, bool white_list) {
  const auto file = Virtual().SharePages(handle);
  try {
    return Exports::Get().Add(ShareKind::kPages, white_list, [handle]() -> std::optional<ShareOffer> {
      auto pages = Virtual().FindShared(handle);
      if (!pages) return std::nullopt;
      const std::size_t bytes = pages->bytes();
      return ShareOffer{std::move(pages), 0, bytes};
    });
  } catch (...) {
    Virtual().ForgetShared(handle);
    throw;
  }
}

void* ImportPages(const ShareKey& key, DeviceMemory& owner, const PhysicalMemory::Properties& properties) {
  if (Exports::Get().Has(key))
    Fail(kRtFeatureNotSupport, "physical memory cannot be imported by the process that exported it");
  return Virtual().AdoptPages(owner, std::make_shared<const MemoryFile>(std::move(AskFor(key).file)),
                              properties);
}

ShareKey ExportEvent(EventState& event) {
  return ExportSync(ShareKind::kEvent, event.Share(), false);
}

void* ImportEvent(const ShareKey& key, Context& context) {
  return Runtime::Get().AdoptEvent(context, Imports::Get().Open<SharedEvent>(key));
}

ShareKey ExportNotify(const std::shared_ptr<NotifyState>& notify, bool white_list) {
  const ShareKey key = KeyOf(*notify, white_list);
  if (!white_list) Exports::Get().AdmitAll(key);
  return key;
}

void AdmitToNotify(const std::shared_ptr<NotifyState>& notify, const std::int32_t* processes,
                   std::size_t count) {
  Exports::Get().Admit(KeyOf(*notify, true), processes, count);
}

void* ImportNotify(const ShareKey& key, Context& context) {
  return Runtime::Get().AdoptNotify(context, Imports::Get().Open<SharedNotify>(key));
}

void StopSharing() {
  if (Exports* const exports = PerProcess<Exports>::IfMade()) exports->Stop();
  if (SharedWatch* const watch = PerProcess<SharedWatch>::IfMade()) watch->Stop();
  if (Imports* const imports = PerProcess<Imports>::IfMade()) imports->Stop();
}

}  // namespace foothold
