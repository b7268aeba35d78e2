#include <cmath>
#include <exact/numbers/bounded.hpp>
#include <exact/numbers/integer.hpp>
#include <exact/predicates/filtered_predicate.hpp>
#include <exact/predicates/later_stages.hpp>
#include <tests/cases/stages.hpp>

namespace sphaera::test {

namespace {

namespace filter = exact::filter;

/// Order of two estimates; nothing if their errors may hide it.
std::optional<int> order(const filter::Estimate& a, const filter::Estimate& b) {
  const double difference = a.value - b.value;
  if (!(std::fabs(difference) > 1.1 * (a.error + b.error))) return std::nullopt;
  return difference < 0 ? -1 : 1;
}

template <class Input>
std::string wrong(const char* stage, const char* predicate, int expected, int got, const Input& input) {
  return std::string(stage) + ": " + predicate + " is " + std::to_string(expected) + ", not " +
         std::to_string(got) + "; " + describe(input);
}

/// Counts whether a stage was sure. Returns a message if its answer is wrong.
template <class Input>
std::string book(const char* stage, Knowledge& knowledge, const char* predicate,
                 const std::optional<int>& sign, int expected, const Input& input) {
  ++(sign ? knowledge.sure : knowledge.unsure);
  return !sign || *sign == expected ? std::string() : wrong(stage, predicate, expected, *sign, input);
}

/// Checks meets and contact by FilteredPredicate, as the queries' inner loop asks them.
template <class Arithmetic>
std::string check_filtered_predicate(const char* stage, const Case& c, const Truths& truths) {
  exact::Counts counts;
  const exact::Path path = path_of(c);
  if (!(path.t_min <= path.t_max)) return {};
  const exact::FilteredPredicate<Arithmetic> predicate(path, c.a, counts);
  const int meets = *truths[Predicate::meets], contact = *truths[Predicate::contact];
  if (predicate.meets() != meets) return wrong(stage, "meets", meets, !meets, c);
  for (const Contact got : {predicate.contact(), predicate.contact(predicate.root_estimates())}) {
    if (static_cast<int>(got) != contact) return wrong(stage, "contact", contact, static_cast<int>(got), c);
  }
  return {};
}

int by_later_stages(Form form, const SplitPair& s) {
  exact::Counts counts;
  switch (form) {
    case Form::discriminant:
      return exact::later_stages::discriminant(s.a, counts);
    case Form::power:
      return exact::later_stages::power(s.a, {s.t, 0}, counts);
    case Form::slope:
      return exact::later_stages::slope(s.a, {s.t, 0}, counts);
    case Form::entries:
      return exact::later_stages::entries(s.a, s.b, counts);
    case Form::distances:
      return exact::later_stages::distances(s.a, s.b, counts);
  }
  return 0;
}

}  // namespace

template <class Arithmetic>
std::optional<int> filtered(Predicate predicate, const Case& c, double share) {
  const auto spoiled = [&](const filter::Estimate& e) { return filter::Estimate{e.value, e.error * share}; };
  const auto sign = [&](const filter::Estimate& estimate) {
    const filter::Estimate e = spoiled(estimate);
    return e.sure() ? std::optional(e.sign()) : std::nullopt;
  };
  const exact::Path path = path_of(c);
  const Vec3 l = path.origin - c.a.center;
  switch (predicate) {
    case Predicate::discriminant:
      return sign(filter::discriminant<Arithmetic>(l, path, c.a.radius));
    case Predicate::power:
      if (std::isinf(c.t)) return std::nullopt;
      return sign(filter::power<Arithmetic>(l, path, c.a.radius, c.t));
    case Predicate::slope:
      if (std::isinf(c.t)) return std::nullopt;
      return sign(filter::slope<Arithmetic>(l, path, c.t));
    case Predicate::entries: {
      const auto entry = [&](const Sphere& s) {
        const Vec3 to = path.origin - s.center;
        const filter::Estimate delta = filter::discriminant<Arithmetic>(to, path, s.radius);
        const filter::RootEstimates roots = filter::root_estimates<Arithmetic>(to, path, delta);
        return spoiled({roots.t1, roots.error});
      };
      const filter::Estimate a = entry(c.a), b = entry(c.b);
      if (!(a.value - a.error > path.t_min) || !(b.value - b.error > path.t_min)) return std::nullopt;
      return order(a, b);
    }
    case Predicate::distances:
      return order(spoiled(filter::distance<Arithmetic>(c.x - c.a.center, c.a.radius)),
                   spoiled(filter::distance<Arithmetic>(c.x - c.b.center, c.b.radius)));
    case Predicate::gap:
      return sign(filter::square_difference<Arithmetic>(c.a.center - c.b.center, c.a.radius + c.b.radius));
    case Predicate::nesting:
      return sign(filter::square_difference<Arithmetic>(c.a.center - c.b.center, c.a.radius - c.b.radius));
    case Predicate::meets:
    case Predicate::contact:
      break;  // are made of the others
  }
  return std::nullopt;
}

template std::optional<int> filtered<exact::Fused>(Predicate, const Case&, double);
template std::optional<int> filtered<exact::Plain>(Predicate, const Case&, double);

std::string check_filter(const Case& c, const Truths& truths, Stages& stages) {
  for (int q = static_cast<int>(Predicate::discriminant); q < predicate_count; ++q) {
    const auto predicate = static_cast<Predicate>(q);
    const std::optional<int> expected = truths[predicate];
    if (!expected) continue;
    std::string message = book("fused filter", stages.filter_fused, name(predicate),
                               filtered<exact::Fused>(predicate, c), *expected, c) +
                          book("plain filter", stages.filter_plain, name(predicate),
                               filtered<exact::Plain>(predicate, c), *expected, c);
    if (!message.empty()) return message;
  }
  return check_filtered_predicate<exact::Fused>("fused predicate", c, truths) +
         check_filtered_predicate<exact::Plain>("plain predicate", c, truths);
}

std::string check_sums(const SplitPair& s, Stages& stages) {
  for (int f = 0; f < form_count; ++f) {
    const auto form = static_cast<Form>(f);
    const std::optional<int> expected = truth(form, s);
    if (!expected) continue;
    std::string message = book("fused double-double", stages.double_double_fused, name(form),
                               sign_by<exact::Bounded<exact::Fused>>(form, s), *expected, s) +
                          book("plain double-double", stages.double_double_plain, name(form),
                               sign_by<exact::Bounded<exact::Dekker>>(form, s), *expected, s);
    const int by_integers = *sign_by<exact::Integer>(form, s), by_both = by_later_stages(form, s);
    if (by_integers != *expected) message += wrong("integers", name(form), *expected, by_integers, s);
    if (by_both != *expected) message += wrong("refinement", name(form), *expected, by_both, s);
    if (!message.empty()) return message;
  }
  return {};
}

}  // namespace sphaera::test
