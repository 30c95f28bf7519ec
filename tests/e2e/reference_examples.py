#!/usr/bin/env python3
"""Every line of the examples in the dialect's definitions stands in one of the kernel files that the tests run.

usage: reference_examples.py DIALECT_FOLDER KERNEL_FILE...
"""
import re
import sys
from pathlib import Path

# Lines that stand for others ("..."), and what no accelerator takes: swizzles are for GPUs (tests/compiler/backends/accelerator/layouts-errors.mlir).
LEFT_OUT = re.compile(r"^$|^}$|\.\.\.|swizzle\(")


def words(line):
    return " ".join(line.split())


def main():
    folder, kernels = Path(sys.argv[1]), list(map(Path, sys.argv[2:]))
    known = {words(line) for file in kernels for line in file.read_text().splitlines()}
    examples = missing = 0
    for definitions in sorted(folder.glob("*.td")):
        for block in re.findall(r"```mlir\n(.*?)```", definitions.read_text(), re.S):
            examples += 1
            for line in map(words, block.splitlines()):
                if not LEFT_OUT.search(line) and line not in known:
                    missing += 1
                    print(f"{definitions.name}: the example's line is in no kernel of {', '.join(file.name for file in kernels)}: {line}")
    if examples == 0:
        sys.exit(f"{folder}: no examples found")
    print(f"{examples} examples, {missing} lines missing")
    sys.exit(missing != 0)


main()
