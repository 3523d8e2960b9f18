// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/caller.h"

#include <Python.h>

#include <array>
#include <cstddef>

#include "python/object.h"

extern "C" {

struct FootholdFrame {
  const char* function;
  const char* file;
  int line;
};

// A library that does not check has neither.
[[gnu::weak]] int FootholdChecks(void);
[[gnu::weak]] void FootholdCheckCaller(const FootholdFrame* frames, std::size_t count);

}  // extern "C"

namespace foothold {
namespace {

constexpr std::size_t kMostFrames = 16;

#if PY_VERSION_HEX >= 0x03090000
Object CodeOf(PyFrameObject* frame) {
  return Object::Steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
}
Object CallerOf(PyFrameObject* frame) {
  auto* const caller = reinterpret_cast<PyObject*>(PyFrame_GetBack(frame));
  return caller == nullptr ? Object() : Object::Steal(caller);  // none at the outermost
}
#else
Object CodeOf(PyFrameObject* frame) {
  return Object::Borrow(reinterpret_cast<PyObject*>(frame->f_code));
}
Object CallerOf(PyFrameObject* frame) {
  return Object::Borrow(reinterpret_cast<PyObject*>(frame->f_back));
}
#endif

// Lives as long as the code does, which the frame keeps.
const char* TextOf(PyObject* text) {
  const char* const utf8 = PyUnicode_AsUTF8(text);
  if (utf8 == nullptr) PyErr_Clear();
  return utf8 == nullptr ? "" : utf8;
}

}  // namespace

bool Caller::Checks() {
  return FootholdChecks != nullptr && FootholdCheckCaller != nullptr && FootholdChecks() != 0;
}

void Caller::Tell() {
  std::array<FootholdFrame, kMostFrames> frames;
  std::array<Object, kMostFrames> kept;
  std::size_t count = 0;
  Object frame = Object::Borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.get() != nullptr && count < kMostFrames) {
    auto* const here = reinterpret_cast<PyFrameObject*>(frame.get());
    kept[count] = CodeOf(here);
    const auto* const code = reinterpret_cast<const PyCodeObject*>(kept[count].get());
    frames[count] = {TextOf(code->co_name), TextOf(code->co_filename), PyFrame_GetLineNumber(here)};
    ++count;
    frame = CallerOf(here);
  }
  FootholdCheckCaller(frames.data(), count);
  told_ = true;
}

void Caller::Forget() {
  FootholdCheckCaller(nullptr, 0);
}

}  // namespace foothold
