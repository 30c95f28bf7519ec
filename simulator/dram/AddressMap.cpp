//===- AddressMap.cpp - where an address lies in the DRAM -------------------===//
// Parses the mapping string once; locating is shifts and masks (a division when the number of channels is no power of
// two).
#include "simulator/dram/AddressMap.h"

#include "simulator/kernel/Error.h"

#include <bit>
#include <string>
#include <string_view>

namespace forerun::sim::dram {

namespace {

unsigned exactLog2(const char* key, std::uint64_t value) {
  if (!std::has_single_bit(value))
    throw Error(ErrorKind::BadConfig,
                std::string("dram.") + key + " is " + std::to_string(value) + "; it must be a power of two");
  return static_cast<unsigned>(std::countr_zero(value));
}

}  // namespace

AddressMap::AddressMap(const targets::DramSpec& dram) : channels_(dram.channels) {
  if (channels_ == 0) throw Error(ErrorKind::BadConfig, "dram.channels is 0");
  powerOfTwoChannels_ = std::has_single_bit(channels_);
  channelBits_ = powerOfTwoChannels_ ? static_cast<unsigned>(std::countr_zero(channels_)) : 0;
  burstBits_ = exactLog2("busBytes * burstLength", std::uint64_t{dram.busBytes} * dram.burstLength);
  interleaveBits_ = exactLog2("interleaveBytes", dram.interleaveBytes);
  unsigned rowBits = exactLog2("rowBytes", dram.rowBytes);
  if (interleaveBits_ < burstBits_)
    throw Error(ErrorKind::BadConfig, "dram.interleaveBytes is smaller than a burst (busBytes * burstLength)");
  if (rowBits < burstBits_)
    throw Error(ErrorKind::BadConfig, "dram.rowBytes is smaller than a burst (busBytes * burstLength)");
  bits_[Column] = rowBits - burstBits_;
  bits_[Group] = exactLog2("bankGroups", dram.bankGroups);
  bits_[Bank] = exactLog2("banksPerGroup", dram.banksPerGroup);
  bits_[Rank] = exactLog2("ranks", dram.ranks);
  std::uint64_t banks = std::uint64_t{dram.ranks} * dram.bankGroups * dram.banksPerGroup;
  std::uint64_t rows = dram.bytes / channels_ / banks / dram.rowBytes;
  bits_[Row] = rows <= 1 ? 0 : static_cast<unsigned>(std::bit_width(rows - 1));

  static constexpr std::string_view kNames[kParts] = {"column", "group", "bank", "rank", "row"};
  bool seen[kParts] = {};
  auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::BadConfig, "dram.mapping '" + dram.mapping + "': " + what +
                                          "; write row, bank, group and column (and rank, when there are several) once "
                                          "each, from high to low, joined by '-', with an optional last part xor");
  };
  // Parts come from high to low; shifts grow from low to high, so walk the string from its end.
  std::string_view rest = dram.mapping;
  unsigned shift = 0;
  bool lastPart = true;
  while (!rest.empty()) {
    std::size_t dash = rest.rfind('-');
    std::string_view name = dash == std::string_view::npos ? rest : rest.substr(dash + 1);
    rest = dash == std::string_view::npos ? std::string_view{} : rest.substr(0, dash);
    if (lastPart && name == "xor" && bits_[Group] + bits_[Bank] != 0) {
      xor_ = true;
      lastPart = false;
      continue;
    }
    lastPart = false;
    int part = 0;
    while (part < kParts && kNames[part] != name) ++part;
    if (part == kParts) fail("unknown part '" + std::string(name) + "'");
    if (seen[part]) fail("'" + std::string(name) + "' twice");
    seen[part] = true;
    shift_[part] = shift;
    shift += bits_[part];
  }
  if (!seen[Rank] && dram.ranks == 1) {
    seen[Rank] = true;
    shift_[Rank] = 0;
  }
  for (int part = 0; part < kParts; ++part)
    if (!seen[part]) fail("'" + std::string(kNames[part]) + "' is missing");
}

Location AddressMap::locate(std::uint64_t offset) const {
  Split part = split(offset);
  std::uint64_t burst = part.offset >> burstBits_;
  auto field = [&](Part p) { return static_cast<std::uint32_t>(burst >> shift_[p] & ((1u << bits_[p]) - 1)); };
  Location location;
  location.channel = part.channel;
  location.column = field(Column);
  location.group = field(Group);
  location.bank = field(Bank);
  location.rank = field(Rank);
  location.row = burst >> shift_[Row] & ((std::uint64_t{1} << bits_[Row]) - 1);
  if (xor_) {
    std::uint32_t fold = 0;
    for (std::uint64_t row = location.row; row != 0; row >>= bits_[Group] + bits_[Bank])
      fold ^= static_cast<std::uint32_t>(row);
    location.group ^= fold & ((1u << bits_[Group]) - 1);
    location.bank ^= fold >> bits_[Group] & ((1u << bits_[Bank]) - 1);
  }
  return location;
}

}  // namespace forerun::sim::dram
