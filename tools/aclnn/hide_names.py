#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Hides the aclnn operators that do not run from programs that look for names: the library, once it is linked, gets the
version of src/exports.map that only the loader takes for them, and its table of versions is no longer shown to linkers.
docs/decisions/0093 says why that does it.

    hide_names.py LIBRARY          edits the file, which may have been edited before
    hide_names.py --check LIBRARY  fails unless it is what would be made of it
"""

import mmap
import struct
import sys

import function_table

VERSION = b"FOOTHOLD_LINKED_ONLY"
FIRST = 2               # number of the first version that src/exports.map has
HIDDEN = 0x8000         # beside a number: not what the plain name means
# Types of sections, and what is shown instead of a table of versions. The name goes too: by it strip would know the type.
PLAIN_DATA, SYMBOLS, VERSIONS_DEFINED, VERSIONS = 1, 11, 0x6FFFFFFD, 0x6FFFFFFF
NAME, OTHER_NAME = b".gnu.version\0", b".gnu_version\0"
SYMBOL_BYTES = 24


class Section:
    def __init__(self, data, place):
        self.place = place
        self.name, self.type, _, _, self.offset, self.size, self.link, self.info, _, _ = struct.unpack_from("<IIQQQQIIQQ", data, place)


class Library:
    """An ELF file of 64 bits, little endian."""

    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit("not an ELF file of 64 bits, little endian")
        offset, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        self.sections = [Section(data, offset + number * size) for number in range(count)]
        self.section_names = self.sections[names]

    def text(self, table, offset):
        begin = table.offset + offset
        return self.data[begin:self.data.find(b"\0", begin)]

    def one(self, what, fits):
        found = [section for section in self.sections if fits(section)]
        if len(found) != 1:
            raise SystemExit(f"the library has {len(found)} sections with {what}, one is expected")
        return found[0]

    def symbols(self):
        return self.one("symbols for the loader", lambda section: section.type == SYMBOLS)

    def versions(self):
        """The versions of these symbols, whatever the section is called."""
        names = (NAME[:-1], OTHER_NAME[:-1])
        return self.one("versions", lambda section: self.text(self.section_names, section.name) in names)

    def first_version(self):
        """The name of the version that has the number FIRST."""
        defined = self.one("names of versions", lambda section: section.type == VERSIONS_DEFINED)
        place = defined.offset
        for _ in range(defined.info):
            _, _, number, _, _, names, step = struct.unpack_from("<HHHHIII", self.data, place)
            if number == FIRST:
                name, = struct.unpack_from("<I", self.data, place + names)
                return self.text(self.sections[defined.link], name)
            place += step
        return b""

    def places(self):
        """{name: where the version of this symbol is} of all that are defined."""
        symbols, versions = self.symbols(), self.versions()
        texts = self.sections[symbols.link]
        found = {}
        for number in range(symbols.size // SYMBOL_BYTES):
            name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", self.data, symbols.offset + number * SYMBOL_BYTES)
            if section != 0:
                found[self.text(texts, name).decode()] = versions.offset + 2 * number
        return found

    def hidden(self):
        return {name for name, place in self.places().items() if self.version_at(place) == FIRST | HIDDEN}

    def version_at(self, place):
        return struct.unpack_from("<H", self.data, place)[0]

    def shows_versions(self):
        return self.versions().type == VERSIONS

    def hide(self, names):
        for name, place in self.places().items():
            if name in names:
                struct.pack_into("<H", self.data, place, FIRST | HIDDEN)
        versions = self.versions()
        struct.pack_into("<I", self.data, versions.place + 4, PLAIN_DATA)
        begin = self.section_names.offset + versions.name
        self.data[begin:begin + len(OTHER_NAME)] = OTHER_NAME


def problems(library, names):
    if library.first_version() != VERSION:
        yield f"version {FIRST} of the library is not {VERSION.decode()}: src/exports.map has to have it first"
    yield from (f"{name} is not exported" for name in sorted(names - library.places().keys()))


def differences(library, names):
    hidden = library.hidden()
    yield from (f"{name} does not run, and can be found" for name in sorted(names - hidden))
    yield from (f"{name} runs, and cannot be found" for name in sorted(hidden - names))
    if library.shows_versions():
        yield "linkers see the versions, and will not link names that are hidden"


def main():
    check, path = sys.argv[1] == "--check", sys.argv[-1]
    names = set(function_table.exported(function_table.hidden(function_table.read())))
    with open(path, "rb" if check else "r+b") as file:
        library = Library(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ if check else mmap.ACCESS_WRITE))
        found = list(problems(library, names))
        if not found and check:
            found = list(differences(library, names))
        if found:
            sys.exit("\n".join(found))
        if not check:
            library.hide(names)
    print(f"{len(names)} functions can be linked and not found")


if __name__ == "__main__":
    main()
