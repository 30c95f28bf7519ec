//===- Instructions.td - every instruction of the Xfr extension ------------===//
// The one place where encodings, operands and meanings stand; encoder, decoder, disassembler, C header, xfr dialect and reference page are made from it.
include "Isa.td"

def XfrVersion : Version<1, 0>;

def DescriptorField : ValueSet<"XFR_FIELD_", "Descriptor fields", [
  NamedValue<0, "base", "byte address of element (0,0,0,0)">,
  NamedValue<1, "extent0", "elements walked in dimension 0, the innermost; 0 makes the command empty">,
  NamedValue<2, "extent1", "elements walked in dimension 1">,
  NamedValue<3, "extent2", "elements walked in dimension 2">,
  NamedValue<4, "extent3", "elements walked in dimension 3">,
  NamedValue<5, "stride0", "signed bytes between neighbours of dimension 0">,
  NamedValue<6, "stride1", "signed bytes between neighbours of dimension 1">,
  NamedValue<7, "stride2", "signed bytes between neighbours of dimension 2">,
  NamedValue<8, "stride3", "signed bytes between neighbours of dimension 3">,
  NamedValue<9, "high0", "elements at or past this index of dimension 0 are invalid">,
  NamedValue<10, "high1", "as high0, dimension 1">,
  NamedValue<11, "high2", "as high0, dimension 2">,
  NamedValue<12, "high3", "as high0, dimension 3">,
  NamedValue<13, "low0", "elements before this index of dimension 0 are invalid">,
  NamedValue<14, "low1", "as low0, dimension 1">,
  NamedValue<15, "low2", "as low0, dimension 2">,
  NamedValue<16, "low3", "as low0, dimension 3">,
  NamedValue<17, "type", "element type code">,
  NamedValue<18, "fill", "element bits that a read of an invalid element yields">,
  NamedValue<19, "queue", "queue of the engine kind; of a command's first descriptor">,
  NamedValue<20, "multicast", "bit c: the write goes to core c's scratch at the same offset; 0 = plain; DMA destination only">,
  NamedValue<21, "credit", "0, or 1 + (core << 32 | barrier): bytes written are credited to that barrier">,
  NamedValue<22, "scale", "f32 bits that xmm.store multiplies by before it converts">,
  NamedValue<31, "reset", "writing any value puts the whole descriptor into reset state">
]>;

def Identity : ValueSet<"XFR_ID_", "Identities", [
  NamedValue<0, "team", "number of this hart in its core">,
  NamedValue<1, "core", "number of this core in its chip">,
  NamedValue<2, "chip", "number of this chip">,
  NamedValue<3, "teams", "harts a core">,
  NamedValue<4, "cores", "cores of the chip">,
  NamedValue<5, "clusters", "clusters of the chip">,
  NamedValue<6, "items", "work items of the launch">,
  NamedValue<7, "vlen", "vector register bits of this hart, 0 without a vector unit">,
  NamedValue<8, "scratch", "bytes of scratch of this core">,
  NamedValue<9, "acc", "bytes of accumulator memory of this core">,
  NamedValue<10, "rows", "matrix unit: K elements held">,
  NamedValue<11, "cols", "matrix unit: N elements held">,
  NamedValue<12, "dma_queues", "DMA queues of this core">,
  NamedValue<13, "matrix_queues", "matrix queues of this core">
]>;

def MarkEdge : ValueSet<"XFR_MARK_", "Mark edges", [
  NamedValue<0, "begin", "a region begins">,
  NamedValue<1, "end", "the region ends">
]>;

def IndexMode : ValueSet<"XFR_INDEX_", "Index modes", [
  NamedValue<0, "gather", "dst[i] = src[idx[i]]">,
  NamedValue<1, "scatter", "dst[idx[i]] = src[i]; of equal indices the last stays">,
  NamedValue<2, "scatter_add", "dst[idx[i]] += src[i], in ascending i, rounded to dst's type at each step">
]>;

