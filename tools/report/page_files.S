/* The files of the page as bytes of the program; the build says where three.js is. */
.macro embed name, file
  .global \name, \name\()_end
  .hidden \name, \name\()_end
\name:
  .incbin "\file"
\name\()_end:
.endm

  .section .rodata
  embed sphaera_page_html, page.html
  embed sphaera_page_css, page.css
  embed sphaera_view_js, view.js
  embed sphaera_three_js, three.min.js
  embed sphaera_three_license, three_license.txt

  .section .note.GNU-stack, "", %progbits
