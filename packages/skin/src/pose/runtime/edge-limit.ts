/**
 * How far a pose stretches the surface: the longest edge of a pose against the longest that the same edge is at rest and in
 * the examples. A handle that is pulled out of reach is to bend the body, not to shred it: the forces of the handles are
 * reduced until no edge is longer than allowed.
 *
 * What is allowed depends on how far the handles are from those of the nearest example: where examples are near, what the
 * handles ask for is what the body does, and they are met whatever it stretches; far from all of them the limit holds. It is a
 * continuous function of the targets, so that the pose does not jump while a handle is pulled away.
 */
import { type Poser, vertexCount } from '@pelt/model';
import { edgeGraph } from '../../shared/mesh/edge-graph.ts';

/** Stretch that is allowed far from all examples, and the distance from the nearest, in model sizes, that has twice that. */
const MOST = 1.85;
const WITHIN = 0.07;

/** @param distance  RMS distance of the handles from those of the nearest example, in model sizes */
export function allowedStretch(distance: number): number {
  return MOST * (1 + (WITHIN / Math.max(distance, 1e-9)) ** 4);
}

/** Stretch that need not be looked for: no pose is like that. */
export const ANY_STRETCH = 30;

export class EdgeLimit {
  /** Both ends of every edge, and the longest that it is in the examples */
  readonly #ends: Uint32Array;
  readonly #longest: Float64Array;

  /** @param shapes  the rest pose, then the examples, n × 3 each; may be views of the same memory */
  constructor({ rig }: Poser, shapes: Iterable<ArrayLike<number>>) {
    const n = vertexCount(rig.mesh);
    const { starts, neighbours } = edgeGraph(rig.mesh.triangles, n);
    const ends: number[] = [];
    for (let i = 0; i < n; i++) {
      for (let k = starts[i]; k < starts[i + 1]; k++) if (neighbours[k] > i) ends.push(i, neighbours[k]);
    }
    this.#ends = Uint32Array.from(ends);
    this.#longest = new Float64Array(ends.length / 2);
    for (const shape of shapes) {
      for (let k = 0; k < this.#longest.length; k++) {
        this.#longest[k] = Math.max(this.#longest[k], this.#squared(shape, k));
      }
    }
  }

  /** The largest length of an edge against its longest in the examples; edges without length in all of them do not count. */
  stretch(positions: ArrayLike<number>): number {
    let most = 0;
    for (let k = 0; k < this.#longest.length; k++) {
      if (this.#longest[k] > 0) most = Math.max(most, this.#squared(positions, k) / this.#longest[k]);
    }
    return Math.sqrt(most);
  }

  #squared(x: ArrayLike<number>, k: number): number {
    const a = 3 * this.#ends[2 * k];
    const b = 3 * this.#ends[2 * k + 1];
    return (x[a] - x[b]) ** 2 + (x[a + 1] - x[b + 1]) ** 2 + (x[a + 2] - x[b + 2]) ** 2;
  }
}
