#!/usr/bin/env python3
"""Makes the expected values of DataTest.cpp with NumPy and ml_dtypes; the results are committed.

Needed only to change the cases: python3 -m venv v && v/bin/pip install numpy ml_dtypes && v/bin/python generate.py
"""
import functools
import os
from fractions import Fraction

import ml_dtypes
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(1)


def save(name, array):
    # ml_dtypes arrays become raw bytes ('<V2'), as compiler/runtime/Npy.h says.
    np.save(os.path.join(HERE, name + ".npy"), array)


def saturating(x, dtype):
    info = np.iinfo(dtype)
    with np.errstate(all="ignore"):
        y = np.trunc(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300))
        return np.clip(y, info.min, info.max).astype(np.int64).astype(dtype)


def casts():
    x = np.zeros(64, np.float32)
    edges = [np.nan, np.inf, -np.inf, 0.0, -0.0, 65504, 65519.99, 65520, 1.0 + 2**-11, 1.0 + 3 * 2**-11, 2**-24, 2**-25, 2**-25 + 2**-40, 3.4e38,
             1.0 + 2**-8, 1.0 + 3 * 2**-8, 2**-133, 2**-134, 127.5, 128.0, -128.9, -129, 2147483648.0, -2147483648.0, 2147483520.0, 0.999, -0.999]
    x[: len(edges)] = edges
    x[len(edges):] = rng.normal(size=64 - len(edges)) * 100
    i = np.array([0, 1, -1, 33685505, -33685505, 2147483647, -2147483648, 16777217, 16777219, 2049, 2051, 65519, 65520, 300, -129, 257], np.int32)
    save("casts_x", x)
    save("casts_i", i)
    with np.errstate(all="ignore"):
        save("casts_xf16", x.astype(np.float16))
        save("casts_xbf16", x.astype(ml_dtypes.bfloat16))
        save("casts_xi8", saturating(x, np.int8))
        save("casts_xi32", saturating(x, np.int32))
        save("casts_if32", i.astype(np.float32))
        save("casts_if16", i.astype(np.float64).astype(np.float16))
        # ml_dtypes goes through f32; rounding once is wanted: f64 holds i32 exactly, and the rounding below is on its bits.
        save("casts_ibf16", round_to_bf16(i.astype(np.float64)))
        save("casts_ii8", i.astype(np.int8))


def round_to_bf16(x):
    out = np.zeros(x.shape, np.float64)
    for at, value in np.ndenumerate(x):
        if value == 0 or not np.isfinite(value):
            out[at] = value
            continue
        exponent = max(np.frexp(value)[1] - 8, -133)
        scaled = Fraction(float(value)) / Fraction(2) ** int(exponent)
        out[at] = np.copysign(float(round(scaled) * Fraction(2) ** int(exponent)), value)  # round() ties to even
    return out.astype(ml_dtypes.bfloat16)  # exact


def reductions():
    x = rng.normal(size=(5, 19)).astype(np.float32)
    x[1, 7], x[1, 11] = np.nan, np.nan
    x[2, 3], x[2, 9] = np.inf, np.inf
    x[3, :] = 0.0
    x[3, 5] = -0.0
    x[4, 4] = -np.inf
    save("reductions_x", x)
    with np.errstate(all="ignore"):
        save("reductions_max", x.max(axis=1, keepdims=True))
        low = x.min(axis=1, keepdims=True)
        low[3, 0] = -0.0
        save("reductions_min", low)
        save("reductions_maxnum", np.fmax.reduce(x, axis=1, keepdims=True))
        save("reductions_argmax", x.argmax(axis=1).reshape(5, 1).astype(np.int32))
        arg = x.argmin(axis=1).reshape(5, 1).astype(np.int32)
        arg[3, 0] = 5  # -0 < +0
        save("reductions_argmin", arg)
        save("reductions_sum", x.astype(np.float64).sum(axis=1, keepdims=True).astype(np.float32))
        save("reductions_prod", x.astype(np.float64).prod(axis=0, keepdims=True).astype(np.float32))


