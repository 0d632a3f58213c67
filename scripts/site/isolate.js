/** Where the host sends no headers of isolation: registers the worker that adds them, and loads the page again, once. */
(() => {
  const KEY = 'pelt-isolation';
  if (globalThis.crossOriginIsolated || !navigator.serviceWorker || sessionStorage.getItem(KEY)) return;
  navigator.serviceWorker
    .register('./isolation-worker.js')
    .then(() => navigator.serviceWorker.ready)
    .then(() => {
      // Once: where it does not help, the studio works on one thread.
      sessionStorage.setItem(KEY, 'tried');
      location.reload();
    })
    .catch(() => {});
})();
