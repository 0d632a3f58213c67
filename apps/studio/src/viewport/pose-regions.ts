/**
 * Regions of the skin that are painted: those that stay where they are, and those that may depart from the examples; and
 * what the posing itself works with, its controls and proxies.
 */
import type { PoseSolver } from '@pelt/three';
import { Vector3 } from 'three/webgpu';
import { Dots } from './dots.ts';
import type { Stage } from './stage.ts';

export type RegionTool = 'pinned' | 'free';

const COLOURS = { pinned: '#c33a1d', free: '#3f7fb5', controls: '#d9822b', proxies: '#22262b' } as const;
/** Dots of a region, at most: it need not be full to be seen. */
const MOST_DOTS = 1200;

export class PoseRegions {
  readonly #solver: PoseSolver;
  readonly #dots: Readonly<Record<keyof typeof COLOURS, Dots>>;
  readonly #sets: Readonly<Record<RegionTool, Set<number>>> = { pinned: new Set(), free: new Set() };
  /** Whether controls and proxies are shown. */
  marks = false;

  constructor(stage: Stage, solver: PoseSolver) {
    this.#solver = solver;
    this.#dots = {
      pinned: new Dots(stage, COLOURS.pinned, 0.008),
      free: new Dots(stage, COLOURS.free, 0.008),
      controls: new Dots(stage, COLOURS.controls, 0.022),
      proxies: new Dots(stage, COLOURS.proxies, 0.007),
    };
  }

  get counts(): Readonly<Record<RegionTool, number>> {
    return { pinned: this.#sets.pinned.size, free: this.#sets.free.size };
  }

  /**
   * Adds the vertices within a brush to a region, or takes them out of it; a vertex is in one of them.
   *
   * @param at  in model space
   */
  paint(tool: RegionTool, at: Vector3, radius: number, erase: boolean): void {
    const place = new Vector3();
    const other = this.#sets[tool === 'pinned' ? 'free' : 'pinned'];
    for (let i = 0; 3 * i < this.#solver.restPositions.length; i++) {
      if (this.#solver.getVertexPosition(i, place).distanceTo(at) > radius) continue;
      if (erase) this.#sets[tool].delete(i);
      else {
        this.#sets[tool].add(i);
        other.delete(i);
      }
    }
  }

  clear(): void {
    for (const set of Object.values(this.#sets)) set.clear();
    this.apply();
  }

  /** The solver takes the regions from now on. */
  apply(): void {
    this.#solver.setRegions({ pinned: [...this.#sets.pinned], free: [...this.#sets.free] });
  }

  /** Puts all dots where the skin is. */
  update(): void {
    for (const tool of ['pinned', 'free'] as const) this.#dots[tool].show(this.#places(this.#sets[tool]));
    this.#dots.controls.show(this.marks ? this.#controls() : []);
    this.#dots.proxies.show(this.marks ? this.#proxies() : []);
  }

  dispose(): void {
    for (const dots of Object.values(this.#dots)) dots.dispose();
  }

  #places(vertices: ReadonlySet<number>): Float32Array {
    const step = Math.max(1, Math.ceil(vertices.size / MOST_DOTS));
    const some = [...vertices].filter((_, k) => k % step === 0);
    const [out, place] = [new Float32Array(3 * some.length), new Vector3()];
    some.forEach((vertex, k) => {
      this.#solver.getVertexPosition(vertex, place).toArray(out, 3 * k);
    });
    return out;
  }

  /** Where controls are: the mean of the skin that each of them moves. */
  #controls(): Float32Array {
    const { model } = this.#solver.mesh;
    const { slots, bones, weights } = model.part?.weights ?? model.skin;
    return this.#means(Math.max(0, ...bones) + 1, (i, add) => {
      for (let s = i * slots; s < (i + 1) * slots; s++) add(bones[s], weights[s]);
    });
  }

  #proxies(): Float32Array {
    const proxies = this.#solver.mesh.model.poser?.vertexProxies ?? [];
    return this.#means(Math.max(-1, ...proxies) + 1, (i, add) => add(proxies[i], 1));
  }

  /** Means of posed vertices by shares of groups; groups without a vertex are left out. */
  #means(groups: number, shares: (vertex: number, add: (group: number, weight: number) => void) => void): Float32Array {
    const [sums, totals, place] = [new Float64Array(3 * groups), new Float64Array(groups), new Vector3()];
    for (let i = 0; 3 * i < this.#solver.restPositions.length; i++) {
      this.#solver.getVertexPosition(i, place);
      shares(i, (group, weight) => {
        totals[group] += weight;
        sums[3 * group] += weight * place.x;
        sums[3 * group + 1] += weight * place.y;
        sums[3 * group + 2] += weight * place.z;
      });
    }
    return Float32Array.from(
      Array.from(totals.keys()).flatMap((group) => {
        const total = totals[group];
        return total > 0 ? [0, 1, 2].map((c) => sums[3 * group + c] / total) : [];
      }),
    );
  }
}
