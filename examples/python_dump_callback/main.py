# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What every operator of a model computes, handed to a function of the program.

main.py MODEL
"""
import collections
import json
import pathlib
import sys
import tempfile

import acl

NORMAL_MEMORY = 2


def check(result):
    """The values of a call, without its error code."""
    values = result if isinstance(result, tuple) else (result,)
    if values[-1] != 0:
        raise SystemExit(f"error {values[-1]}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 2 else values[:-1]


class Collector:
    """Puts the pieces of files together in memory."""

    def __init__(self):
        self.files, self.complete = collections.defaultdict(bytes), set()

    def receive(self, chunk):
        # The address is good only until this function returns.
        self.files[chunk["file_name"]] += acl.util.ptr_to_bytes(chunk["data_buf"], chunk["buf_len"])
        if chunk["is_last_chunk"]:
            self.complete.add(chunk["file_name"])

    def show(self, title):
        print(title)
        for name, data in sorted(self.files.items(), key=lambda file: file[0].rpartition(".")[2]):
            operator = ".".join(pathlib.PurePath(name).name.split(".")[:2])
            print(f"  {operator:40} {len(data):6} bytes")
        if not self.files or self.complete != set(self.files):
            raise SystemExit("something is missing")


def make_dataset(size):
    pointer, dataset = check(acl.rt.malloc(size, NORMAL_MEMORY)), acl.mdl.create_dataset()
    check(acl.rt.memset(pointer, size, 0, size))
    check(acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(pointer, size)))
    return dataset


def free_dataset(dataset):
    buffer = acl.mdl.get_dataset_buffer(dataset, 0)
    check(acl.rt.free(acl.get_data_buffer_addr(buffer)))
    check(acl.destroy_data_buffer(buffer))
    check(acl.mdl.destroy_dataset(dataset))


def load_and_run(path):
    model, desc = check(acl.mdl.load_from_file(path)), acl.mdl.create_desc()
    check(acl.mdl.get_desc(desc, model))
    inputs = make_dataset(acl.mdl.get_input_size_by_index(desc, 0))
    outputs = make_dataset(acl.mdl.get_output_size_by_index(desc, 0))
    check(acl.mdl.execute(model, inputs, outputs))
    free_dataset(inputs)
    free_dataset(outputs)
    check(acl.mdl.destroy_desc(desc))
    return model


def with_init_dump(path):
    collector = Collector()
    check(acl.init())
    check(acl.rt.set_device(0))
    check(acl.mdl.init_dump())
    check(acl.mdl.dump_reg_callback(collector.receive, 0))
    model = load_and_run(path)
    acl.mdl.dump_unreg_callback()
    check(acl.mdl.finalize_dump())
    check(acl.mdl.unload(model))
    check(acl.rt.reset_device(0))
    check(acl.finalize())
    collector.show("switched on by init_dump:")


def with_configuration(path):
    collector = Collector()
    with tempfile.TemporaryDirectory() as folder:
        configuration = pathlib.Path(folder) / "acl.json"
        # A path is needed, though the function takes its place.
        dump = {"dump_path": folder, "dump_mode": "output", "dump_list": [{}]}
        configuration.write_text(json.dumps({"dump": dump}))
        check(acl.init(str(configuration)))
        check(acl.rt.set_device(0))
        check(acl.mdl.dump_reg_callback(collector.receive, 0))
        model = load_and_run(path)
        acl.mdl.dump_unreg_callback()
        check(acl.mdl.unload(model))
        check(acl.rt.reset_device(0))
        check(acl.finalize())
        written = [file.name for file in pathlib.Path(folder).iterdir()]
    collector.show("switched on by acl.init:")
    print("files on the disk:", [name for name in written if name != "acl.json"])


def main():
    with_init_dump(sys.argv[1])
    with_configuration(sys.argv[1])


if __name__ == "__main__":
    main()
