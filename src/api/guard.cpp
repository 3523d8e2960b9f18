// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/guard.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "base/failure_text.h"

namespace foothold {

void ShownArgument::AppendTo(std::string& out) const {
  const auto to = std::back_inserter(out);
  switch (kind_) {
    case Kind::kOther:
      out += "{...}";
      break;
    case Kind::kText:
      out += value_.text == nullptr ? std::string("null") : QuotedText({value_.text, strnlen(value_.text, 200)});
      break;
    case Kind::kPointer:
      if (value_.address == 0) {
        out += "null";
      } else {
        fmt::format_to(to, "{:#x}", value_.address);
      }
      break;
    case Kind::kTruth:
      out += value_.truth ? "true" : "false";
      break;
    case Kind::kFloat:
      fmt::format_to(to, "{}", static_cast<float>(value_.real));
      break;
    case Kind::kDouble:
      fmt::format_to(to, "{}", value_.real);
      break;
    case Kind::kUnsigned:
      fmt::format_to(to, "{}", value_.natural);
      break;
    case Kind::kSigned:
      fmt::format_to(to, "{}", value_.integer);
      break;
  }
}

std::string DescribeArguments(std::string_view names, std::initializer_list<ShownArgument> arguments) {
  std::string out;
  for (const ShownArgument& argument : arguments) {
    const auto comma = names.find(',');
    if (!out.empty()) out += ", ";
    out += names.substr(0, comma);
    out += '=';
    argument.AppendTo(out);
    names = comma == std::string_view::npos ? std::string_view()
                                            : names.substr(names.find_first_not_of(' ', comma + 1));
  }
  return out;
}

int ReportCaught(const char* name, Lasting text, const check::CallScope& watched,
                 std::string (*describe)(const void* call), const void* call) {
  const Error error = CurrentError();
  std::string arguments;
  try {
    arguments = describe(call);
  } catch (...) {
  }
  ReportFailure(name, arguments, error, text);
  watched.Failed(arguments, error);
  return error.code();
}

void FailForNull(const char* name, Code code) {
  throw Error(code, fmt::format("{} must not be null", name),
              code == kRtParamInvalid ? kTextRuntimeNullPointer : kTextNullPointer);
}

}  // namespace foothold
