/**
 * Targets of rotational regression: the gradients at the example poses, of each triangle or of each key, their rotations,
 * and these relative to a bone as rotation vectors ρ = log(Qᵀ R), unwrapped between the poses and over the mesh.
 */
import { multiplyTransposed3, rotationLogNear } from '@pelt/math';
import { checkCancelled, type RunContext, type SkinWeights } from '@pelt/model';
import { DeformationGradients, splitGradients } from '../../shared/gradients/deformation-gradients.ts';
import { LogUnwrapper } from '../../shared/gradients/unwrap-logs.ts';
import type { EdgeGraph } from '../../shared/mesh/edge-graph.ts';
import { triangleGraph } from '../../shared/mesh/triangle-graph.ts';
import type { PoseCoordinates } from '../runtime/pose-coordinates.ts';
import type { Examples } from './examples.ts';

export interface PoseReading {
  /** m × 9 */
  readonly rotations: Float64Array;
  /** 2m × 3 */
  readonly values: Float64Array;
  /** 2m */
  readonly versines: Float64Array;
}

/** Rotation vectors of adjacent triangles that differ by more than this lie on different branches. */
const TORN = Math.PI;

/** Gradients at S poses, and which of them are of adjacent parts of the surface. */
export interface GradientSequences {
  /** S of f × 9 */
  readonly gradients: readonly Float64Array[];
  /** f nodes */
  readonly graph: EdgeGraph;
  /** S of m × 12 */
  readonly poses: readonly Float64Array[];
}

/** The gradients of the triangles of examples. */
export function triangleSequences({ mesh, poses, shapes }: Examples, run: RunContext): GradientSequences {
  const operator = new DeformationGradients(mesh.positions, mesh.triangles);
  const gradients = shapes.map((shape) => {
    checkCancelled(run);
    return operator.of(shape);
  });
  return { gradients, graph: triangleGraph(mesh.triangles, mesh.positions.length / 3), poses };
}

export class RotationTargets {
  readonly f: number;
  readonly S: number;
  /** S of f × 9 */
  readonly gradients: readonly Float64Array[];
  /** S of f × 9 */
  readonly rotations: readonly Float64Array[];
  /** Pose features of the S poses */
  readonly readings: readonly PoseReading[];
  readonly #graph: EdgeGraph;
  readonly #origin = new Float64Array(3);
  readonly #run: RunContext;

  constructor({ gradients, graph, poses }: GradientSequences, coordinates: PoseCoordinates, run: RunContext) {
    this.#run = run;
    this.f = graph.starts.length - 1;
    this.S = poses.length;
    this.#graph = graph;
    this.gradients = gradients;
    const stretches = new Float64Array(9 * this.f);
    this.rotations = this.gradients.map((gradients) => {
      checkCancelled(run);
      const rotations = new Float64Array(9 * this.f);
      splitGradients(gradients, rotations, stretches);
      return rotations;
    });
    this.readings = poses.map((pose) => {
      const { rotations, values, versines } = coordinates.read(pose);
      return { rotations: rotations.slice(), values: values.slice(), versines: versines.slice() };
    });
  }

