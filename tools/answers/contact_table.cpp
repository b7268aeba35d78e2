#include <fmt/core.h>

#include <algorithm>
#include <tools/answers/contact_check.hpp>
#include <tools/answers/contact_table.hpp>
#include <tools/answers/eclipse_intervals.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/given_time.hpp>
#include <tools/scene/light_column.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/terminal/progress.hpp>

namespace sphaera::tool {
namespace {

namespace column = files::column;

struct ContactRow {
  std::uint64_t observer;
  const StarContact& found;
  std::string date{};

  const ContactTime* contact = found.is_contact() ? &found.contact : nullptr;  ///< null: there are no numbers
};

/// The word of a phase of the contact, or why there is none.
constexpr auto phase_word(EclipsePhase ContactTime::* phase) {
  return [phase](const ContactRow& row) {
    return light_word(row.found.contact.*phase, row.found.unseen.status);
  };
}

constexpr files::ResultColumns contact_columns{
    column::integer("observer", "number of the observer, from 0 in the order of the file",
                    &ContactRow::observer),
    column::integer("star", "number of the star, from 0",
                    [](const ContactRow& row) { return row.found.star; }),
    column::number("time", "in the scene's unit of time, to the last bit of the motions' rounding",
                   column::of(&ContactRow::contact, &ContactTime::time)),
    column::sphere("body", "id of the sphere; -1 with --together",
                   column::of(&ContactRow::contact, &ContactTime::body)),
    column::word(
        "before", light_words,
        "lit, penumbra, umbra or antumbra: how the star is seen behind that body alone (or behind all) "
        "just before. inside_star (the observer is in the star at a time in the interval) and "
        "intersects_star (a "
        "sphere's surface cuts the star's): the only row of observer and star, its time and body empty",
        phase_word(&ContactTime::before)),
    column::word(
        "after", light_words,
        "the same from this time on. Lit to penumbra is first contact, penumbra to umbra or antumbra "
        "second contact; third and fourth contact are the same in reverse. Where body is the sphere that "
        "the observer stands on, umbra to penumbra is the rise of the upper limb and penumbra to lit that "
        "of the lower limb; sunset is the same in reverse (no air bends the light)",
        phase_word(&ContactTime::after))};
constexpr auto dated_columns =
    contact_columns +
    files::ResultColumns{column::text(
        "date", "with --dates: time as a date in UTC, rounded to a millisecond; before 1972 in TT",
        &ContactRow::date)};

struct IntervalRow {
  std::uint64_t observer;
  EclipseInterval eclipse;
  std::string start_date{}, greatest_date{}, end_date{};
};

/// Reads a member of the interval.
template <class Value>
constexpr auto of_eclipse(Value EclipseInterval::* member) {
  return [member](const IntervalRow& row) { return row.eclipse.*member; };
}

constexpr files::ResultColumns interval_columns{
    column::integer("observer", "number of the observer, from 0 in the order of the file",
                    &IntervalRow::observer),
    column::integer("star", "number of the star, from 0", of_eclipse(&EclipseInterval::star)),
    column::sphere("body", "id of the sphere",
                   [](const IntervalRow& row) {
                     return row.eclipse.status == StarStatus::ok ? &row.eclipse.body : nullptr;
                   }),
    column::word("phase", light_words,
                 "the deepest: umbra (total), antumbra (annular) or penumbra (partial). inside_star and "
                 "intersects_star: "
                 "the only row of observer and star, as of contacts; the rest is empty",
                 [](const IntervalRow& row) { return light_word(row.eclipse.phase, row.eclipse.status); }),
    column::number("start", "first contact; empty if it is not after --from",
                   of_eclipse(&EclipseInterval::start)),
    column::number("total_start", "second contact: the total or annular phase begins; empty without one",
                   of_eclipse(&EclipseInterval::total_start)),
    column::number(
        "greatest",
        "when the centers are nearest on the sky, to 1e-8 of the duration; in the interval from --from "
        "to --to",
        of_eclipse(&EclipseInterval::greatest)),
    column::number("total_end", "third contact", of_eclipse(&EclipseInterval::total_end)),
    column::number("end", "fourth contact; empty if it is after --to", of_eclipse(&EclipseInterval::end)),
    column::number("duration", "end − start",
                   [](const IntervalRow& row) { return row.eclipse.end - row.eclipse.start; }),
    column::number("magnitude", "of the eclipse at `greatest`, as starlight has it",
                   of_eclipse(&EclipseInterval::magnitude))};
constexpr auto dated_intervals =
    interval_columns +
    files::ResultColumns{column::text("start_date", "with --dates", &IntervalRow::start_date),
                         column::text("greatest_date", "with --dates", &IntervalRow::greatest_date),
                         column::text("end_date", "with --dates", &IntervalRow::end_date)};

}  // namespace

void QuietPairs::add(const QuietPairs& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  pairs_ += other.pairs_;
}

std::string QuietPairs::text() const {
  std::uint64_t all = 0;
  std::string classes;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    all += counts_[i];
    if (counts_[i] > 0)
      classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", counts_[i], phase_words[i]);
  }
  if (all == 0) return {};
  return fmt::format("no contact in {} of {} pairs of observer and star: {}", all, pairs_, classes);
}

void UnseenPairs::add(const UnseenPairs& others) {
  if (count == 0) observer = others.observer, first = others.first;
  count += others.count;
}

