/** The large parts of a project by id: files as they were given, animations, results. Immutable once they are in. */
import type { Clip, MeshSequence, Rig } from '@pelt/model';

/** The bytes of a file that a user gave; `Blob` of the platform. */
export interface StoredFile {
  readonly path: string;
  readonly blob: Blob;
}

/** A rig that plays the animation. */
export interface Played {
  readonly rig: Rig;
  readonly clip: Clip;
  /** For each vertex of the rig one of the animation. */
  readonly vertices: Uint32Array;
  /** S × n × 3 positions as a learnt skin plays them; absent: the rig blends linearly. */
  readonly learnt?: Float32Array;
}

/** How much each pair of poses counts over a performance, as the command reports it. */
export interface PairWeights {
  readonly pairs: readonly string[];
  readonly parts: readonly string[];
  /** Seconds. */
  readonly times: readonly number[];
  /** For each time, each part, each pair. */
  readonly values: readonly (readonly (readonly number[])[])[];
}

export interface LibraryItem {
  readonly files: readonly StoredFile[];
  readonly sequence?: MeshSequence;
  readonly played?: Played;
  /** The same prepared for posing. It can be made again, and is not kept with the project. */
  readonly poser?: StoredFile;
  /** What that was made of. */
  readonly poserKey?: string;
  /** Of a performance; not kept with the project. */
  readonly weights?: PairWeights;
  /** n × 3 positions of a saved pose. */
  readonly points?: Float32Array;
}

export class Library {
  readonly #items = new Map<string, LibraryItem>();
  #next = 1;

  /** An id that no item of this project has. */
  newId(prefix: string): string {
    while (this.#items.has(`${prefix}-${this.#next}`)) this.#next++;
    return `${prefix}-${this.#next++}`;
  }

  get(id: string | undefined): LibraryItem | undefined {
    return id === undefined ? undefined : this.#items.get(id);
  }

  set(id: string, item: LibraryItem): void {
    this.#items.set(id, item);
  }

  get ids(): readonly string[] {
    return [...this.#items.keys()];
  }

  /** Forgets what no document names any more. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id);
  }
}
