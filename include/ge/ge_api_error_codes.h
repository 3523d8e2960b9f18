// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The Status of the Graph Engine: its structure, its general values, and the texts that belong to values.
#ifndef FOOTHOLD_GE_GE_API_ERROR_CODES_H_
#define FOOTHOLD_GE_GE_API_ERROR_CODES_H_

#include <stdint.h>

#include <map>
#include <string>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"

// Defines the constant `name` from its fields; GE_ERRORNO gives it a text as well.
#define GE_ERRORNO_DEFINE(runtime, type, level, sysid, modid, name, value)                               \
  constexpr ge::Status name =                                                                            \
      ((static_cast<uint32_t>(runtime) & 0x3U) << 30U) | ((static_cast<uint32_t>(type) & 0x3U) << 28U) | \
      ((static_cast<uint32_t>(level) & 0x7U) << 25U) | ((static_cast<uint32_t>(sysid) & 0xFFU) << 17U) | \
      ((static_cast<uint32_t>(modid) & 0x1FU) << 12U) | (static_cast<uint32_t>(value) & 0xFFFU)

#define GE_ERRORNO_EXTERNAL(name, desc) const ge::ErrorNoRegisterar g_errorno_##name((name), (desc))

#define GE_ERRORNO(runtime, type, level, sysid, modid, name, value, desc) \
  GE_ERRORNO_DEFINE(runtime, type, level, sysid, modid, name, value);     \
  GE_ERRORNO_EXTERNAL(name, desc)

namespace ge {

using Status = uint32_t;

constexpr Status SUCCESS         = 0U;
constexpr Status FAILED          = 0xFFFFFFFFU;
constexpr Status END_OF_SEQUENCE = 1343225863U;

constexpr Status GE_CLI_GE_NOT_INITIALIZED   = 1343229963U;
constexpr Status GE_SESSION_MANAGER_NOT_INIT = 1343238150U;

// Texts of Status values, for the whole process. Any thread.
class GE_FUNC_HOST_VISIBILITY StatusFactory {
 public:
  static StatusFactory* Instance();

  // The first text of a value stays.
  void RegisterErrorNo(const uint32_t err, const std::string& desc) { RegisterErrorNo(err, desc.c_str()); }
  void RegisterErrorNo(const uint32_t err, const char* const desc);

  // Empty for a value without a text.
  std::string GetErrDesc(const uint32_t err) {
    const AscendString text = GetErrDescV2(err);
    return std::string(text.GetString(), text.GetLength());
  }
  AscendString GetErrDescV2(const uint32_t err);

 protected:
  StatusFactory()  = default;
  ~StatusFactory() = default;

 private:
  // Prebuilt programs keep the texts they register here, in their own kind of string; the library never
  // looks.
  std::map<uint32_t, std::string> texts_of_programs_;
};

class ErrorNoRegisterar {
 public:
  ErrorNoRegisterar(const uint32_t err, const std::string& desc) noexcept {
    StatusFactory::Instance()->RegisterErrorNo(err, desc);
  }
  ErrorNoRegisterar(const uint32_t err, const char* const desc) noexcept {
    StatusFactory::Instance()->RegisterErrorNo(err, desc);
  }
  ~ErrorNoRegisterar() = default;
};

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_API_ERROR_CODES_H_