ContactTable::ContactTable(const SceneOverTime& sky, const Wanted& wanted, const Verify& verify,
                           files::TableWriter& table, Rows rows, const std::optional<io::Instant>& epoch)
    : sky_(sky),
      wanted_(wanted),
      verify_(verify),
      table_(table),
      kind_(rows),
      epoch_(epoch),
      sample_(verify.wanted, verify.seed) {}

std::vector<files::Column> ContactTable::columns(Rows rows, bool dates) {
  if (rows == Rows::intervals) return dates ? dated_intervals.list() : interval_columns.list();
  return dates ? dated_columns.list() : contact_columns.list();
}

std::string ContactTable::columns_help(Rows rows) {
  return rows == Rows::intervals ? dated_intervals.help() : dated_columns.help();
}

void ContactTable::answer(std::uint64_t number, const SceneObserver& observer, Found& found,
                          const Turn& turn) const {
  const std::vector<StarContact> contacts = sky_.contacts(observer, wanted_);
  write(found.rows.rows(), number, observer, contacts, [&](files::TableRows&) { found.rows.leave(turn); });
  for (const StarContact& contact : contacts)
    if (!contact.is_contact()) found.unseen.add({1, number, contact});
  found.quiet.count_pairs(sky_.stars());
  for (std::size_t j = 0; j < sky_.stars(); ++j) {
    if (std::ranges::find(contacts, static_cast<std::int64_t>(j), &StarContact::star) != contacts.end())
      continue;
    const auto phase = sky_.phase_at(observer, j, sky_.bodies(observer, j), sky_.interval().from);
    if (phase) found.quiet.count(*phase);
  }
  const std::uint64_t hash = sample_.hash(number);
  if (!sample_.may_take(hash)) return;
  found.sampled.push_back({hash, number, observer, digest_of(number, observer, contacts)});
}

void ContactTable::take(Found& found) {
  found.rows.write();
  quiet_.add(found.quiet);
  unseen_.add(found.unseen);
  sample_.offer(found.sampled);
  ++observers_;
}

void ContactTable::finish(const Console& console, const std::stop_token& stop) {
  if (const std::string quiet = quiet_.text(); !quiet.empty()) console.note(quiet);
  warn_of_unseen(console);
  if (verify_.wanted == 0) return;
  Progress progress(console, "verifying");
  const auto entries = sample_.take();
  std::uint64_t queries = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    throw_if_interrupted(stop);
    queries += check(entries[i]);
    progress.set_fraction(static_cast<double>(i + 1) / static_cast<double>(entries.size()));
  }
  progress.clear();
  console.note(fmt::format("{} of {} observers checked by {} direct queries: the same phases (seed {})",
                           entries.size(), observers_, queries, verify_.seed));
}

void ContactTable::warn_of_unseen(const Console& console) const {
  if (unseen_.count == 0) return;
  const StarContact& first = unseen_.first;
  console.warn(fmt::format(
      "{} of observer and star without an answer, a row with inside_star or intersects_star: "
      "the first of observer {} and {}, {} at time {}",
      counted(unseen_.count, "pair"), unseen_.observer, sky_.star_name(static_cast<std::size_t>(first.star)),
      light_words[light_word({}, first.unseen.status)], first.unseen.time));
}

std::string ContactTable::date_of(double time) const {
  return epoch_ ? date_after(*epoch_, time) : std::string();
}

void ContactTable::write(files::TableRows& rows, std::uint64_t number, const SceneObserver& observer,
                         const std::vector<StarContact>& contacts,
                         const std::function<void(files::TableRows&)>& full) const {
  rows.when_full(OrderedRows::block_bytes, full);
  if (kind_ == Rows::intervals) {
    for (const EclipseInterval& eclipse : eclipse_intervals(sky_, observer, contacts)) {
      const IntervalRow row{number, eclipse, date_of(eclipse.start), date_of(eclipse.greatest),
                            date_of(eclipse.end)};
      epoch_ ? dated_intervals.write(rows, row) : interval_columns.write(rows, row);
    }
  } else {
    for (const StarContact& found : contacts) {
      const ContactRow row{number, found, found.is_contact() ? date_of(found.contact.time) : std::string()};
      epoch_ ? dated_columns.write(rows, row) : contact_columns.write(rows, row);
    }
  }
  rows.when_full(SIZE_MAX, {});
}

/// Digest of all cells of the rows, also of those that the table does not show.
RowsDigest ContactTable::digest_of(std::uint64_t number, const SceneObserver& observer,
                                   const std::vector<StarContact>& contacts) const {
  RowsDigest digest;
  files::TableRows whole = table_.whole_rows();
  write(whole, number, observer, contacts, [&](files::TableRows& rows) {
    digest.add(rows.bytes());
    rows.clear();
  });
  digest.add(whole.bytes());
  return digest;
}

/// Finds the contacts again, which must give the rows that were written; then checks them by direct queries.
std::uint64_t ContactTable::check(const Sample<SceneObserver>::Entry& entry) const {
  const SceneObserver& observer = entry.query;
  const std::vector<StarContact> contacts = sky_.contacts(observer, wanted_);
  if (digest_of(entry.number, observer, contacts) != entry.rows) {
    throw Mismatch(fmt::format(
        "observer {}: the second answer has other rows (seed {}); please report this scene and observer",
        entry.number, verify_.seed));
  }
  return check_contacts(sky_, observer, contacts, wanted_, {entry.number, verify_.seed});
}

}  // namespace sphaera::tool
