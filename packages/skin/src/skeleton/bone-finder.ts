/**
 * Bones of skin that is blended linearly, from its motion alone: pieces that move as rigid bodies (rigid-pieces.ts), and
 * rotations in the motion of overlapping patches (motion-subspace.ts), those that agree once. With a mirror plane, every bone
 * is looked for again in the mirror image of its patch, so that left and right have the same bones, whichever was seen first.
 */
import { KdTree, type Numerics } from '@pelt/math';
import type { MeshSequence } from '@pelt/model';
import type { FitProblem } from '../decompose/fit-problem.ts';
import { type CoarseGraph, coarseGraph } from '../shared/mesh/coarse-graph.ts';
import type { EdgeGraph } from '../shared/mesh/edge-graph.ts';
import { patchAround } from '../shared/mesh/patch.ts';
import type { MirrorPlane } from './mirror-plane.ts';
import { MotionSubspace, type PatchMotion, type RigidMotion, rigidMotion } from './motion-subspace.ts';
import type { SkeletonPlan } from './plan.ts';
import { rigidPieces, rigidResidual, roundingOf } from './rigid-pieces.ts';
import { gather, type VertexMotion, vertexMotion } from './vertex-motion.ts';

/** A bone whose rotations are known. */
export interface FoundBone {
  /** (S + 1) × 9, rest to pose, row-major; the first is the identity */
  readonly rotations: Float64Array;
  /** (S + 1) × 3, where they are known as well: the bone moves some vertices alone */
  readonly translations?: Float64Array;
  /** Vertex that it carries along. */
  readonly vertex: number;
  /** How badly the rotation explains the edges of that vertex, relative to their lengths. */
  readonly impurity: number;
  /** Whether the motion leaves no other rotation near this one. */
  readonly certain: boolean;
}

/** Searches for bones around seeds, one after the other. */
export class BoneFinder {
  readonly found: FoundBone[] = [];
  readonly motion: VertexMotion;
  /** Mirror image of each bone found: possibly itself, undefined for none. */
  readonly #images: (number | undefined)[] = [];
  readonly #coarse: CoarseGraph;
  readonly #places: KdTree;
  readonly #numerics: Numerics;
  readonly #search: SkeletonPlan;
  readonly #mirror: MirrorPlane | undefined;

