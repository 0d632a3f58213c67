/**
 * Mesh-based inverse kinematics (MeshIK) on the full mesh, with every vertex unknown and a gradient for each triangle,
 *
 *   minimise ½ Σ_t A_t ‖(∇v)_t − m_t(β) P_t‖² + Σ_c φ(v_c − b_c) + ½λ‖β‖²,
 *
 * where P_t is the projection onto the plane of the rest triangle. The matrix of the vertices is factored once; an
 * iteration solves with it for every example. It is the reference for the reduced model, and about a hundred times
 * slower.
 *
 * Reference: Sumner, Zwicker, Gotsman, Popović. Mesh-based inverse kinematics. 2005.
 */
import { DISPOSE, factorSmall, SparseCholesky, solveSmall } from '@pelt/math';
import {
  checkCancelled,
  frameAt,
  frameCount,
  interruptible,
  type MeshSequence,
  type Run,
  UsageError,
  validateMeshSequence,
  type Weld,
  weldSequence,
} from '@pelt/model';
import { DeformationGradients, splitGradients } from '../../shared/gradients/deformation-gradients.ts';
import { packStretch } from '../../shared/gradients/pack-stretch.ts';
import { LogUnwrapper } from '../../shared/gradients/unwrap-logs.ts';
import { triangleGraph } from '../../shared/mesh/triangle-graph.ts';
import type { PoseOptions } from '../options.ts';
import { HandleForces } from '../runtime/handle-forces.ts';
import { type HandlePoser, type PoseState, poseOptions } from '../runtime/handle-poser.ts';
import type { Handle } from '../runtime/handle-set.ts';
import { ProxyBlend } from '../runtime/proxy-blend.ts';
import { type RelativeFrame, relativeFrame, relativePositions } from '../runtime/relative-frame.ts';
import { type SurfaceGradients, surfaceGradients } from './surface-gradients.ts';

const HARD = 1e-6;
const MOST_SIDES = 4;
const FIRST_DAMPING = 1e-3;
const MOST_TRIES = 12;
const MOST_ITERATIONS = 200;

/**
 * Starts full mesh-based inverse kinematics (Sumner et al. 2005). Seams of the mesh are welded. Dispose of it to free
 * its memory.
 *
 * @param sequence  the mesh at rest, n vertices, and E examples as its frames
 *
 * @example
 * {@includeCode ../../../examples/create-mesh-ik.ts}
 */
export function createMeshIk(sequence: MeshSequence, options: Partial<PoseOptions> | undefined, run: Run): MeshIk {
  const resolved = poseOptions('createMeshIk', options);
  validateMeshSequence(sequence);
  return interruptible(run, () => new MeshIk(weldSequence(sequence), resolved, run));
}

/** Full mesh-based inverse kinematics; see `createMeshIk`. */
export class MeshIk implements HandlePoser {
  readonly blend: Float64Array;
  readonly #options: PoseOptions;
  readonly #map: Uint32Array;
  readonly #frame: RelativeFrame;
  readonly #x: Float64Array;
  readonly #triangles: Uint32Array;
  readonly #surface: SurfaceGradients;
  readonly #cholesky: SparseCholesky;
  readonly #blender: ProxyBlend;
  readonly #E: number;
  readonly #n: number;
  /** 3f × 3(E + 1): m − I of every triangle and its derivatives */
  readonly #shapes: Float64Array;
  readonly #state = { iterations: 0, cost: 0, atRest: true };
  #handles: readonly Handle[] = [];
  #forces = new HandleForces(0);
  /** k × n: compliance of all vertices to a force at each handle */
  #v: Float64Array[] = [];
  #s = new Float64Array(0);
  readonly #offset = new Float64Array(3);
  #u: Float64Array;
  #damping = FIRST_DAMPING;

