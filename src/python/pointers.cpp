// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <pybind11/numpy.h>

#include <cstring>

#include "python/chapters.h"

namespace foothold {
namespace {

namespace py = pybind11;

[[noreturn]] void RaiseValueError(const std::string& text) {
  PyErr_SetString(PyExc_ValueError, text.c_str());
  throw PythonError();
}

void CheckAddress(const void* pointer, std::size_t size) {
  if (pointer == nullptr && size != 0) RaiseValueError("ptr is 0, and there is nothing to read");
}

// pybind11's errors are raised in its own way.
template <typename Body>
Object WithNumpy(Body&& body) {
  try {
    return Object::Steal(body().release().ptr());
  } catch (py::error_already_set& error) {
    error.restore();
    throw PythonError();
  }
}

// Not a copy: programs write to the address and then read the object.
std::uintptr_t BytesToPointer(Object data) {
  if (PyBytes_Check(data.get())) return reinterpret_cast<std::uintptr_t>(PyBytes_AS_STRING(data.get()));
  Py_buffer view;
  if (PyObject_GetBuffer(data.get(), &view, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    RefuseArgument("bytes", data.get(), "data");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(view.buf);
  PyBuffer_Release(&view);
  return address;
}

Object PointerToBytes(const void* pointer, std::size_t size) {
  CheckAddress(pointer, size);
  return Object::Steal(
      PyBytes_FromStringAndSize(static_cast<const char*>(pointer), static_cast<Py_ssize_t>(size)));
}

py::array CheckArray(const Object& object) {
  if (!py::isinstance<py::array>(object.get())) RefuseArgument("a numpy array", object.get(), "array");
  return py::reinterpret_borrow<py::array>(object.get());
}

bool IsContiguous(const py::array& array) {
  return (array.flags() & py::array::c_style) != 0;
}

std::uintptr_t AddressOf(const py::array& array) {
  return reinterpret_cast<std::uintptr_t>(array.data());
}

std::uintptr_t ArrayToPointer(Object object) {
  const py::array array = CheckArray(object);
  if (!IsContiguous(array) &&
      PyErr_WarnEx(
          PyExc_RuntimeWarning,
          "numpy_to_ptr: the elements of this array are not in order in memory; numpy_contiguous_to_ptr "
          "makes an array whose elements are",
          1) != 0)
    throw PythonError();
  return AddressOf(array);
}

// The only function without an error code that returns two values.
Object ContiguousArrayToPointer(Object object) {
  py::array array = CheckArray(object);
  return WithNumpy([&] {
    if (!IsContiguous(array)) array = py::array(array.attr("copy")("C"));
    return py::make_tuple(AddressOf(array), array);
  });
}

// Numbers of numpy's C interface: bool 0 to double 12 without long double, and half.
py::dtype ElementType(int number) {
  constexpr int kDouble = 12, kHalf = 23;
  if (!(number >= 0 && number <= kDouble) && number != kHalf)
    RaiseValueError("npy_type " + std::to_string(number) + " is none of 0 to 12 and 23");
  return py::dtype(number);
}

Object PointerToArray(void* pointer, const std::vector<py::ssize_t>& shape, int number) {
  std::size_t count = 1;
  for (const py::ssize_t extent : shape) {
    if (extent < 0) RaiseValueError("a negative extent in shape");
    count *= static_cast<std::size_t>(extent);
  }
  CheckAddress(pointer, count);
  // An owner other than the array keeps numpy from copying; the memory stays the program's.
  return WithNumpy([&] { return py::array(ElementType(number), shape, pointer, py::none()); });
}

const Function kPointersFunctions[] = {
    Bind<BytesToPointer>("bytes_to_ptr", "data -> ptr",
                         "The address of the object's own bytes, which must outlive its use.", "-"),
    Bind<PointerToBytes>("ptr_to_bytes", "ptr, size -> data", "A copy of what is at an address.", "-"),
    Bind<ArrayToPointer>("numpy_to_ptr", "array -> ptr",
                         "The address of the array's elements, which must outlive its use.", "-"),
    Bind<ContiguousArrayToPointer>(
        "numpy_contiguous_to_ptr", "array -> ptr_and_array",
        "The address of elements in order, and the array that owns them: the given one, "
        "or a copy.",
        "-"),
    Bind<PointerToArray>("ptr_to_numpy", "ptr, shape, npy_type -> array",
                         "An array over the memory at an address, which stays the program's.", "-"),
};

}  // namespace

std::span<const Function> PointerFunctions() {
  return kPointersFunctions;
}

}  // namespace foothold
