#pragma once
/// \file Trajectories: files with a sphere at one time in each row, of which one frame is the scene.

#include <cstdint>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_read.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sphaera::io {

/// A sphere in one frame.
struct Step {
  std::int64_t id = -1;  ///< the same sphere has the same in all frames; −1: unknown
  std::int64_t frame = 0;
  double time = 0;
  Sphere sphere{};
  std::uint64_t line = 0;
};

/// The frame with the wanted number; frame 0 that is missing is the first one, −1 the last. Throws bad_file
/// if there is no such frame, naming those that are. Warns if the caller did not choose one of several.
std::int64_t chosen_frame(const std::vector<Step>& steps, std::int64_t wanted, const FileLine& place,
                          SceneBuilder& builder);

/// The difference of the neighboring steps of the same id, or of the step and its only neighbor, divided by
/// the seconds between them; 0 without a neighbor. `steps` are ordered by id and frame; `per_second`: times
/// in a second. Throws bad_file if no time passes.
Vec3 velocity_at(const std::vector<Step>& steps, std::size_t i, double per_second, const std::string& file);

/// The columns of a table that make it a trajectory, and how they are used.
struct FrameColumns {
  bool frame = false;  ///< numbers of frames; without them the times are counted from 0 in their order
  bool time = false;   ///< seconds
  bool id = false;     ///< names of the spheres
  bool layer = false;
  bool velocity = false;  ///< given: not by difference
};

/// Gathers the rows of a table with frames; then gives the chosen frame to a builder.
class FrameRows {
 public:
  FrameRows(const FrameColumns& columns, const std::string& file) : columns_(columns), file_(file) {}

  /// Appends a row. An empty id is unknown; Step::id is not used.
  void add(Step step, const Vec3& velocity, std::string_view id, std::string_view layer);
  /// Appends the spheres of the chosen frame in the order of their rows.
  void finish(const SceneInput& input, std::uint64_t last_line, SceneBuilder& builder);

 private:
  class Words {
   public:
    std::int64_t number(std::string_view word);
    const std::string& operator[](std::int64_t number) const {
      return all_[static_cast<std::size_t>(number)];
    }

   private:
    std::vector<std::string> all_;
    std::unordered_map<std::string, std::int64_t> numbers_;
  };

  void count_times();
  std::vector<Vec3> differences(std::int64_t frame, SceneBuilder& builder) const;

  FrameColumns columns_;
  std::string file_;
  std::vector<Step> steps_;
  std::vector<Vec3> velocities_;      // if given
  std::vector<std::int64_t> layers_;  // of the steps, in layer_words_
  Words ids_, layer_words_;
};

/// Do the options ask for a frame of a table? They name its column, or a frame that is not the first.
bool asks_for_frame(const SceneLoadOptions& options);

/// Throws bad_file for a table that lacks the columns `frame` and `t` though the options ask for a frame of
/// it. `titles` are the names of its columns. False: it need not have frames, as a scene names it or its
/// first frame is asked for.
bool has_frame_columns(bool frame, bool time, const SceneInput& input, const FileLine& header,
                       const std::vector<std::string>& titles);

}  // namespace sphaera::io
