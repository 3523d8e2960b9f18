// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl.h"
#include "python/chapters.h"
#include "python/structures.h"

namespace foothold {
namespace {

aclError Init(const std::optional<const char*>& config_path) {
  return aclInit(config_path.value_or(nullptr));
}

aclError GetVersionString(const char* package, std::string* version) {
  char text[ACL_PKG_VERSION_MAX_SIZE] = {};
  const aclError code = aclsysGetVersionStr(const_cast<char*>(package), text);
  *version = text;
  return code;
}

aclError GetVersionNumber(const char* package, std::int32_t* number) {
  return aclsysGetVersionNum(const_cast<char*>(package), number);
}

aclError GetAttributeList(std::vector<aclCannAttr>* attributes, std::size_t* count) {
  const aclCannAttr* list = nullptr;
  const aclError code = aclGetCannAttributeList(&list, count);
  if (code == ACL_SUCCESS) attributes->assign(list, list + *count);
  return code;
}

struct CallSite {
  std::string function, file;
  int line = 0;
};

std::string TextMember(const Object& object, const char* name) {
  return ReadText(Object::Steal(PyObject_GetAttrString(object.get(), name)).get());
}

// The line of Python that is running, as C programs say it with __func__, __FILE__ and __LINE__.
CallSite FindCallSite() {
  PyFrameObject* const frame = PyEval_GetFrame();
  if (frame == nullptr) return {};
  const Object code = Object::Steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  return {TextMember(code, "co_name"), TextMember(code, "co_filename"), PyFrame_GetLineNumber(frame)};
}

void AppLog(aclLogLevel level, const char* message) {
  const CallSite site = FindCallSite();
  WithoutGil([&] {
    aclAppLog(level, site.function.c_str(), site.file.c_str(), static_cast<std::uint32_t>(site.line), "%s",
              message);
  });
}

const Function kInitFunctions[] = {
    Bind<Init>("init", "config_path -> ret",
               "Initialises the process, with the path of a JSON file or without.", "aclInit"),
    Bind<aclFinalize>("finalize", "-> ret", "Ends the use of the API in this process."),
    Bind<aclFinalizeReference>("finalize_reference", "-> count, ret",
                               "Takes back one init; the last one ends the use of the API."),
    BindQuick<aclrtGetVersion>("get_version", "-> major, minor, patch, ret", "The version of the interface."),
    BindQuick<GetVersionString>("get_version_str", "package -> version, ret",
                                "The version of a package as text.", "aclsysGetVersionStr"),
    BindQuick<GetVersionNumber>("get_version_num", "package -> version, ret",
                                "The version of a package as a number.", "aclsysGetVersionNum"),
    BindQuick<aclsysGetCANNVersion>("get_cann_version", "package -> version, ret",
                                    "The version of a package in its parts."),
    BindQuick<GetAttributeList>("get_cann_attribute_list", "-> attributes, count, ret",
                                "The attributes that get_cann_attribute knows.", "aclGetCannAttributeList"),
    BindQuick<aclGetCannAttribute>("get_cann_attribute", "attribute -> value, ret",
                                   "Whether the installation has an attribute."),
    BindQuick<aclGetDeviceCapability>("get_device_capability", "device_id, info -> value, ret",
                                      "What a device can do."),
    BindQuick<aclrtGetSocName>("get_soc_name", "-> name",
                               "The name of the processor that devices stand for."),
    BindQuick<aclGetRecentErrMsg>("get_recent_err_msg", "-> message",
                                  "What the last failed call of this thread had to say. Asking clears it."),
    BindQuick<AppLog>("app_log", "level, message -> None",
                      "Writes a line to the log: level 0 debug, 1 info, 2 warning, 3 error.", "aclAppLog"),
    BindQuick<aclDataTypeSize>("data_type_size", "data_type -> size", "Bytes of an element."),
    BindQuick<aclFloat16ToFloat>("float16_to_float", "value -> result", "The value of 16 bits."),
    BindQuick<aclFloatToFloat16>("float_to_float16", "value -> bits", "The nearest value of 16 bits."),
};

}  // namespace

std::span<const Function> InitFunctions() {
  return kInitFunctions;
}

}  // namespace foothold
