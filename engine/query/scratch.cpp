#include <query/batch/batch.hpp>
#include <query/batch/task_scratch.hpp>
#include <query/flight/trajectories.hpp>
#include <query/sky/sky_query.hpp>

namespace sphaera {
namespace query {

TaskScratch::TaskScratch() = default;
TaskScratch::~TaskScratch() = default;

FallingScratch& TaskScratch::falling_bullets() {
  if (!falling_) falling_ = std::make_unique<FallingScratch>();
  return *falling_;
}
TrajectoryScratch& TaskScratch::trajectories() {
  if (!trajectories_) trajectories_ = std::make_unique<TrajectoryScratch>();
  return *trajectories_;
}
SkyScratch& TaskScratch::sky() {
  if (!sky_) sky_ = std::make_unique<SkyScratch>();
  return *sky_;
}

namespace {

template <class Item>
void grow(std::vector<Item>& items, const std::vector<Item>& other) {
  items.reserve(other.capacity());
}

/// Makes the object if there is one in `other`.
template <class Item>
void make(std::unique_ptr<Item>& item, const std::unique_ptr<Item>& other) {
  if (other && !item) item = std::make_unique_for_overwrite<Item>();
}

}  // namespace

void TrajectoryScratch::level(const TrajectoryScratch& other) {
  touched = std::max(touched, other.touched), within = std::max(within, other.within);
  if (touched == touched_by_all && within == within_by_all) return;
  for (FlyingBullet& bullet : bullets)
    bullet.passed.touched.reserve(touched), bullet.passed.within.reserve(within);
  touched_by_all = touched, within_by_all = within;
}

void TaskScratch::grow_to(const TaskScratch& other) {
  grow(candidates, other.candidates), grow(ids, other.ids);
  grow(listed, other.listed), grow(impacts, other.impacts);
  grow(passed.touched, other.passed.touched), grow(passed.within, other.passed.within);
  if (neighbors.size() < other.neighbors.size()) neighbors.resize(other.neighbors.size());
  grow(curved.found, other.curved.found), grow(curved.decided, other.curved.decided);
  uncovered.grow_to(other.uncovered);
  make(nearby, other.nearby);
  if (other.falling_) falling_bullets();
  std::apply([&](auto&... mine) { (make(mine, std::get<std::decay_t<decltype(mine)>>(other.groups_)), ...); },
             groups_);
  if (other.star) {
    if (!star) star = std::make_unique<star_light::StarViewScratch>();
    star->grow_to(*other.star);
  }
  if (other.sky_) sky().grow_to(*other.sky_);
  if (!other.trajectories_) return;
  grow(trajectories().impacts, other.trajectories_->impacts);
  trajectories().level(*other.trajectories_);
}

}  // namespace query

Scratch::Scratch()
    : state_(query::with_memory_errors([] { return std::make_unique<query::ScratchState>(); })) {
  state_->lasting = true;
}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace sphaera
