/** Starts the studio: what was given to the server, what was left here last time, or the first example. */
import { render } from 'preact';
import { exampleList, openExample, openServed, servedFiles } from './jobs/examples.ts';
import { ProjectStorage } from './jobs/project-storage.ts';
import { Workbench } from './jobs/workbench.ts';
import { App } from './panels/app.tsx';
import { bindStudio } from './panels/studio.ts';
import type { StudioDocument } from './store/document.ts';
import { Library } from './store/library.ts';
import { Store } from './store/store.ts';
import { FIRST_VIEW, type View } from './store/view.ts';
import './styles/tokens.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/clips.css';
import './styles/face.css';
import './styles/pairs.css';
import './styles/viewport.css';

const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
const store = new Store(undefined, { ...FIRST_VIEW, playing: !still });
const bench = new Workbench(store, new Library());
store.setSession({ isolated: globalThis.crossOriginIsolated });
store.subscribe(({ view }) => {
  const root = document.documentElement;
  if (view.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = view.theme;
});

const place = document.getElementById('app');
if (place) render(<App studio={bindStudio(bench)} />, place);

async function openFirst(): Promise<void> {
  const served = await servedFiles();
  const storage = await ProjectStorage.open(store, bench.library);
  const kept = served ? undefined : await storage?.load();
  if (served) await openServed(bench, served);
  else if (kept?.document.input) await restore(kept);
  else await openFirstExample();
  // Nobody asked for what stands there first: undo does not take it away.
  store.forget();
  await storage?.follow();
}

/** What was kept; where it cannot be read again, the first example with a word about it. */
async function restore({ document, view }: { document: StudioDocument; view: View }): Promise<void> {
  try {
    store.setView({ ...view, playing: !still });
    await bench.restore(document);
  } catch (error) {
    await openFirstExample();
    const text = `your last project could not be opened again (${(error as Error).message}); this is an example`;
    store.setSession({ notice: { kind: 'error', text } });
  }
}

async function openFirstExample(): Promise<void> {
  const [first] = await exampleList();
  if (first) await openExample(bench, first);
}

openFirst().catch((error: unknown) => {
  store.setSession({ notice: { kind: 'error', text: error instanceof Error ? error.message : String(error) } });
});