def VectorOperation : ValueSet<"XFR_VE_", "Vector engine operations", [
  NamedValue<0, "add", "sum">,
  NamedValue<1, "mul", "product">,
  NamedValue<2, "min", "minimum, NaN if an operand is NaN">,
  NamedValue<3, "max", "maximum, NaN if an operand is NaN">
]>;

def ElementTypeCode : ValueSet<"XFR_TYPE_", "Element type codes", [
  NamedValue<0, "i1", "in a byte">, NamedValue<1, "i8", "">, NamedValue<2, "i16", "">, NamedValue<3, "i32", "">, NamedValue<4, "i64", "">,
  NamedValue<5, "f16", "">, NamedValue<6, "bf16", "">, NamedValue<7, "f32", "">, NamedValue<8, "f64", "">,
  NamedValue<9, "f8e4m3fn", "saturating">, NamedValue<10, "f8e5m2", "saturating">, NamedValue<11, "i4", "two a byte, low nibble first">,
  NamedValue<12, "f4e2m1fn", "saturating, two a byte, low nibble first">, NamedValue<13, "f8e8m0fnu", "2^(code - 127), 255 is NaN">
]>;

class Desc<string text, Slot s, string meaning> : Operand<text, Descriptor, s, meaning>;
def Token : Result<"token", "completes when the command retires">;
def After : Reg1<"after", "token that must be complete before the command starts; x0 or 0 = none">;

// Descriptors -----------------------------------------------------------------------------------------------------------

def XdSet : Instruction<"xd.set", R, Custom0, 0, 0> {
  let operands = [Desc<"d", Rd, "descriptor to change">, Operand<"field", Value, Rs2, "which field", DescriptorField>,
                  Reg1<"value", "new value">];
  let summary = "set one field of a descriptor";
  let semantics = [{
    Descriptors are private to the hart. A command takes a snapshot of its descriptors when it issues, so a descriptor may be changed right after.
    A type code that is not in the table, or a queue that the engine lacks, is IllegalProgram when a command uses it.
  }];
}

// Tokens ----------------------------------------------------------------------------------------------------------------

def XtokWait : Instruction<"xtok.wait", R, Custom0, 1, 0> {
  let operands = [Reg1<"token", "token to wait for; 0 is always complete">];
  let unit = SyncUnit;
  let summary = "wait for a command";
  let semantics = [{
    Blocks until the command of the token has retired, and acquires what it wrote. Any hart of the core may wait, as often as it likes.
    A token that this core never gave out is IllegalProgram.
  }];
}
def XtokTest : Instruction<"xtok.test", R, Custom0, 1, 1> {
  let operands = [Result<"complete", "1 when the command has retired, else 0">, Reg1<"token", "token to look at; 0 is always complete">];
  let unit = SyncUnit;
  let summary = "ask whether a command has retired";
  let semantics = [{ As xtok.wait, without blocking; acquires when the result is 1. }];
}

// Barriers --------------------------------------------------------------------------------------------------------------

def XbarInit : Instruction<"xbar.init", R, Custom0, 2, 0> {
  let operands = [Reg1<"id", "barrier of this core">, Reg2<"count", "arrivals that complete a phase, at least 1">];
  let unit = SyncUnit;
  let summary = "set up a barrier";
  let semantics = [{
    Phase 0 begins, with `count` arrivals and no bytes outstanding. Setting up a barrier that harts wait for is IllegalProgram.
  }];
}
def XbarArrive : Instruction<"xbar.arrive", R, Custom0, 2, 1> {
  let operands = [Result<"phase", "the phase arrived at">, Reg1<"id", "barrier of this core">,
                  Reg2<"bytes", "bytes that commands will credit to this phase, added to those expected">];
  let unit = SyncUnit;
  let summary = "arrive at a barrier";
  let semantics = [{
    Releases the hart's earlier accesses. The phase completes when its arrivals and its expected bytes are both used up; the next phase then begins
    with the count given at set-up.
  }];
}
def XbarWait : Instruction<"xbar.wait", R, Custom0, 2, 2> {
  let operands = [Reg1<"id", "barrier of this core">, Reg2<"phase", "phase to wait for, as xbar.arrive returned it">];
  let unit = SyncUnit;
  let summary = "wait for a phase of a barrier";
  let semantics = [{ Blocks until the phase is complete, and acquires. A phase that is complete already does not block. }];
}

