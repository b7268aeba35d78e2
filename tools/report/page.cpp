#include <fmt/core.h>

#include <io/streams/byte_reader.hpp>
#include <io/streams/file_error.hpp>
#include <sphaera/version.hpp>
#include <tools/report/html.hpp>
#include <tools/report/page.hpp>
#include <tools/report/page_files.hpp>

namespace sphaera::tool {
namespace {

std::string commands_html(const std::vector<std::string>& commands) {
  std::string html;
  for (const std::string& command : commands) html += html::element("pre", command) + "\n";
  return html;
}

/// Embeds a picture piece by piece.
void write_picture(io::Output& output, const std::filesystem::path& path,
                   const std::vector<std::string>& commands, const std::stop_token& stop) {
  constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
  constexpr std::size_t piece = std::size_t{3} << 16;  // without padding, as three bytes are four digits
  const std::unique_ptr<io::ByteSource> source = io::open_source(path, {.stop = stop});
  std::string bytes(piece, '\0');
  std::size_t size = source->read_fully(bytes);
  if (!std::string_view(bytes).substr(0, size).starts_with(signature))
    io::fail(source->name(), "this is no PNG picture; a report takes those of map and shoot --picture");
  const std::string name = path.filename().string();
  output.write("<section>" + html::element("h2", name) + commands_html(commands) + "<figure><img alt=\"" +
               html::escaped(name) + "\" src=\"data:image/png;base64,");
  for (; size > 0; size = source->read_fully(bytes))
    output.write(html::base64(std::string_view(bytes).substr(0, size)));
  output.write("\"></figure></section>\n");
}

void write_inputs(io::Output& output, const Page& page, const SceneFile& file, const std::stop_token& stop) {
  auto result = page.results.begin();
  for (const std::filesystem::path& input : page.inputs) {
    const std::vector<std::string> commands = commands_of(input, page.commands);
    if (is_picture_file(input))
      write_picture(output, input, commands, stop);
    else
      output.write(result_section(*result++, commands, file));
  }
}

std::string contents_html(const Page& page) {
  std::string html;
  for (const std::filesystem::path& input : page.inputs)
    html += html::element("li", input.filename().string());
  return html.empty() ? "" : "<p>The scene, and:</p><ul>" + html + "</ul>\n";
}

}  // namespace

bool is_picture_file(const std::filesystem::path& path) { return path.extension() == ".png"; }

void write_page(io::Output& output, const Page& page, const SceneFile& file, const std::stop_token& stop) {
  for (std::string_view rest = page_files::page(); !rest.empty();) {
    const std::size_t begin = rest.find("{{"), end = rest.find("}}");
    output.write(rest.substr(0, begin));
    if (begin == std::string_view::npos) break;
    const std::string_view place = rest.substr(begin + 2, end - begin - 2);
    rest.remove_prefix(end + 2);
    if (place == "title") output.write(html::escaped(page.title));
    if (place == "style") output.write(page_files::style());
    if (place == "contents") output.write(contents_html(page));
    if (place == "scene") output.write(page.scene);
    if (place == "still") output.write(page.still);
    if (place == "inputs") write_inputs(output, page, file, stop);
    if (place == "version") output.write(SPHAERA_VERSION);
    if (place == "license") output.write(page_files::three_license());
    if (place == "data") output.write(page.view_data);
    if (place == "three") output.write(page_files::three());
    if (place == "view") output.write(page_files::view());
  }
}

}  // namespace sphaera::tool
