#pragma once
/// \file The file of a scene with its index (`Scene::save`, .sphi): arrays as they lie in memory,
/// little-endian, which programs map and read in place.
///
/// A header, then sections at multiples of 64 bytes, then checksums (XXH3, 64 bits): one for each block of a
/// section. A block has whole items, at most 256 KiB. The header has a checksum of its own. What readers
/// check besides: ../../scene/README.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <sphaera/config/export.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::base::inline SPHAERA_ABI {

/// To add a section: here and in `section_names`, and a new `SavedScene::version`.
enum class Section : std::uint8_t {
  values,      ///< one SavedValues (engine/scene)
  attachment,  ///< bytes of the caller's
  spheres,     ///< this and those up to `presence` by id
  velocities,
  layers,
  owners,
  generations,
  presence,
  frames,    ///< SavedFrame of the index, each before its child frames
  leaf_ids,  ///< this and those below: of all frames, one after another
  leaf_floats,
  leaf_velocities,
  nodes,
  top_nodes,
};
inline constexpr std::array<std::string_view, 14> section_names{
    "values",   "attachment", "spheres",  "velocities",  "layers",          "owners", "generations",
    "presence", "frames",     "leaf ids", "leaf floats", "leaf velocities", "nodes",  "top nodes"};
inline constexpr std::size_t section_count = section_names.size();

/// Place of a section in the file.
struct SectionPlace {
  std::uint64_t at = 0, count = 0;  ///< bytes from the start; items
  std::uint32_t item_bytes = 1, reserved = 0;

  std::uint64_t items_a_block() const;
  std::uint64_t blocks() const { return (count + items_a_block() - 1) / items_a_block(); }
  std::uint64_t bytes() const { return count * item_bytes; }
};

struct SavedHeader {
  std::array<char, 8> magic;
  std::uint32_t byte_order, version;
  std::uint64_t file_bytes, checksums_at;
  std::array<SectionPlace, section_count> sections;
  std::uint64_t checksum;  ///< of all before
};

/// Writes the sections in their order.
class SPHAERA_API SavedSceneWriter {
 public:
  /// `file` is empty and stays open; messages call it `shown`.
  SavedSceneWriter(int file, std::string shown);
  ~SavedSceneWriter();
  SavedSceneWriter(const SavedSceneWriter&) = delete;

  /// The bytes that follow belong to a section of items of this size. Throws Error io; so do those below.
  void begin(Section section, std::size_t item_bytes);
  void write(std::span<const std::byte> bytes);
  void finish();  ///< writes the checksums and the header

 private:
  void put(std::span<const std::byte> bytes);
  void end_block();

  struct Hash;
  int file_;
  std::string shown_;
  std::unique_ptr<Hash> hash_;
  SavedHeader header_{};
  SectionPlace* open_ = nullptr;
  std::uint64_t at_ = 0, in_block_ = 0, in_section_ = 0;
  std::vector<std::uint64_t> checksums_;
};

/// The sections of a file in memory, whose header has been checked.
class SPHAERA_API SavedScene {
 public:
  /// Increase it with every change of what the bytes mean, the layout of the index included.
  static constexpr std::uint32_t version = 2;

  /// `file` must outlive this object, and begin at a multiple of 64 bytes. Reads the header alone. Throws
  /// Error bad_file about `name`: not a saved scene, of another version or byte order, cut, damaged.
  SavedScene(std::span<const std::byte> file, std::string name);

  /// The items of a section, not checked. Throws Error bad_file if it has items of another size.
  template <class Item>
  std::span<const Item> items(Section section) const {
    const std::span<const std::byte> bytes = bytes_of(section, sizeof(Item));
    return {reinterpret_cast<const Item*>(bytes.data()), bytes.size() / sizeof(Item)};
  }
  const SectionPlace& place(Section section) const {
    return header_.sections[static_cast<std::size_t>(section)];
  }
  /// Has block i of a section the checksum that it had when it was written?
  bool is_intact(Section section, std::uint64_t i) const;
  /// Checks all blocks of a section. Throws Error bad_file.
  void check(Section section) const;
  /// Throws Error bad_file: the section is damaged.
  [[noreturn]] void fail(Section section) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::span<const std::byte> bytes_of(Section section, std::size_t item_bytes) const;
  void check_header();
  void check_places() const;

  std::span<const std::byte> file_;
  std::string name_;
  SavedHeader header_;
};

}  // namespace sphaera::base::inline SPHAERA_ABI
