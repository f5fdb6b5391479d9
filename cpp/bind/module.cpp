#include <nanobind/nanobind.h>

namespace deciban {
void bind_statistics(nanobind::module_& m);
void bind_codes(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_left_out(nanobind::module_& m);
void bind_contrasts(nanobind::module_& m);
void bind_files(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_words(nanobind::module_& m);
void bind_vocabularies(nanobind::module_& m);
void bind_draws(nanobind::module_& m);
void bind_row_keys(nanobind::module_& m);
void bind_refine(nanobind::module_& m);
}  // namespace deciban

NB_MODULE(_core, m) {
  nanobind::set_leak_warnings(false);  // cached objects live as long as the process
  m.doc() = "Kernels over borrowed memory. They check every array and raise a ValueError for one that does not fit.";
  deciban::bind_statistics(m);
  deciban::bind_codes(m);
  deciban::bind_scores(m);
  deciban::bind_left_out(m);
  deciban::bind_contrasts(m);
  deciban::bind_files(m);
  deciban::bind_documents(m);
  deciban::bind_vocabularies(m);  // before words, whose functions take a WordIndex
  deciban::bind_words(m);
  deciban::bind_draws(m);
  deciban::bind_row_keys(m);
  deciban::bind_refine(m);
}
