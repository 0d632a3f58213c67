// Before the page is drawn, so that it does not flash: the theme that was chosen here, else the system's.
try {
  document.documentElement.dataset.theme = localStorage.getItem('pelt-theme') ?? 'os';
} catch {
  // Storage may be refused; the system's theme is a good one.
}