def elementwise(name, dtype, tiny):
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, tiny, -tiny, 1.0])
    x, y = rng.normal(size=(16, 16)), rng.normal(size=(16, 16))
    x[:, :8] = special.reshape(1, 8)
    y[:8, :] = special.reshape(8, 1)
    b = rng.normal(size=(1, 16))
    x, y, b = x.astype(dtype), y.astype(dtype), b.astype(dtype)
    w = lambda a: a.astype(np.float64)
    save(f"elementwise_{name}_x", x)
    save(f"elementwise_{name}_y", y)
    save(f"elementwise_{name}_b", b)

    def back(a):
        return a.astype(dtype) if dtype != ml_dtypes.bfloat16 else round_to_bf16(a)

    with np.errstate(all="ignore"):
        save(f"elementwise_{name}_add", back(w(x) + w(b)))
        save(f"elementwise_{name}_mul", back(w(x) * w(y)))
        save(f"elementwise_{name}_div", back(w(x) / w(y)))
        maximum = np.maximum(w(x), w(y))
        zeros = (w(x) == 0) & (w(y) == 0)
        maximum[zeros] = np.where(np.signbit(w(x)) & np.signbit(w(y)), -0.0, 0.0)[zeros]
        save(f"elementwise_{name}_max", back(maximum))


def round_to_f32(value):
    """Fraction -> float32, nearest even (normal range)."""
    if value == 0:
        return Fraction(0)
    exponent = 0
    magnitude = abs(value)
    while magnitude >= Fraction(2) ** (exponent + 1):
        exponent += 1
    while magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 23)
    return round(value / unit) * unit


def matmul(name, dtype, m, n, k):
    a, b = rng.normal(size=(m, k)).astype(dtype), rng.normal(size=(k, n)).astype(dtype)
    save(f"matmul_{name}_a", a)
    save(f"matmul_{name}_b", b)
    fa = [[Fraction(float(v)) for v in row] for row in a]
    fb = [[Fraction(float(v)) for v in row] for row in b]
    c = np.zeros((m, n), np.float32)
    for i in range(m):
        for j in range(n):
            acc = Fraction(0)
            for p in range(k):  # k ascending, one rounding a step
                acc = round_to_f32(fa[i][p] * fb[p][j] + acc)
            c[i, j] = float(acc)
    save(f"matmul_{name}_c", c)


def matmul_i8(m, n, k):
    a, b = rng.integers(-128, 128, (m, k)).astype(np.int8), rng.integers(-128, 128, (k, n)).astype(np.int8)
    save("matmul_i8_a", a)
    save("matmul_i8_b", b)
    save("matmul_i8_c", a.astype(np.int32) @ b.astype(np.int32))


def rows():
    x = (rng.normal(size=(11, 37)) * 3).astype(np.float32)
    save("rows_x", x)
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    save("rows_softmax", (e / e.sum(axis=1, keepdims=True)).astype(np.float32))
    gamma, beta = rng.normal(size=37).astype(np.float32), rng.normal(size=37).astype(np.float32)
    save("rows_gamma", gamma)
    save("rows_beta", beta)
    centred = wide - wide.mean(axis=1, keepdims=True)
    norm = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + np.float64(np.float32(1e-5)))
    save("rows_layer_norm", (norm * gamma + beta).astype(np.float32))


def accumulate(x, op, axis, exclusive=False, reverse=False, first=None):
    x = np.flip(x, axis) if reverse else x
    y = np.array(op.accumulate(x, axis=axis, dtype=x.dtype))  # one rounding a step, in order
    if exclusive:
        y = np.roll(y, 1, axis)
        y[(slice(None),) * axis + (0,)] = first
    return np.flip(y, axis) if reverse else y


def scans(name, x, zero, greatest):
    save(f"scans_{name}_x", x)
    with np.errstate(all="ignore"):
        save(f"scans_{name}_along", np.stack([
            accumulate(x, np.add, 1), accumulate(x, np.add, 1, True, first=zero), accumulate(x, np.add, 1, True, True, zero),
            accumulate(x, np.multiply, 1), accumulate(x, np.minimum, 1), accumulate(x, np.maximum, 1, reverse=True)]))
        save(f"scans_{name}_across", np.stack([
            accumulate(x, np.add, 0), accumulate(x, np.add, 0, True, True, zero), accumulate(x, np.multiply, 0, reverse=True),
            accumulate(x, np.minimum, 0, True, first=greatest), accumulate(x, np.maximum, 0)]))