// Semaphores ------------------------------------------------------------------------------------------------------------

def XsemAdd : Instruction<"xsem.add", R, Custom0, 3, 0> {
  let operands = [Reg1<"id", "core << 32 | semaphore">, Reg2<"amount", "added to the semaphore, modulo 2^64">];
  let unit = SyncUnit;
  let summary = "add to a semaphore of any core";
  let semantics = [{ Releases the hart's earlier accesses. Semaphores start at 0 at launch and only grow: they count credits. }];
}
def XsemWaitge : Instruction<"xsem.waitge", R, Custom0, 3, 1> {
  let operands = [Reg1<"id", "semaphore of this core">, Reg2<"amount", "least value">];
  let unit = SyncUnit;
  let summary = "wait until a semaphore of this core has reached a value";
  let semantics = [{ Blocks until the semaphore is at least `amount` (unsigned), and acquires. The value stays. }];
}

// Hart ------------------------------------------------------------------------------------------------------------------

def Xid : Instruction<"xid", R, Custom0, 4, 0> {
  let operands = [Result<"value", "the number">, Operand<"which", Value, Rs2, "which number", Identity>];
  let summary = "where this hart is and what its target has";
  let semantics = [{ Constant through a launch. }];
}
def Xmark : Instruction<"xmark", R, Custom0, 4, 1> {
  let operands = [Reg1<"id", "number of the region in the profile">, Operand<"edge", Value, Rs2, "which end", MarkEdge>];
  let summary = "mark the edge of a profiled region";
  let semantics = [{ Takes its issue slot and changes nothing else. Regions of one hart nest. }];
}
def Xnext : Instruction<"xnext", R, Custom0, 4, 2> {
  let operands = [Result<"item", "linear work item, -1 when none is left">];
  let summary = "next work item";
  let semantics = [{ The k-th xnext of every hart of a core returns the same item. }];
}
def Xexit : Instruction<"xexit", R, Custom0, 4, 3> {
  let operands = [Reg1<"code", "exit code; 0 = success">];
  let noReturn = true;
  let summary = "end this hart";
  let semantics = [{ The launch ends when every hart has ended and every queue has drained; its exit code is the first that is not 0, by core and hart. }];
}
def Xtrap : Instruction<"xtrap", R, Custom0, 4, 4> {
  let operands = [Reg1<"id", "number of the failed check, shown in the message">,
                  Reg2<"value", "what was found; shown where the check's text has a place for it">];
  let noReturn = true;
  let summary = "stop: the program found itself wrong";
  let semantics = [{ Stops the whole simulation as IllegalProgram, naming the check, its source line and its text in the ELF. }];
}

// DMA -------------------------------------------------------------------------------------------------------------------

def XdmaCopy : Instruction<"xdma.copy", R4, Custom1, 0, 0> {
  let operands = [Token, Desc<"dDst", Rs2, "where to; its queue field picks the queue">, Desc<"dSrc", Rs3, "where from">, After];
  let unit = DmaUnit;
  let feature = FeatureDma;
  let summary = "copy, convert, permute and pad up to four dimensions";
  let semantics = [{
    For every index (i3,i2,i1,i0) inside dst's extents: dst element = convert(src element of the same index). A src index at or past src's extent, or outside
    src's low and high, reads src's fill bits. A dst element outside dst's low and high is not written. Strides express permutations. Equal types copy bits; other types
    convert with one rounding to nearest even, float to integer toward zero, saturating. A multicast destination writes the same offset in the scratch of every core named.
    Bytes written are credited to dst's barrier. Source and destination may be scratch of any core, this core's accumulator memory or global memory. An empty source needs no valid address.
  }];
}
def XdmaIndex : Instruction<"xdma.index", R4, Custom1, 1, 0> {
  let operands = [Token, Desc<"dDst", Rs2, "where to; its queue field picks the queue">, Desc<"dSrc", Rs3, "where from">,
                  Desc<"dIdx", Rs1, "indices, i32 or i64, along dimension 0">, Operand<"mode", Value, Funct2, "what the index applies to", IndexMode>];
  let unit = DmaUnit;
  let feature = FeatureDma;
  let summary = "gather or scatter rows by index";
  let semantics = [{
    The index selects along dimension 1 (rows) of src (gather) or dst (scatter); dimension 0 is copied whole, and idx has one element for each row of the other side. An index outside the indexed side's extent 1 or its low and high
    reads fill (gather) or is dropped (scatter).
  }];
}

// Matrix ----------------------------------------------------------------------------------------------------------------

def XmmLoad : Instruction<"xmm.load", R4, Custom1, 2, 0> {
  let operands = [Token, Desc<"dB", Rs2, "K x N weights in scratch; its queue field picks the queue">, After,
                  Operand<"transpose", Flag, Funct2Bit0, "B is stored N x K">];
  let unit = MatrixUnit;
  let feature = FeatureMatrix;
  let summary = "load weights into the inactive buffer";
  let semantics = [{
    K is extent 1 and N extent 0 (with `transpose` the other way round), at most the array's rows and columns. Elements outside low and high are absent.
  }];
}
def XmmRun : Instruction<"xmm.run", R4, Custom1, 3, 0> {
  let operands = [Token, Desc<"dA", Rs3, "M x K in scratch; K must be that of the loaded weights">,
                  Desc<"dAcc", Rs2, "M x N in accumulator memory, f32 or i32; its queue field picks the queue">, After,
                  Operand<"swap", Flag, Funct2Bit0, "makes the last loaded weights active first">,
                  Operand<"accumulate", Flag, Funct2Bit1, "adds to acc, else overwrites it">];
  let unit = MatrixUnit;
  let feature = FeatureMatrix;
  let summary = "multiply rows by the active weights";
  let semantics = [{
    For each (m, n), k ascending: acc = a * b + acc with an exact product and one rounding to f32 a step, from acc or +0. i8: wrapping i32. Absent elements of A and B contribute nothing,
    not even 0 * inf; acc elements outside low and high are not written.
  }];
}
def XmmStore : Instruction<"xmm.store", R4, Custom1, 4, 0> {
  let operands = [Token, Desc<"dAcc", Rs2, "M x N in accumulator memory; its queue field picks the queue">, Desc<"dDst", Rs3, "M x N in scratch">, After];
  let unit = MatrixUnit;
  let feature = FeatureMatrix;
  let summary = "drain accumulators to scratch";
  let semantics = [{
    dst element = convert(acc element * dAcc's scale). The product is rounded to f32, i32 accumulators are first converted to f32; with scale 1 neither happens. Elements outside dst's low and high are not written.
  }];
}

// Vector engine (optional; no target of version 1.0 has one) --------------------------------------------------------------

def XveMap : Instruction<"xve.map", R4, Custom2, 0, 0> {
  let operands = [Token, Desc<"dDst", Rs2, "where to; its queue field picks the queue">, Desc<"dA", Rs3, "left operand">, Desc<"dB", Rs1, "right operand">,
                  Operand<"function", Value, Funct2, "what to do", VectorOperation>];
  let unit = VectorUnit;
  let feature = FeatureVector;
  let summary = "combine two operands element by element";
  let semantics = [{ dst element = operation(a, b), evaluated in f32 (integers: in i64) and rounded once. An extent of 1 broadcasts. }];
}
def XveReduce : Instruction<"xve.reduce", R4, Custom2, 1, 0> {
  let operands = [Token, Desc<"dDst", Rs2, "where to; its queue field picks the queue">, Desc<"dA", Rs3, "operand">, Desc<"dB", Rs1, "value to start from, of dst's extents">,
                  Operand<"function", Value, Funct2, "what to do", VectorOperation>];
  let unit = VectorUnit;
  let feature = FeatureVector;
  let summary = "reduce the dimensions in which dst has extent 1";
  let semantics = [{ dst element = operation over b and the a elements of the reduced dimensions, ascending, evaluated in f32 (integers: in i64) and rounded once. Invalid elements of a contribute nothing. }];
}
