/**
 * The reduction of a learnt skin as published: proxy bones from groups of triangles that are joined one by one, as many
 * key gradients, which are found by a descent that starts at the proxies' linear parts, and predictors trained on these.
 *
 * Reference: Wang, Pulli, Popović. Real-time enveloping with rotational regression. 2007 (section 4).
 */
import {
  boundsOf,
  diagonalOf,
  type Envelope,
  type GradientPredictors,
  type Run,
  type SkinWeights,
  stageOf,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { packWeights } from '../../../shared/pack-weights.ts';
import { PoseCoordinates } from '../../runtime/pose-coordinates.ts';
import { keepLargest } from '../blend-weights.ts';
import { fitPredictors } from '../fit-predictors.ts';
import { fitThesisPredictors } from '../fit-thesis-predictors.ts';
import { dominantBones, RotationTargets } from '../rotation-targets.ts';
import { type BlendedItems, descendBlend } from './blend-descent.ts';
import { joinGroups, type SampledShapes, type TriangleGroups } from './group-joins.ts';

/** Most proxies that are tried for a vertex, or keys for a triangle. */
const MOST_CANDIDATES = 16;

export interface PublishedReduction {
  readonly proxies: number;
  /** n × K weights over the proxies */
  readonly weights: SkinWeights;
  /** β, f × L */
  readonly shares: Float64Array;
  /** Predictors of the L key gradients. */
  readonly keys: GradientPredictors;
}

/**
 * @param poses   S of m × 12
 * @param shapes  S of n × 3: the skin at the poses
 * @param most    of proxies, which is also the number of keys, and of proxies per vertex
 */
export function reduceAsPublished(
  { rig, centres, fixed, predictors }: Envelope & { readonly predictors: GradientPredictors },
  poses: readonly Float64Array[],
  shapes: readonly Float32Array[],
  { proxies, slots }: { readonly proxies: number; readonly slots: number },
  run: Run,
): PublishedReduction {
  const { triangles } = rig.mesh;
  const normalise = normaliser(rig.mesh.positions);
  const data = { rest: normalise(rig.mesh.positions), triangles, shapes: shapes.map(normalise) };
  const groups = joinGroups(data, movedTriangles(triangles, fixed), proxies, stageOf(run, 0, 0.5));
  const P = groups.count;
  const blend = descendBlend(vertexItems(data, groups), startMaps(groups, poses.length), slots, stageOf(run, 0.5, 0.7));
  const start = linearParts(blend.maps, 3 * poses.length);
  const { items, chosen } = triangleItems(data, groups);
  const keys = descendBlend(items, start, MOST_CANDIDATES, stageOf(run, 0.7, 0.9));
  const shares = new Float64Array((triangles.length / 3) * P);
  chosen.forEach((k, a) => {
    for (let s = a * keys.places; s < (a + 1) * keys.places; s++) shares[k * P + keys.chosen[s]] += keys.weights[s];
  });
  const graph = {
    starts: Int32Array.from([0, ...groups.adjacent.map(({ length }) => length)]),
    neighbours: Int32Array.from(groups.adjacent.flat()),
  };
  for (let l = 0; l < P; l++) graph.starts[l + 1] += graph.starts[l];
  const gradients = poses.map((_, t) => gradientsAt(keys.maps, 3 * poses.length, t));
  const targets = new RotationTargets({ gradients, graph, poses }, new PoseCoordinates(rig.bones, centres), run);
  const fit = predictors.form === 'product-of-exponentials' ? fitThesisPredictors : fitPredictors;
  const dominant = groupBones(groups, dominantBones(triangles, rig.weights, rig.bones.length), rig.bones.length);
  return {
    proxies: P,
    weights: keepLargest(packWeights(blend.chosen, blend.weights, blend.places), slots),
    shares,
    keys: fit(targets, { bones: rig.bones, dominant }, stageOf(run, 0.9, 1)),
  };
}

/** Takes positions relative to their mean at rest, in units of the size: the columns of a transform have one scale. */
function normaliser(rest: Float32Array): (positions: Float32Array) => Float32Array {
  const size = diagonalOf(boundsOf(rest)) || 1;
  const sums = [0, 1, 2].map((c) => rest.reduce((sum, x, k) => (k % 3 === c ? sum + x : sum), 0));
  return (positions) => positions.map((x, k) => (x - (3 * sums[k % 3]) / rest.length) / size);
}

/** The triangles with a vertex that proxies move; all of them where no vertex is. */
function movedTriangles(triangles: Uint32Array, fixed: Uint8Array): Int32Array {
  const all = Int32Array.from({ length: triangles.length / 3 }, (_, k) => k);
  const moved = all.filter((k) => triangles.subarray(3 * k, 3 * k + 3).some((i) => !fixed[i]));
  return moved.length > 0 ? moved : all;
}

function vertexItems(
  { rest, triangles, shapes }: SampledShapes,
  { groupOf, adjacent, count }: TriangleGroups,
): BlendedItems {
  const n = rest.length / 3;
  const columns = 3 * shapes.length;
  const own = Array.from({ length: n }, () => new Set<number>());
  triangles.forEach((i, corner) => {
    const group = groupOf[Math.floor(corner / 3)];
    if (group >= 0) own[i].add(group);
  });
  const anywhere = Array.from({ length: Math.min(count, MOST_CANDIDATES) }, (_, b) => b);
  const vectors = new Float64Array(4 * n).fill(1);
  const targets = new Float32Array(n * columns);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) {
      vectors[4 * i + c] = rest[3 * i + c];
      shapes.forEach((shape, t) => {
        targets[i * columns + 3 * t + c] = shape[3 * i + c];
      });
    }
  }
  const candidates = own.map((groups) => (groups.size > 0 ? withAdjacent(groups, adjacent) : anywhere));
  return { dimension: 4, parts: 1, vectors, targets, candidates };
}