def philox(seed, position):
    """Word position % 4 of Philox4x32-10 at counter position // 4 (Salmon et al., SC 2011)."""
    mask = 0xFFFFFFFF
    block = position // 4
    c, k = [block & mask, block >> 32, 0, 0], [seed & mask, seed >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & mask, (p >> 32) ^ c[3] ^ k[1], p & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c[position % 4]


def indexed():
    local = np.random.default_rng(2)
    rows, columns = 37, 70
    x = local.normal(size=(rows, columns)).astype(np.float32)
    ids = local.integers(-3, 45, (rows, columns)).astype(np.int32)
    pick = ids[:, 3]
    y = np.zeros((11, rows, columns), np.float32)
    for i in range(rows):
        if 0 <= pick[i] < rows:
            y[0, i] = x[pick[i]]
        for j in range(columns):
            if 0 <= ids[i, j] < rows:
                y[2, i, j] = x[ids[i, j], j]
            if 0 <= ids[i, j] < columns:
                y[3, i, j] = x[i, ids[i, j]]
    y[1] = y[0]
    y[4:9] = x
    for i in range(rows):
        if 0 <= pick[i] < rows:
            y[4, pick[i]] = y[4, pick[i]] + x[i]
            y[5, pick[i]] = x[i]
        for j in range(columns):
            at = ids[i, j]
            if 0 <= at < rows:
                y[6, at, j] = max(y[6, at, j], x[i, j])
            if 0 <= at < columns:
                y[7, i, at] = y[7, i, at] * x[i, j]
                y[8, i, at] = x[i, j]
    y[9] = x[0]
    y[10] = np.arange(columns, dtype=np.float32)
    bits = [[philox(81985529216486895, i * 1000 + j) for j in range(columns)] for i in range(rows)]
    save("indexed_x", x)
    save("indexed_ids", ids)
    save("indexed_y", y)
    save("indexed_bits", np.array(bits, np.uint32).view(np.int32))


def saturating8(x, dtype, greatest):
    with np.errstate(all="ignore"):
        return np.clip(x, -greatest, greatest).astype(dtype)  # NaN stays


def casts8():
    # Every f16, f32 ties of the formats and their neighbours, and every code back.
    x = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    codes = np.arange(256, dtype=np.uint8)
    near = [codes.view(t).astype(np.float32) for t in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)]
    ties = np.concatenate([(n[:-1] + n[1:]) / 2 for n in near])
    x = np.concatenate([x, ties, np.nextafter(ties, np.float32(np.inf)), np.nextafter(ties, np.float32(-np.inf)), [1.0625001]]).astype(np.float32)
    x = np.resize(x, (258, 260))
    save("casts_f8_x", x)
    save("casts_f8_e4m3", saturating8(x, ml_dtypes.float8_e4m3fn, 448))
    save("casts_f8_e5m2", saturating8(x, ml_dtypes.float8_e5m2, 57344))
    for name, dtype in (("e4m3", ml_dtypes.float8_e4m3fn), ("e5m2", ml_dtypes.float8_e5m2)):
        save(f"casts_f8_{name}_codes", codes.view(dtype))
        save(f"casts_f8_from_{name}", codes.view(dtype).astype(np.float32))


def casts_small():
    # As casts8, for the types of 4 bits, for scales, and for 8-bit floats that do not saturate. Where ml_dtypes has no
    # number the language gives one: 0 for NaN to f4E2M1FN, 2^-127 for zeros to f8E8M0FNU. (It rounds subnormal numbers up
    # that lie just below the middle of 2^-127 and 2^-126: left out.)
    x = np.arange(0, 65536, 7, dtype=np.uint16).view(np.float16).astype(np.float32)
    powers = np.float32(2.0) ** np.arange(-140, 128, dtype=np.float32)
    x = np.concatenate([x, powers, powers * np.float32(1.5), np.nextafter(powers[14:] * np.float32(1.5), np.float32(0)), -powers, [448, 464, 464.1, 61439, 61440]])
    x = np.resize(x.astype(np.float32), (37, 283))
    with np.errstate(all="ignore"):
        save("casts_small_x", x)
        save("casts_small_int4", saturating4(x))
        save("casts_small_float4", np.where(np.isnan(x), np.float32(0), x).astype(ml_dtypes.float4_e2m1fn))
        scales = np.where(x == 0, np.float32(2.0**-127), np.minimum(x, np.float32(2.0**127))).astype(ml_dtypes.float8_e8m0fnu)
        save("casts_small_scale", scales)
        save("casts_small_open4", x.astype(ml_dtypes.float8_e4m3fn))
        save("casts_small_open5", x.astype(ml_dtypes.float8_e5m2))
        save("casts_small_fromScale", scales.astype(np.float32))
        save("casts_small_fromFloat4", np.where(np.isnan(x), np.float32(0), x).astype(ml_dtypes.float4_e2m1fn).astype(np.float32))


def saturating4(x):
    return np.clip(np.trunc(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=8, neginf=-9)), -8, 7).astype(np.int8)


