/// \file Some frames of a game. See README.md.

#include <array>
#include <charconv>
#include <cstdlib>
#include <future>
#include <iostream>
#include <stdexcept>
#include <string>

#include "systems.hpp"

namespace game {
namespace {

using namespace sphaera;

struct Options {
  std::size_t people = 2000, frames = 120;
};

/// The value of an option.
std::size_t number(const std::string& option, const std::string& text) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 100 || value > 100'000)
    throw std::invalid_argument(option + " takes a whole number from 100 to 100000, not '" + text + "'");
  return value;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; k += 2) {
    const std::string name = argv[k];
    if (name != "--people" && name != "--frames")
      throw std::invalid_argument("unknown option '" + name + "'");
    if (k + 1 == argc) throw std::invalid_argument(name + " lacks its value");
    (name == "--people" ? options.people : options.frames) = number(name, argv[k + 1]);
  }
  return options;
}

/// The spheres of a snapshot in a new scene: an answer depends on them alone, not on how they came there.
Scene built_again(const Scene& scene) {
  Scene again = Scene::build(scene.spheres(), {.layers = scene.layers(),
                                               .owners = scene.owners(),
                                               .velocities = scene.velocities(),
                                               .horizon = {0, frame_time}});
  for (std::int64_t id = 0; id < std::ssize(scene.spheres()); ++id)
    if (!scene.contains(id)) again.erase(id);  // nobody has this id at the moment
  return again;
}

class Game {
 public:
  explicit Game(std::size_t people) : crowd_(people) {}

  void play(std::size_t frame) {
    const Snapshot now = crowd_.buffer().current();  // it stays as it is while it is held
    shots_.put(crowd_, now), sight_.put(crowd_, now), enemies_.put(crowd_, now), interest_.put(crowd_, now);
    if (frame % 4 == 0) grenades_.put(crowd_, now);
    // Two threads ask, each with its Scratch, while this one makes the next frame.
    auto shooting = std::async(std::launch::async, [&] {
      shots_.ask(scratches_[0]);
      grenades_.ask(*now, {.threads = 1, .scratch = &scratches_[0]});
    });
    auto thinking = std::async(std::launch::async, [&] {
      const QueryOptions on_this_thread{.threads = 1, .scratch = &scratches_[1]};
      sight_.ask(*now, on_this_thread), enemies_.ask(*now, on_this_thread);
      interest_.ask(*now, on_this_thread);
    });
    rebuilds_ += crowd_.next_frame().rebuilt;
    shooting.get(), thinking.get();

    marks_.follow(crowd_, checked_);
    shots_.check(checked_);
    if (frame % 10 == 9) check(*now);
    shots_.apply(crowd_), grenades_.apply(crowd_);  // who dies now is gone in the next frame
  }

  bool is_right() const { return checked_.wrong == 0; }
  void print(const Options& options, std::ostream& out) const;

 private:
  void check(const Scene& scene) {
    const Scene again = built_again(scene);
    sight_.check(again, checked_), enemies_.check(again, checked_), interest_.check(again, checked_);
    grenades_.check(again, checked_);
  }

  Crowd crowd_;
  Shots shots_;
  Sight sight_;
  Enemies enemies_;
  Interest interest_;
  Grenades grenades_;
  Marks marks_;
  Checked checked_;
  std::array<Scratch, 2> scratches_;
  std::size_t rebuilds_ = 0;
};

void Game::print(const Options& options, std::ostream& out) const {
  out << "game: " << options.frames << " frames of " << options.people << " people of " << parts
      << " spheres on a planet; new indexes built meanwhile: " << rebuilds_ << '\n'
      << "shots: of " << shots_.asked << " up to " << most_lag << " frames in the past, " << shots_.hit
      << " hit somebody, " << shots_.killed << " killed, " << shots_.stopped << " ended at a wall\n"
      << "grenades: " << grenades_.thrown << " were thrown, bounced " << grenades_.bounces
      << " times and killed " << grenades_.killed << '\n'
      << "sight: " << sight_.seen << " of " << sight_.asked << " people are seen, " << sight_.behind_walls
      << " are behind walls\n"
      << "enemies: " << enemies_.surrounded << " of " << enemies_.asked << " people have three within 10 m\n"
      << "interest: a player is told about " << interest_.told / interest_.asked << " people\n"
      << "marks: " << marks_.lost << " marked people died, and " << marks_.misleading
      << " of their ids stood for somebody else at once\n"
      << "checked: " << checked_.right << " answers are right, " << checked_.wrong << " wrong, "
      << checked_.too_close << " too close for plain doubles\n";
}

int run(const Options& options) {
  Game game(options.people);
  for (std::size_t frame = 0; frame < options.frames; ++frame) game.play(frame);
  game.print(options, std::cout);
  return game.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace game

int main(int argc, char** argv) {
  game::Options options;
  try {
    options = game::read_options(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "game: " << error.what() << "\ngame [--people N] [--frames N]\n";
    return 2;
  }
  try {
    return game::run(options);
  } catch (const std::exception& error) {
    std::cerr << "game: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
