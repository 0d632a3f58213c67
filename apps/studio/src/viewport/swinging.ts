/** Lets characters whose joints are turned by hand swing, from the time that they have turned until they are at rest. */
import type { PeltMesh } from '@pelt/three';

/** Multiples of what was learnt. */
export interface SwingTuning {
  readonly stiffness: number;
  readonly damping: number;
  readonly gain: number;
}

/** Seconds after the last turn in which pictures go on. */
const SETTLE = 4;
/** Longest step: where pictures have stopped for a while, no time has passed for the swing. */
const LONGEST = 0.1;
const FIRST = 1 / 60;

export class Swinging {
  readonly #meshes: readonly PeltMesh[];
  readonly #now: () => number;
  #last = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  /**
   * @param meshes  one for each skeleton; those that do not swing are left alone
   * @param now     seconds
   */
  constructor(meshes: readonly PeltMesh[], now = () => performance.now() / 1000) {
    this.#meshes = meshes.filter(({ skeleton }) => skeleton.swing);
    this.#now = now;
  }

  /** Whether anything can swing. */
  get swings(): boolean {
    return this.#meshes.length > 0;
  }

  /** Joints have turned, or the tuning has changed. */
  wake(): void {
    this.#until = this.#now() + SETTLE;
  }

  tune(tuning: SwingTuning): void {
    for (const mesh of this.#meshes) mesh.tuneSwing(tuning);
    this.wake();
  }

  /** Advances to now, before a picture; true where another picture is wanted after it. */
  advance(): boolean {
    const now = this.#now();
    if (!this.swings || now > this.#until) return false;
    const passed = now - this.#last;
    this.#last = now;
    for (const mesh of this.#meshes) mesh.advance(passed < LONGEST ? passed : FIRST);
    return true;
  }
}
