#include <fmt/core.h>

#include <algorithm>
#include <tools/report/histogram.hpp>
#include <tools/report/html.hpp>
#include <tools/report/page.hpp>
#include <tools/report/sphere_view.hpp>
#include <tools/scene/scene_layers.hpp>

namespace sphaera::tool {
namespace {

std::string layers_table(const SceneSummary& summary) {
  std::string rows;
  for (std::size_t i = 0; i < summary.layers.size(); ++i) {
    const auto& [name, count] = summary.layers[i];
    rows += fmt::format(
        "<tr><td><span class=\"swatch\" style=\"background:{}\"></span> {}</td><td "
        "class=\"n\">{}</td></tr>\n",
        css_color(layer_color(i)), html::escaped(name), count);
  }
  return "<div class=\"wide\"><table><thead><tr><th>layer</th><th "
         "class=\"n\">spheres</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>\n";
}

std::string radii_histogram(const SceneSummary& summary, const Scene& scene, LayerMask layers) {
  if (!(summary.radius_min < summary.radius_max)) return "";
  Histogram radii(HistogramScale::of(summary.radius_min, summary.radius_max));
  for (std::size_t i = 0; i < scene.spheres().size(); ++i) {
    if (on_layers(scene, layers, i)) radii.add(scene.spheres()[i].radius);
  }
  return "<figure class=\"card\">" + radii.svg("Radii of the spheres") +
         html::element("figcaption", "Radii: number of spheres") + "</figure>\n";
}

}  // namespace

std::string scene_section(const DescribedScene& described, LayerMask layers) {
  html::Facts facts;
  for (const std::vector<Fact>& some : {contents_of(described.summary), frames_of(described.summary)})
    for (const auto& [label, value] : some)
      if (label != "layer") facts.row(label, value);  // they have a table
  for (const std::string& warning : described.summary.warnings) facts.row("warning", warning);
  std::string html = facts.end();
  if (described.summary.layers.size() > 1) html += layers_table(described.summary);
  return html + radii_histogram(described.summary, described.scene, layers);
}

}  // namespace sphaera::tool
