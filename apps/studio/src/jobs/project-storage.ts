/**
 * The project in this browser: its document, how it was looked at, and the files it needs, saved a moment after every
 * change. One tab saves; another one that is open at the same time says that it does not.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { StudioDocument } from '../store/document.ts';
import { completed } from '../store/kept-document.ts';
import type { Library, LibraryItem } from '../store/library.ts';
import type { Store } from '../store/store.ts';
import type { View } from '../store/view.ts';

/** Raised where the form of what is kept changes: older projects are left alone. */
const VERSION = 1;
const NAME = 'pelt-studio';
const LOCK = 'pelt-studio-project';
const DELAY_MS = 600;

interface Schema extends DBSchema {
  project: { key: string; value: { readonly document: StudioDocument; readonly view: View } };
  /** Files and points by id; what can be read from the files again is not kept. */
  items: { key: string; value: Pick<LibraryItem, 'files' | 'points'> };
}

export class ProjectStorage {
  readonly #database: IDBPDatabase<Schema>;
  readonly #store: Store;
  readonly #library: Library;
  readonly #kept = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Undefined where the browser keeps nothing, as in some private windows. */
  static async open(store: Store, library: Library): Promise<ProjectStorage | undefined> {
    try {
      const database = await openDB<Schema>(NAME, VERSION, {
        upgrade: (db) => {
          db.createObjectStore('project');
          db.createObjectStore('items');
        },
      });
      return new ProjectStorage(database, store, library);
    } catch {
      return undefined;
    }
  }

  private constructor(database: IDBPDatabase<Schema>, store: Store, library: Library) {
    this.#database = database;
    this.#store = store;
    this.#library = library;
  }

  /** What was kept last time, with its files put into the library. */
  async load(): Promise<{ document: StudioDocument; view: View } | undefined> {
    const kept = await this.#database.get('project', 'current');
    if (!kept) return undefined;
    const project = { ...kept, document: completed(kept.document) };
    for (const id of idsOf(project.document)) {
      const item = await this.#database.get('items', id);
      if (!item) return undefined;
      this.#library.set(id, item);
      this.#kept.add(id);
    }
    return project;
  }

  /** Saves from now on, in the tab that was first. */
  async follow(): Promise<void> {
    if (!(await isFirstTab())) {
      this.#store.setSession({ saved: 'elsewhere' });
      return;
    }
    this.#store.setSession({ saved: 'saved' });
    this.#store.subscribe((state, before) => {
      const { frame: _, playing: __, ...view } = state.view;
      const { frame: _f, playing: __p, ...viewBefore } = before.view;
      const sameView = JSON.stringify(view) === JSON.stringify(viewBefore);
      if (state.document === before.document && sameView) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#save(), DELAY_MS);
      if (state.session.saved !== 'saving') this.#store.setSession({ saved: 'saving' });
    });
  }

  async #save(): Promise<void> {
    const { document, view } = this.#store.state;
    const wanted = idsOf(document);
    try {
      const change = this.#database.transaction(['project', 'items'], 'readwrite');
      const items = change.objectStore('items');
      for (const id of wanted) {
        const item = this.#library.get(id);
        if (this.#kept.has(id) || !item) continue;
        const { files, points } = item;
        await items.put({ files, ...(points && { points }) }, id);
      }
      for (const id of this.#kept) if (!wanted.has(id)) await items.delete(id);
      await change.objectStore('project').put({ document, view }, 'current');
      await change.done;
      this.#kept.clear();
      for (const id of wanted) this.#kept.add(id);
      this.#library.keep(new Set(this.#store.documents.flatMap((one) => [...idsOf(one)])));
      this.#store.setSession({ saved: 'saved' });
    } catch (error) {
      const text = `the project could not be saved in this browser (${(error as Error).message}); export what you need`;
      this.#store.setSession({ saved: 'off', notice: { kind: 'error', text } });
    }
  }
}

/** Everything of the library that a document needs. */
export function idsOf({
  input,
  runs,
  poser,
  poses,
  puppet,
  performance,
  face,
  clips,
  volume,
}: StudioDocument): Set<string> {
  const named = [input, ...runs, poser, ...poses, puppet.motion, puppet.pairs, puppet.take, performance];
  const faces = [face.fitted, face.recording];
  const bases = clips.map(({ base }) => (base?.kind === 'file' ? base : undefined));
  return new Set(
    [...named, ...faces, ...bases, volume.capture, ...volume.examples].flatMap((one) => (one ? [one.id] : [])),
  );
}

/** Holds a lock of the origin for as long as the page lives. */
function isFirstTab(): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((tell) => {
    void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      tell(lock !== null);
      return lock ? new Promise<void>(() => {}) : undefined;
    });
  });
}
