# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Moves a numpy array to the device and back."""
import acl
import numpy

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3
NORMAL_MEMORY = 2
FLOAT = 11  # as numpy numbers its types


def check(result):
    """The values of a call, without its error code."""
    values = result if isinstance(result, tuple) else (result,)
    if values[-1] != 0:
        raise SystemExit(f"error {values[-1]}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 2 else values[:-1]


def main():
    check(acl.init())
    check(acl.rt.set_device(0))
    stream = check(acl.rt.create_stream())
    begin, end = check(acl.rt.create_event()), check(acl.rt.create_event())

    numbers = numpy.arange(1 << 20, dtype=numpy.float32)
    result = numpy.zeros_like(numbers)
    size = numbers.nbytes
    first, second = check(acl.rt.malloc(size, NORMAL_MEMORY)), check(acl.rt.malloc(size, NORMAL_MEMORY))

    check(acl.rt.record_event(begin, stream))
    check(acl.rt.memcpy_async(first, size, acl.util.numpy_to_ptr(numbers), size, HOST_TO_DEVICE, stream))
    check(acl.rt.memcpy_async(second, size, first, size, DEVICE_TO_DEVICE, stream))
    check(acl.rt.memcpy_async(acl.util.numpy_to_ptr(result), size, second, size, DEVICE_TO_HOST, stream))
    check(acl.rt.record_event(end, stream))
    check(acl.rt.synchronize_stream(stream))
    print(f"{3 * size >> 20} MiB copied in {check(acl.rt.event_elapsed_time(begin, end)):.2f} ms")
    print("the array came back as it was:", numpy.array_equal(numbers, result))

    # An array over pinned memory of the host; device memory itself only copies may touch.
    pinned = check(acl.rt.malloc_host(16))
    view = acl.util.ptr_to_numpy(pinned, (4,), FLOAT)
    check(acl.rt.memcpy(pinned, 16, second, 16, DEVICE_TO_HOST))
    view *= -1
    check(acl.rt.memcpy(second, 16, pinned, 16, HOST_TO_DEVICE))
    check(acl.rt.memcpy(acl.util.numpy_to_ptr(result), 16, second, 16, DEVICE_TO_HOST))
    print("after a change on the device:", result[:6].tolist())
    check(acl.rt.free_host(pinned))

    for event in (begin, end):
        check(acl.rt.destroy_event(event))
    for pointer in (first, second):
        check(acl.rt.free(pointer))
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())


if __name__ == "__main__":
    main()
