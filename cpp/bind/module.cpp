#include <nanobind/nanobind.h>

namespace deciban {
void bind_statistics(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_contrasts(nanobind::module_& m);
void bind_tables(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_words(nanobind::module_& m);
void bind_draws(nanobind::module_& m);
}  // namespace deciban

NB_MODULE(_core, m) {
  nanobind::set_leak_warnings(false);  // what is cached lives as long as the process
  m.doc() = "Kernels over borrowed memory; every array is checked at this border.";
  deciban::bind_statistics(m);
  deciban::bind_scores(m);
  deciban::bind_contrasts(m);
  deciban::bind_tables(m);
  deciban::bind_documents(m);
  deciban::bind_words(m);
  deciban::bind_draws(m);
}
