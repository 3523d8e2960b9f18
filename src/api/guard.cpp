// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/guard.h"

#include <fmt/format.h>

#include <cstring>

#include "base/failure_text.h"

namespace foothold {
namespace {

template <typename T>
T Read(const void* place) {
  T value;
  std::memcpy(&value, place, sizeof(value));
  return value;
}

std::uint64_t ReadUnsigned(const void* place, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return Read<std::uint8_t>(place);
    case 2:
      return Read<std::uint16_t>(place);
    case 4:
      return Read<std::uint32_t>(place);
    default:
      return Read<std::uint64_t>(place);
  }
}

std::string Shown(ArgumentForm form, const void* place) {
  switch (form.kind) {
    case ArgumentKind::kText: {  // a char* is room for an answer, with any content
      const auto* text = Read<const char*>(place);
      return text == nullptr ? "null" : QuotedText({text, strnlen(text, 200)});
    }
    case ArgumentKind::kPointer:
    case ArgumentKind::kFunction: {
      const auto address = Read<std::uintptr_t>(place);
      return address == 0 ? "null" : fmt::format("{:#x}", address);
    }
    case ArgumentKind::kTruth:
      return Read<std::uint8_t>(place) != 0 ? "true" : "false";
    case ArgumentKind::kReal:
      return form.bytes == sizeof(float) ? fmt::to_string(Read<float>(place))
                                         : fmt::to_string(Read<double>(place));
    case ArgumentKind::kUnsigned:
      return fmt::to_string(ReadUnsigned(place, form.bytes));
    case ArgumentKind::kSigned: {
      const int unused_bits = 64 - 8 * form.bytes;
      return fmt::to_string(static_cast<std::int64_t>(ReadUnsigned(place, form.bytes) << unused_bits) >>
                            unused_bits);
    }
    case ArgumentKind::kOther:
      break;
  }
  return "{...}";
}

}  // namespace

std::string ApiCall::Describe() const {
  std::string out;
  std::string_view names = names_;
  for (std::size_t i = 0; forms_[i].bytes != 0; ++i) {
    const auto comma = names.find(',');
    if (!out.empty()) out += ", ";
    out += names.substr(0, comma);
    out += '=';
    out += Shown(forms_[i], places_[i]);
    names = comma == std::string_view::npos ? std::string_view()
                                            : names.substr(names.find_first_not_of(' ', comma + 1));
  }
  return out;
}

int ReportCaught(const ApiCall& call, const check::CallScope& watched) {
  const Error error = CurrentError();
  std::string arguments;
  try {
    arguments = call.Describe();
  } catch (...) {
  }
  ReportFailure(call.name, arguments, error, call.text);
  watched.Failed(arguments, error);
  return error.code();
}

void FailForNull(const char* name, Code code) {
  throw Error(code, fmt::format("{} must not be null", name),
              code == kRtParamInvalid ? kTextRuntimeNullPointer : kTextNullPointer);
}

}  // namespace foothold