def scaled_product():
    local = np.random.default_rng(11)
    def operand(rows, columns, dtype):
        return local.normal(size=(rows, columns)).astype(np.float32).astype(dtype)
    def scale(rows, columns):
        return local.integers(120, 134, (rows, columns)).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    wide = lambda x: x.astype(np.float64)
    f4, e5 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e5m2
    a, b, at, bt = operand(11, 70, f4), operand(70, 13, e5), operand(70, 11, f4), operand(13, 70, e5)
    sa, sb, sat, sbt = scale(11, 3), scale(3, 13), scale(3, 11), scale(13, 3)
    blocks = lambda s, axis: np.take(np.repeat(wide(s), 32, axis), range(70), axis)
    c = (wide(a) * blocks(sa, 1)) @ (wide(b) * blocks(sb, 0))
    d = c + (wide(at) * blocks(sat, 0)).T @ (wide(bt) * blocks(sbt, 1)).T
    for name, array in dict(a=a, b=b, at=at, bt=bt, sa=sa, sb=sb, sat=sat, sbt=sbt, c=c.astype(np.float32), d=d.astype(np.float32)).items():
        save("scaled_" + name, array)


def order(line, descending):
    """Positions in order: -0 < +0, NaNs equal and greatest, equal ones by position."""
    def key(i):
        v = float(line[i])
        return (1, 0.0, 0) if np.isnan(v) else (0, v, 0 if v != 0 or np.signbit(v) else 1)
    if not descending:
        return sorted(range(len(line)), key=key)
    return sorted(range(len(line)), key=functools.cmp_to_key(lambda a, b: (key(a) < key(b)) - (key(a) > key(b))))


def orderings(name, x):
    along = np.array([order(row, False) for row in x], np.int32)
    alongDown = np.array([order(row, True) for row in x], np.int32)
    down = np.ascontiguousarray(np.array([order(column, True) for column in x.T], np.int64).T)
    take = np.take_along_axis
    save(f"orderings_{name}_x", x)
    save(f"orderings_{name}_y", np.stack([take(x, along, 1), take(x, down, 0), take(x, alongDown, 1)]))
    save(f"orderings_{name}_p", along[None])
    save(f"orderings_{name}_q", down[None])
    save(f"orderings_{name}_few", np.stack([take(x, alongDown, 1)[:, :5], take(x, along, 1)[:, :5]]))
    save(f"orderings_{name}_fewP", alongDown[None, :, :5])
    save(f"orderings_{name}_top", take(x, down, 0)[None, :5])
    save(f"orderings_{name}_topP", down[None, :5])
    counts = np.bincount(along.ravel(), minlength=50)[:50]
    save(f"orderings_{name}_counts", np.stack([counts, counts + np.bincount(down.ravel(), minlength=50)[:50]]).astype(np.int32))


