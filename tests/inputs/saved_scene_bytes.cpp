#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <algorithm>
#include <base/files/saved_scene.hpp>
#include <cstring>
#include <tests/inputs/saved_scene_bytes.hpp>
#include <vector>

namespace sphaera::test {
namespace {

using base::SavedHeader, base::SectionPlace;

std::uint64_t below(Random& random, std::uint64_t n) { return random.bits() % n; }

SavedHeader header_of(const std::string& file) {
  SavedHeader header;
  std::memcpy(static_cast<void*>(&header), file.data(), sizeof header);
  return header;
}

}  // namespace

bool seal(std::string& file) {
  if (file.size() < sizeof(SavedHeader)) return false;
  SavedHeader header = header_of(file);
  header.checksum = XXH3_64bits(&header, offsetof(SavedHeader, checksum));
  std::memcpy(file.data(), &header, sizeof header);
  std::uint64_t at = header.checksums_at;
  for (const SectionPlace& place : header.sections) {
    if (place.item_bytes == 0 || place.count > file.size() || place.at > file.size()) return false;
    for (std::uint64_t first = 0; first < place.count; first += place.items_a_block()) {
      const std::uint64_t from = place.at + first * place.item_bytes,
                          bytes = std::min(place.items_a_block(), place.count - first) * place.item_bytes;
      if (from > file.size() || bytes > file.size() - from || at > file.size() - 8) return false;
      const std::uint64_t checksum = XXH3_64bits(&file[from], bytes);
      std::memcpy(&file[at], &checksum, sizeof checksum);
      at += sizeof checksum;
    }
  }
  return true;
}

void damage(std::string& file, Random& random) {
  const SavedHeader header = header_of(file);
  std::vector<SectionPlace> filled;
  for (const SectionPlace& place : header.sections)
    if (place.count > 0) filled.push_back(place);
  const auto number = [&] {
    const std::uint32_t interesting[]{0,          1,          7,          8,          0x7fffffff, 0x80000000,
                                      0x80000001, 0xfffffffd, 0xfffffffe, 0xffffffff, 0x7fc00000, 0x7f800000};
    return random.one_in(2) ? interesting[below(random, 12)] : static_cast<std::uint32_t>(below(random, 400));
  };
  for (std::uint64_t n = 1 + below(random, 3); n > 0; --n) {
    if (random.one_in(8) || filled.empty()) {
      file[below(random, sizeof header)] ^= static_cast<char>(1 << below(random, 8));
      continue;
    }
    const SectionPlace& place = filled[below(random, filled.size())];
    const std::uint64_t bytes = place.count * place.item_bytes, at = place.at + below(random, bytes);
    switch (below(random, 4)) {
      case 0:
        file[at] ^= static_cast<char>(1 << below(random, 8));
        break;
      case 1: {  // any number
        const std::uint32_t value = number();
        std::memcpy(&file[std::min(at / 4 * 4, file.size() - 4)], &value, sizeof value);
        break;
      }
      case 2: {  // one number of a section becomes another
        const std::uint64_t from = place.at + below(random, bytes);
        std::memmove(&file[std::min(at / 4 * 4, file.size() - 4)],
                     &file[std::min(from / 4 * 4, file.size() - 4)], 4);
        break;
      }
      default: {  // two items change places
        const std::uint64_t a = below(random, place.count), b = below(random, place.count);
        std::swap_ranges(&file[place.at + a * place.item_bytes],
                         &file[place.at + a * place.item_bytes] + place.item_bytes,
                         &file[place.at + b * place.item_bytes]);
      }
    }
  }
}

}  // namespace sphaera::test
