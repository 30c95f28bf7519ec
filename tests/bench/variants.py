"""Kernels of one operation each, and what every variant of it takes: how good is the choice that dispatch makes?

An operation is executed REPEATS times inside a mark; its cycles are those of the hart that takes longest, cold start included.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPEATS = 16


def buffer(shape, element, space):
    return f"!tile.buffer<{'x'.join(map(str, shape))}x{element}, {space}>"


def kernel(inputs, result, operation):
    """`inputs`: (name, shape, element, input specification); `result`: (shape, element, space). `operation` names scratch buffers %name and %r."""
    arguments, body, host, types = [], [], [], []
    for name, shape, element, spec in inputs:
        outside, inside = buffer(shape, element, "global"), buffer(shape, element, "scratch")
        arguments.append(f"%g_{name}: {outside}")
        types.append(outside)
        body += [f"%{name} = tile.alloc : {inside}", f"tile.copy %g_{name}, %{name} : {outside}, {inside}"]
        host.append(f'%g_{name}: {outside} {{tile.name = "{name}", tile.input = "{spec}"}}')
    shape, element, space = result
    outside, inside = buffer(shape, element, "global"), buffer(shape, element, space)
    arguments.append(f"%g_r: {outside}")
    types.append(outside)
    host.append(f'%g_r: {outside} {{tile.name = "r", tile.output = "{"x".join(map(str, shape))}"}}')
    body += [f"%r = tile.alloc : {inside}", "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
             f"%n = arith.constant {REPEATS} : index", 'tile.mark "op" {', "scf.for %k = %c0 to %n step %c1 {", operation, "}", "}",
             f"tile.copy %r, %g_r : {inside}, {outside}"]
    names = ", ".join(argument.split(":")[0] for argument in arguments)
    return "\n".join([f"tile.kernel @k({', '.join(arguments)}) grid(%i) {{", *body, "}", f"func.func @main({', '.join(host)}) {{",
                      "%one = arith.constant 1 : index", f"tile.launch @k grid(%one) args({names}) : {', '.join(types)}", "return", "}", ""])


def x(shape, element="f32"):
    return ("x", shape, element, f"randn:{'x'.join(map(str, shape))}:seed=1")


def scratch(shape, element="f32"):
    return buffer(shape, element, "scratch")


def copy(shape, element="f32", to=None):
    to = to or element
    verb = "copy" if to == element else "cast"
    return verb, kernel([x(shape, element)], (shape, to, "scratch"),
                        f"tile.{verb} %x, %r : {scratch(shape, element)}, {scratch(shape, to)}")


def reduce(shape, dim, kind="add"):
    out = [1 if d == dim else extent for d, extent in enumerate(shape)]
    return "reduce", kernel([x(shape)], (out, "f32", "scratch"), f"tile.reduce <{kind}> %x, %r dims [{dim}] : {scratch(shape)}, {scratch(out)}")


def map_(shape, element="f32"):
    t = scratch(shape, element)
    return "map", kernel([x(shape, element)], (shape, element, "scratch"), f"""tile.map ins(%x : {t}) outs(%r : {t}) {{
^bb0(%a: {element}):
  %b = arith.mulf %a, %a : {element}
  %c = arith.addf %b, %a : {element}
  tile.yield %c : {element}
}}""")


def transpose(shape, permutation, element="f32"):
    out = [shape[d] for d in permutation]
    return "transpose", kernel([x(shape, element)], (out, element, "scratch"),
                               f"tile.transpose %x, %r permutation {permutation} : {scratch(shape, element)}, {scratch(out, element)}")


def gather(rows, columns, dim=0, table=256):
    source = [table, columns] if dim == 0 else [rows, table]
    index = [rows, 1] if dim == 0 else [rows, columns]
    indices = ("idx", index, "i32", f"randint:{'x'.join(map(str, index))}:low=0:high={table - 1}:seed=2")
    return "gather", kernel([x(source), indices], ([rows, columns], "f32", "scratch"),
                            f"tile.gather %x, %idx, %r dim {dim} : {scratch(source)}, {scratch(index, 'i32')}, {scratch([rows, columns])}")


def scan(shape, dim):
    return "scan", kernel([x(shape)], (shape, "f32", "scratch"), f"tile.scan <add> %x, %r dim {dim} : {scratch(shape)}, {scratch(shape)}")


def matmul(m, n, k, element="f16"):
    acc = buffer([m, n], "f32", "acc")
    return "matmul", kernel([x([m, k], element), ("y", [k, n], element, f"randn:{k}x{n}:seed=2")], ([m, n], "f32", "acc"),
                            f"tile.matmul %x, %y, %r : {scratch([m, k], element)}, {scratch([k, n], element)}, {acc}")


CASES = {
    "copy": (copy, [([8, 16],), ([64, 64],), ([128, 128],), ([16, 1024],), ([256, 64], "f16"), ([1000, 3],), ([2, 7],), ([64, 64], "f32", "f16")]),
    "reduce": (reduce, [([64, 64], 1), ([1024, 4], 1), ([16, 1024], 1), ([128, 128], 1), ([512, 8], 1), ([4, 4096], 1), ([200, 33], 1),
                        ([64, 64], 1, "max"), ([64, 64], 0), ([1024, 4], 0), ([16, 512], 0)]),
    "map": (map_, [([64, 64],), ([1000, 3],), ([2000, 2],), ([16, 1024],), ([300, 5],), ([128, 17],), ([512, 4], "f16")]),
    "transpose": (transpose, [([64, 64], [1, 0], "f16"), ([128, 32], [1, 0]), ([8, 8], [1, 0]), ([16, 256], [1, 0]), ([256, 16], [1, 0]),
                              ([16, 16, 64], [1, 0, 2])]),
    "gather": (gather, [(64, 64), (512, 4), (1000, 2), (128, 16), (16, 256), (32, 8), (64, 64, 1), (8, 200, 1)]),
    "scan": (scan, [([64, 64], 1), ([8, 1024], 1), ([512, 8], 1), ([1000, 4], 1), ([128, 32], 1), ([16, 16], 1), ([64, 64], 0), ([512, 4], 0)]),
    "matmul": (matmul, [(128, 128, 64), (64, 64, 64), (1, 64, 64), (1, 128, 128), (16, 16, 16), (4, 8, 8), (2, 256, 32), (64, 1, 64)]),
}

CANDIDATE = re.compile(r"^  ([ >]) (\w+) +(\d+) cycles  (?!.*; refused)")


def candidates(explanation, operation):
    """{variant: estimate} of those that apply, and the chosen one."""
    applying, chosen, inside = {}, None, False
    for line in explanation.splitlines():
        if not line.startswith("  "):
            inside = f"tile.{operation} " in line and "global" not in line
        elif inside and (found := CANDIDATE.match(line)):
            applying[found[2]] = int(found[3])
            if found[1] == ">":
                chosen = found[2]
    return applying, chosen


def cycles(forerun, file, target, *options):
    command = [str(forerun), "run", str(file), f"--target={target}", "--json", *options]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfailed with {process.returncode}:\n{process.stderr[-2000:]}")
    marks = json.loads(process.stdout)["launches"][0]["marks"]
    return marks[0]["longest_cycles"] / REPEATS, process.stderr


def measure(forerun, target, only=()):
    """Yields (name, {variant: (measured, estimated)}, chosen) for every case."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.mlir"
        for group, (make, shapes) in CASES.items():
            if only and group not in only:
                continue
            for shape in shapes:
                operation, text = make(*shape)
                file.write_text(text)
                _, explanation = cycles(forerun, file, target, "--explain-dispatch")
                applying, chosen = candidates(explanation, operation)
                results = {variant: (cycles(forerun, file, target, f"--prefer={operation}={variant}")[0], estimate)
                           for variant, estimate in applying.items()}
                yield f"{operation} {' '.join(map(str, shape))}", results, chosen


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: variants.py FORERUN TARGET [OPERATION...]: a line a case, with what each variant takes (and was estimated to)")
    worst = 1.0
    for name, results, chosen in measure(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]):
        best = min(measured for measured, _ in results.values())
        ratio = results[chosen][0] / best
        worst = max(worst, ratio)
        listing = "  ".join(f"{'*' if v == chosen else ''}{v} {m:.0f} ({e})" for v, (m, e) in results.items())
        print(f"{'ok ' if ratio <= 1.1 else 'BAD'} {ratio:5.2f}  {name:40} {listing}", flush=True)
    print(f"worst: {worst:.2f} of the best variant")