def collections():
    local = np.random.default_rng(3)
    x = local.normal(size=(9, 70)).astype(np.float32)
    scans("f32", x, -0.0, np.inf)
    scans("i32", local.integers(-2**31, 2**31, (9, 70)).astype(np.int32), 0, 2**31 - 1)
    ties = np.round(x * 2) / 2  # many equal ones, zeros of both signs among them
    ties[2, 10:13] = np.nan
    ties[3, 5], ties[4, 6] = np.inf, -np.inf
    orderings("f32", ties.astype(np.float32))
    orderings("i8", local.integers(-128, 128, (9, 70)).astype(np.int8))
    indexed()
    casts8()


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def kernels():
    """Examples by their definitions, in double precision."""
    local = np.random.default_rng(4)

    def normal(*shape, dtype=np.float32):
        return local.normal(size=shape).astype(dtype)

    def keep(kernel, **arrays):
        for name, array in arrays.items():
            save(f"kernel_{kernel}_{name}", array)

    wide = lambda a: a.astype(np.float64)
    a, b = normal(9, 70, dtype=np.float16), normal(70, 6, dtype=np.float16)
    keep("gemm_split_k", a=a, b=b, c=(wide(a) @ wide(b)).astype(np.float32))

    offsets = np.array([0, 5, 5, 17, 23], np.int32)
    a, b = normal(23, 10, dtype=np.float16), normal(4, 10, 9, dtype=np.float16)
    c = np.concatenate([wide(a[i:j]) @ wide(w) for i, j, w in zip(offsets, offsets[1:], b)])
    keep("grouped_gemm", a=a, b=b, offsets=offsets, c=c.astype(np.float32))

    q, s = local.integers(-128, 128, (8, 6)).astype(np.int8), local.uniform(0.1, 1, (2, 6)).astype(np.float16)
    low, high = (q << 4).astype(np.int8) >> 4, q >> 4
    weights = np.concatenate([half[4 * g:4 * g + 4] * s[g] for g in range(2) for half in (low.astype(np.float16), high.astype(np.float16))])
    a = normal(5, 16, dtype=np.float16)
    keep("gemm_int4", a=a, q=q, scales=s, c=(wide(a) @ wide(weights)).astype(np.float16))

    a, b = local.integers(-128, 128, (5, 64)).astype(np.int8), local.integers(-128, 128, (64, 6)).astype(np.int8)
    sa, sb = local.integers(110, 140, (5, 2)).astype(np.uint8), local.integers(110, 140, (2, 6)).astype(np.uint8)
    c = (a * np.repeat(2.0 ** (sa - 127.0), 32, 1)) @ (b * np.repeat(2.0 ** (sb - 127.0), 32, 0))
    powers = ml_dtypes.float8_e8m0fnu
    keep("gemm_mx", a=a, b=b, sa=sa.view(powers), sb=sb.view(powers), c=c.astype(np.float32))

    a, b = normal(5, 20).astype(ml_dtypes.float8_e4m3fn), normal(20, 6).astype(ml_dtypes.float8_e5m2)
    sa, sb = local.uniform(0.1, 1, (5, 1)).astype(np.float32), local.uniform(0.1, 1, (1, 6)).astype(np.float32)
    keep("gemm_fp8", a=a, b=b, scaleA=sa, scaleB=sb, c=((wide(a) @ wide(b)) * sa * sb).astype(np.float32))

    x = normal(11, 37)
    keep("arrays", x=x, transposed=np.ascontiguousarray(x.T), scan=np.cumsum(wide(x)).reshape(x.shape).astype(np.float32),
         rows=np.cumsum(wide(x), axis=1).astype(np.float32), sum=np.array([wide(x).sum()], np.float32),
         sums=np.tile(wide(x).sum(axis=0).astype(np.float32), (11, 1)))
    x = local.integers(-128, 128, (11, 37)).astype(np.int8)
    keep("histogram", x=x, counts=np.bincount(x.view(np.uint8).ravel(), minlength=256).astype(np.int32))

    x, dy, gamma = normal(11, 37), normal(11, 37), normal(37)
    centred = wide(x) - wide(x).mean(axis=1, keepdims=True)
    scale = 1 / np.sqrt((centred**2).mean(axis=1, keepdims=True) + np.float64(np.float32(1e-5)))
    u, w = centred * scale, wide(dy) * gamma
    dx = scale * (w - w.mean(axis=1, keepdims=True) - u * (w * u).mean(axis=1, keepdims=True))
    keep("layer_norm_backward", x=x, dy=dy, gamma=gamma, dx=dx.astype(np.float32), dgamma=(dy * u).sum(axis=0).astype(np.float32),
         dbeta=wide(dy).sum(axis=0).astype(np.float32))

    q, k, v, lengths = normal(2, 4, 9, 16), normal(2, 2, 9, 16), normal(2, 2, 9, 16), np.array([9, 4], np.int32)
    o = np.full(q.shape, np.nan)  # what is never written
    whole = np.zeros((4, 9, 16))
    for s in range(2):
        for h in range(4):
            def causal(n):
                scores = wide(q[s, h, :n]) @ wide(k[s, h // 2, :n]).T * 0.125
                return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)) @ wide(v[s, h // 2, :n])
            o[s, h, :lengths[s]] = causal(lengths[s])
            if s == 0:
                whole[h] = causal(9)
    keep("attention", q=q[0], k=k[0], v=v[0], o=whole.astype(np.float32))
    keep("attention_ragged", q=q, k=k, v=v, lengths=lengths, o=o.astype(np.float32))

    q, k, v, lengths = normal(2, 4, 16), normal(2, 2, 37, 16), normal(2, 2, 37, 16), np.array([37, 5], np.int32)
    o = [[softmax(wide(k[s, h // 2, :n]) @ wide(q[s, h]) * 0.125) @ wide(v[s, h // 2, :n]) for h in range(4)] for s, n in enumerate(lengths)]
    keep("attention_decode", q=q, k=k, v=v, lengths=lengths, o=np.array(o, np.float32))


casts()
reductions()
elementwise("f32", np.float32, 2.0**-149)
elementwise("f16", np.float16, 2.0**-24)
elementwise("bf16", ml_dtypes.bfloat16, 2.0**-133)
matmul("f16", np.float16, 15, 37, 7)
matmul("bf16", ml_dtypes.bfloat16, 6, 13, 3)
matmul("f32", np.float32, 9, 5, 20)
matmul_i8(15, 37, 71)
rows()
collections()
kernels()
casts_small()
scaled_product()
