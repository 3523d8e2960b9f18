// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "binaries/symbols.h"

#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/shared_object.h"
#include "binaries/registry.h"
#include "device/copy_task.h"

namespace foothold {
namespace {

SymbolAt Find(const void* symbol) {
  SymbolAt found;
  if (symbol == nullptr) Fail(kRtParamInvalid, "symbol must not be null");
  if (!FindSymbolAt(symbol, &found))
    Fail(kRtParamInvalid, "{} is in no loaded code: it is no variable of the program or a binary", symbol);
  return found;
}

// As far as the size is known.
void CheckPart(const SymbolCopy& copy) {
  const SymbolAt found = Find(copy.symbol);
  if (found.address != copy.symbol || found.size == 0) return;
  if (copy.offset > found.size || copy.count > found.size - copy.offset) {
    Fail(kRtParamInvalid, "{} bytes from offset {} leave \"{}\", which has {} bytes", copy.count, copy.offset,
         found.name, found.size);
  }
}

void CheckKind(const SymbolCopy& copy, CopyKind kind) {
  const bool to_symbol = copy.dst == nullptr;
  const bool fits = kind == CopyKind::kDefault || kind == CopyKind::kDeviceToDevice ||
                    kind == (to_symbol ? CopyKind::kHostToDevice : CopyKind::kDeviceToHost);
  if (!fits) {
    Fail(kRtParamInvalid, "kind {} is not possible for a copy {} a symbol", static_cast<int>(kind),
         to_symbol ? "to" : "from");
  }
}

std::byte* PartOf(const SymbolCopy& copy) {
  return static_cast<std::byte*>(const_cast<void*>(copy.symbol)) + copy.offset;
}

CheckedCopy Checked(const SymbolCopy& copy, CopyKind kind) {
  CheckPart(copy);
  CheckKind(copy, kind);
  if (copy.dst == nullptr) {
    const std::uint64_t serial = CheckRange(copy.src, copy.count, Use::kRead, "src").serial;
    return {PartOf(copy), copy.src, copy.count, 0, serial};
  }
  if (copy.count > copy.dst_max)
    Fail(kRtParamInvalid, "count {} is more than dstMax {}", copy.count, copy.dst_max);
  const std::uint64_t serial = CheckRange(copy.dst, copy.count, Use::kWrite, "dst").serial;
  return {copy.dst, PartOf(copy), copy.count, serial, 0};
}

// A copy that keeps the code its variable is in.
class SymbolCopyTask {
 public:
  static constexpr bool kReplays = true;

  SymbolCopyTask(const CheckedCopy& copy, std::shared_ptr<Binary> binary)
      : state_(std::make_shared<const State>(State{copy, std::move(binary)})) {}
  Outcome Run(Stream& stream) const { return state_->copy.Run(stream); }
  std::string Describe() const { return state_->copy.Describe(); }
  void ListAccesses(std::vector<Access>& list) const { state_->copy.ListAccesses(list); }
  Place place() const { return state_->copy.place(); }

 private:
  struct State {
    CheckedCopy copy;
    std::shared_ptr<Binary> binary;
  };
  std::shared_ptr<const State> state_;
};

}  // namespace

void CheckSymbol(const void* symbol) {
  Find(symbol);
}

std::size_t SizeOfSymbol(const void* symbol) {
  const SymbolAt found = Find(symbol);
  if (found.address != symbol || found.size == 0) {
    Fail(kRtParamInvalid, "the size of what is at {} in {} is not known: it is not exported", symbol,
         found.object);
  }
  return found.size;
}

void CopySymbol(const SymbolCopy& copy, CopyKind kind) {
  const CheckedCopy checked = Checked(copy, kind);
  Copy(checked.dst, checked.count, checked.src, checked.count, CopyKind::kDefault);
}

void PushSymbolCopy(const StreamRef& stream, const char* api, const SymbolCopy& copy, CopyKind kind) {
  const CheckedCopy checked = Checked(copy, kind);
  if (copy.count == 0) return;
  SymbolCopyTask task(checked, BinaryRegistry::Get().BinaryAt(copy.symbol));
  if (checked.dst_serial == 0 && checked.src_serial == 0) {
    PushAndFinish(stream, api, std::move(task));
  } else {
    stream.Push(api, std::move(task));
  }
}

}  // namespace foothold
