#include <tools/report/page_files.hpp>

// From page_files.S: where each file begins and ends.
extern "C" {
extern const char sphaera_page_html[], sphaera_page_html_end[], sphaera_page_css[], sphaera_page_css_end[],
    sphaera_view_js[], sphaera_view_js_end[], sphaera_three_js[], sphaera_three_js_end[],
    sphaera_three_license[], sphaera_three_license_end[];
}

namespace sphaera::tool::page_files {

std::string_view page() { return {sphaera_page_html, sphaera_page_html_end}; }
std::string_view style() { return {sphaera_page_css, sphaera_page_css_end}; }
std::string_view view() { return {sphaera_view_js, sphaera_view_js_end}; }
std::string_view three() { return {sphaera_three_js, sphaera_three_js_end}; }
std::string_view three_license() { return {sphaera_three_license, sphaera_three_license_end}; }

}  // namespace sphaera::tool::page_files