  constructor({ sequence, map }: Weld, options: PoseOptions, run: Run) {
    const { positions, triangles } = sequence.rest;
    const f = triangles.length / 3;
    this.#E = frameCount(sequence);
    this.#n = positions.length / 3;
    this.#options = options;
    this.#map = map;
    this.#frame = relativeFrame(positions);
    this.#x = relativePositions(this.#frame, positions);
    this.#triangles = triangles;
    this.#surface = surfaceGradients(this.#x, triangles);
    this.#blender = learn(sequence, run);
    this.#cholesky = new SparseCholesky(run.numerics, this.#surface.normalMatrix);
    this.#shapes = new Float64Array(9 * f * (this.#E + 1));
    this.#u = new Float64Array(3 * this.#n);
    this.blend = new Float64Array(this.#E);
  }

  get state(): PoseState {
    return this.#state;
  }

  setHandles(given: readonly Handle[]): void {
    const n = this.#map.length;
    const wrong = given.find(({ vertex }) => !(vertex >= 0 && vertex < n));
    if (wrong) throw new UsageError(`setHandles: there is no vertex ${wrong.vertex}; vertices are 0 to ${n - 1}`);
    const handles = given.map((handle) => ({ ...handle, vertex: this.#map[handle.vertex] }));
    const same =
      handles.length === this.#handles.length && handles.every((h, c) => h.vertex === this.#handles[c].vertex);
    this.#handles = handles;
    if (!same) this.#setVertices();
    const { center, size } = this.#frame;
    this.#offset.fill(0);
    for (const { vertex, target } of handles) {
      for (let r = 0; r < 3; r++) {
        this.#offset[r] += ((target[r] - center[r]) / size - this.#x[3 * vertex + r]) / handles.length;
      }
    }
    this.#damping = FIRST_DAMPING;
    this.#state.iterations = 0;
    this.#state.atRest = handles.length === 0;
    this.#evaluate(this.blend);
  }

  /**
   * Restarts from a blend.
   *
   * @param blend  E weights
   */
  setBlend(blend: ArrayLike<number>): void {
    if (blend.length !== this.#E) {
      throw new UsageError(`setBlend: ${blend.length} weights for ${this.#E} examples; give one each`);
    }
    this.blend.set(blend);
    this.#evaluate(this.blend);
    this.#state.iterations = 0;
    this.#state.atRest = this.#handles.length === 0;
  }

  step(deadline = Number.POSITIVE_INFINITY): PoseState {
    const { clock } = this.#options;
    while (!this.#state.atRest) {
      this.iterate();
      if (clock && clock() >= deadline) break;
    }
    return this.#state;
  }

  positions(out: Float32Array): Float32Array {
    const { center, size } = this.#frame;
    for (let k = 0; k < out.length; k++) {
      const at = 3 * this.#map[Math.floor(k / 3)] + (k % 3);
      out[k] = center[k % 3] + size * (this.#x[at] + this.#u[at] + this.#offset[k % 3]);
    }
    return out;
  }

  /** Frees the kernels' memory; it must not be used afterwards. */
  dispose(): void {
    this.#cholesky.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** One Gauss–Newton iteration. */
  iterate(): void {
    const E = this.#E;
    const state = this.#state;
    const before = state.cost;
    const { a, gradient } = this.#linearise();
    state.iterations++;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const damped = a.slice();
      const delta = gradient.map((value) => -value);
      for (let e = 0; e < E; e++) damped[e * E + e] *= 1 + this.#damping;
      factorSmall(damped, E, E);
      solveSmall(damped, E, E, delta, 1);
      const trial = this.blend.map((value, e) => value + delta[e]);
      if (this.#evaluate(trial) < before) {
        this.blend.set(trial);
        this.#damping /= 8;
        state.atRest = before - state.cost <= this.#options.tolerance * before || state.iterations >= MOST_ITERATIONS;
        return;
      }
      this.#damping *= 8;
    }
    this.#evaluate(this.blend);
    this.#damping = FIRST_DAMPING;
    state.atRest = true;
  }

  #setVertices(): void {
    const k = this.#handles.length;
    this.#forces = new HandleForces(k);
    this.#v = this.#handles.map(({ vertex }) => {
      const column = new Float64Array(this.#n);
      column[vertex] = 1;
      return this.#cholesky.solve(column, 1, column);
    });
    this.#s = Float64Array.from(
      { length: k * k },
      (_, at) => this.#v[at % k][this.#handles[Math.floor(at / k)].vertex],
    );
  }

  /** Solves for the vertices of a blend; stores and returns the cost. */
  #evaluate(beta: Float64Array): number {
    const g = new Float64Array(3 * this.#n);
    const squares = new Float64Array(1);
    this.#blender.fill(beta, false, this.#shapes, 3, 1);
    this.#gather(1, g, squares);
    const u = this.#cholesky.solve(g, 3, new Float64Array(3 * this.#n));
    let cost = 0.5 * squares[0] + this.#pull(u);
    for (let k = 0; k < u.length; k++) cost -= 0.5 * g[k] * u[k];
    for (const share of beta) cost += 0.5 * this.#options.ridge * share * share;
    this.#u = u;
    this.#state.cost = cost;
    return cost;
  }

  #pull(u: Float64Array): number {
    const k = this.#handles.length;
    const { center, size } = this.#frame;
    const goals = Float64Array.from({ length: 3 * k }, (_, at) => {
      const { vertex, target } = this.#handles[Math.floor(at / 3)];
      return (target[at % 3] - center[at % 3]) / size - this.#x[3 * vertex + (at % 3)] - this.#offset[at % 3];
    });
    const reached = (at: number) => u[3 * this.#handles[Math.floor(at / 3)].vertex + (at % 3)];
    const softness = Float64Array.from(this.#handles, (handle) => Math.max(handle.softness ?? 0, HARD));
    const limits = new Float64Array(k).fill(this.#options.pull);
    this.#forces.solve(
      k,
      this.#s,
      softness,
      limits,
      goals.map((goal, at) => goal - reached(at)),
    );
    const { forces } = this.#forces;
    for (let c = 0; c < k; c++) {
      for (let j = 0; j < u.length; j++) u[j] += this.#v[c][Math.floor(j / 3)] * forces[3 * c + (j % 3)];
    }
    let cost = 0;
    for (let c = 0; c < k; c++) {
      let squared = 0;
      for (let at = 3 * c; at < 3 * c + 3; at++) {
        cost += 0.5 * reached(at) * forces[at];
        squared += (goals[at] - reached(at)) ** 2;
      }
      const stretch = softness[c] * limits[c];
      const away = Math.sqrt(squared);
      cost += away <= stretch ? (0.5 * squared) / softness[c] : limits[c] * (away - 0.5 * stretch);
    }
    return cost;
  }

  #linearise(): { readonly a: Float64Array; readonly gradient: Float64Array } {
    const E = this.#E;
    const n = this.#n;
    const width = E + 1;
    const pulled = new Float64Array(3 * width * n);
    const gram = new Float64Array(width * width);
    this.#blender.fill(this.blend, true, this.#shapes, 3 * width, width);
    this.#gather(width, pulled, gram);
    const moved = this.#solveAll(pulled, 3 * width);
    const k = this.#handles.length;
    const held = new Float64Array(k * 3 * width);
    for (let c = 0; c < k; c++) {
      for (let i = 0; i < n; i++) {
        for (let e = 0; e < 3 * width; e++) held[c * 3 * width + e] += this.#v[c][i] * pulled[i * 3 * width + e];
      }
    }
    const yielding = held.slice();
    this.#forces.applyInverse(k, yielding, 3 * width);
    const a = new Float64Array(E * E);
    const gradient = new Float64Array(E);
    for (let e = 0; e < E; e++) {
      gradient[e] = gram[(e + 1) * width] + this.#options.ridge * this.blend[e];
      for (let f = 0; f <= e; f++) a[e * E + f] = gram[(e + 1) * width + f + 1] + (e === f ? this.#options.ridge : 0);
    }
    for (let i = 0; i < n; i++) {
      for (let r = 0; r < 3; r++) {
        const at = 3 * width * i + r * width + 1;
        for (let e = 0; e < E; e++) {
          gradient[e] -= pulled[at + e] * this.#u[3 * i + r];
          for (let f = 0; f <= e; f++) a[e * E + f] -= pulled[at + e] * moved[at + f];
        }
      }
    }
    for (let at = 0; at < held.length; at += width) {
      for (let e = 0; e < E; e++) for (let f = 0; f <= e; f++) a[e * E + f] += held[at + e + 1] * yielding[at + f + 1];
    }
    return { a, gradient };
  }

  /**
   * GᵀW times the shapes, and the shapes' Gram matrix, in the planes of the triangles.
   *
   * @param pulled  n × 3·width; added to
   * @param gram    width × width, lower triangle; added to
   */
  #gather(width: number, pulled: Float64Array, gram: Float64Array): void {
    const { tangents, slopes, weights } = this.#surface;
    const columns = 3 * width;
    const shapes = this.#shapes;
    const [first, second] = [new Float64Array(columns), new Float64Array(columns)];
    for (let t = 0; t < weights.length; t++) {
      const w = weights[t];
      const row = 3 * t * columns;
      for (let c = 0; c < columns; c++) {
        const [x, y, z] = [shapes[row + c], shapes[row + columns + c], shapes[row + 2 * columns + c]];
        first[c] = tangents[6 * t] * x + tangents[6 * t + 1] * y + tangents[6 * t + 2] * z;
        second[c] = tangents[6 * t + 3] * x + tangents[6 * t + 4] * y + tangents[6 * t + 5] * z;
      }
      for (let corner = 0; corner < 3; corner++) {
        const to = columns * this.#triangles[3 * t + corner];
        const [s0, s1] = [w * slopes[6 * t + 2 * corner], w * slopes[6 * t + 2 * corner + 1]];
        for (let c = 0; c < columns; c++) pulled[to + c] += s0 * first[c] + s1 * second[c];
      }
      for (let r = 0; r < columns; r += width) {
        for (let e = 0; e < width; e++) {
          const [x, y] = [w * first[r + e], w * second[r + e]];
          for (let f = 0; f <= e; f++) gram[e * width + f] += x * first[r + f] + y * second[r + f];
        }
      }
    }
  }

  /** Solves for every column, as many at a time as the factor takes. */
  #solveAll(rhs: Float64Array, columns: number): Float64Array {
    const n = this.#n;
    const out = new Float64Array(rhs.length);
    for (let first = 0; first < columns; first += MOST_SIDES) {
      const sides = Math.min(MOST_SIDES, columns - first);
      const part = new Float64Array(n * sides);
      for (let i = 0; i < n; i++) for (let c = 0; c < sides; c++) part[i * sides + c] = rhs[i * columns + first + c];
      this.#cholesky.solve(part, sides, part);
      for (let i = 0; i < n; i++) for (let c = 0; c < sides; c++) out[i * columns + first + c] = part[i * sides + c];
    }
    return out;
  }
}

/** Rotations and stretches of each triangle in every example. */
function learn(sequence: MeshSequence, run: Run): ProxyBlend {
  const { positions, triangles } = sequence.rest;
  const [E, f] = [frameCount(sequence), triangles.length / 3];
  const gradients = new DeformationGradients(positions, triangles);
  const unwrapper = new LogUnwrapper(triangleGraph(triangles, positions.length / 3));
  const logs = new Float64Array(3 * f * E);
  const packed = new Float64Array(6 * f * E);
  const [rotations, stretches] = [new Float64Array(9 * f), new Float64Array(9 * f)];
  for (let e = 0; e < E; e++) {
    checkCancelled(run);
    run.onProgress?.({ stage: 'learning examples', fraction: e / E });
    splitGradients(gradients.of(frameAt(sequence, e)), rotations, stretches);
    logs.set(unwrapper.unwrap(rotations), 3 * f * e);
    for (let t = 0; t < f; t++) packStretch(stretches, 9 * t, packed, 6 * (f * e + t));
  }
  return new ProxyBlend(f, E, logs, packed);
}
