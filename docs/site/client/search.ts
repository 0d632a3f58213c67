/** Search over all sections of all pages. The index is fetched when it is first asked for. */
import MiniSearch from 'minisearch';

const SHOWN = 12;
/** As generator/search-index.mjs has them. */
const FIELDS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] };

let opened: Promise<{ dialog: HTMLDialogElement; input: HTMLInputElement }> | undefined;

/** @param root  from this page to the root of the site */
export async function showSearch(root: string): Promise<void> {
  opened ??= createDialog(root);
  const { dialog, input } = await opened;
  if (!dialog.open) dialog.showModal();
  input.select();
}

async function createDialog(root: string) {
  const dialog = Object.assign(document.createElement('dialog'), { className: 'search', ariaLabel: 'Search' });
  const input = Object.assign(document.createElement('input'), {
    type: 'search',
    placeholder: 'Search the documentation',
  });
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-label', 'Search the documentation');
  input.setAttribute('aria-controls', 'search-hits');
  input.setAttribute('aria-expanded', 'true');
  const list = Object.assign(document.createElement('ul'), { id: 'search-hits' });
  list.setAttribute('role', 'listbox');
  const note = Object.assign(document.createElement('p'), { textContent: 'Loading the index…' });
  dialog.append(input, list, note);
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.showModal();

  const response = await fetch(`${root}assets/search.json`);
  const index = MiniSearch.loadJSON(await response.text(), FIELDS);
  let chosen = 0;

  function choose(k: number): void {
    const items = [...list.children];
    if (items.length === 0) return;
    chosen = (k + items.length) % items.length;
    items.forEach((item, other) => {
      item.setAttribute('aria-selected', String(other === chosen));
    });
    items[chosen].scrollIntoView({ block: 'nearest' });
  }

  function show(): void {
    const hits = index.search(input.value, {
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
      boost: { title: 4, page: 2 },
    });
    list.replaceChildren(
      ...hits.slice(0, SHOWN).map(({ id, title, page }) => {
        const link = Object.assign(document.createElement('a'), { href: root + id, textContent: title });
        const under = Object.assign(document.createElement('span'), { textContent: page === title ? id : page });
        const item = document.createElement('li');
        item.setAttribute('role', 'option');
        link.append(under);
        link.addEventListener('click', () => dialog.close());
        item.append(link);
        return item;
      }),
    );
    note.textContent =
      input.value === '' ? 'Type a word: an option, a function, a method.' : hits.length === 0 ? 'Nothing found.' : '';
    note.hidden = note.textContent === '';
    choose(0);
  }
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') list.children[chosen]?.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });
  show();
  return { dialog, input };
}
