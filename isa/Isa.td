//===- Isa.td - how an instruction of the Xfr extension is described -------===//
// Classes only; the instructions are in Instructions.td. isa/Generator.cpp reads the records as JSON and checks what TableGen cannot:
// that fields do not overlap, that encodings are distinct and that names are unique.

/// A run of bits of the 32-bit word.
class Slot<int lowBit, int bitCount> {
  int low = lowBit;
  int width = bitCount;
}
def Rd : Slot<7, 5>;
def Rs1 : Slot<15, 5>;
def Rs2 : Slot<20, 5>;
def Rs3 : Slot<27, 5>;
def Funct2 : Slot<25, 2>;
def Funct2Bit0 : Slot<25, 1>;
def Funct2Bit1 : Slot<26, 1>;

/// The assembler's `.insn` format, with the width of the constant beside funct3.
class Format<string insnName, int functionBits> {
  string insn = insnName;
  int functBits = functionBits;  // funct7 of R, funct2 of R4
}
def R : Format<"r", 7>;
def R4 : Format<"r4", 2>;

/// Major opcodes that RISC-V leaves to extensions like this one.
class MajorOpcode<int code7> {
  int value = code7;
}
def Custom0 : MajorOpcode<0x0b>;
def Custom1 : MajorOpcode<0x2b>;
def Custom2 : MajorOpcode<0x5b>;

/// Who executes it.
class Unit<string text> {
  string name = text;
}
def HartUnit : Unit<"hart">;
def DmaUnit : Unit<"dma">;
def MatrixUnit : Unit<"matrix">;
def VectorUnit : Unit<"vector">;
def SyncUnit : Unit<"sync">;

/// What a program has to find in a target, as the ELF note spells it.
class Feature<string text> {
  string name = text;
}
def FeatureXfr : Feature<"xfr">;
def FeatureDma : Feature<"xfr.dma">;
def FeatureMatrix : Feature<"xfr.matrix">;
def FeatureVector : Feature<"xfr.vector">;

class NamedValue<int number, string text, string meaning> {
  int value = number;
  string name = text;
  string description = meaning;
}
/// Values of a field; every other value is reserved. `prefix` is that of the C constants.
class ValueSet<string cPrefix, string text, list<NamedValue> members> {
  string prefix = cPrefix;
  string title = text;
  list<NamedValue> values = members;
}
def AnyValue : ValueSet<"", "", []>;

class OperandKind;
def Destination : OperandKind;  // integer register, written
def Source : OperandKind;       // integer register, read
def Descriptor : OperandKind;   // immediate: descriptor number
def Value : OperandKind;        // immediate with named values
def Flag : OperandKind;         // one bit

class Operand<string text, OperandKind k, Slot s, string meaning, ValueSet named = AnyValue> {
  string name = text;
  OperandKind kind = k;
  Slot slot = s;
  string description = meaning;
  ValueSet set = named;
}
class Result<string text, string meaning> : Operand<text, Destination, Rd, meaning>;
class Reg1<string text, string meaning> : Operand<text, Source, Rs1, meaning>;
class Reg2<string text, string meaning> : Operand<text, Source, Rs2, meaning>;

/// One instruction. Bits that neither the constants nor an operand cover are reserved and must be zero.
class Instruction<string text, Format f, MajorOpcode major, int f3, int functionConstant> {
  string mnemonic = text;
  Format format = f;
  MajorOpcode opcode = major;
  int funct3 = f3;
  int funct = functionConstant;      // funct7 of R, funct2 of R4 (0 where operands lie there)
  list<Operand> operands = ?;        // in assembly order, destination first
  Unit unit = HartUnit;
  Feature feature = FeatureXfr;
  string summary = ?;
  string semantics = ?;
  string since = "1.0";
  bit noReturn = false;
}

/// The version that programs carry: a new major breaks old programs, a new minor adds instructions.
class Version<int majorNumber, int minorNumber> {
  int major = majorNumber;
  int minor = minorNumber;
}
