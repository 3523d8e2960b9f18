// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/failure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace foothold {
namespace {

struct TextCodeRange {
  int first;
  int last;
  std::string_view text_code;
};

// Sorted, without overlaps.
constexpr std::array kTextCodes = {
    TextCodeRange{100000, 100000, "EH0001"},  // argument value
    TextCodeRange{100001, 100002, "EH0003"},  // order of init and finalize
    TextCodeRange{100003, 100008, "EH0005"},  // file
    TextCodeRange{100009, 100009, "EP0003"},  // dump configuration
    TextCodeRange{100010, 100010, "EK0001"},  // profiling configuration
    TextCodeRange{100011, 100019, "EH0006"},  // model
    TextCodeRange{100020, 100031, "EH0007"},  // operator
    TextCodeRange{100032, 100036, "EH0008"},  // stream, queue, subscription
    TextCodeRange{100037, 100037, "EH0003"},
    TextCodeRange{100038, 100041, "EH0001"},
    TextCodeRange{100042, 100043, "EK0002"},  // order of profiling calls
    TextCodeRange{100044, 100045, "EP0008"},  // order of dump calls
    TextCodeRange{107000, 107001, "EE1003"},  // argument value
    TextCodeRange{107002, 107002, "EE1001"},  // no current context
    TextCodeRange{107003, 107005, "EE1006"},  // object of another context or model
    TextCodeRange{107006, 107007, "EE1001"},
    TextCodeRange{107008, 107010, "EE1003"},
    TextCodeRange{107011, 107015, "EE1001"},  // order of calls
    TextCodeRange{107016, 107016, "EE1003"},
    TextCodeRange{107017, 107017, "EE1006"},
    TextCodeRange{107018, 107018, "EE1003"},
    TextCodeRange{107019, 107020, "EE1002"},  // time-out
    TextCodeRange{107021, 107021, "EE1001"},
    TextCodeRange{107022, 107023, "EE1008"},  // aborted
    TextCodeRange{107024, 107041, "EE1009"},  // capture
    TextCodeRange{107042, 107044, "EE1006"},
    TextCodeRange{107045, 107999, "EE1009"},
    TextCodeRange{145000, 145999, "EH0011"},  // graph engine
    TextCodeRange{148046, 148047, "EK0002"},
    TextCodeRange{148048, 148048, "EH0004"},  // initial configuration
    TextCodeRange{148049, 148053, "EH0007"},
    TextCodeRange{200000, 200000, "EH0010"},  // memory and other resources
    TextCodeRange{200001, 200001, "EH0009"},  // not supported
    TextCodeRange{200002, 200005, "EH0001"},
    TextCodeRange{200006, 200007, "EH0009"},
    TextCodeRange{207000, 207000, "EE1005"},  // not supported
    TextCodeRange{207001, 207018, "EE1007"},  // memory and other resources
    TextCodeRange{207019, 207019, "EE1005"},
    TextCodeRange{207020, 207020, "EE1002"},
    TextCodeRange{207021, 207999, "EE1005"},
    TextCodeRange{245000, 245999, "EH0010"},
    TextCodeRange{300000, 300000, "EH0010"},
    TextCodeRange{345000, 345999, "EH0011"},
    TextCodeRange{507000, 507000, "EE9999"},  // internal
    TextCodeRange{507001, 507010, "EE4001"},  // a task failed while it ran
    TextCodeRange{507011, 507011, "EE4001"},
    TextCodeRange{507012, 507012, "EE1002"},
    TextCodeRange{507013, 507045, "EE4001"},
    TextCodeRange{507046, 507047, "EE1002"},
    TextCodeRange{507048, 507909, "EE4001"},
    TextCodeRange{507910, 507911, "EE1003"},
    TextCodeRange{507912, 507999, "EE4001"},
    TextCodeRange{545000, 545999, "EH0011"},
};

constexpr std::string_view kInternal = "EH9999";

}  // namespace

std::string_view TextCode(Code code) noexcept {
  const int number = code;
  const auto row = std::find_if(kTextCodes.begin(), kTextCodes.end(),
                                [number](const TextCodeRange& range) { return number <= range.last; });
  return row != kTextCodes.end() && number >= row->first ? row->text_code : kInternal;
}

std::string FailureText(std::string_view api, std::string_view arguments, const Error& error) {
  const std::string_view text_code = error.text_code() ? error.text_code() : TextCode(error.code());
  return fmt::format("{}: {}({}) failed: {} [{}]", text_code, api, arguments, error.message(),
                     static_cast<int>(error.code()));
}

}  // namespace foothold