  /** @param mirror  of all vertices of the problem */
  constructor(
    problem: FitProblem,
    sequence: MeshSequence,
    frames: Int32Array,
    search: SkeletonPlan,
    mirror: MirrorPlane | undefined,
  ) {
    const { graph, prepared, numerics } = problem;
    const { rest } = prepared.trajectories;
    this.motion = vertexMotion(problem, sequence, frames);
    this.#coarse = coarseGraph(graph, rest, search.patchedVertices);
    const { vertices } = this.#coarse;
    this.#places = new KdTree(
      Float64Array.from({ length: 3 * vertices.length }, (_, k) => rest[3 * vertices[Math.floor(k / 3)] + (k % 3)]),
    );
    this.#numerics = numerics;
    this.#search = search;
    this.#mirror = mirror;
    this.#takePieces(graph);
  }

  /** Number of vertices that seeds are taken from, far from each other first. */
  get vertices(): number {
    return this.#coarse.vertices.length;
  }

  /** Mirror image of each bone found: possibly itself, −1 for none. */
  get partners(): Int32Array {
    const images = this.#images;
    return Int32Array.from(this.found, (_, j) => {
      const k = images[j];
      return k !== undefined && images[k] === j ? k : -1;
    });
  }

  /** The seed nearest to a point. */
  nearest(point: Float64Array): number {
    const found = new Uint32Array(1);
    this.#places.nearest(point, 0, 1, found, new Float64Array(1));
    return found[0];
  }

  /** @param starts  numbers of vertices around the seed from whose rigid motions the search starts */
  look(seed: number, starts: readonly number[]): void {
    const { patchVertices } = this.#search;
    const near = patchAround(this.#coarse.graph, seed, patchVertices);
    if (near.length < patchVertices / 4) return;
    const vertices = near.map((a) => this.#coarse.vertices[a]);
    const patch = gather(this.motion, vertices);
    const subspace = new MotionSubspace(this.#numerics, patch, this.motion.rounding);
    if (subspace.rank < 4) return;
    for (const size of starts) {
      const core = Array.from({ length: Math.min(size, near.length) }, (_, a) => a);
      const bone = this.#refined(subspace, patch, near, vertices, rigidMotion(patch, core).rotations);
      if (!bone || this.#images[bone.index] !== undefined) continue;
      this.#lookAcross(near, vertices, bone);
    }
  }

  /** The bone nearest to a start. */
  #refined(
    subspace: MotionSubspace,
    patch: PatchMotion,
    near: readonly number[],
    vertices: readonly number[],
    start: Float64Array,
  ): { readonly index: number; readonly combination: Float64Array } | undefined {
    const { mostStrain } = this.#search;
    const { rotations, residual, settled, isolated, combination } = subspace.nearest(start);
    if (!settled || !(residual <= mostStrain)) return undefined;
    const { vertex, impurity } = purest(patch, near, this.#coarse.graph, rotations);
    return { index: this.#merge({ rotations, vertex: vertices[vertex], impurity, certain: isolated }), combination };
  }

  /** The mirror image of a bone, in that of its patch. */
  #lookAcross(
    near: readonly number[],
    vertices: readonly number[],
    { index, combination }: { readonly index: number; readonly combination: Float64Array },
  ): void {
    const mirror = this.#mirror;
    if (!mirror) return;
    const across = vertices.map((i) => mirror.images[i]);
    const patch = gather(this.motion, across);
    const subspace = new MotionSubspace(this.#numerics, patch, this.motion.rounding);
    if (subspace.rank < 4) return;
    const start = subspace.mirrored(combination, mirror.normal);
    const image = this.#refined(subspace, patch, near, across, start);
    if (image) this.#pair(index, image.index);
  }

  #takePieces(graph: EdgeGraph): void {
    const mirror = this.#mirror;
    for (const { vertices, ...whole } of rigidPieces(this.motion, graph)) {
      const index = this.#merge(pieceBone(this.motion, vertices, whole));
      if (!mirror || this.#images[index] !== undefined) continue;
      const across = vertices.map((i) => mirror.images[i]);
      const patch = gather(this.motion, across);
      const image = rigidMotion(patch, Array.from(across.keys()));
      if (rigidResidual(patch, image) > 4 * roundingOf(this.motion)) continue;
      this.#pair(index, this.#merge(pieceBone(this.motion, across, image)));
    }
  }

  #pair(j: number, k: number): void {
    if (this.#images[j] !== undefined || this.#images[k] !== undefined) return;
    this.#images[j] = k;
    this.#images[k] = j;
  }

  /**
   * Adds a bone, or of two that rotate alike keeps the one that is certain or has its vertex more to itself; returns its
   * index.
   */
  #merge(bone: FoundBone): number {
    const { found } = this;
    const same = found.findIndex((other) => apart(other.rotations, bone.rotations) < this.#search.sameRotation);
    if (same < 0) return found.push(bone) - 1;
    const [old, more] = [found[same], Number(bone.certain) - Number(found[same].certain)];
    if (more > 0 || (more === 0 && bone.impurity < old.impurity)) found[same] = bone;
    return same;
  }
}

/** The bone that moves a piece alone, and carries the vertex nearest to its centre. */
function pieceBone(
  { at }: VertexMotion,
  vertices: readonly number[],
  { rotations, translations }: RigidMotion,
): FoundBone {
  const centre = [0, 1, 2].map((d) => vertices.reduce((sum, i) => sum + at(0, i, d), 0) / vertices.length);
  const off = (i: number) => Math.hypot(...centre.map((value, d) => at(0, i, d) - value));
  const vertex = vertices.reduce((best, i) => (off(i) < off(best) ? i : best), vertices[0]);
  return { rotations, translations, vertex, impurity: 0, certain: true };
}

/** The vertex of a patch, by its place in it, whose edges a rotation explains best. */
function purest(
  { positions, size }: PatchMotion,
  vertices: readonly number[],
  { starts, neighbours }: EdgeGraph,
  R: Float64Array,
): { vertex: number; impurity: number } {
  const frames = R.length / 9;
  const place = new Map(vertices.map((i, a) => [i, a]));
  let best = { vertex: 0, impurity: Number.POSITIVE_INFINITY };
  vertices.forEach((i, a) => {
    let [off, length] = [0, 0];
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const b = place.get(neighbours[e]);
      if (b === undefined) continue;
      const edge = (t: number, d: number) => positions[(3 * t + d) * size + b] - positions[(3 * t + d) * size + a];
      const rest = [edge(0, 0), edge(0, 1), edge(0, 2)];
      length += rest[0] ** 2 + rest[1] ** 2 + rest[2] ** 2;
      for (let t = 1; t < frames; t++) {
        for (let d = 0; d < 3; d++) {
          const at = 9 * t + 3 * d;
          off += (edge(t, d) - R[at] * rest[0] - R[at + 1] * rest[1] - R[at + 2] * rest[2]) ** 2;
        }
      }
    }
    const impurity = off / (length * frames);
    if (impurity < best.impurity) best = { vertex: a, impurity };
  });
  return best;
}

/** Root mean square angle between two rotations, in radians. */
function apart(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt((sum * 9) / (2 * a.length));
}
