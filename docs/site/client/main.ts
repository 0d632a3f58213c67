/** What every page runs: theme, menu, copying of code, the table of contents, search and live examples when asked. */
import '../styles/site.css';
import { watchLiveExamples } from './live/start.ts';

const THEMES = ['os', 'dark', 'light'] as const;
const root = document.documentElement;

const themeButton = document.querySelector<HTMLButtonElement>('.top .theme');
function nameTheme(): void {
  const words = { os: 'Theme: as the system', dark: 'Theme: dark', light: 'Theme: light' };
  const text = words[root.dataset.theme as keyof typeof words] ?? words.os;
  themeButton?.setAttribute('aria-label', text);
  if (themeButton) themeButton.title = text;
}
themeButton?.addEventListener('click', () => {
  const next = THEMES[(THEMES.indexOf(root.dataset.theme as 'os') + 1) % THEMES.length];
  root.dataset.theme = next;
  try {
    localStorage.setItem('pelt-theme', next);
  } catch {
    // Kept for this page only.
  }
  nameTheme();
});
nameTheme();

const menu = document.querySelector<HTMLButtonElement>('.top .menu');
const side = document.querySelector('.side');
function setMenu(open: boolean): void {
  side?.classList.toggle('open', open);
  menu?.setAttribute('aria-expanded', String(open));
}
menu?.addEventListener('click', () => setMenu(menu.getAttribute('aria-expanded') !== 'true'));
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') setMenu(false);
});

async function openSearch(): Promise<void> {
  const { showSearch } = await import('./search.ts');
  await showSearch(document.body.dataset.root ?? '');
}
document.querySelector('.find')?.addEventListener('click', () => void openSearch());
addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof HTMLElement && event.target.closest('input, select, textarea, [contenteditable]');
  const isAsked =
    (event.key === '/' && !event.ctrlKey && !event.metaKey) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (isTyping || !isAsked) return;
  event.preventDefault();
  void openSearch();
});

for (const block of document.querySelectorAll<HTMLPreElement>('pre:not(.signature)')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.append(button);
}

/** Marks the section that is being read. */
const places = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [link.hash.slice(1), link]),
);
if (places.size > 0) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of places.values()) link.classList.remove('here');
        places.get(target.id)?.classList.add('here');
      }
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const heading of document.querySelectorAll('article :is(h2, h3)[id]')) observer.observe(heading);
}

watchLiveExamples();
