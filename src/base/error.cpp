// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

#include "base/thread_end.h"

namespace foothold {
namespace {

// Made while memory is still there, and never destroyed: failures are reported until the very end of a
// process.
const std::shared_ptr<const Error>& OutOfMemory() {
  static const auto* const error =
      new std::shared_ptr<const Error>(std::make_shared<const Error>(kBadAlloc, "the host is out of memory"));
  return *error;
}

[[maybe_unused]] const std::shared_ptr<const Error>& made_at_load = OutOfMemory();

}  // namespace

FOOTHOLD_HANDLES_END_OF_THREAD Error CurrentError() {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return error;
    } catch (const std::bad_alloc&) {
      return *OutOfMemory();
    } catch (const std::system_error& error) {
      const bool is_shortage = error.code() == std::errc::resource_unavailable_try_again;
      return Error(is_shortage ? kRtResourceAllocFail : kInternalError, error.what());
    } catch (const std::exception& error) {
      return Error(kInternalError, error.what());
    } catch (const EndOfThread&) {
      throw;
    } catch (...) {
      return Error(kInternalError, "an exception that is not a std::exception was thrown");
    }
  } catch (const EndOfThread&) {
    throw;
  } catch (...) {  // there was no memory for the text of the failure
    return *OutOfMemory();
  }
}

void FailFormatted(Code code, fmt::string_view format, fmt::format_args arguments) {
  throw Error(code, fmt::vformat(format, arguments));
}

std::shared_ptr<const Error> Share(const Error& error) noexcept try {
  return std::make_shared<const Error>(error);
} catch (...) {
  return OutOfMemory();
}

}  // namespace foothold
