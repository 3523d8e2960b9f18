// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error.h"

#include <new>

namespace foothold {

Error CurrentError() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(kBadAlloc, "the host is out of memory");
  } catch (const std::exception& error) {
    return Error(kInternalError, error.what());
  } catch (...) {
    return Error(kInternalError, "an exception that is not a std::exception was thrown");
  }
}

}  // namespace foothold