  /**
   * Rotation vectors of some triangles relative to bone j. Each pose takes the branch nearest to that of its parent in
   * the minimum spanning tree of the poses, by the joints at the bone, from rest. Where that leaves adjacent triangles
   * on different branches, as after a rotation of half a turn, the branch follows the adjacent triangles as well.
   *
   * @param joints  bones whose joints measure the distance of poses
   * @param chosen  indices of the triangles, each once
   * @returns S × chosen × 3
   */
  logs(j: number, joints: readonly number[], chosen: Int32Array): Float64Array {
    const count = chosen.length;
    const out = new Float64Array(3 * count * this.S);
    const relative = new Float64Array(9 * count);
    const graph = graphWithin(this.#graph, chosen);
    const { order, parents } = poseTree(this.readings, joints);
    let unwrapper: LogUnwrapper | undefined;
    for (const t of order) {
      checkCancelled(this.#run);
      const own = out.subarray(3 * count * t, 3 * count * (t + 1));
      const previous = parents[t] < 0 ? undefined : out.subarray(3 * count * parents[t], 3 * count * (parents[t] + 1));
      for (let a = 0; a < count; a++) {
        multiplyTransposed3(this.readings[t].rotations, 9 * j, this.rotations[t], 9 * chosen[a], relative, 9 * a);
        if (previous) rotationLogNear(relative, 9 * a, previous, 3 * a, own, 3 * a);
        else rotationLogNear(relative, 9 * a, this.#origin, 0, own, 3 * a);
      }
      if (!isTorn(graph, own)) continue;
      unwrapper ??= new LogUnwrapper(graph);
      unwrapper.unwrap(relative, previous, own);
    }
    return out;
  }
}

/** Prim's tree of the poses: their order from the one nearest to rest, and each one's parent (−1 for rest itself). */
function poseTree(readings: readonly PoseReading[], joints: readonly number[]) {
  const away = (t: number, u: number) => {
    let sum = 0;
    for (const b of joints) {
      for (let k = 6 * b; k < 6 * b + 3; k++) sum += (readings[t].values[k] - (readings[u]?.values[k] ?? 0)) ** 2;
    }
    return sum;
  };
  const parents = new Int32Array(readings.length).fill(-1);
  const distance = Float64Array.from(readings, (_, t) => away(t, -1));
  const waiting = new Set(readings.keys());
  const order: number[] = [];
  while (waiting.size > 0) {
    let next = -1;
    for (const t of waiting) if (next < 0 || distance[t] < distance[next]) next = t;
    waiting.delete(next);
    order.push(next);
    for (const t of waiting) {
      const d = away(t, next);
      if (d < distance[t]) [distance[t], parents[t]] = [d, next];
    }
  }
  return { order, parents };
}

/** The subgraph of some nodes, numbered in their order. */
function graphWithin({ starts, neighbours }: EdgeGraph, chosen: Int32Array): EdgeGraph {
  const place = new Int32Array(starts.length - 1).fill(-1);
  chosen.forEach((k, a) => {
    place[k] = a;
  });
  const inner = { starts: new Int32Array(chosen.length + 1), neighbours: new Int32Array(neighbours.length) };
  let length = 0;
  chosen.forEach((k, a) => {
    for (let e = starts[k]; e < starts[k + 1]; e++) {
      if (place[neighbours[e]] >= 0) inner.neighbours[length++] = place[neighbours[e]];
    }
    inner.starts[a + 1] = length;
  });
  return { starts: inner.starts, neighbours: inner.neighbours.slice(0, length) };
}

function isTorn({ starts, neighbours }: EdgeGraph, logs: Float64Array): boolean {
  for (let a = 0; a + 1 < starts.length; a++) {
    for (let e = starts[a]; e < starts[a + 1]; e++) {
      const [p, q] = [3 * a, 3 * neighbours[e]];
      if (q < p) continue;
      const [x, y, z] = [logs[p] - logs[q], logs[p + 1] - logs[q + 1], logs[p + 2] - logs[q + 2]];
      if (x * x + y * y + z * z > TORN * TORN) return true;
    }
  }
  return false;
}

/** f: the bone of the largest weight at each triangle, summed over its corners. */
export function dominantBones(triangles: Uint32Array, skin: SkinWeights, m: number): Int32Array {
  const shares = new Float64Array(m);
  return Int32Array.from({ length: triangles.length / 3 }, (_, k) => {
    shares.fill(0);
    for (let corner = 3 * k; corner < 3 * k + 3; corner++) {
      for (let s = triangles[corner] * skin.slots; s < (triangles[corner] + 1) * skin.slots; s++) {
        shares[skin.bones[s]] += skin.weights[s];
      }
    }
    return shares.indexOf(Math.max(...shares));
  });
}
