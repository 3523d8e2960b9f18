// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/failure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/error_catalogue.h"
#include "base/hccl_results.h"

namespace foothold {
namespace {

struct TextCodeRange {
  int first;
  int last;
  std::string_view text_code;
};

// Sorted, without overlaps.
constexpr std::array kTextCodes = {
    TextCodeRange{1, 2, "EI0003"},  // results of HCCL calls
    TextCodeRange{3, 3, "EI0011"},
    TextCodeRange{4, 4, "EI9999"},
    TextCodeRange{5, 7, "EI0003"},
    TextCodeRange{8, 8, "EI9999"},
    TextCodeRange{9, 9, "EI0006"},
    TextCodeRange{10, 24, "EI9999"},
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

constexpr TextCodeEntry kTextCodeMeanings[] = {
    {"E10001", "An option of the graph engine has a value that is not allowed."},
    {"E10016", "An option names an input or output that the model does not have."},
    {"E10055", "The graph engine does not support what is asked."},
    {"E10060", "An argument of a graph engine call has a value that is not allowed."},
    {"E10062", "A graph engine call came at the wrong moment: something has to be done before it."},
    {"E10501", "There is no operator of this type."},
    {"E13001", "A file of a graph or model is missing or cannot be used."},
    {"E13004", "A file of a graph or model cannot be written."},
    {"E13005", "A file of a graph or model is not of the expected form."},
    {"E13009", "Two nodes of a graph have one name."},
    {"E16001", "A value of an ONNX model is used, and nothing defines it."},
    {"E16002", "Nodes of an ONNX model cannot be imported."},
    {"E16004", "An ONNX model has no graph."},
    {"E16005", "An ONNX model names a domain of operators twice."},
    {"E19999", "Something went wrong inside the graph engine."},
    {"EE1001", "A runtime call came at the wrong moment: something has to be done before it."},
    {"EE1002", "A runtime call or task took longer than allowed."},
    {"EE1003", "An argument of a runtime call has a value that is not allowed."},
    {"EE1004", "A pointer given to a runtime call is null."},
    {"EE1005", "The runtime does not support what is asked."},
    {"EE1006", "A handle is unknown, or belongs to another context or model."},
    {"EE1007", "Memory or another resource of the runtime is used up."},
    {"EE1008", "Tasks were aborted on request."},
    {"EE1009", "A call does not fit a capture that is going on."},
    {"EE4001", "A task failed while it ran."},
    {"EE9999", "Something went wrong inside the runtime."},
    {"EH0001", "An argument of an ACL-layer call has a value that is not allowed."},
    {"EH0002", "A pointer given to an ACL-layer call is null."},
    {"EH0003", "aclInit or aclFinalize is missing, or was called too often."},
    {"EH0004", "A value of the initial configuration is not allowed."},
    {"EH0005", "A file is missing, not readable or not of the expected form."},
    {"EH0006", "A model cannot be loaded or does not fit its use."},
    {"EH0007", "An operator is unknown or does not fit its use."},
    {"EH0008", "A stream, queue or subscription does not fit the call."},
    {"EH0009", "The library does not support what is asked."},
    {"EH0010", "Memory or another resource of the host is used up."},
    {"EH0011", "The graph engine refused a graph, a model or its data."},
    {"EH9999", "Something went wrong inside the library."},
    {"EI0001", "An environment variable of collectives has a value that is not allowed."},
    {"EI0002", "A collective waited too long for another rank."},
    {"EI0003", "An argument of a collective or of a communicator has a value that is not allowed."},
    {"EI0004", "A rank table cannot be read."},
    {"EI0005", "Ranks passed different arguments to one collective."},
    {"EI0006", "A connection between ranks was not made in time."},
    {"EI0011", "Memory or another resource for collectives is used up."},
    {"EI0014", "A value of a rank table is not allowed."},
    {"EI0015", "Ranks are missing where a communicator is made."},
    {"EI0016", "The configuration of a communicator is not acceptable."},
    {"EI0019", "An address or port for collectives is in use."},
    {"EI9999", "Something went wrong inside the collectives."},
    {"EK0001", "The profiling configuration is not acceptable."},
    {"EK0002", "A profiling call came at the wrong moment."},
    {"EP0001", "The dump configuration lacks an item."},
    {"EP0002", "A value of the dump configuration is not one of those allowed."},
    {"EP0003", "A value of the dump configuration cannot be used."},
    {"EP0004", "The dump configuration is not valid JSON."},
    {"EP0005", "Items of the dump configuration exclude each other."},
    {"EP0006", "An argument of a dump call has a value that is not allowed."},
    {"EP0007", "A pointer given to a dump call is null."},
    {"EP0008", "A dump call came at the wrong moment."},
    {"W10001", "An option has no effect here."},
    {"W11001", "The graph engine was initialised twice, or finalised without need."},
};

}  // namespace

std::string_view TextCode(Code code) noexcept {
  const int number = code;
  const auto row = std::find_if(kTextCodes.begin(), kTextCodes.end(),
                                [number](const TextCodeRange& range) { return number <= range.last; });
  return row != kTextCodes.end() && number >= row->first ? row->text_code : kInternal;
}

std::span<const TextCodeEntry> AllTextCodes() noexcept {
  return kTextCodeMeanings;
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string FailureText(std::string_view api, std::string_view arguments, const Error& error) {
  const std::string_view text_code = error.text_code() ? error.text_code() : TextCode(error.code());
  const std::string& message = error.message();
  const bool ended =
      !message.empty() && std::string_view(".!?").find(message.back()) != std::string_view::npos;
  const int number = error.code();
  std::string text =
      fmt::format("{}: {}({}) failed: {}{} ", text_code, api, arguments, message, ended ? "" : ".");
  const CatalogueEntry* entry = FindError(number);
  if (const HcclResultEntry* const result = FindHcclResult(number))
    return text + fmt::format("[{} {}]", result->name, number);
  if (entry == nullptr) return text + fmt::format("[{}]", number);
  return text + fmt::format("[{} {}] Fix: {} More: foothold explain {}", entry->name, number,
                            SplitText(entry->fixes, '\n').front(), number);
}

}  // namespace foothold
