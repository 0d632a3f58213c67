/** Sliders of a character by name: what `morphTargetInfluences` and `morphTargetDictionary` of its meshes are. */
import { type Sliders, UsageError } from '@pelt/model';
import type { PeltMesh } from './pelt-mesh.ts';

/**
 * The sliders of a loaded character. Their values are the `morphTargetInfluences` of its meshes, by the names in their
 * `morphTargetDictionary`, as with morph targets: code, tracks and expressions made for those go on working.
 * @example
 * {@includeCode ../../examples/sliders.ts}
 */
export class MeshSliders {
  readonly names: readonly string[];
  readonly #index: Readonly<Record<string, number>>;
  readonly #values: number[];

  /** Gives meshes of one surface the sliders, all at 0. */
  constructor(meshes: readonly PeltMesh[], { names }: Sliders) {
    this.names = names;
    this.#index = Object.fromEntries(names.map((name, s) => [name, s]));
    this.#values = names.map(() => 0);
    for (const mesh of meshes) {
      mesh.morphTargetDictionary = { ...this.#index };
      mesh.morphTargetInfluences = this.#values;
    }
  }

  get(name: string): number {
    return this.#values[this.#indexOf(name)];
  }

  /** @param value  0 for neutral, 1 for fully on; others go on along the same line */
  set(name: string, value: number): void {
    if (!Number.isFinite(value)) throw new UsageError(`slider '${name}' cannot be ${value}`);
    this.#values[this.#indexOf(name)] = value;
  }

  /** All sliders to neutral. */
  reset(): void {
    this.#values.fill(0);
  }

  #indexOf(name: string): number {
    if (Object.hasOwn(this.#index, name)) return this.#index[name];
    throw new UsageError(`there is no slider '${name}'; there are ${this.names.join(', ')}`);
  }
}