/** The two edges at the first corner of every grouped triangle. */
function triangleItems({ rest, triangles, shapes }: SampledShapes, { groupOf, adjacent }: TriangleGroups) {
  const chosen = Int32Array.from(groupOf.keys()).filter((k) => groupOf[k] >= 0);
  const columns = 3 * shapes.length;
  const vectors = new Float64Array(6 * chosen.length);
  const targets = new Float32Array(2 * chosen.length * columns);
  chosen.forEach((k, a) => {
    const from = 3 * triangles[3 * k];
    for (let part = 0; part < 2; part++) {
      const to = 3 * triangles[3 * k + 1 + part];
      for (let c = 0; c < 3; c++) {
        vectors[3 * (2 * a + part) + c] = rest[to + c] - rest[from + c];
        shapes.forEach((shape, t) => {
          targets[(2 * a + part) * columns + 3 * t + c] = shape[to + c] - shape[from + c];
        });
      }
    }
  });
  const candidates = Array.from(chosen, (k) => withAdjacent(new Set([groupOf[k]]), adjacent));
  return { chosen, items: { dimension: 3, parts: 2, vectors, targets, candidates } };
}

function withAdjacent(own: ReadonlySet<number>, adjacent: TriangleGroups['adjacent']): number[] {
  const near = Array.from(own).flatMap((group) => adjacent[group]);
  return [...new Set([...own, ...near])].slice(0, MOST_CANDIDATES);
}

/** Transforms of the groups as maps, one after the other with their columns as rows. */
function startMaps({ count, transforms }: TriangleGroups, S: number): Float64Array {
  const maps = new Float64Array(count * TRANSFORM_SIZE * S);
  for (let t = 0; t < S; t++) {
    for (let b = 0; b < count; b++) {
      for (let k = 0; k < TRANSFORM_SIZE; k++) {
        const value = transforms[TRANSFORM_SIZE * (t * count + b) + k];
        maps[(4 * b + (k % 4)) * 3 * S + 3 * t + Math.floor(k / 4)] = value;
      }
    }
  }
  return maps;
}

/** Maps of positions without their translations. */
function linearParts(maps: Float64Array, columns: number): Float64Array {
  return maps.filter((_, k) => Math.floor(k / columns) % 4 < 3);
}

/** L × 9 gradients at pose t, row-major. */
function gradientsAt(maps: Float64Array, columns: number, t: number): Float64Array {
  const out = new Float64Array((3 * maps.length) / columns);
  for (let row = 0; row * columns < maps.length; row++) {
    const [l, c] = [Math.floor(row / 3), row % 3];
    for (let r = 0; r < 3; r++) out[9 * l + 3 * r + c] = maps[row * columns + 3 * t + r];
  }
  return out;
}

/** For every group the bone that most of its triangles follow. */
function groupBones({ count, groupOf }: TriangleGroups, dominant: Int32Array, m: number): Int32Array {
  const votes = new Int32Array(count * m);
  groupOf.forEach((group, k) => {
    if (group >= 0) votes[group * m + dominant[k]]++;
  });
  return Int32Array.from({ length: count }, (_, group) => {
    const own = votes.subarray(group * m, (group + 1) * m);
    return own.indexOf(own.reduce((most, vote) => Math.max(most, vote), 0));
  });
}
