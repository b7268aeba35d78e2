#include <unistd.h>
#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>

#include <algorithm>
#include <base/errors.hpp>
#include <base/files/saved_scene.hpp>
#include <base/strict_math.hpp>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sphaera::base::inline SPHAERA_ABI {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'s', 'p', 'h', 'a', 'e', 'r', 'a', '\x1a'};
constexpr std::uint32_t byte_order = 0x04030201;
constexpr std::uint64_t alignment = 64, block_bytes = std::uint64_t{1} << 18;
static_assert(sizeof(SavedHeader) % alignment == 56 && sizeof(SectionPlace) == 24);

constexpr std::uint64_t aligned(std::uint64_t at) { return (at + alignment - 1) / alignment * alignment; }

std::uint64_t checksum_of(const SavedHeader& header) {
  return XXH3_64bits(&header, offsetof(SavedHeader, checksum));
}

std::span<const std::byte> bytes_of(const auto& object) { return std::as_bytes(std::span(&object, 1)); }

}  // namespace

std::uint64_t SectionPlace::items_a_block() const {
  return std::max<std::uint64_t>(1, block_bytes / item_bytes);
}

struct SavedSceneWriter::Hash {
  XXH3_state_t state;
};

SavedSceneWriter::SavedSceneWriter(int file, std::string shown)
    : file_(file), shown_(std::move(shown)), hash_(std::make_unique<Hash>()) {
  XXH3_INITSTATE(&hash_->state);
  header_.magic = magic, header_.byte_order = byte_order, header_.version = SavedScene::version;
  put(bytes_of(header_));  // its place; `finish` writes it
}

SavedSceneWriter::~SavedSceneWriter() = default;

void SavedSceneWriter::put(std::span<const std::byte> bytes) {
  at_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_io(shown_, "cannot write to it", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void SavedSceneWriter::begin(Section section, std::size_t item_bytes) {
  end_block();
  if (open_) open_->count = in_section_ / open_->item_bytes;
  constexpr std::array<std::byte, alignment> zeros{};
  put(std::span(zeros).first(aligned(at_) - at_));
  open_ = &header_.sections[static_cast<std::size_t>(section)];
  open_->at = at_, open_->item_bytes = static_cast<std::uint32_t>(item_bytes);
  in_section_ = 0;
}

void SavedSceneWriter::end_block() {
  if (in_block_ > 0) checksums_.push_back(XXH3_64bits_digest(&hash_->state));
  in_block_ = 0;
  XXH3_64bits_reset(&hash_->state);
}

void SavedSceneWriter::write(std::span<const std::byte> bytes) {
  put(bytes);
  in_section_ += bytes.size();
  const std::uint64_t whole = open_->items_a_block() * open_->item_bytes;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), whole - in_block_));
    XXH3_64bits_update(&hash_->state, part.data(), part.size());
    in_block_ += part.size();
    if (in_block_ == whole) end_block();
    bytes = bytes.subspan(part.size());
  }
}

void SavedSceneWriter::finish() {
  for (SectionPlace& place : header_.sections)  // those that were not begun
    if (place.at == 0) place.at = alignment * (sizeof(SavedHeader) / alignment + 1);
  end_block();
  if (open_) open_->count = in_section_ / open_->item_bytes;
  constexpr std::array<std::byte, alignment> zeros{};
  put(std::span(zeros).first(aligned(at_) - at_));
  header_.checksums_at = at_;
  put(std::as_bytes(std::span(checksums_)));
  header_.file_bytes = at_;
  header_.checksum = checksum_of(header_);
  const ssize_t n = ::pwrite(file_, &header_, sizeof header_, 0);
  if (n != static_cast<ssize_t>(sizeof header_)) fail_io(shown_, "cannot write to it", n < 0 ? errno : EIO);
}

SavedScene::SavedScene(std::span<const std::byte> file, std::string name)
    : file_(file), name_(std::move(name)) {
  check_header();
  check_places();
}

void SavedScene::check_header() {
  const std::size_t known = std::min(file_.size(), magic.size());
  if (known == 0 || std::memcmp(file_.data(), magic.data(), known) != 0)
    fail("is not a saved scene; save one by Scene::save or 'sphaera index'");
  if (file_.size() >= offsetof(SavedHeader, file_bytes)) {
    std::memcpy(static_cast<void*>(&header_), file_.data(), offsetof(SavedHeader, file_bytes));
    if (header_.byte_order != byte_order) fail("is from a machine of another byte order, or damaged");
    if (header_.version != version)
      fail("is of version " + std::to_string(header_.version) + ", this library reads version " +
           std::to_string(version) + "; save the scene again");
  }
  if (file_.size() < sizeof header_) fail("is cut: its header is not complete");
  std::memcpy(static_cast<void*>(&header_), file_.data(), sizeof header_);
  if (header_.checksum != checksum_of(header_)) fail("is damaged: the checksum of its header is wrong");
  if (file_.size() != header_.file_bytes)
    fail((file_.size() < header_.file_bytes ? "is cut: it has " : "is too long: it has ") +
         std::to_string(file_.size()) + " bytes for " + std::to_string(header_.file_bytes));
}

/// Whoever made the file may have made its checksum right, too.
void SavedScene::check_places() const {
  const std::uint64_t end = header_.checksums_at;
  bool good = end <= file_.size() && end % alignment == 0;
  std::uint64_t blocks = 0;
  for (std::size_t i = 0; i < section_count && good; ++i) {
    const SectionPlace& place = header_.sections[i];
    good = place.at % alignment == 0 && place.at >= sizeof header_ && place.at <= end &&
           place.item_bytes > 0 && place.count <= (end - place.at) / place.item_bytes;
    if (good) blocks += place.blocks();
  }
  if (!good || blocks != (file_.size() - end) / sizeof(std::uint64_t) ||
      (file_.size() - end) % sizeof(std::uint64_t) != 0)
    fail("is damaged: its sections are not where its header says");
}

std::span<const std::byte> SavedScene::bytes_of(Section section, std::size_t item_bytes) const {
  const SectionPlace& from = place(section);
  if (from.count > 0 && from.item_bytes != item_bytes) fail(section);
  return file_.subspan(from.at, from.bytes());
}

bool SavedScene::is_intact(Section section, std::uint64_t i) const {
  std::uint64_t before = 0;
  for (std::size_t s = 0; s < static_cast<std::size_t>(section); ++s) before += header_.sections[s].blocks();
  const SectionPlace& from = place(section);
  const std::uint64_t first = i * from.items_a_block(),
                      count = std::min(from.items_a_block(), from.count - first);
  std::uint64_t checksum;
  std::memcpy(&checksum, &file_[header_.checksums_at + sizeof checksum * (before + i)], sizeof checksum);
  const auto block = file_.subspan(from.at + first * from.item_bytes, count * from.item_bytes);
  return XXH3_64bits(block.data(), block.size()) == checksum;
}

void SavedScene::check(Section section) const {
  for (std::uint64_t i = 0; i < place(section).blocks(); ++i)
    if (!is_intact(section, i)) fail(section);
}

void SavedScene::fail(Section section) const {
  fail("is damaged in its section '" + std::string(section_names[static_cast<std::size_t>(section)]) +
       "'; save the scene again");
}

void SavedScene::fail(const std::string& what) const { throw Error(ErrorCode::bad_file, name_, what); }

}  // namespace sphaera::base::inline SPHAERA_ABI
