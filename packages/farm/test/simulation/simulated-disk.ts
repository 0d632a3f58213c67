/**
 * A disk in memory, shared by all processes, on which everything goes wrong that goes wrong on disks: a write can stop in
 * its middle, contents that were not yet on the medium vanish with the power though their names stay, bits flip, and it
 * can be full.
 */
import { createHash } from 'node:crypto';
import type { Disk, DiskEntry } from '../../src/machine/disk.ts';
import type { Actor, World } from './world.ts';

interface File {
  text: string;
  changed: number;
  /** Whether it would survive the power. */
  onMedium: boolean;
}

export class SimulatedDisk {
  readonly #world: World;
  readonly #files = new Map<string, File>();
  readonly #folders = new Map<string, { changed: number }>();
  /** Operations that still fail for want of room. */
  full = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** As one process sees it. */
  of(actor: Actor): Disk {
    const turn = () => actor.turn();
    return {
      makeFolder: async (path) => {
        await turn();
        if (!this.#folders.has(path)) this.#requireRoom(path);
        this.#makeFolder(path);
      },
      list: (folder) => this.#list(folder, turn),
      entry: async (path) => {
        await turn();
        return this.#entry(path);
      },
      read: async (path) => {
        await turn();
        return this.#file(path).text;
      },
      write: async (path, text) => {
        await turn();
        this.#requireRoom(path);
        this.#requireFolder(path);
        await this.#fill(path, text, turn);
      },
      copy: async (from, to) => {
        await turn();
        this.#requireRoom(to);
        const { text } = this.#file(from);
        this.#requireFolder(to);
        await this.#fill(to, text, turn);
      },
      link: async (from, to) => {
        await turn();
        this.#requireFolder(to);
        if (this.#entry(to)) throw failure('EEXIST', to);
        this.#files.set(to, this.#file(from));
      },
      rename: async (from, to) => {
        await turn();
        this.#rename(from, to);
      },
      remove: async (path) => {
        await turn();
        for (const all of [this.#files, this.#folders])
          for (const name of [...all.keys()]) if (name === path || name.startsWith(`${path}/`)) all.delete(name);
      },
      target: async (path) => path,
      touch: async (path, now) => {
        await turn();
        const found = this.#folders.get(path) ?? this.#files.get(path);
        if (!found) throw failure('ENOENT', path);
        found.changed = now;
      },
      hash: async (path) => {
        await turn();
        return sha(this.#file(path).text);
      },
    };
  }

  // What tests do and look at, without a turn.

  put(path: string, text: string): void {
    this.#makeFolder(path.slice(0, path.lastIndexOf('/')));
    this.#files.set(path, { text, changed: this.#world.now, onMedium: true });
  }

  text(path: string): string | undefined {
    return this.#files.get(path)?.text;
  }

  names(prefix: string): string[] {
    return [...this.#files.keys(), ...this.#folders.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  /** The power fails: contents that are not on the medium become empty, or end early. */
  powerCut(prefix: string, choose: (count: number) => number): void {
    for (const [name, file] of this.#files) {
      if (!name.startsWith(prefix) || file.onMedium) continue;
      const fate = choose(3);
      if (fate === 0) file.text = '';
      if (fate === 1) file.text = file.text.slice(0, choose(file.text.length + 1));
      file.onMedium = true;
    }
  }

  /** A bit of one file flips. */
  rot(prefix: string, choose: (count: number) => number): void {
    const names = [...this.#files.keys()].filter((name) => name.startsWith(prefix)).sort();
    if (names.length === 0) return;
    const file = this.#files.get(names[choose(names.length)]) as File;
    const at = choose(Math.max(1, file.text.length));
    const flipped = String.fromCharCode((file.text.charCodeAt(at) || 64) ^ 1);
    // A link shares its content: what is flipped for one is flipped for all.
    file.text = file.text.slice(0, at) + flipped + file.text.slice(at + 1);
  }

  async *#list(folder: string, turn: () => Promise<void>): AsyncIterable<string> {
    await turn();
    const start = `${folder}/`;
    const names = [...this.#files.keys(), ...this.#folders.keys()].filter((name) => name.startsWith(start));
    yield* new Set(names.map((name) => name.slice(start.length).split('/')[0]));
  }

  #entry(path: string): DiskEntry | undefined {
    const file = this.#files.get(path);
    if (file) return { kind: 'file', bytes: file.text.length, changed: file.changed };
    const folder = this.#folders.get(path);
    return folder && { kind: 'folder', bytes: 0, changed: folder.changed };
  }

  #file(path: string): File {
    const found = this.#files.get(path);
    if (!found) throw failure('ENOENT', path);
    return found;
  }

  /** In two steps, between which the process may die. */
  async #fill(path: string, text: string, turn: () => Promise<void>): Promise<void> {
    const half = Math.floor(text.length / 2);
    const file: File = { text: text.slice(0, half), changed: this.#world.now, onMedium: false };
    this.#files.set(path, file);
    await turn();
    file.text += text.slice(half);
  }

  #rename(from: string, to: string): void {
    const file = this.#files.get(from);
    if (!file && !this.#folders.has(from)) throw failure('ENOENT', from);
    this.#requireFolder(to);
    if (!file && this.names(`${to}/`).length > 0) throw failure('ENOTEMPTY', to);
    if (!file && this.#files.has(to)) throw failure('ENOTDIR', to);
    for (const all of [this.#files, this.#folders] as Map<string, never>[]) {
      for (const [name, value] of [...all]) {
        if (name !== from && !name.startsWith(`${from}/`)) continue;
        all.delete(name);
        all.set(to + name.slice(from.length), value);
      }
    }
  }

  #makeFolder(path: string): void {
    for (let at = path.indexOf('/', 1); ; at = path.indexOf('/', at + 1)) {
      const folder = at < 0 ? path : path.slice(0, at);
      if (!this.#folders.has(folder)) this.#folders.set(folder, { changed: this.#world.now });
      if (at < 0) return;
    }
  }

  #requireFolder(path: string): void {
    if (!this.#folders.has(path.slice(0, path.lastIndexOf('/')))) throw failure('ENOENT', path);
  }

  #requireRoom(path: string): void {
    if (this.full <= 0) return;
    this.full--;
    throw failure('ENOSPC', path);
  }
}

export function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function failure(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: '${path}'`), { code, syscall: 'simulated', path });
}
