/**
 * Starts live examples: by their button, or when one is scrolled to. Nothing of three.js is loaded before.
 */

/** What a reader asked for: with less motion or less data, only the button starts an example. */
function startsByItself(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return !matchMedia('(prefers-reduced-motion: reduce)').matches && !connection?.saveData;
}

export function watchLiveExamples(): void {
  const sections = document.querySelectorAll<HTMLElement>('.live');
  if (sections.length === 0) return;
  const started = new WeakSet<Element>();
  const start = async (section: HTMLElement) => {
    if (started.has(section)) return;
    started.add(section);
    const { runLiveExample } = await import('./run.ts');
    await runLiveExample(section);
  };
  for (const section of sections) {
    const button = section.querySelector<HTMLButtonElement>('.live-start');
    if (!button) continue;
    button.disabled = false;
    button.addEventListener('click', () => void start(section));
  }
  if (!startsByItself()) return;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) void start(target as HTMLElement);
    },
    { threshold: 0.6 },
  );
  // A page that was only opened loads nothing; one that is read does.
  addEventListener(
    'scroll',
    () => {
      for (const section of sections) observer.observe(section);
    },
    {
      once: true,
      passive: true,
    },
  );
}
