#pragma once
/// \file Rows of a piece that is processed in parallel and written in order.

#include <tools/answers/ordered_pipeline.hpp>
#include <tools/files/results/table.hpp>
#include <vector>

namespace sphaera::tool {

/// Rows are written in blocks: to the table if it is the piece's turn, otherwise they are kept until then.
/// The bytes that all pieces keep are bounded (see Turns).
class OrderedRows {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;

  explicit OrderedRows(files::TableWriter& table) : table_(table), rows_(table.rows()) {}

  /// The current block. The owner calls `leave` when it holds block_bytes.
  files::TableRows& rows() { return rows_; }
  std::uint64_t size() const { return rows_left_ + rows_.size(); }  ///< all rows since the first

  /// Writes the block or keeps it until the piece's turn, then starts a new one. May wait for other pieces.
  void leave(const Turn& turn) {
    rows_left_ += rows_.size();
    if (turn.turns.may_write(turn.piece, rows_.bytes().size())) {
      write();
    } else {
      turns_ = &turn.turns;
      kept_.push_back(rows_.take());
    }
  }

  /// Call only in the piece's turn.
  void write() {
    for (const files::TableRows& block : kept_) {
      table_.write(block);
      turns_->release(block.bytes().size());
    }
    kept_.clear();
    table_.write(rows_);
    rows_.clear();
  }

 private:
  files::TableWriter& table_;
  files::TableRows rows_;
  std::vector<files::TableRows> kept_;
  Turns* turns_ = nullptr;
  std::uint64_t rows_left_ = 0;
};

}  // namespace sphaera::tool
